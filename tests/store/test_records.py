"""What bot-side code keeps about the outside world."""

from engine.store.port import Store

from .words import ACME


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
