"""A reaction on the message that asked tells the channel how it stands; where it is not allowed, nothing is missing."""

import logging

import pytest

from bot.posts.rate_limits import REACT, UNREACT, Rate
from bot.posts.stored_posts import Restored
from bot.posts.thread_statuses import REACTION_RECORD as KIND
from bot.views.kit.presenter import Reaction, joint_reaction
from engine.kernel import Place
from engine.store.port import UNKNOWN_POSTS
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import LINKED, LOBBY, TENANT, Driver
from tests.views.stories import Story, voting

WAITING, AGREED, DRAFTED, STOPPED, FAILED = (each.value for each in Reaction)


async def asked(driver: Driver) -> Place:
    """Somebody asked with this message."""
    place = await driver.mentioned()
    return Place(channel=place.channel, thread=place.thread, message_ts=place.thread)


async def stands(driver: Driver) -> list[str]:
    """Our reactions on the messages that asked."""
    ours = driver.workspace.bot_user_id
    messages = await driver.workspace.person(REQUESTER).messages(LOBBY)
    return [name for each in messages for name, users in each.reactions.items() if ours in users]


async def calls(driver: Driver) -> tuple[int, int]:
    return await driver.calls(REACT), await driver.calls(UNREACT)


async def test_it_waits_and_then_it_is_agreed(driver: Driver) -> None:
    story = voting("aya", "bo", place=await asked(driver))
    await driver.show(story)
    assert await stands(driver) == [WAITING]
    await driver.show(story.twin("aya", "accept"))
    assert await calls(driver) == (1, 0)
    await driver.show(story.twin("bo", "accept").time_is_up())
    assert await stands(driver) == [AGREED]
    assert await calls(driver) == (2, 1)
    driver.posts = driver.another()
    await driver.show(story)
    assert await calls(driver) == (2, 1)
    assert not await driver.is_behind()


async def test_it_is_stopped(driver: Driver) -> None:
    await driver.show(voting("aya", "bo", place=await asked(driver)).stopped())
    assert await stands(driver) == [STOPPED]


async def test_nobody_takes_part(driver: Driver) -> None:
    story = Story(place=await asked(driver)).demand().understood().shortlisted("aya").offers("aya", decision="decline")
    await driver.show(story)
    assert not story.state.is_open
    assert await stands(driver) == [FAILED]


async def test_a_demand_without_a_message_has_none(driver: Driver) -> None:
    await driver.show(voting("aya", "bo", place=await driver.mentioned()))
    assert await calls(driver) == (0, 0)
    assert not await driver.is_behind()


async def test_what_is_superseded_is_never_shown(driver: Driver) -> None:
    story = voting("aya", "bo", place=await asked(driver))
    held = await driver.workspace.admin.fault(REACT, "hold")
    await driver.tell(story)
    await held.reached()
    await driver.tell(story.twin("aya", "accept").twin("bo", "accept").time_is_up())
    await held.release()
    await driver.posts.idle()
    assert await stands(driver) == [AGREED]


async def test_while_any_stream_about_a_message_goes_on_it_waits(driver: Driver) -> None:
    place = await asked(driver)
    first, again = voting("aya", place=place), Story(place=place, stream="n-again").demand()
    await driver.show(first.stopped(), again)
    assert await stands(driver) == [WAITING]
    await driver.show(again.stopped())
    assert await stands(driver) == [STOPPED]


@pytest.mark.parametrize("why", ["missing_scope", "unknown_method", "not_allowed_token_type"])
async def test_a_workspace_that_does_not_let_us_is_asked_once_a_start(
    driver: Driver, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    await driver.workspace.admin.fault(REACT, "error", error=why, times=None)
    story = voting("aya", "bo", place=await asked(driver))
    await driver.show(story)
    await driver.show(story.stopped())
    await driver.show(voting("aya", place=await asked(driver), stream="n-second"))
    assert await stands(driver) == []
    assert await calls(driver) == (1, 0)
    assert not await driver.is_behind()
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


@pytest.mark.parametrize("why", ["message_not_found", "too_many_reactions"])
async def test_a_message_that_cannot_have_one_is_left_alone_and_others_are_not(driver: Driver, why: str) -> None:
    await driver.workspace.admin.fault(REACT, "error", error=why)
    await driver.show(voting("aya", "bo", place=await asked(driver)))
    assert await stands(driver) == []
    assert not await driver.is_behind()
    await driver.show(voting("aya", place=await asked(driver), stream="n-second"))
    assert await stands(driver) == [WAITING]


async def test_it_keeps_to_the_rate_of_each_method(driver: Driver) -> None:
    driver.rates = {REACT: Rate(60, 2), UNREACT: Rate(20, 1)}
    driver.posts = driver.another()
    stories = [voting("aya", place=await asked(driver), stream=f"n-{each}") for each in range(2)]
    await driver.show(*stories)
    await driver.show(*(each.stopped() for each in stories))
    while WAITING in await stands(driver):
        await driver.wait()
    assert await stands(driver) == [STOPPED, STOPPED]
    assert await calls(driver) == (4, 2)


@pytest.mark.parametrize("method", [REACT, UNREACT])
async def test_a_kill_at_any_call_leaves_one_reaction_in_the_end(driver: Driver, method: str) -> None:
    story = voting("aya", "bo", place=await asked(driver))
    await driver.show(story)
    # The call is carried out, and nobody hears of it.
    await driver.workspace.admin.fault(method, "drop_after")
    await driver.show(story.twin("aya", "accept").twin("bo", "accept").time_is_up())
    await driver.posts.close()
    driver.posts = driver.another()
    again = Story(place=story.place, stream="n-again").demand()
    await driver.show(story, again)
    assert await stands(driver) == [WAITING]
    await driver.show(again.stopped())
    assert await stands(driver) == [AGREED]


async def test_a_reaction_of_after_a_backup_goes(driver: Driver) -> None:
    story = voting("aya", "bo", place=await asked(driver))
    await driver.show(story)
    client = driver.client()
    await client.reactions_add(channel=LOBBY, timestamp=story.place.message_ts, name=AGREED)
    row = Restored(since=0, until=1).model_dump_json()
    await driver.store.put_records(TENANT, UNKNOWN_POSTS, {"": row})
    driver.posts = driver.another()
    await driver.show(story.twin("aya", "accept"))
    assert await stands(driver) == [WAITING]
    before = await calls(driver)
    await driver.show(story.twin("bo", "reject"))
    assert await calls(driver) == before


async def test_only_ts_and_statuses_are_stored(driver: Driver) -> None:
    story = voting("aya", "bo", place=await asked(driver), linked=LINKED)
    await driver.show(story)
    spot = f"{LOBBY}/{story.place.message_ts}/"
    row = f'{{"status":"{WAITING}"}}'
    assert await driver.store.records(TENANT, KIND) == {spot: row, f"{spot}{story.stream}": row}


def test_a_message_stands_as_what_is_going_on_about_it() -> None:
    assert joint_reaction([Reaction.FAILED, Reaction.WAITING]) is Reaction.WAITING
    assert joint_reaction([Reaction.FAILED, Reaction.AGREED]) is Reaction.AGREED
    assert joint_reaction([Reaction.DRAFTED, Reaction.AGREED]) is Reaction.AGREED
    assert joint_reaction([Reaction.FAILED, Reaction.STOPPED]) is Reaction.STOPPED
