"""What the audit trail answers, over every store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.kernel import Handled, StreamKey, Tenant
from engine.negotiation.audit import trail
from engine.negotiation.commands import CloseRound
from engine.negotiation.state import Negotiation
from engine.projections.audit import acts, acts_by
from engine.store.port import Commit, Store
from tests.store.conftest import STORES

ACME, BEES = Tenant("T_ACME"), Tenant("T_BEES")
NEW_YEAR = 1_798_761_600_000
"""2027-01-01T00:00:00Z."""
DAY = 24 * 3_600_000


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = STORES[request.param](tmp_path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def closes(
    store: Store, stream: str, turn: int, by: str = "U_ANN", at: int = NEW_YEAR, tenant: Tenant = ACME
) -> None:
    """Somebody closes round ``turn`` of ``stream``."""
    command = CloseRound(command_id=f"click-{turn}", at=at, by=by, round=turn)
    records = trail(Handled(stream, turn, command, Negotiation(), Negotiation()))
    commands = ((command.command_id, None),)
    await store.commit(Commit(StreamKey(tenant, stream), "negotiation", 0, commands, records=records))


async def test_what_happened_in_a_negotiation_is_told_in_the_order_it_happened(store: Store) -> None:
    for turn in (2, 10, 101, 1):
        await closes(store, "collab-1", turn, by="U_ANN" if turn % 2 else "U_BO")
    await closes(store, "collab-10", 3)

    assert [(each.round, each.by) for each in await acts(store, ACME, "collab-1")] == [
        (1, "U_ANN"),
        (2, "U_BO"),
        (10, "U_BO"),
        (101, "U_ANN"),
    ]


async def test_what_a_person_did_in_all_negotiations_is_told_in_the_order_of_time(store: Store) -> None:
    for day, stream in ((40, "collab-1"), (3, "collab-2"), (365, "collab-3")):
        await closes(store, stream, 1, at=NEW_YEAR + day * DAY)
    await closes(store, "collab-1", 2, by="U_ANNA")

    assert [each.stream for each in await acts_by(store, ACME, "U_ANN")] == ["collab-2", "collab-1", "collab-3"]
    assert [each.stream for each in await acts_by(store, ACME, "U_ANN", during="2027-02")] == ["collab-1"]
    assert [each.stream for each in await acts_by(store, ACME, "U_ANN", during="2028")] == ["collab-3"]


async def test_each_tenant_has_its_own_trail(store: Store) -> None:
    await closes(store, "collab-1", 1)
    await closes(store, "collab-1", 2, tenant=BEES)

    assert [each.round for each in await acts(store, ACME, "collab-1")] == [1]
    assert [each.round for each in await acts_by(store, BEES, "U_ANN")] == [2]


async def test_where_nobody_did_anything_there_is_nothing_to_tell(store: Store) -> None:
    assert await acts(store, ACME, "collab-1") == []
    assert await acts_by(store, ACME, "U_ANN") == []
