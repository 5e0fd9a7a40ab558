"""Whoever reads a stream while all of its workspace is deleted is told that it is not there any more."""

import pytest

from engine.kernel import StreamKey
from engine.store.memory import MemoryStore
from engine.store.port import Stream

from .api_harness import ALONE
from .conftest import Begin


class Purged(MemoryStore):
    """Is purged right before the next read of a stream, once it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.is_purged = False

    async def load(self, key: StreamKey) -> Stream | None:
        if self.is_purged:
            await self.purge(key.tenant)
        return await super().load(key)


@pytest.fixture
def store() -> Purged:
    return Purged()


async def test_a_demand_that_is_purged_while_it_is_read_is_unknown(begin: Begin, store: Purged) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks()
    await it.ends(demand_id)
    stranger = it.as_("program")
    assert (await stranger.get(f"/api/v1/demand/{demand_id}")).status == 200
    store.is_purged = True

    answer = await stranger.get(f"/api/v1/demand/{demand_id}")

    assert answer.status == 404
    assert "any more" in answer.body["detail"]
