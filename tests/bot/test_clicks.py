"""Clicks by the wrong person, too late, twice or at once: nothing is changed that should not be, and whoever clicked is
told why, alone."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from slack_sdk.models.blocks import ActionsBlock, ButtonElement
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.demo.negotiation.ask import cast_vote
from bot.local_slack import Message
from bot.views.kit.button_values import StreamButton
from bot.views.negotiation.button_values import VoteButton
from engine.errors import ModelUnavailable
from engine.negotiation.events import FeedbackEvaluated, ProposalFeedback, ProposalFinalized
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Begin, Given
from .driver import ACCEPT, AYA, BO, EVE, NEGOTIATE, QUIET, STOP, WITHDRAW, YOU, Driver, nothing_changed, shows

NO_SEAT = "You have no part in this proposal. If you would like to help, say so in the thread."
NO_OWN_SEAT = (
    "You have no part in this proposal. You asked for it: say with “Ask for a change…” what should be different."
)
TOO_OLD = "That button is from a round that is over, so nothing was changed."
AGAIN = "We have that already; nothing more to do."


@pytest.mark.parametrize("action", [ACCEPT, NEGOTIATE, WITHDRAW])
@pytest.mark.parametrize(
    ("user", "told"),
    [
        pytest.param(EVE, NO_SEAT, id="somebody who only reads along"),
        pytest.param(BO, NO_SEAT, id="somebody who has a profile and no seat"),
        pytest.param(YOU, NO_OWN_SEAT, id="the requester, whose seats are all somebody's own"),
    ],
)
async def test_without_a_seat_there_is_nothing_to_vote_on(given: Given, user: str, told: str, action: str) -> None:
    it = await given(linked=["aya"])

    async with nothing_changed(it, by=user, told=told):
        outcome = await it.clicks(user, action)

    assert outcome.acked
    assert outcome.modal is None
    assert await it.refusals() == ["NotAllowed"]


async def test_a_participant_votes_for_their_own_seat_only(given: Given) -> None:
    it = await given()

    await it.clicks(BO, ACCEPT)

    seats = (await it.state()).rounds[-1].seats
    assert [each.human is not None for each in seats.values()] == [False, True]


async def test_the_requester_speaks_for_unlinked_seats_and_for_no_other(given: Given) -> None:
    it = await given(linked=["aya"], alone=["chen"])

    await it.clicks(YOU, ACCEPT)

    [vote] = [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    assert (vote.agent_id, vote.by) == ("user_agent_chen", YOU)


async def second_round(it: Driver) -> None:
    await it.says(AYA, NEGOTIATE, "Only until ten")
    await it.clicks(BO, ACCEPT)
    await it.stands(Status.NEGOTIATING, round=2)


async def finalized(it: Driver) -> None:
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    await it.stands(Status.FINALIZED)


async def stopped(it: Driver) -> None:
    await it.stops(YOU)
    await it.stands(Status.CANCELLED)


@pytest.mark.parametrize("action", [ACCEPT, NEGOTIATE])
@pytest.mark.parametrize("end", [second_round, finalized, stopped], ids=["next round", "finalized", "stopped"])
async def test_a_button_that_should_be_gone_does_nothing(
    given: Given, end: Callable[[Driver], Awaitable[None]], action: str
) -> None:
    it = await given()
    await it.keeps_old_cards()
    stale = await it.card()
    await end(it)

    async with nothing_changed(it, by=AYA, told=TOO_OLD):
        outcome = await it.clicks(AYA, action, card=stale)

    assert outcome.acked
    assert outcome.modal is None


async def test_the_button_of_an_earlier_round_does_nothing_even_where_the_proposal_is_the_same(given: Given) -> None:
    it = await given(fails={"feedback": ModelUnavailable("down")})
    await it.keeps_old_cards()
    stale = await it.card()
    await it.time_is_up()
    state = await it.stands(Status.NEGOTIATING, round=2)
    assert state.rounds[0].digest == state.rounds[1].digest

    async with nothing_changed(it, by=AYA, told=TOO_OLD):
        await it.clicks(AYA, ACCEPT, card=stale)


async def test_once_slack_takes_changes_again_old_buttons_go(given: Given) -> None:
    it = await given()
    await it.keeps_old_cards()
    await second_round(it)
    assert [shows(each, ACCEPT) for each in (await it.thread())[-2:]] == [True, True]

    await it.demo.workspace.admin.clear_faults()
    await it.passes()

    assert [shows(each, ACCEPT) for each in (await it.thread())[-2:]] == [False, True]


async def test_the_same_click_twice_is_one_vote(given: Given) -> None:
    it = await given()
    await it.clicks(AYA, ACCEPT)

    async with nothing_changed(it, by=AYA, told=AGAIN):
        assert (await it.clicks(AYA, ACCEPT)).acked


async def test_two_people_at_once_are_two_votes_and_one_end(given: Given) -> None:
    it = await given(twins={("aya", 1): "negotiate", ("bo", 1): "negotiate"})
    card = await it.card()

    outcomes = await asyncio.gather(*(it.clicks(user, ACCEPT, card=card) for user in (AYA, BO)))

    assert all(each.acked for each in outcomes)
    await it.stands(Status.FINALIZED, round=1)
    assert {each.by for each in await it.happened(ProposalFeedback) if each.by} == {AYA, BO}
    assert len(await it.happened(FeedbackEvaluated)) == len(await it.happened(ProposalFinalized)) == 1


async def test_one_person_twice_at_once_is_one_vote(given: Given) -> None:
    it = await given()
    card = await it.card()

    await asyncio.gather(*(it.clicks(AYA, ACCEPT, card=card) for _ in range(2)))

    assert [each.by for each in await it.happened(ProposalFeedback) if each.by] == [AYA]
    assert await it.told(AYA) == [AGAIN]


async def test_a_double_click_that_ends_the_round_counts_once(given: Given) -> None:
    it = await given(linked=["aya"])
    card = await it.card()

    outcomes = await asyncio.gather(*(it.clicks(AYA, ACCEPT, card=card) for _ in range(2)))

    assert all(each.acked for each in outcomes)
    await it.stands(Status.FINALIZED, round=1)
    assert [each.by for each in await it.happened(ProposalFeedback) if each.by] == [AYA]
    assert len(await it.told(AYA)) == 1


async def test_a_click_before_the_twin_has_answered_stands_when_it_does(driver: Begin) -> None:
    empty = await driver(twins={("aya", 1): "withdraw"})
    thought = empty.script.held["feedback"] = asyncio.Event()
    said = await empty.demo.person().say(CHANNEL, "<@U_TOWOW> A venue")
    aya = empty.demo.person(AYA)
    card = await aya.until_message(CHANNEL, lambda each: shows(each, ACCEPT), thread_ts=said.ts)
    assert (await aya.click(CHANNEL, card.ts, ACCEPT)).acked

    thought.set()
    await empty.demo.settle(QUIET)

    [state] = await empty.negotiations()
    assert state.rounds[-1].seats["user_agent_aya"].vote == state.rounds[-1].seats["user_agent_aya"].human
    assert state.status is Status.NEGOTIATING


async def test_a_click_whose_answer_was_lost_can_be_clicked_again(given: Given) -> None:
    it = await given()
    workspace = it.demo.workspace
    await workspace.admin.fault("interactive", "lose_ack")
    opened = (await workspace.admin.status()).opened

    outcome = await it.clicks(AYA, ACCEPT)

    assert not outcome.acked
    assert (await it.votes())["aya"] == "accept"
    await workspace.admin.connected(more_than=opened)
    async with nothing_changed(it, by=AYA, told=AGAIN):
        assert (await it.clicks(AYA, ACCEPT)).acked


async def posted_button(it: Driver, action: str, value: str) -> Message:
    """Return a card of ours with this button, from another time."""
    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    row = ActionsBlock(elements=[ButtonElement(text="Press", action_id=action, value=value)])
    posted = await client.chat_postMessage(channel=CHANNEL, text="A card", blocks=[row])
    return Message(channel=CHANNEL, ts=posted["ts"], user=workspace.bot_user_id)


@pytest.mark.parametrize(
    ("action", "value"),
    [
        pytest.param(ACCEPT, VoteButton(stream="collab-aaaaaaaa", round=1, digest="0").value(), id="accept"),
        pytest.param(WITHDRAW, VoteButton(stream="collab-aaaaaaaa", round=1, digest="0").value(), id="withdraw"),
        pytest.param(STOP, StreamButton(stream="collab-aaaaaaaa").value(), id="stop"),
    ],
)
async def test_the_button_of_a_negotiation_that_is_gone_says_so(given: Given, action: str, value: str) -> None:
    it = await given()
    card = await posted_button(it, action, value)

    async with nothing_changed(
        it, by=AYA, told=("We cannot find this negotiation any more. If it still matters, ask anew.")
    ):
        assert (await it.clicks(AYA, action, card=card)).acked


@pytest.mark.parametrize("vote", [FeedbackType.ACCEPT, FeedbackType.NEGOTIATE])
async def test_whoever_votes_from_a_terminal_hears_a_refusal_too(given: Given, vote: FeedbackType) -> None:
    it = await given()
    assert it.posted is not None
    await it.keeps_old_cards()
    assert await cast_vote(it.demo, it.posted, AYA, "user_agent_aya", vote, "Only until ten") is None
    await it.goes_on()

    refused = await cast_vote(it.demo, it.posted, AYA, "user_agent_aya", vote, "Only until ten")

    assert refused is not None
    assert TOO_OLD in refused


async def test_a_button_that_nobody_understands_is_not_acknowledged(given: Given) -> None:
    it = await given()
    card = await posted_button(it, ACCEPT, "from another ToWow")
    await it.expects_no_ack()

    async with nothing_changed(it, by=AYA, told="Something went wrong on our side."):
        assert not (await it.clicks(AYA, ACCEPT, card=card)).acked
