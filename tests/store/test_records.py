"""What lies beside the streams: written by itself, or in the commit that causes it."""

import asyncio

import pytest

from engine.errors import WrongVersion
from engine.kernel import KeyRange, Tenant
from engine.store.port import Store

from .words import ACME, MEETUP, PICNIC, effect, row, said, step


async def test_records_are_kept_by_kind_and_key(store: Store) -> None:
    await store.put_records(ACME, "post", {"meetup/1": '{"ts":"1.0"}', "meetup/2": "{}"})
    await store.put_records(ACME, "home", {"U_AYA": "{}"})

    assert await store.records(ACME, "post") == {"meetup/1": '{"ts":"1.0"}', "meetup/2": "{}"}
    assert await store.records(ACME, "home") == {"U_AYA": "{}"}
    assert await store.records(ACME, "vote") == {}


async def test_a_record_written_again_is_replaced_and_one_of_none_is_gone(store: Store) -> None:
    await store.put_records(ACME, "post", {"a": "1", "b": "1", "c": "1"})

    await store.put_records(ACME, "post", {"a": "2", "b": None, "never heard of": None})

    assert await store.records(ACME, "post") == {"a": "2", "c": "1"}


async def test_records_are_found_by_the_beginning_of_their_key(store: Store) -> None:
    keys = ["meetup", "meetup/1", "meetup/2", "meetup/%", "meetups", "me*", "Meetup/1", "会议/1", "会议\U0010ffff"]
    await store.put_records(ACME, "post", dict.fromkeys(keys, "{}"))

    assert set(await store.records(ACME, "post", "meetup/")) == {"meetup/1", "meetup/2", "meetup/%"}
    assert set(await store.records(ACME, "post", "会议")) == {"会议/1", "会议\U0010ffff"}
    assert set(await store.records(ACME, "post", "me*")) == {"me*"}
    assert set(await store.records(ACME, "post")) == set(keys)


async def test_records_of_a_closed_store_are_there_when_it_is_opened_again(store: Store) -> None:
    await store.put_records(ACME, "post", {"a": "1"})

    await store.close()
    await store.open()

    assert await store.records(ACME, "post") == {"a": "1"}


async def test_a_commit_writes_records_beside_those_that_are_put(store: Store) -> None:
    await store.put_records(ACME, "vote", {"meetup/0": '"put"'})

    await store.commit(step(events=[said()], records=[row("meetup/1", '"yes"'), row("U_AYA", "1", "home")]))

    assert await store.records(ACME, "vote", "meetup/") == {"meetup/0": '"put"', "meetup/1": '"yes"'}
    assert await store.records(ACME, "home") == {"U_AYA": "1"}


async def test_a_refused_command_writes_records_too(store: Store) -> None:
    await store.commit(step(refusal="StaleVote: the round is over.", records=[row("meetup/1", '"late"')]))

    assert await store.records(ACME, "vote") == {"meetup/1": '"late"'}


async def test_a_commit_replaces_and_deletes_records_in_turn(store: Store) -> None:
    await store.put_records(ACME, "vote", {"a": "1", "b": "1", "c": "1"})

    first = [row("a", "2"), row("b", None), row("b", "3"), row("d", "3"), row("d", None), row("never heard of", None)]
    await store.commit(step(records=first))
    await store.commit(step(command="next", records=[row("a", "4")]))

    assert await store.records(ACME, "vote") == {"a": "4", "b": "3", "c": "1"}


async def test_no_record_of_a_commit_at_the_wrong_version_is_kept(store: Store) -> None:
    await store.put_records(ACME, "vote", {"a": "1", "b": "1"})

    with pytest.raises(WrongVersion):
        await store.commit(step(version=7, records=[row("a", "2"), row("b", None), row("c")]))

    assert await store.records(ACME, "vote") == {"a": "1", "b": "1"}


async def test_a_command_that_was_handled_before_writes_no_record(store: Store) -> None:
    await store.commit(step(command="click", records=[row("a", "1")]))

    with pytest.raises(WrongVersion, match="click"):
        await store.commit(step(command="click", records=[row("a", "2"), row("b")]))

    assert await store.records(ACME, "vote") == {"a": "1"}


async def test_a_record_that_is_no_text_is_refused_with_its_whole_commit(store: Store) -> None:
    half = "half a character: \ud83d"
    for each in (row(half), row("a", half), row("a", kind=half)):
        with pytest.raises(ValueError, match="surrogates not allowed"):
            await store.commit(step(events=[said()], add=[effect("ask")], records=[row("b"), each]))

    assert await store.load(MEETUP) is None
    assert await store.records(ACME, "vote") == {}


async def test_the_records_of_a_commit_that_fails_are_not_kept_with_those_of_its_neighbours(store: Store) -> None:
    outcomes = await asyncio.gather(
        store.commit(step(MEETUP, version=7, records=[row("shared", '"wrong"'), row("meetup/1")])),
        store.commit(step(PICNIC, events=[said()], records=[row("picnic/1")])),
        return_exceptions=True,
    )

    assert [type(outcome) for outcome in outcomes] == [WrongVersion, type(None)]
    assert await store.records(ACME, "vote") == {"picnic/1": "{}"}


async def test_the_records_of_a_commit_are_there_when_the_store_is_opened_again(store: Store) -> None:
    await store.commit(step(events=[said()], records=[row("meetup/1")]))

    await store.close()
    await store.open()

    assert await store.records(ACME, "vote") == {"meetup/1": "{}"}


async def test_records_are_read_page_by_page_from_either_end(store: Store) -> None:
    await store.put_records(ACME, "post", {f"meetup/{number}": str(number) for number in range(7)})
    await store.put_records(ACME, "post", {"meetups": "", "meetu": "", "picnic/1": ""})

    forwards = await store.records(ACME, "post", "meetup/", limit=3)
    rest = await store.records(ACME, "post", "meetup/", limit=9, after=list(forwards)[-1])
    backwards = await store.records(ACME, "post", "meetup/", limit=3, reverse=True)
    before = await store.records(ACME, "post", "meetup/", after=list(backwards)[-1], reverse=True)

    assert list(forwards) == ["meetup/0", "meetup/1", "meetup/2"]
    assert list(rest) == ["meetup/3", "meetup/4", "meetup/5", "meetup/6"]
    assert list(backwards) == ["meetup/6", "meetup/5", "meetup/4"]
    assert list(before) == ["meetup/3", "meetup/2", "meetup/1", "meetup/0"]
    assert await store.records(ACME, "post", "picnic/", after="meetup/9", reverse=True) == {}


async def test_who_has_records_is_known_in_order(store: Store) -> None:
    assert await store.tenants() == []
    others = Tenant("T_ZETA"), Tenant("T_ALSO", "E_ALL"), Tenant("T_ALSO", "E_GROUP")
    for each in (*others, ACME):
        await store.put_records(each, "post", {"a": "1", "b": "1"})
        await store.put_records(each, "home", {"a": "1"})
    await store.put_records(others[0], "post", {"a": None, "b": None})
    await store.put_records(others[0], "home", {"a": None})

    assert await store.tenants() == [others[1], ACME, others[2]]


async def test_records_are_found_by_ranges_of_their_keys(store: Store) -> None:
    await store.put_records(ACME, "kind", {"a/1": "1", "a/2": "2", "a/3": "3", "b/1": "4", "会/1": "5"})
    await store.put_records(ACME, "other", {"a/2": "6"})

    async def found(*ranges: tuple[str, str, int], kind: str = "kind") -> dict[str, str]:
        return dict(await store.records_in(ACME, [KeyRange(kind, *each) for each in ranges]))

    assert await found(("a/1", "a/3", 9)) == {"a/1": "1", "a/2": "2"}
    assert await found(("a/2", "a/4", 1), ("会/0", "会/2", 9)) == {"a/2": "2", "会/1": "5"}
    assert await found(("a/1", "a/9", 9), kind="other") == {"a/2": "6"}
    assert await found() == {}
