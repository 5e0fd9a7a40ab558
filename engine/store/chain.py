"""Digests and the chain: what makes a rewritten history show. Pure; both stores seal and check with it.

    private_digest = sha256(salt ‖ private)
    chain[n]       = sha256(2 ‖ chain[n-1] ‖ event_type ‖ at ‖ private_digest ‖ public)
    chain[0]       = sha256([enterprise, team, stream])

An event of the first version of the chain has a digest of its own besides, and is checked by it:

    digest         = sha256([event_type, at, public, private_digest])
    chain[n]       = sha256(chain[n-1] ‖ digest)

Each event says by its digest which version it is of, and the chain runs through both. Erasing a private text takes its
salt along, so that a short text cannot be guessed from the digest that stays.

Earlier versions kept texts among what is public, and the chain is over these. To erase them, the chain is linked anew
from there on (`relinked`), once it is certain that nobody else has changed the history.
"""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from engine.kernel import Millis, StreamKey
from engine.store.port import NewEvent

SALT_BYTES = 16

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # made once: json.dumps would make one a digest


class SealedEvent(NamedTuple):
    """An event with its digests, as it lies on disk. An erased one keeps ``private_digest`` alone."""

    event_type: str
    at: Millis
    public: str
    private: str | None
    salt: bytes | None
    private_digest: bytes | None
    digest: bytes
    """Empty from the second version of the chain on."""
    chain: bytes

    @property
    def erased(self) -> bool:
        return self.private is None and self.private_digest is not None

    def without_private(self) -> "SealedEvent":
        return self._replace(private=None, salt=None)


def genesis(key: StreamKey) -> bytes:
    """The link before the first: it names the stream, so that a history cannot be passed off as another stream's."""
    return _sha256_of_json(key.tenant.enterprise_id, key.tenant.team_id, key.stream)


def seal(chain: bytes, events: Sequence[NewEvent]) -> list[SealedEvent]:
    """The events that follow the link ``chain``, in order, each with a fresh salt for its private text."""
    sealed = []
    salts = iter(_salts(sum(event.private is not None for event in events)))
    for event in events:
        salt = None if event.private is None else next(salts)
        private_digest = _private_digest(salt, event.private)
        chain = _link(chain, event.event_type, event.at, event.public, private_digest)
        sealed.append(
            SealedEvent(event.event_type, event.at, event.public, event.private, salt, private_digest, b"", chain)
        )
    return sealed


def head(key: StreamKey, history: Iterable[SealedEvent]) -> bytes | None:
    """The last link of a whole history, computed anew from its texts; None where a row is not what it was."""
    chain = genesis(key)
    for event in history:
        if event.private is not None and _private_digest(event.salt, event.private) != event.private_digest:
            return None
        if event.digest:
            digest = _digest(event.event_type, event.at, event.public, event.private_digest)
            chain = sha256(chain + digest).digest()
        else:
            digest = b""
            chain = _link(chain, event.event_type, event.at, event.public, event.private_digest)
        if (digest, chain) != (event.digest, event.chain):
            return None
    return chain


def relinked(
    key: StreamKey, chain: bytes, history: Sequence[SealedEvent], reworded: Mapping[int, str]
) -> list[SealedEvent]:
    """A whole history with other public texts, by seq, and without the private ones of the same events.

    Args:
        chain: the last link, as it is known.

    Raises:
        ValueError: the history is not what was written.
    """
    if head(key, history) != chain:
        raise ValueError(f"The events of {key.stream} are not those that were written; restore a backup first.")
    link, found = genesis(key), []
    for seq, event in enumerate(history, start=1):
        if (public := reworded.get(seq)) is not None:
            event = event.without_private()._replace(public=public, digest=b"")
        if event.digest:
            link = sha256(link + event.digest).digest()
        else:
            link = _link(link, event.event_type, event.at, event.public, event.private_digest)
        found.append(event._replace(chain=link))
    return found


def without_words(refusal: str) -> str:
    """What is kept of a refusal, ``Name: message``: the message may name people."""
    return f"{refusal.partition(':')[0]}: This was refused before; in which words is erased."


def _link(chain: bytes, event_type: str, at: Millis, public: str, private_digest: bytes | None) -> bytes:
    """No part can be taken for another: none but the last may hold a line break."""
    concealed = "" if private_digest is None else private_digest.hex()
    return sha256(b"2" + chain + f"{event_type}\n{at}\n{concealed}\n{public}".encode()).digest()


def _salts(number: int) -> list[bytes]:
    """Asked for at once: each time costs more than everything else that is done about an event."""
    all_of_them = secrets.token_bytes(SALT_BYTES * number)
    return [all_of_them[start : start + SALT_BYTES] for start in range(0, len(all_of_them), SALT_BYTES)]


def _private_digest(salt: bytes | None, private: str | None) -> bytes | None:
    return None if private is None else sha256((salt or b"") + private.encode()).digest()


def _digest(event_type: str, at: Millis, public: str, private_digest: bytes | None) -> bytes:
    return _sha256_of_json(event_type, at, public, None if private_digest is None else private_digest.hex())


def _sha256_of_json(*values: str | int | None) -> bytes:
    return sha256(_JSON.encode(values).encode()).digest()
