"""Encrypts tokens before they are stored: AES-GCM, bound to whose token it is and to the column that has it.

A sealed token says by which key it can be opened: ``k1.`` and the key's id, then nonce and ciphertext in Base64.
"""

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from engine.errors import StoreUnusable

FORM: Final = "k1."
KEY_ID: Final = 8
"""Hexadecimal digits."""
PREFIX: Final = len(FORM) + KEY_ID
"""Characters that say by which key a token is sealed."""
NONCE: Final = 12
"""Bytes, as NIST SP 800-38D has it: drawn at random, one key is good for four thousand million tokens."""
KEY: Final = 32
"""Bytes."""


class TokenKeys:
    """Args:
    keys: the newest first: it seals, and any of them opens.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._by_id: Mapping[str, AESGCM] = {key_id(each): AESGCM(each) for each in keys}
        self.newest = key_id(keys[0])

    def seal(self, token: str, whose: str) -> str:
        """
        Args:
            whose: ``enterprise|team|column``.
        """
        nonce = os.urandom(NONCE)
        sealed = nonce + self._by_id[self.newest].encrypt(nonce, token.encode(), whose.encode())
        return f"{FORM}{self.newest}{base64.urlsafe_b64encode(sealed).decode()}"

    def open(self, sealed: str, whose: str) -> str:
        """Decrypt a token."""
        known = self._by_id.get(id_in(sealed))
        if known is None:
            raise StoreUnusable(
                f"A token is encrypted with the key {id_in(sealed) or '?'}, which TOWOW_TOKEN_KEYS lacks; add it again."
            )
        try:
            raw = base64.urlsafe_b64decode(sealed[PREFIX:])
            return known.decrypt(raw[:NONCE], raw[NONCE:], whose.encode()).decode()
        except (InvalidTag, ValueError):
            raise StoreUnusable(
                f"A token of {whose.rpartition('|')[0]} is not what was encrypted; install the app there again."
            ) from None

    def knows(self, key: str) -> bool:
        return key in self._by_id

    def is_newest(self, sealed: str) -> bool:
        """Whether a token is sealed by the key that seals now."""
        return id_in(sealed) == self.newest


def key_id(key: bytes) -> str:
    """Return what names a key and tells nothing of it."""
    return hashlib.sha256(b"towow token key" + key).hexdigest()[:KEY_ID]


def id_in(sealed: str) -> str:
    """Return the id of the key that has sealed a token; empty where it is not sealed."""
    return sealed[len(FORM) : PREFIX] if sealed.startswith(FORM) else ""


def new_key() -> str:
    return base64.urlsafe_b64encode(os.urandom(KEY)).decode()
