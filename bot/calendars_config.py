"""Which calendars people may give, as the environment says it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

from bot.calendars.addresses import Network, networks_in
from bot.environment import Variable
from bot.oauth_config import token_keys

FORMS: Final = ("yes", "files", "no")
KEYS: Final = "TOWOW_TOKEN_KEYS"
NEEDED: Final = "cryptography"
OF_CALENDARS: Final = (
    Variable(
        "TOWOW_CALENDARS", "which calendars people may give, see [calendars](calendars.md): `files` takes files alone "
        "and fetches nothing, `no` takes none", "`yes`", "files",
    ),
    Variable(
        "TOWOW_CALENDAR_NETWORKS", "addresses and ranges that are not public, and where calendars are fetched "
        "nevertheless, such as a Nextcloud of one's own", "only public addresses", "10.20.0.0/16",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CalendarAccess:
    """Which calendars people may give."""

    takes_files: bool = True
    takes_addresses: bool = True
    """Whether they may give addresses; only where there are keys that encrypt these."""
    networks: tuple[Network, ...] = ()
    """Where calendars are fetched though these are not public."""
    keys: tuple[bytes, ...] = field(default=(), repr=False)
    """Encrypt addresses; the newest first."""


def calendar_access(environ: Mapping[str, str], faults: list[str]) -> CalendarAccess:
    """
    Args:
        faults: what is wrong is added to these.
    """
    form = environ.get("TOWOW_CALENDARS", "").strip() or "yes"
    if form not in FORMS:
        faults.append(f"TOWOW_CALENDARS is {form!r}; it can be {', '.join(FORMS)}")
    said = environ.get("TOWOW_CALENDAR_NETWORKS", "")
    networks: tuple[Network, ...] = ()
    try:
        networks = networks_in(said)
    except ValueError:
        faults.append(f"TOWOW_CALENDAR_NETWORKS is {said!r}; ranges of addresses look like 10.20.0.0/16")
    keys: tuple[bytes, ...] = ()
    if form == "yes" and environ.get(KEYS, "").strip():
        if find_spec(NEEDED) is None:
            faults.append(f"{KEYS} is set, and what encrypts is not installed: pip install 'towow[workspaces]'")
        else:
            wrong: list[str] = []
            keys = token_keys(environ, wrong)
            faults += (each for each in wrong if each not in faults)
    return CalendarAccess(form in ("yes", "files"), form == "yes" and bool(keys), networks, keys)
