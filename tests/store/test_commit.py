"""A commit is all or nothing, by whoever holds the lease."""

import asyncio
from dataclasses import replace

import pytest

from engine.errors import LeaseLost, StoreUnavailable, StoreUnusable, WrongVersion
from engine.kernel import StreamKey
from engine.store.port import Commit, Store

from .words import ACME, MEETUP, PICNIC, alarm, effect, row, said, step


async def test_a_second_lease_is_refused_until_the_first_is_released(alone: Store) -> None:
    first = await alone.lease()

    with pytest.raises(StoreUnusable, match="used by another runtime; close that one first"):
        await alone.lease()
    await alone.release(first)

    assert await alone.lease() > first


async def test_a_lease_that_was_taken_over_commits_nothing_more(alone: Store) -> None:
    first = await alone.lease()
    await alone.commit(replace(step(version=0, events=[said()]), epoch=first))
    second = await alone.lease(take_over=True)

    with pytest.raises(LeaseLost):
        await alone.commit(replace(step(version=1, events=[said()]), epoch=first))
    await alone.release(first)
    await alone.commit(replace(step(version=1, events=[said()]), epoch=second))

    stream = await alone.load(MEETUP)
    assert stream is not None
    assert stream.version == 2


async def test_what_waits_to_be_written_when_its_lease_is_taken_over_is_not_kept(alone: Store) -> None:
    first = await alone.lease()
    late = alone.commit(replace(step(version=0, events=[said()]), epoch=first))
    await alone.lease(take_over=True)

    with pytest.raises(LeaseLost):
        await late

    assert await alone.load(MEETUP) is None


async def test_a_lease_ends_with_the_store(alone: Store) -> None:
    ended = await alone.lease()
    await alone.close()
    await alone.open()

    with pytest.raises(LeaseLost):
        await alone.commit(replace(step(), epoch=ended))
    await alone.lease()


async def test_a_stream_that_nobody_wrote_is_not_there(store: Store) -> None:
    assert await store.load(MEETUP) is None


async def test_what_was_committed_is_loaded_as_it_was(store: Store) -> None:
    ask, close = effect("ask-aya"), alarm("close", due=9_000)
    await store.commit(step(MEETUP, 0, [said("{}", '{"text":"我可以主持"}', at=7)], add=[ask], alarms=[close]))

    stream = await store.load(MEETUP)

    assert stream is not None
    assert (stream.key, stream.protocol, stream.version) == (MEETUP, "negotiation", 1)
    (event,) = stream.events
    assert (event.key, event.seq, event.event_type, event.at) == (MEETUP, 1, "towow.offer.submitted", 7)
    assert (event.public, event.private, event.erased) == ("{}", '{"text":"我可以主持"}', False)
    assert stream.commands == {"command-at-0": None}
    assert (stream.outbox, stream.alarms) == ((ask,), (close,))


async def test_a_commit_continues_where_the_one_before_has_led(store: Store) -> None:
    await store.commit(step(version=0, events=[said(), said()]))
    await store.commit(step(version=2, events=[said()]))

    stream = await store.load(MEETUP)

    assert stream is not None
    assert [event.seq for event in stream.events] == [1, 2, 3]
    assert list(stream.commands) == ["command-at-0", "command-at-2"]


@pytest.mark.parametrize("version", [pytest.param(0, id="behind"), pytest.param(2, id="ahead")])
async def test_a_commit_at_another_version_than_the_streams_is_refused(store: Store, version: int) -> None:
    await store.commit(step(version=0, events=[said()]))

    with pytest.raises(WrongVersion, match="meetup is at version 1, not"):
        await store.commit(step(version=version, events=[said()], command="other"))


async def test_a_command_is_handled_once(store: Store) -> None:
    await store.commit(step(version=0, events=[said()], command="click"))

    with pytest.raises(WrongVersion, match="click"):
        await store.commit(step(version=1, events=[said()], command="click"))


async def test_a_command_is_handled_once_within_a_commit(store: Store) -> None:
    with pytest.raises(WrongVersion, match="click"):
        await store.commit(replace(step(version=0), commands=(("click", None), ("click", None))))

    assert await store.load(MEETUP) is None


async def test_two_streams_may_handle_commands_of_one_name(store: Store) -> None:
    await store.commit(step(MEETUP, command="click"))
    await store.commit(step(PICNIC, command="click"))

    assert (await store.counts())["streams"] == 2


async def test_a_refused_command_moves_nothing_and_is_remembered_with_its_refusal(store: Store) -> None:
    await store.commit(step(version=0, command="late", refusal="StaleVote: the round is over."))

    stream = await store.load(MEETUP)

    assert stream is not None
    assert (stream.version, stream.events) == (0, ())
    assert stream.commands == {"late": "StaleVote: the round is over."}


async def test_nothing_of_a_commit_is_kept_when_one_of_its_commands_was_handled_before(store: Store) -> None:
    await store.commit(step(version=0, add=[effect("ask-aya")], alarms=[alarm("close", due=5)]))
    before = await store.load(MEETUP)

    twice = step(version=0, events=[said()], add=[effect("ask-bo")], drop=["ask-aya"], clear=["close"])
    with pytest.raises(WrongVersion):
        await store.commit(replace(twice, commands=(("new", None), ("command-at-0", None))))

    assert await store.load(MEETUP) == before


async def test_a_commit_for_two_streams_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="picnic"):
        await store.commit(step(MEETUP, add=[effect("ask", PICNIC)]))
    with pytest.raises(ValueError, match="picnic"):
        await store.commit(step(MEETUP, alarms=[alarm("close", 5, PICNIC)]))


HALF = "half a character: \ud83d"
NO_TEXT = {
    "of an event": step(events=[said(), said(private=HALF)], add=[effect("ask")]),
    "of an effect": step(events=[said()], add=[effect("ask")._replace(body=f'"{HALF}"')]),
    "of a command": step(events=[said()], command=HALF),
    "of a record": step(events=[said()], records=[row(HALF)]),
}


@pytest.mark.parametrize("refused", NO_TEXT.values(), ids=NO_TEXT)
async def test_text_that_is_no_text_is_refused_whole(store: Store, refused: Commit) -> None:
    others = [PICNIC, StreamKey(ACME, "demand-9")]

    outcomes = await asyncio.gather(
        store.commit(step(others[0], events=[said()])),
        store.commit(refused),
        store.commit(step(others[1], events=[said()])),
        return_exceptions=True,
    )

    assert isinstance(outcomes[1], ValueError)
    assert "surrogates not allowed" in str(outcomes[1])
    assert await store.load(MEETUP) is None
    assert [await store.verify(key) for key in others] == [True, True]
    assert (await store.counts())["events"] == 2


async def test_of_two_who_write_a_stream_at_once_one_is_told_that_it_moved(store: Store) -> None:
    outcomes = await asyncio.gather(
        store.commit(step(version=0, events=[said()], command="a")),
        store.commit(step(version=0, events=[said()], command="b")),
        return_exceptions=True,
    )

    assert [type(outcome) for outcome in outcomes] == [type(None), WrongVersion]
    assert (await store.counts())["events"] == 1


async def test_streams_that_commit_at_once_are_all_kept(store: Store) -> None:
    keys = [StreamKey(ACME, f"demand-{number}") for number in range(50)]

    await asyncio.gather(*(store.commit(step(key, events=[said(), said()])) for key in keys))

    assert (await store.counts())["events"] == 100


async def test_positions_grow_across_streams(store: Store) -> None:
    await store.commit(step(MEETUP, events=[said(), said()]))
    await store.commit(step(PICNIC, events=[said()]))
    await store.commit(step(MEETUP, 2, events=[said()]))

    events = await store.events(MEETUP.tenant, after=0, limit=10)

    assert [(event.key.stream, event.seq) for event in events] == [
        ("meetup", 1),
        ("meetup", 2),
        ("picnic", 1),
        ("meetup", 3),
    ]
    assert [event.position for event in events] == sorted({event.position for event in events})


async def test_events_are_read_on_from_a_position_page_by_page(store: Store) -> None:
    await store.commit(step(MEETUP, events=[said(f'{{"n":{n}}}') for n in range(5)]))

    first = await store.events(MEETUP.tenant, after=0, limit=2)
    rest = await store.events(MEETUP.tenant, after=first[-1].position, limit=10)

    assert [event.seq for event in [*first, *rest]] == [1, 2, 3, 4, 5]
    assert await store.events(MEETUP.tenant, after=rest[-1].position, limit=10) == []


async def test_what_is_closed_is_there_when_it_is_opened_again(store: Store) -> None:
    await store.commit(step(events=[said(private='"mine"')], add=[effect("ask-aya")], alarms=[alarm("close", due=5)]))
    before = await store.load(MEETUP)

    await store.close()
    await store.open()

    assert await store.load(MEETUP) == before


async def test_a_closed_store_answers_that_it_is_closed(store: Store) -> None:
    await store.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        await store.commit(step())
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.load(MEETUP)


async def test_closing_twice_is_closing_once(store: Store) -> None:
    await store.close()
    await store.close()


async def test_counts_say_what_there_is(store: Store) -> None:
    await store.commit(step(MEETUP, events=[said()], add=[effect("a"), effect("b")], alarms=[alarm("close", due=5)]))
    await store.commit(step(PICNIC, events=[said()], is_open=False))

    assert await store.counts() == {
        "streams": 2,
        "open_streams": 1,
        "events": 2,
        "owed": 2,
        "parked": 0,
        "alarms": 1,
    }


async def test_the_last_position_is_that_of_the_newest_event_of_all(store: Store) -> None:
    assert await store.last_position() == 0
    await store.commit(step(MEETUP, 0, [said(), said()]))
    await store.commit(step(PICNIC, 0, [said()]))

    assert [each.position for each in await store.events(ACME, await store.last_position() - 1, 10)] == [
        await store.last_position()
    ]
