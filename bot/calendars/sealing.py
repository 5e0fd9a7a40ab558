"""Encrypts the addresses of calendars as tokens are: whoever has one can read all of the calendar."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import StoreUnusable
from engine.kernel import Tenant

if TYPE_CHECKING:
    from bot.slack.oauth.token_keys import TokenKeys


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
