"""A call that Slack carries out after we have given it up, looked it up in vain and made it again."""

import pytest

from bot.local_slack import Message
from bot.local_slack.clients import FaultHandle
from bot.posts.post_records import DOUBT_RECORD as KIND
from bot.posts.post_records import LOOKS
from bot.posts.slack_calls import EVENT_TYPE
from bot.views.negotiation.button_values import ACCEPT
from engine.kernel import Place
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import AYA, LINKED, LOBBY, TENANT, Driver
from tests.views.stories import Story, voting

COMMAND = Place(channel=LOBBY)
VOTE = "round-1"


async def late(driver: Driver, nth: int = 1) -> FaultHandle:
    """A post from now on is carried out when it is released, and not before."""
    return await driver.workspace.admin.fault("chat.postMessage", "late", nth=nth, seconds=3_600)


async def arrives(driver: Driver, fault: FaultHandle, story: Story, key: str) -> None:
    """Returns once the post stands there twice."""
    before = [message.ts for message in await driver.messages(story)]
    await fault.release()
    person = driver.workspace.person(REQUESTER)
    channel, thread = story.place.channel, story.place.thread or None
    await person.until_message(channel, lambda each: is_post(each, key) and each.ts not in before, thread)


def is_post(message: Message, key: str) -> bool:
    metadata = message.metadata or {}
    return bool(metadata.get("event_type") == EVENT_TYPE and metadata["event_payload"]["key"] == key)


@pytest.mark.parametrize("where", ["in a thread", "in the channel"])
async def test_what_stands_there_twice_is_taken_down(driver: Driver, where: str) -> None:
    place = COMMAND if where == "in the channel" else await driver.mentioned()
    story = Story(place=place).demand()
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    [kept] = await driver.messages(story)

    await arrives(driver, fault, story, "root")
    await driver.wait()

    assert [message.ts for message in await driver.messages(story)] == [kept.ts]
    assert await driver.calls("chat.delete") == 1


async def test_the_first_post_of_a_thread_stays_where_the_others_hang_under_it(driver: Driver) -> None:
    story = voting("aya", "bo", place=COMMAND)
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    there = await driver.messages(story)

    await arrives(driver, fault, story, "root")
    await driver.wait()

    assert [(each.ts, each.thread_ts) for each in await driver.messages(story)] == [
        (each.ts, each.thread_ts) for each in there
    ]
    assert await driver.keys(story) == ["root", "offers", VOTE]


async def test_a_direct_message_that_stands_there_twice_is_taken_down(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED)
    await driver.show(story)
    fault = await late(driver)
    await driver.show(story.twin("aya", "accept"))
    await driver.wait()
    [kept] = await driver.direct(story, AYA)

    await fault.release()
    await driver.workspace.person(AYA).until_message(kept.channel, lambda each: each.ts != kept.ts)
    await driver.wait()

    assert [message.ts for message in await driver.direct(story, AYA)] == [kept.ts]


@pytest.mark.parametrize("look", range(len(LOOKS)))
async def test_it_is_looked_for_again_so_often_and_no_more(driver: Driver, look: int) -> None:
    story = Story(place=await driver.mentioned()).demand()
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    began = driver.clock.now()
    for _ in range(look):
        await driver.wait()
    await arrives(driver, fault, story, "root")

    await driver.wait()

    assert driver.clock.now() == began + LOOKS[look]
    assert await driver.keys(story) == ["root"]
    while driver.posts.next_due is not None:
        await driver.wait()
    assert driver.clock.now() == began + LOOKS[-1]
    assert await driver.calls("conversations.replies") == 1 + len(LOOKS)
    assert not await driver.store.records(TENANT, KIND)
    assert not await driver.is_behind()


@pytest.mark.parametrize("when", ["before it is looked up", "after it was posted again", "after it came"])
async def test_a_restart_forgets_nothing_of_it(driver: Driver, when: str) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    fault = await late(driver)
    await driver.show(story)
    if when != "before it is looked up":
        await driver.wait()
    if when == "after it came":
        await arrives(driver, fault, story, "root")
    await driver.posts.close()
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    if when != "after it came":
        await arrives(driver, fault, story, "root")

    await driver.wait()

    assert await driver.keys(story) == ["root", "offers", VOTE]


async def test_a_long_time_without_us_is_one_look(driver: Driver) -> None:
    story = Story(place=await driver.mentioned()).demand()
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    await driver.posts.close()
    await arrives(driver, fault, story, "root")
    driver.clock.jump(driver.clock.now() + 2 * LOOKS[-1])
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    await driver.wait()

    assert await driver.keys(story) == ["root"]
    assert await driver.calls("conversations.replies") == 2
    assert not await driver.is_behind()


@pytest.mark.parametrize("hours", [1, -1])
async def test_a_clock_that_was_set_meanwhile_ends_no_look(driver: Driver, hours: int) -> None:
    story = Story(place=await driver.mentioned()).demand()
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    await driver.posts.close()
    driver.clock.set_wall(driver.clock.now() + hours * 3_600_000)
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    await arrives(driver, fault, story, "root")

    await driver.wait()

    assert await driver.keys(story) == ["root"]


async def test_meanwhile_everything_else_goes_on(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    fault = await late(driver, nth=3)
    await driver.show(story)
    await driver.wait()
    await arrives(driver, fault, story, VOTE)

    await driver.show(story.twin("aya", "accept"))

    [shown, extra] = [each for each in await driver.messages(story) if is_post(each, VOTE)]
    assert ["1 still to come" in str(each.blocks) for each in (shown, extra)] == [True, False]
    await driver.wait()
    assert [each.ts for each in await driver.messages(story) if is_post(each, VOTE)] == [shown.ts]


@pytest.mark.parametrize("why", ["Slack refuses", "people answered it"])
async def test_what_cannot_be_deleted_loses_its_buttons_and_says_where_the_other_one_is(
    driver: Driver, why: str
) -> None:
    story = voting("aya", "bo", place=COMMAND)
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    kept = await driver.message(story, "root")
    await arrives(driver, fault, story, "root")
    [extra] = [each for each in await driver.messages(story) if is_post(each, "root") and each.ts != kept.ts]
    assert extra.blocks
    if why == "Slack refuses":
        await driver.workspace.admin.fault("chat.delete", "error", error="cant_delete_message")
    else:
        await driver.workspace.person(REQUESTER).say(LOBBY, "Thank you!", extra.ts)

    while driver.posts.next_due is not None:
        await driver.wait()

    [left] = [each for each in await driver.workspace.person(REQUESTER).messages(LOBBY) if each.ts == extra.ts]
    assert left.blocks == []
    assert f"/archives/{LOBBY}/p{kept.ts.replace('.', '')}|The other one>" in left.text
    assert await driver.message(story, "root") == kept
    assert await driver.calls("chat.update") == 1
    assert not await driver.is_behind()


async def test_where_slack_lets_nothing_be_done_it_is_told_and_everything_goes_on(
    driver: Driver, caplog: pytest.LogCaptureFixture
) -> None:
    story = Story(place=await driver.mentioned()).demand()
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    await arrives(driver, fault, story, "root")
    for method in ("chat.delete", "chat.update"):
        await driver.workspace.admin.fault(method, "error", error="restricted_action", times=len(LOOKS))

    while driver.posts.next_due is not None:
        await driver.wait()

    assert "root of collab-00000001 stands there twice: restricted_action" in caplog.text
    assert not await driver.is_behind()


@pytest.mark.parametrize("method", ["conversations.replies", "chat.delete"])
async def test_a_look_that_fails_is_tried_again(driver: Driver, method: str) -> None:
    story = Story(place=await driver.mentioned()).demand()
    fault = await late(driver)
    await driver.show(story)
    await driver.wait()
    await arrives(driver, fault, story, "root")
    await driver.workspace.admin.fault(method, "status", times=2)
    for _ in range(3):
        await driver.wait()
    assert await driver.keys(story) == ["root"]


async def test_what_comes_before_it_could_be_posted_again_is_the_one(driver: Driver) -> None:
    """The second call is held back for so long that the first one is carried out meanwhile."""
    story = Story(place=await driver.mentioned()).demand()
    fault = await late(driver)
    await driver.workspace.admin.fault("chat.postMessage", "status", nth=2, status=429, retry_after=90)
    await driver.show(story)
    await driver.wait()
    await arrives(driver, fault, story, "root")

    while driver.posts.next_due is not None:
        await driver.wait()

    assert await driver.keys(story) == ["root"]
    assert await driver.calls("chat.postMessage") == 2
    assert await driver.calls("chat.delete") == 0


async def test_two_of_them_are_both_taken_down(driver: Driver) -> None:
    story = Story(place=await driver.mentioned()).demand()
    faults = [await late(driver, nth=1), await late(driver, nth=2)]
    await driver.show(story)
    for _ in range(2):
        await driver.wait()
    [kept] = await driver.messages(story)
    for fault in faults:
        await arrives(driver, fault, story, "root")

    await driver.wait()

    assert [each.ts for each in await driver.messages(story)] == [kept.ts]


async def test_a_click_on_the_one_too_many_is_as_good_as_any(driver: Driver) -> None:
    """Both have the same buttons, which carry stream, round and digest."""
    story = voting("aya", "bo", place=await driver.mentioned())
    fault = await late(driver, nth=3)
    await driver.show(story)
    await driver.wait()
    await arrives(driver, fault, story, VOTE)
    [shown, extra] = [each for each in await driver.messages(story) if is_post(each, VOTE)]
    assert ACCEPT in str(extra.blocks)
    buttons = [
        [element.get("value") for block in each.blocks for element in block.get("elements", ())]
        for each in (shown, extra)
    ]
    assert buttons[0] == buttons[1]


async def is_awaited(driver: Driver, story: Story) -> bool:
    """Whether the round's card says that a vote is still to come."""
    return "still to come" in str((await driver.message(story, VOTE)).blocks)


# ── edits ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_edit_that_comes_late_does_not_bring_back_what_was_shown_before(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    fault = await driver.workspace.admin.fault("chat.update", "late", times=2, seconds=3_600)
    await driver.show(story.twin("aya", "accept"))
    await driver.show(story.twin("bo", "accept"))
    await driver.wait()
    assert not await is_awaited(driver, story)

    await fault.release()
    await driver.workspace.person(REQUESTER).until_message(
        LOBBY, lambda each: is_post(each, VOTE) and "still to come" in str(each.blocks), story.place.thread
    )
    await driver.wait()

    assert not await is_awaited(driver, story)
    assert not await driver.is_behind()
    while driver.posts.next_due is not None:
        await driver.wait()
    assert not await driver.store.records(TENANT, KIND)


async def test_an_edit_that_slack_refused_is_not_sent_again(driver: Driver, story: Story) -> None:
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", "status", status=429, retry_after=1)
    await driver.show(story.understood())
    await driver.wait()
    assert driver.posts.next_due is None
    assert await driver.calls("chat.update") == 2
