"""What somebody's agenda answers, over every store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.kernel import Place, Record, StreamKey, Tenant, encode
from engine.negotiation.inbox import DEMAND, ENDED_DEMAND, OPEN_VOTE, OpenVotes, OwnDemand
from engine.negotiation.state import Status
from engine.projections.inbox import demands_of, open_votes_of
from engine.store.port import Commit, Store
from tests.store.conftest import STORES

ACME, BEES = Tenant("T_ACME"), Tenant("T_BEES")
PLACE = Place(channel="C_LOBBY", thread="1.1")


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = STORES[request.param](tmp_path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def kept(store: Store, stream: str, *records: Record, tenant: Tenant = ACME, version: int = 0) -> None:
    commit = Commit(StreamKey(tenant, stream), "negotiation", version, ((f"c{records}", None),), records=records)
    await store.commit(commit)


def seats(user: str, stream: str, *agents: str, number: int = 1) -> Record:
    votes = OpenVotes(stream=stream, round=number, agent_ids=agents)
    return Record(OPEN_VOTE, f"{user}/{stream}", encode(votes))


def demand(user: str, stream: str, since: int, status: Status = Status.COLLECTING) -> Record:
    asked = OwnDemand(stream=stream, status=status, since=since, place=PLACE)
    return Record(DEMAND, f"{user}/{stream}", encode(asked))


def ended(user: str, stream: str, since: int) -> Record:
    asked = OwnDemand(stream=stream, status=Status.FINALIZED, since=since, place=PLACE)
    return Record(ENDED_DEMAND, f"{user}/{since:015}/{stream}", encode(asked))


async def test_everybody_has_the_votes_that_are_theirs(store: Store) -> None:
    await kept(store, "s1", seats("U_ANN", "s1", "ann", "chen"), seats("U_ANNA", "s1", "anna"))
    await kept(store, "s2", seats("U_ANN", "s2", "ann", number=3))

    votes = await open_votes_of(store, ACME, "U_ANN")

    assert [(each.stream, each.agent_ids, each.round) for each in votes] == [
        ("s1", ("ann", "chen"), 1),
        ("s2", ("ann",), 3),
    ]
    assert await open_votes_of(store, ACME, "U_BO") == []
    assert await open_votes_of(store, BEES, "U_ANN") == []


async def test_what_moved_last_comes_first(store: Store) -> None:
    await kept(store, "s1", demand("U_ANN", "s1", 5))
    await kept(store, "s2", demand("U_ANN", "s2", 9, Status.FINALIZED), demand("U_BO", "s2", 9))
    await kept(store, "s3", demand("U_ANN", "s3", 7))

    asked = await demands_of(store, ACME, "U_ANN")

    assert [(each.stream, each.status) for each in asked] == [
        ("s2", Status.FINALIZED),
        ("s3", Status.COLLECTING),
        ("s1", Status.COLLECTING),
    ]
    assert asked[0].place == PLACE
    assert await demands_of(store, BEES, "U_ANN") == []


async def test_only_the_latest_are_read_of_what_has_ended(store: Store) -> None:
    """Of an older database, what has ended is among what goes on."""
    many = [ended("U_ANN", f"e{since}", since) for since in range(10, 40)]
    await kept(store, "s1", demand("U_ANN", "s1", 38), demand("U_ANN", "old", 36, Status.FAILED), *many)

    asked = await demands_of(store, ACME, "U_ANN", 6)

    assert [each.stream for each in asked] in (
        ["e39", "s1", "e38", "e37", "old", "e36"],
        ["e39", "e38", "s1", "e37", "e36", "old"],
    )
    assert len(await demands_of(store, ACME, "U_ANN")) == 32
