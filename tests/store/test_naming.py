"""Which streams name somebody: a database that is looked at says so without any of them being read."""

from pathlib import Path

import pytest

from bot.databases import Database, PostgresAddress, archive_of, store_in
from engine.kernel import StreamKey
from tests.store.words import BEES, MEETUP, PICNIC, said, step

BY_BEES = StreamKey(BEES, "U_AYA")
"""Called as somebody else is."""


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param == "sqlite":
        return tmp_path / "towow.db"
    return PostgresAddress(request.getfixturevalue("postgres_url"))


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param({"U_AYA"}, [MEETUP, BY_BEES], id="in public, or its own name"),
        pytest.param({"U_BO"}, [PICNIC], id="in private"),
        pytest.param({"U_BO", "U_AYA"}, [MEETUP, PICNIC, BY_BEES], id="either of two, the oldest first"),
        pytest.param({"U_AY"}, [], id="a part of a name"),
        pytest.param({'Li "Q" .*', "李"}, [BY_BEES], id="a name that has to be escaped"),
        pytest.param(set(), [], id="nobody"),
    ],
)
async def test_streams_are_found_by_whom_they_name(database: Database, names: set[str], found: list[StreamKey]) -> None:
    store = store_in(database)
    await store.open()
    await store.commit(step(MEETUP, 0, [said('{"by":"U_AYA"}')]))
    await store.commit(step(PICNIC, 0, [said('{"by":"U_CY"}', '{"text":"hello","to":["U_BO"]}')]))
    await store.commit(step(BY_BEES, 0, [said('{"by":"Li \\"Q\\" .*"}')]))
    await store.close()

    assert archive_of(database).naming(names) == found
