"""Digests and the chain: what makes a rewritten history show. Pure; both stores seal and check with it.

    private_digest = sha256(salt ‖ private)
    digest         = sha256([event_type, at, public, private_digest])
    chain[n]       = sha256(chain[n-1] ‖ digest[n])        chain[0] = sha256([enterprise, team, stream])

Erasing a private text takes its salt along, so that a short text cannot be guessed from the digest that stays.
"""

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

from engine.kernel import Millis, StreamKey
from engine.store.port import NewEvent

SALT_BYTES = 16

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # made once: json.dumps would make one a digest


@dataclass(frozen=True, slots=True)
class SealedEvent:
    """An event with its digests, as it lies on disk. An erased one keeps ``private_digest`` alone."""

    event_type: str
    at: Millis
    public: str
    private: str | None
    salt: bytes | None
    private_digest: bytes | None
    digest: bytes
    chain: bytes

    @property
    def erased(self) -> bool:
        return self.private is None and self.private_digest is not None

    def without_private(self) -> "SealedEvent":
        return replace(self, private=None, salt=None)


def genesis(key: StreamKey) -> bytes:
    """The link before the first: it names the stream, so that a history cannot be passed off as another stream's."""
    return _sha256_of_json(key.tenant.enterprise_id, key.tenant.team_id, key.stream)


def seal(chain: bytes, events: Iterable[NewEvent]) -> list[SealedEvent]:
    """The events that follow the link ``chain``, in order, each with a fresh salt for its private text."""
    sealed = []
    for event in events:
        salt = None if event.private is None else secrets.token_bytes(SALT_BYTES)
        private_digest = _private_digest(salt, event.private)
        digest = _digest(event.event_type, event.at, event.public, private_digest)
        chain = _link(chain, digest)
        sealed.append(
            SealedEvent(event.event_type, event.at, event.public, event.private, salt, private_digest, digest, chain)
        )
    return sealed


def head(key: StreamKey, history: Iterable[SealedEvent]) -> bytes | None:
    """The last link of a whole history, computed anew from its texts; None where a row is not what it was."""
    chain = genesis(key)
    for event in history:
        if event.private is not None and _private_digest(event.salt, event.private) != event.private_digest:
            return None
        digest = _digest(event.event_type, event.at, event.public, event.private_digest)
        chain = _link(chain, digest)
        if (digest, chain) != (event.digest, event.chain):
            return None
    return chain


def _private_digest(salt: bytes | None, private: str | None) -> bytes | None:
    return None if private is None else sha256((salt or b"") + private.encode()).digest()


def _digest(event_type: str, at: Millis, public: str, private_digest: bytes | None) -> bytes:
    return _sha256_of_json(event_type, at, public, None if private_digest is None else private_digest.hex())


def _link(chain: bytes, digest: bytes) -> bytes:
    return sha256(chain + digest).digest()


def _sha256_of_json(*values: str | int | None) -> bytes:
    return sha256(_JSON.encode(values).encode()).digest()
