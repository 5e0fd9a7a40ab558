"""Whoever rewrites the file behind our back cannot rewrite the chain."""

import sqlite3
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
        await store.commit([step(events=[said(private='"private"'), said(), said()])])
        assert await store.verify(MEETUP)
    finally:
        await store.close()
    _forge(path, forgery)

    assert not await _verified(path, StreamKey(ACME, "picnic") if "picnic" in forgery else MEETUP)


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
