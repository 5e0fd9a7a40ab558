"""Negotiations that ended or wait are copied with everything they have."""

from pathlib import Path

from benchmarks import engine
from engine.kernel import StreamKey
from engine.store.sqlite import SqliteStore


async def test_copies_of_one_that_ended_are_as_it_is(tmp_path: Path) -> None:
    await engine.finish_many(tmp_path / "towow.db", 3)

    async with engine.engine(tmp_path / "towow.db") as runtime:
        states = [(await runtime.read(each))[0] for each in (_key("collab-00000000"), _key("copy-0000000003"))]
        await engine.negotiate(runtime, [1])
        await engine.check(runtime, [0, 1])
    counts = await _counts(tmp_path / "towow.db")

    assert states[0] == states[1]
    assert (counts["streams"], counts["open_streams"], counts["events"]) == (5, 0, 5 * 60)


async def test_copies_of_one_that_waits_have_its_alarms_and_its_round(tmp_path: Path) -> None:
    await engine.open_many(tmp_path / "towow.db", 600)
    counts = await _counts(tmp_path / "towow.db")

    async with engine.engine(tmp_path / "towow.db", profiles=engine.linked()) as runtime:
        state, _ = await runtime.read(_key("copy-0000000600"))

    assert state.status == "negotiating"
    assert (counts["streams"], counts["open_streams"]) == (601, 601)
    assert counts["alarms"] % 601 == 0
    assert counts["alarms"] > 0


def _key(stream: str) -> StreamKey:
    return StreamKey(engine.TENANT, stream)


async def _counts(path: Path) -> dict[str, int]:
    store = SqliteStore(path)
    await store.open()
    try:
        return dict(await store.counts())
    finally:
        await store.close()
