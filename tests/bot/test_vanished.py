"""What a negotiation needs is taken away: the demand, our messages, the channel, an account. It goes on wherever it
can, and what cannot be shown is in the log."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, Message, Outcome
from bot.local_slack.faults import FaultKind
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.state import Status

from .conftest import Begin, Given
from .driver import ACCEPT, AYA, BO, DEMAND, EVE, NEGOTIATE, QUIET, SCOPES, USERS, YOU, Driver, shows, text_of
from .script import AGENT

Change = Callable[[Driver], Awaitable[None]]

RETRY: Final = 7
"""Seconds."""


def key(message: Message) -> str:
    """Return which of our posts it is; empty where it is none."""
    return str(((message.metadata or {}).get("event_payload") or {}).get("key", ""))


async def ours(it: Driver) -> dict[str, Message]:
    """Return our posts in the channel and its threads, by key, and check that none is there twice."""
    found = [each for each in await it.everything(EVE) if key(each)]
    assert len({key(each) for each in found}) == len(found)
    return {key(each): each for each in found}


async def direct(it: Driver, user: str) -> list[Message]:
    person = it.demo.person(user)
    return [each for each in await person.messages((await person.dm()).id) if key(each)]


async def accepts_by_dm(it: Driver, user: str) -> Outcome:
    person = it.demo.person(user)
    card = next(each for each in reversed(await direct(it, user)) if shows(each, ACCEPT))
    outcome = await person.click(card.channel, card.ts, ACCEPT)
    await it.demo.settle(QUIET)
    return outcome


async def deleted(it: Driver, message: Message, by: str = YOU) -> None:
    """Let an admin of the workspace delete a message."""
    user = next(each for each in USERS if each.id == by)
    await it.demo.workspace.admin.put_user(user.model_copy(update={"is_admin": True}))
    await it.demo.person(by).delete(message)


async def by_people(it: Driver) -> list[str]:
    return [each.by for each in await it.happened(ProposalFeedback) if each.by]


async def demand_without_a_message(driver: Begin, what: FaultKind | None = None) -> Driver:
    """Delete the demand before anything of ours stands below it. ``what`` befalls our next call."""
    it = await driver()
    await it.demo.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=RETRY)
    said = await it.demo.person().say(CHANNEL, f"<@U_TOWOW> {DEMAND}")
    await it.demo.settle(QUIET)
    await it.demo.person().delete(said)
    await it.demo.workspace.admin.clear_faults()
    if what is not None:
        await it.demo.workspace.admin.fault("chat.postMessage", what)
    await it.passes()
    return it


async def until_posted(it: Driver, wanted: str) -> None:
    while wanted not in await ours(it):
        await it.passes()


async def test_a_demand_that_is_deleted_before_the_first_answer_goes_on_in_a_thread_of_ours(
    driver: Begin, caplog: LogCaptureFixture
) -> None:
    it = await demand_without_a_message(driver)

    [state] = await it.negotiations()
    posts = await ours(it)
    assert list(posts) == ["root", "offers", "round-1"]
    assert [posts[each].thread_ts for each in ("offers", "round-1")] == [posts["root"].ts] * 2
    assert [each.ts for each in await it.demo.person(EVE).messages(CHANNEL)] == [posts["root"].ts]
    assert caplog.text.count(f"the thread of {state.channel_id} is gone") == 1
    assert (await it.clicks(AYA, ACCEPT, card=posts["round-1"])).acked
    assert (await accepts_by_dm(it, BO)).acked

    [state] = await it.negotiations()
    assert state.status is Status.FINALIZED
    posts = await ours(it)
    assert posts["outcome"].thread_ts == posts["root"].ts
    assert "✅ Agreed" in text_of(posts["root"])


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
async def test_below_a_deleted_demand_nothing_is_posted_twice(driver: Begin, fault: FaultKind) -> None:
    """Nobody knows whether it was posted, and there is no thread to be searched."""
    it = await demand_without_a_message(driver, fault)
    await until_posted(it, "round-1")

    posts = await ours(it)

    assert [posts[each].thread_ts for each in ("offers", "round-1")] == [posts["root"].ts] * 2


async def test_a_demand_that_is_deleted_in_the_middle_leaves_its_thread_to_us(given: Given) -> None:
    it = await given()
    assert it.posted is not None

    await it.demo.person().delete(it.posted.message)
    await it.says(AYA, NEGOTIATE, "Only until ten")
    await it.clicks(BO, ACCEPT)

    await it.stands(Status.NEGOTIATING, round=2)
    assert {each.thread_ts for each in (await ours(it)).values()} == {it.posted.message.ts}
    assert (await it.clicks(AYA, ACCEPT)).acked
    assert (await it.clicks(BO, ACCEPT)).acked
    await it.stands(Status.FINALIZED, round=2)
    assert list(await ours(it)) == ["root", "offers", "round-1", "round-2", "outcome"]


async def test_the_demand_and_all_of_ours_deleted_the_vote_comes_back_in_the_channel(given: Given) -> None:
    it = await given()
    assert it.posted is not None
    for each in [*(await ours(it)).values(), it.posted.message]:
        await deleted(it, each)
    assert await it.everything(EVE) == []

    assert (await accepts_by_dm(it, AYA)).acked
    posts = await ours(it)
    assert list(posts) == ["root", "round-1"]
    assert (await it.clicks(BO, ACCEPT, card=posts["round-1"])).acked

    await it.stands(Status.FINALIZED, round=1)
    posts = await ours(it)
    assert list(posts) == ["root", "round-1", "outcome"]
    assert [each.thread_ts for each in posts.values()] == [None, posts["root"].ts, posts["root"].ts]
    assert await by_people(it) == [AYA, BO]


async def test_while_the_card_of_the_round_is_gone_people_vote_in_their_direct_messages(given: Given) -> None:
    it = await given()
    before = await it.card()
    await deleted(it, before)

    assert (await accepts_by_dm(it, AYA)).acked

    again = (await ours(it))["round-1"]
    assert again.ts != before.ts
    assert "✅ *Aya* accepts" in text_of(again)
    assert (await it.clicks(BO, ACCEPT, card=again)).acked
    await it.stands(Status.FINALIZED, round=1)
    assert await by_people(it) == [AYA, BO]


async def test_whose_own_card_is_gone_votes_in_the_thread(given: Given) -> None:
    it = await given()
    [card] = await direct(it, AYA)
    await deleted(it, card, by=AYA)

    await it.says(AYA, NEGOTIATE, "Only until ten")

    [again] = await direct(it, AYA)
    assert again.ts != card.ts
    assert "Only until ten" in text_of(again)
    assert (await accepts_by_dm(it, BO)).acked
    await it.stands(Status.NEGOTIATING, round=2)
    assert await by_people(it) == [AYA, BO]


async def archived(it: Driver) -> None:
    await it.demo.workspace.admin.archive(CHANNEL)


async def unarchived(it: Driver) -> None:
    channel = Channel(id=CHANNEL, name="general", members=[*(each.id for each in USERS), it.demo.workspace.bot_user_id])
    await it.demo.workspace.admin.put_channel(channel)


async def removed(it: Driver) -> None:
    """Take us out, where we may post only in channels that we are in."""
    await it.demo.workspace.admin.grant(*(each for each in SCOPES if each != "chat:write.public"))
    await it.demo.workspace.admin.leave(CHANNEL, it.demo.workspace.bot_user_id)


async def invited(it: Driver) -> None:
    await it.demo.workspace.admin.join(CHANNEL, it.demo.workspace.bot_user_id)


@pytest.mark.parametrize(
    ("closes", "opens", "why"),
    [
        pytest.param(archived, unarchived, "is_archived", id="archived"),
        pytest.param(removed, invited, "not_in_channel", id="without us"),
    ],
)
async def test_while_the_channel_is_closed_to_us_votes_count_by_direct_message_and_the_rest_is_given_up_in_the_log(
    given: Given, caplog: LogCaptureFixture, closes: Change, opens: Change, why: str
) -> None:
    it = await given()
    await closes(it)

    assert (await accepts_by_dm(it, AYA)).acked
    person, [card] = it.demo.person(BO), await direct(it, BO)
    form = await person.click(card.channel, card.ts, NEGOTIATE)
    assert (await it.fills_in(BO, form, "Only until ten")).acked

    await it.stands(Status.NEGOTIATING, round=2)
    assert "round-2" not in await ours(it)
    [told] = [each.message for each in caplog.records if each.levelno == logging.ERROR and "round-2" in each.message]
    assert told == f"round-2 of {it.key.stream} is given up: {why}"

    await opens(it)
    assert (await accepts_by_dm(it, AYA)).acked
    posts = await ours(it)
    assert "✅ *Aya* accepts" in text_of(posts["round-2"])
    assert not shows(posts["round-1"], ACCEPT)
    assert (await accepts_by_dm(it, BO)).acked
    await it.stands(Status.FINALIZED, round=2)
    assert "We have a plan" in text_of((await ours(it))["outcome"])
    assert await by_people(it) == [AYA, BO, AYA, BO]


async def test_somebody_who_leaves_the_company_in_the_middle_is_waited_for_no_longer_than_the_round(
    given: Given, caplog: LogCaptureFixture
) -> None:
    it = await given(linked=["aya", "bo"], alone=["chen"])
    await it.demo.workspace.admin.deactivate(AYA, is_told=False)

    await it.clicks(BO, ACCEPT)
    await it.time_is_up()
    await it.goes_on()

    state = await it.stands(Status.FINALIZED, round=2)
    assert await by_people(it) == [BO, BO]  # their part is unchanged, so the accept goes on
    assert state.rounds[0].seats[f"{AGENT}aya"].closed
    assert [*state.rounds[-1].seats] == [f"{AGENT}bo", f"{AGENT}chen"]
    assert f"part-2/{AGENT}aya" not in caplog.text


async def test_without_whoever_asked_it_goes_on_to_its_end(given: Given) -> None:
    it = await given()
    await it.demo.workspace.admin.deactivate(YOU)

    assert (await it.clicks(AYA, ACCEPT, card=(await ours(it))["round-1"])).acked
    assert (await accepts_by_dm(it, BO)).acked

    await it.stands(Status.FINALIZED, round=1)
    assert "We have a plan" in text_of((await ours(it))["outcome"])
