"""What one stream tells another is read there once, whatever happens in between."""

from engine.kernel import StreamKey, Tenant

from .conftest import KEY, Harness, nothing
from .toy_protocol import PassOn

NEXT_DOOR = StreamKey(Tenant("T_ONE"), "next door")


async def passes(harness: Harness, dish: str) -> None:
    await harness.does(PassOn, dish=dish, to=NEXT_DOOR.stream)
    await harness.runtime.activity.idle()


async def test_a_sent_command_begins_the_other_stream_and_is_answered_there(harness: Harness) -> None:
    await passes(harness, "soup")

    assert (await harness.kitchen(NEXT_DOOR)).served == ("soup",)
    assert (await harness.kitchen()).orders == {}
    assert (await harness.store.counts())["owed"] == 0


async def test_what_it_says_is_composed_from_the_state(harness: Harness) -> None:
    await passes(harness, "bread")
    await passes(harness, "soup")

    assert (await harness.kitchen(NEXT_DOOR)).orders["soup"] == "a guest of theirs, with 2 dishes"


async def test_who_sent_it_hears_that_it_was_refused(harness: Harness) -> None:
    await passes(harness, "soup")
    await passes(harness, "loot")

    assert (await harness.kitchen()).sent_back == ("loot",)
    assert (await harness.kitchen(NEXT_DOOR)).served == ("soup",)


async def test_a_sent_command_is_not_handled_in_another_tenants_stream(harness: Harness) -> None:
    theirs = StreamKey(Tenant("T_TWO"), NEXT_DOOR.stream)
    await harness.order("cake", key=theirs)
    await passes(harness, "soup")

    assert (await harness.kitchen(theirs)).orders == {"cake": "ann"}


async def test_killed_before_it_was_handed_over_it_is_handed_over_at_the_next_start(harness: Harness) -> None:
    harness.store.refuses = NEXT_DOOR.stream.__eq__
    await passes(harness, "soup")
    await harness.restart()
    harness.store.refuses = nothing
    await harness.restart()
    await harness.runtime.activity.idle()

    assert (await harness.kitchen(NEXT_DOOR)).served == ("soup",)
    assert harness.cookery.cooked == ["soup"]


async def test_killed_after_it_was_handed_over_it_is_not_read_again(harness: Harness) -> None:
    await harness.order("bread")
    await harness.runtime.activity.idle()
    harness.store.refuses = lambda stream: stream == KEY.stream and NEXT_DOOR.stream in harness.store.committed
    await passes(harness, "soup")  # that it was handed over cannot be noted
    assert (await harness.store.counts())["owed"] == 1
    await harness.restart()
    harness.store.refuses = nothing
    await harness.restart()
    await harness.runtime.activity.idle()

    assert harness.cookery.cooked == ["bread", "soup"]
    assert (await harness.store.counts())["owed"] == 0


async def test_while_the_store_refuses_it_is_kept_and_handed_over_later(harness: Harness) -> None:
    harness.store.refuses = NEXT_DOOR.stream.__eq__
    await passes(harness, "soup")
    for _ in range(10):
        await harness.jump(1)
    harness.store.refuses = nothing
    await harness.jump(1)

    assert (await harness.kitchen(NEXT_DOOR)).served == ("soup",)
    assert (await harness.kitchen()).sent_back == ()
