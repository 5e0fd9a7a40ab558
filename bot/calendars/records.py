"""What is kept of somebody's calendar: what they have given, and when it says that they are busy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from msgspec import field

from engine.errors import StoreUnusable
from engine.kernel import Message, Millis, Tenant

if TYPE_CHECKING:
    from bot.slack.oauth.token_keys import TokenKeys

GIVEN: Final = "calendar"
"""Of the records, by user, of what they have given. What was read counts only beside it."""
READ: Final = "calendar_read"
"""Of the records, by user, of what was read of it."""
KINDS: Final = (GIVEN, READ)


class Given(Message, kw_only=True):
    """A calendar that somebody has given."""

    id: str
    """Another one for each calendar that is given, so that what was read of an earlier one never counts for it."""
    at: Millis
    address: str = ""
    """Encrypted; empty where they gave a file."""


class CalendarRead(Message, kw_only=True):
    """What was read of a calendar, and how it went last."""

    of: str
    """The id of what was given."""
    tried_at: Millis
    busy: tuple[tuple[int, int], ...] = ()
    """From and until when, in seconds since 1970; in order, and apart from each other."""
    meetings: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """When they are at what ToWow has invited them to, by what it calls that; it is not among the rest."""
    since: Millis = 0
    until: Millis = 0
    """What it says is of this time."""
    read_at: Millis = 0
    """When it was known last to be so; 0 where it was never read."""
    zone: str = ""
    """In which days were read."""
    etag: str = ""
    modified: str = ""
    failing_since: Millis = 0
    """0 where it could be read when that was tried last."""
    why: str = ""
    about: str = ""
    """A time zone that nobody knows."""
    address: str = ""
    """The one that was given, encrypted under a newer key than it was then; empty where that is the newest."""
    is_told: bool = False
    """Whether its owner was told that it cannot be read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody's calendar stands, for themselves."""

    has_address: bool
    read_at: Millis = 0
    """0 where it was never read."""
    failing_since: Millis = 0
    why: str = ""
    about: str = ""
    hours_this_week: float = 0.0


class Sealing:
    """
    Args:
        keys: the newest first; without any, no address is kept.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = _token_keys(keys) if keys else None

    @property
    def has_keys(self) -> bool:
        return self._keys is not None

    def seal(self, address: str, tenant: Tenant, user: str) -> str:
        if self._keys is None:
            raise ValueError("without a key, no address is kept")
        return self._keys.seal(address, _whose(tenant, user))

    def open(self, sealed: str, tenant: Tenant, user: str) -> str:
        """Decrypt what was sealed.

        Raises:
            StoreUnusable: no key opens it, or it is somebody else's.
        """
        if self._keys is None:
            raise StoreUnusable("The address of a calendar is encrypted, and there is no key; set TOWOW_TOKEN_KEYS.")
        return self._keys.open(sealed, _whose(tenant, user))

    def is_newest(self, sealed: str) -> bool:
        return self._keys is not None and self._keys.is_newest(sealed)


def _token_keys(keys: Sequence[bytes]) -> "TokenKeys":
    from bot.slack.oauth.token_keys import TokenKeys  # who has no keys need not have what encrypts

    return TokenKeys(keys)


def _whose(tenant: Tenant, user: str) -> str:
    return f"{tenant.enterprise_id}|{tenant.team_id}|calendar of {user}"
