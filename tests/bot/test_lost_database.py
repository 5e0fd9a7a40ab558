"""The database is deleted while it runs: nothing is acknowledged, people are told, and what there was is saved."""

import os
from pathlib import Path

import pytest

from engine.negotiation.events import ProposalFeedback
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive

from .conftest import Given
from .driver import ACCEPT, AYA, BO


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "towow.db"


@pytest.fixture
def store(path: Path) -> SqliteStore:
    return SqliteStore(path)


async def test_a_click_is_not_acknowledged_once_the_database_was_deleted(given: Given, path: Path) -> None:
    it = await given()
    assert (await it.clicks(AYA, ACCEPT)).acked
    key = it.key

    os.unlink(path)
    await it.expects_no_ack()
    assert not (await it.clicks(BO, ACCEPT)).acked

    [saved] = path.parent.glob("towow.db.rescued-*")
    found = Archive(saved).load(key)
    assert found is not None
    votes = [each for each in found.events if each.event_type == ProposalFeedback.event_type]
    assert len(votes) >= 1
