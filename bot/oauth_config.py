"""Which variables say how many workspaces install ToWow; `bot.config` reads them with all others."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final
from urllib.parse import urljoin

from bot.databases import Database
from bot.environment import Variable, whole_number

PURGE_DAYS: Final = 30
KEY: Final = 32
"""Bytes of a key that encrypts tokens."""
REDIRECT: Final = "/slack/oauth_redirect"
NEEDED: Final = ("sqlalchemy", "cryptography")
"""Modules without which tokens of several workspaces are not kept."""
NOT_INSTALLED: Final = (
    "many workspaces need more to be installed: pip install 'towow[workspaces]', or `make setup` in a checkout"
)
NAMES: Final = ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET")
OF_MANY: Final = (
    Variable(
        "SLACK_CLIENT_ID", "any workspace may install ToWow, see [many workspaces](workspaces.md)",
        "there is one workspace", "1234567890.0987654321",
    ),
    Variable(
        "SLACK_CLIENT_SECRET", "proves to Slack that it is ToWow that asks for tokens", "there is one workspace",
        "3c1b52d0a9…", is_secret=True,
    ),
    Variable(
        "TOWOW_TOKEN_KEYS", "encrypt the tokens of workspaces and the addresses of [calendars](calendars.md), the "
        "newest first; `towow keys new` makes one", "there is one workspace, and nobody gives an address",
        "YW4gZXhhbXBsZSwgc28gYmV0dGVyIG5vdCB5b3VycyE=", is_secret=True,
    ),
    Variable(
        "TOWOW_PURGE_DAYS", "days after which all data is deleted of a workspace that has taken ToWow out",
        f"{PURGE_DAYS}", "7",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OAuthAccess:
    """How workspaces let ToWow in."""

    client_id: str
    client_secret: str = field(repr=False)
    keys: tuple[bytes, ...] = field(repr=False)
    """Encrypt tokens; the newest first."""
    database: Database
    """Of ToWow: beside it, or in it, installations are kept."""
    public_url: str
    """Where people reach the HTTP interface."""
    authorize_url: str
    purge_days: int = PURGE_DAYS
    """For so long data is kept of those who have taken ToWow out."""

    @property
    def redirect_uri(self) -> str:
        return f"{self.public_url}{REDIRECT}"


def is_for_many(environ: Mapping[str, str]) -> bool:
    """Whether any workspace may install ToWow, instead of the one whose token is set."""
    return any(environ.get(name, "").strip() for name in NAMES)


def is_installed() -> bool:
    """Whether what many workspaces need is there."""
    return all(find_spec(each) is not None for each in NEEDED)


def oauth_access(environ: Mapping[str, str], database: Database, api_url: str, faults: list[str]) -> OAuthAccess | None:
    """
    Args:
        faults: what is wrong is added to these.

    Returns:
        None where there is one workspace.
    """
    if not is_for_many(environ):
        return None
    if not is_installed():
        faults.append(f"{NAMES[0]} is set, and {NOT_INSTALLED}")
    said = {name: environ.get(name, "").strip() for name in (*NAMES, "TOWOW_PUBLIC_URL")}
    faults += [
        f"{name} is not set, and many workspaces take it: see docs/workspaces.md" for name in said if not said[name]
    ]
    if environ.get("SLACK_BOT_TOKEN", "").strip():
        faults.append("SLACK_BOT_TOKEN is of one workspace, and SLACK_CLIENT_ID of many; leave one of them out")
    days = whole_number(environ, "TOWOW_PURGE_DAYS", PURGE_DAYS, "days", faults)
    keys = token_keys(environ, faults)
    public_url = said["TOWOW_PUBLIC_URL"].rstrip("/")
    authorize_url = urljoin(api_url, "../oauth/v2/authorize")
    return OAuthAccess(said[NAMES[0]], said[NAMES[1]], keys, database, public_url, authorize_url, days)


def oauth_keys(environ: Mapping[str, str], faults: list[str]) -> tuple[str, tuple[bytes, ...]]:
    """Return the client's id, whose installations are meant, and the keys."""
    client_id = environ.get(NAMES[0], "").strip()
    if not client_id:
        faults.append(f"{NAMES[0]} is not set: there is one workspace, whose token is not stored")
    elif not is_installed():
        faults.append(f"{NAMES[0]} is set, and {NOT_INSTALLED}")
    return client_id, token_keys(environ, faults)


def token_keys(environ: Mapping[str, str], faults: list[str]) -> tuple[bytes, ...]:
    """Return the keys that encrypt tokens. A fault never repeats one."""
    said = environ.get("TOWOW_TOKEN_KEYS", "").replace(",", " ").split()
    if not said:
        faults.append("TOWOW_TOKEN_KEYS is not set, and tokens are never stored without; `towow keys new` makes one")
    keys = [_key(each) for each in said]
    if wrong := [str(number) for number, each in enumerate(keys, 1) if each is None]:
        faults.append(f"TOWOW_TOKEN_KEYS: no. {', '.join(wrong)} is no key; `towow keys new` makes one")
    if len({*keys}) < len(keys):
        faults.append("TOWOW_TOKEN_KEYS has a key twice; leave one of them out")
    return tuple(each for each in keys if each is not None)


def _key(said: str) -> bytes | None:
    try:
        key = base64.b64decode(said, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return key if len(key) == KEY else None
