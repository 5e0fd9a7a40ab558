"""Whoever rewrites the file behind our back cannot rewrite the chain."""

import json
import sqlite3
from hashlib import sha256
from pathlib import Path

import pytest

from engine.kernel import StreamKey
from engine.store.sqlite import SqliteStore

from .words import ACME, MEETUP, said, step

FORGERIES = [
    pytest.param("UPDATE events SET public = '{}' WHERE seq = 2", id="another text"),
    pytest.param("UPDATE events SET private = 'forged' WHERE seq = 1", id="another private text"),
    pytest.param("UPDATE events SET at = at + 1 WHERE seq = 2", id="another time"),
    pytest.param("UPDATE events SET event_type = 'towow.other' WHERE seq = 2", id="another kind"),
    pytest.param("DELETE FROM events WHERE seq = 3", id="the last event gone"),
    pytest.param("DELETE FROM events WHERE seq = 2", id="an event gone"),
    pytest.param("UPDATE events SET seq = -seq; UPDATE events SET seq = 4 + seq", id="the order turned round"),
    pytest.param("UPDATE streams SET version = 2", id="an older version"),
    pytest.param("UPDATE streams SET stream = 'picnic'", id="another stream's name"),
]


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_history_does_not_verify(path: Path, forgery: str) -> None:
    store = SqliteStore(path)
    await store.open()
    try:
        await store.commit(step(events=[said(private='"private"'), said(), said()]))
        assert await store.verify(MEETUP)
    finally:
        await store.close()
    _forge(path, forgery)

    assert not await _verified(path, StreamKey(ACME, "picnic") if "picnic" in forgery else MEETUP)


async def test_a_history_goes_on_that_was_begun_under_the_first_version_of_the_chain(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.commit(step(events=[said(private='"private"'), said()]))
    await store.close()
    _as_of_the_first_version(path)

    store = SqliteStore(path)
    await store.open()
    try:
        assert await store.verify(MEETUP)
        await store.commit(step(version=2, events=[said(private='"private"')], erase=[1]))
        assert await store.verify(MEETUP)
    finally:
        await store.close()


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_history_of_both_versions_does_not_verify(path: Path, forgery: str) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.commit(step(events=[said(private='"private"'), said()]))
    await store.close()
    _as_of_the_first_version(path)
    await store.open()
    await store.commit(step(version=2, events=[said()]))
    await store.close()
    _forge(path, forgery)

    assert not await _verified(path, StreamKey(ACME, "picnic") if "picnic" in forgery else MEETUP)


def _as_of_the_first_version(path: Path) -> None:
    """Seal the meetup's events as the first version of the chain did: each with a digest of its own."""
    connection = sqlite3.connect(path)
    chain = sha256(_json("E_GROUP", "T_ACME", "meetup")).digest()
    rows = connection.execute("SELECT seq, event_type, at, public, private_digest FROM events ORDER BY seq").fetchall()
    for seq, event_type, at, public, private_digest in rows:
        digest = sha256(_json(event_type, at, public, private_digest and private_digest.hex())).digest()
        chain = sha256(chain + digest).digest()
        connection.execute("UPDATE events SET digest = ?, chain = ? WHERE seq = ?", (digest, chain, seq))
    connection.execute("UPDATE streams SET chain = ?", (chain,))
    connection.commit()
    connection.close()


def _json(*values: str | int | None) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()


async def _verified(path: Path, key: StreamKey = MEETUP) -> bool:
    store = SqliteStore(path)
    await store.open()
    try:
        return await store.verify(key)
    finally:
        await store.close()


def _forge(path: Path, sql: str) -> None:
    forger = sqlite3.connect(path)
    forger.executescript(sql)
    forger.close()
