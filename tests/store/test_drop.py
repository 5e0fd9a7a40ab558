"""What has ended may be deleted with all that belongs to it: at once, and only while nothing is waited for."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from engine.errors import WrongVersion
from engine.kernel import Record, StreamKey
from engine.store.port import Standing, Store
from engine.store.sqlite import SqliteStore

from .words import ACME, BEES, MEETUP, PICNIC, alarm, effect, row, said, step

CANARY = "canary-of-the-meetup"
KEPT = Record("kept", "negotiation", '{"streams":1}')
THEIRS = StreamKey(BEES, MEETUP.stream)
PLACES = [("vote", f"{stream}/a") for stream in (MEETUP.stream, PICNIC.stream)]


async def _ends(store: Store, key: StreamKey, text: str, *, shown: int = 1) -> None:
    records = [row(f"{key.stream}/a", f'"{text}"')]
    words = f'{{"by":"{text}"}}'
    await store.commit(
        step(key, 0, [said(words, words)], records=records, refusal=f"NotAllowed: {text}", is_open=False)
    )
    await store.mark_shown(key, shown)


@pytest.fixture
async def ended(store: Store) -> Store:
    await _ends(store, MEETUP, CANARY)
    await _ends(store, PICNIC, "still there")
    await _ends(store, THEIRS, "theirs")
    return store


async def test_it_goes_with_its_records_and_nothing_else_does(ended: Store) -> None:
    before = [await ended.load(key) for key in (PICNIC, THEIRS)]

    await ended.drop(ACME, {MEETUP.stream: 1}, [Record(*PLACES[0], None), KEPT])

    assert await ended.load(MEETUP) is None
    assert [await ended.load(key) for key in (PICNIC, THEIRS)] == before
    assert await ended.verify(PICNIC)
    assert await ended.record_places(ACME, ("", ""), 10) == [("kept", "negotiation"), PLACES[1]]
    counts = await ended.counts()
    assert (counts["streams"], counts["events"]) == (2, 2)


async def test_positions_go_on_and_the_name_may_be_taken_again(ended: Store) -> None:
    await ended.drop(BEES, {THEIRS.stream: 1}, [])

    await ended.commit(step(THEIRS, 0, [said()]))

    assert [each.position for each in await ended.events(BEES, after=0, limit=10)] == [4]
    assert await ended.verify(THEIRS)


async def test_how_streams_stand(ended: Store) -> None:
    meetup = Standing(MEETUP.stream, "negotiation", 1, is_settled=True, last_at=1_000)
    picnic = meetup._replace(stream=PICNIC.stream)
    assert await ended.standings(ACME, "", 10) == [meetup, picnic]
    assert await ended.standings(ACME, "", 1) == [meetup]
    assert await ended.standings(ACME, MEETUP.stream, 10) == [picnic]
    assert await ended.record_places(ACME, PLACES[0], 1) == [PLACES[1]]


async def _is_open(store: Store) -> None:
    await store.commit(step(MEETUP, 1, []))


async def _waits_for_an_effect(store: Store) -> None:
    await store.commit(step(MEETUP, 1, [], add=[effect("ask")], is_open=False))


async def _waits_for_an_alarm(store: Store) -> None:
    await store.commit(step(MEETUP, 1, [], alarms=[alarm("close", 100)], is_open=False))


async def _has_moved(store: Store) -> None:
    await store.commit(step(MEETUP, 1, [said()], is_open=False))
    await store.mark_shown(MEETUP, 2)


async def _is_not_shown(store: Store) -> None:
    await store.commit(step(MEETUP, 1, [said()], is_open=False))


@pytest.mark.parametrize("moves", [_is_open, _waits_for_an_effect, _waits_for_an_alarm, _has_moved, _is_not_shown])
async def test_what_is_waited_for_stays_and_all_that_goes_with_it(
    ended: Store, moves: Callable[[Store], Awaitable[None]]
) -> None:
    await moves(ended)
    before = [await ended.load(key) for key in (MEETUP, PICNIC)]

    with pytest.raises(WrongVersion):
        await ended.drop(ACME, {PICNIC.stream: 1, MEETUP.stream: 1}, [Record(*PLACES[0], None), KEPT])

    assert [await ended.load(key) for key in (MEETUP, PICNIC)] == before
    assert await ended.record_places(ACME, ("", ""), 10) == PLACES


async def test_an_effect_that_is_parked_holds_nothing_up(ended: Store) -> None:
    await _waits_for_an_effect(ended)
    await ended.reschedule(effect("ask")._replace(parked=True))

    await ended.drop(ACME, {MEETUP.stream: 1}, [])

    assert await ended.load(MEETUP) is None
    assert (await ended.counts())["parked"] == 0


async def test_whoever_decided_before_has_to_look_again(ended: Store) -> None:
    await ended.drop(ACME, {MEETUP.stream: 1}, [])

    with pytest.raises(WrongVersion):
        await ended.commit(step(MEETUP, 1, [said()]))

    assert await ended.load(MEETUP) is None


async def test_no_byte_of_it_is_left_in_the_files(sqlite: SqliteStore, path: Path) -> None:
    await _ends(sqlite, MEETUP, CANARY)
    await _ends(sqlite, PICNIC, "still there")

    await sqlite.drop(ACME, {MEETUP.stream: 1}, [Record(*PLACES[0], None)])
    await sqlite.put_records(ACME, "kept", {"all": "{}"})  # the log is emptied before anything else is written

    files = [each for each in path.parent.iterdir() if each.is_file()]
    assert [each.name for each in files if CANARY.encode() in each.read_bytes()] == []
