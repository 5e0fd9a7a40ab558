"""A stream's thread in its channel, where its posts can be linked to, and what is shown there again."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Message
from bot.local_slack.faults import FaultKind
from bot.posts import Posts
from engine.kernel import Place
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import HALL, LOBBY, PRESENTERS, Driver
from tests.views.stories import Story, voting

TYPED = Place(channel=LOBBY)


async def permalink(driver: Driver, message: Message) -> str:
    answer = await driver.client().chat_getPermalink(channel=message.channel, message_ts=message.ts)
    return str(answer["permalink"]).replace("&", "&amp;")


async def root_of(driver: Driver, story: Story) -> str:
    return str((await driver.message(story, "root")).blocks)


async def test_the_root_card_leads_to_the_round_that_is_open(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    for place in (await driver.mentioned(), TYPED):
        story = voting("aya", "bo", place=place)
        await driver.show(story)
        address = await permalink(driver, await driver.message(story, "round-1"))
        assert f"<{address}|Go to the vote>" in await root_of(driver, story)
        assert not await driver.is_behind()


async def test_it_leads_to_the_newest_round_and_to_none_once_the_plan_stands(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    story = voting("aya", "bo", place=await driver.mentioned())
    story.twin("aya", "accept").twin("bo", "negotiate", wish="later").time_is_up().drafted("aya", "bo")
    await driver.show(story)
    assert await permalink(driver, await driver.message(story, "round-2")) in await root_of(driver, story)
    await driver.show(story.twin("aya", "accept").twin("bo", "accept").time_is_up())
    assert "Go to the vote" not in await root_of(driver, story)


async def test_where_slack_has_not_said_where_it_is_the_vote_is_below(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    assert ", below" in await root_of(driver, story)
    assert await driver.calls("chat.update") == 0


async def test_the_link_is_one_edit_of_the_root_card(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    await driver.show(voting("aya", "bo", place=await driver.mentioned()))
    assert await driver.calls("chat.update") == 1


async def test_direct_messages_lead_to_the_thread(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    place = await driver.mentioned()
    story = voting("aya", "bo", place=place, linked={"aya": "U_AYA"}).twin("aya", "accept")
    address = f"{driver.web}archives/{LOBBY}/p{place.thread.replace('.', '')}"
    await driver.show(story)
    [part] = await driver.direct(story, "U_AYA")
    assert f"<{address}|Thread>" in str(part.blocks)
    await driver.show(story.twin("bo", "accept").time_is_up())
    [_, ending] = await driver.direct(story, "U_AYA")
    assert f"<{address}|the thread>" in str(ending.blocks)


def announced(place: Place) -> Story:
    return voting("aya", "bo", place=place).twin("aya", "accept").twin("bo", "accept").time_is_up().goes_ahead(
        announce=True
    )  # fmt: skip


async def in_channel(driver: Driver) -> list[Message]:
    """What the channel shows of ours, besides what begins a thread."""
    return [each for each in await driver.workspace.person(REQUESTER).messages(LOBBY) if each.is_reply]


@pytest.mark.parametrize("where", ["in the demand's thread", "in a thread of its own"])
async def test_it_stands_in_the_thread_and_in_the_channel(driver: Driver, where: str) -> None:
    story = announced(await driver.mentioned() if where == "in the demand's thread" else Place(channel=LOBBY))

    await driver.show(story)

    assert (await driver.keys(story))[-1] == "announcement"
    [shown] = await in_channel(driver)
    assert shown.broadcast
    assert shown.thread_ts == (await driver.message(story, "outcome")).thread_ts


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
async def test_a_lost_reply_is_looked_up_and_it_is_said_once(driver: Driver, fault: FaultKind) -> None:
    story = announced(await driver.mentioned())
    before = len(await driver.keys(story))
    await driver.workspace.admin.fault("chat.postMessage", fault, nth=5)

    await driver.show(story)
    assert (await driver.table(story))["announcement"].state == "posting"
    await driver.wait()

    assert before == 0
    assert await driver.keys(story) == ["root", "offers", "round-1", "outcome", "announcement"]
    assert len(await in_channel(driver)) == 1


async def test_where_the_thread_is_gone_it_stands_in_the_channel_anyway(driver: Driver) -> None:
    story = announced(Place(channel=LOBBY, thread="1700000000.000100"))

    await driver.show(story)

    assert (await driver.keys(story))[-1] == "announcement"


COMMAND = Place(channel=LOBBY)


async def test_a_mention_is_answered_in_its_thread(driver: Driver, story: Story) -> None:
    await driver.show(story)
    [root] = await driver.messages(story)
    assert root.thread_ts == story.place.thread


async def test_a_command_gets_a_message_of_its_own_and_a_thread_on_it(driver: Driver) -> None:
    story = voting("aya", "bo", place=COMMAND)
    await driver.show(story)
    root, *others = await driver.messages(story)
    assert root.thread_ts in (None, root.ts)
    assert [each.thread_ts for each in others] == [root.ts, root.ts]


async def test_the_thread_has_its_posts_in_order(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    assert await driver.keys(story) == ["root", "offers", "round-1"]


async def test_a_change_edits_what_is_there(driver: Driver, story: Story) -> None:
    await driver.show(story)
    await driver.show(story.understood())
    assert await driver.calls("chat.postMessage") == 1
    assert await driver.calls("chat.update") == 1
    root = await driver.message(story, "root")
    assert "Looking for the right people…" in root.text


async def test_what_looks_the_same_is_not_sent_again(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await driver.show(story)
    assert await driver.calls("chat.update") == 0


async def test_nothing_is_owed_once_it_is_shown(driver: Driver, story: Story) -> None:
    await driver.tell(story)
    assert await driver.is_behind()
    await driver.posts.idle()
    assert not await driver.is_behind()


async def test_what_is_superseded_is_never_sent(driver: Driver) -> None:
    story = voting("aya", "bo", "chen", place=await driver.mentioned())
    await driver.show(story)
    held = await driver.workspace.admin.fault("chat.update", "hold")
    await driver.tell(story.twin("aya", "accept"))
    await held.reached()
    await driver.tell(story.twin("bo", "accept"))
    await driver.tell(story.twin("chen", "accept"))
    await held.release()
    await driver.posts.idle()
    # The root with one vote was under way; after it: the root and the round once each, with all three.
    assert await driver.calls("chat.update") == 3
    assert "3 of 3 in favour" in str((await driver.message(story, "round-1")).blocks)


async def test_a_thread_has_one_call_in_flight(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    held = await driver.workspace.admin.fault("chat.postMessage", "hold")
    await driver.tell(story)
    await held.reached()
    await driver.tell(story.twin("aya", "accept"))
    assert await driver.calls("chat.postMessage") == 1
    assert await driver.calls("chat.update") == 0
    await held.release()
    await driver.posts.idle()
    assert await driver.keys(story) == ["root", "offers", "round-1"]


async def test_threads_do_not_wait_for_each_other(driver: Driver) -> None:
    slow = voting("aya", "bo", place=await driver.mentioned(), stream="collab-slow")
    quick = voting("aya", "bo", place=await driver.mentioned(HALL), stream="collab-quick")
    held = await driver.workspace.admin.fault("chat.postMessage", "hold")
    await driver.tell(slow)
    await held.reached()
    await driver.tell(quick)
    await driver.workspace.person("U_ASKS").until_message(
        HALL, lambda message: message.text.startswith("Proposal 1"), thread_ts=quick.place.thread
    )
    assert await driver.keys(quick) == ["root", "offers", "round-1"]
    await held.release()
    await driver.posts.idle()
    assert await driver.keys(slow) == ["root", "offers", "round-1"]


async def test_a_start_catches_up_with_whatever_is_behind(driver: Driver) -> None:
    stories = [voting("aya", place=await driver.mentioned(), stream=f"collab-{number}") for number in range(3)]
    for story in stories:
        await driver.commit(story)
    await driver.posts.start()
    await driver.posts.idle()
    for story in stories:
        assert await driver.keys(story) == ["root", "offers", "round-1"]
    assert not await driver.is_behind()


async def test_a_restart_knows_what_was_posted(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await driver.posts.close()
    driver.posts = driver.another()
    await driver.show(story.twin("aya", "accept"))
    assert await driver.calls("chat.postMessage") == 3
    assert await driver.calls("conversations.replies") == 0
    assert await driver.keys(story) == ["root", "offers", "round-1"]


async def test_a_whole_negotiation_is_readable_in_the_end(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    for agent in ("aya", "bo"):
        await driver.show(story.twin(agent, "accept"))
    await driver.show(story.time_is_up())
    assert await driver.keys(story) == ["root", "offers", "round-1", "outcome"]
    outcome = await driver.message(story, "outcome")
    assert "We have a plan" in outcome.text
    assert not any(block["type"] == "actions" for block in (await driver.message(story, "round-1")).blocks)


async def test_a_client_that_retries_by_itself_is_refused(driver: Driver, story: Story) -> None:
    """One call of such a client whose reply is lost posts twice."""
    client = AsyncWebClient(driver.workspace.bot_token, driver.workspace.api_url)
    with pytest.raises(ValueError, match="retry_handlers"):
        Posts(driver.store, PRESENTERS, driver.read, driver.report, client, driver.clock)
