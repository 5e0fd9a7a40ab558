"""The same round in two places: everybody's own part in their direct messages, and the thread."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
from slack_sdk.models.blocks import ActionsBlock, ButtonElement
from slack_sdk.web.async_client import AsyncWebClient

from bot.app import running
from bot.config import SlackAccess
from bot.demo.demo import CHANNEL, Demo
from bot.local_slack import Message, Outcome
from bot.posts.slack_calls import EVENT_TYPE
from bot.registry import PROTOCOLS
from bot.views.negotiation.button_values import VoteButton
from engine.errors import ModelUnavailable
from engine.negotiation.events import PersonReached, PersonUnreachable, ProposalFeedback
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.store.port import Store

from .conftest import Begin, Given
from .driver import ACCEPT, AYA, BO, LINKS, NEGOTIATE, PATIENT, QUIET, WITHDRAW, YOU, Driver, presses, shows, text_of
from .script import people

DOWN = ModelUnavailable("no route")
TOO_OLD = "That button is from a round that is over"


async def direct(it: Driver, user: str) -> list[Message]:
    """Return what we wrote to somebody, oldest first."""
    person = it.demo.person(user)
    return await person.messages((await person.dm()).id)


async def keys(it: Driver, user: str) -> list[str]:
    cards = [each.metadata for each in await direct(it, user) if each.metadata]
    assert all(each["event_type"] == EVENT_TYPE for each in cards)
    return [each["event_payload"]["key"].replace("user_agent_", "") for each in cards]


async def part(it: Driver, user: str) -> Message:
    """Return the newest direct message."""
    return [each for each in await direct(it, user) if "part-" in str(each.metadata)][-1]


async def clicks(it: Driver, user: str, action: str, card: Message | None = None) -> Outcome:
    card = card or await part(it, user)
    outcome = await presses(it.demo.person(user), card, action)
    await it.demo.settle(QUIET)
    return outcome


async def human_votes(it: Driver) -> list[tuple[str, str | None]]:
    cast = [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    return [(each.agent_id.removeprefix("user_agent_"), each.by) for each in cast]


# ── one round in two places ───────────────────────────────────────────────────────────────────────────────────────


async def test_a_vote_in_ones_messages_shows_in_the_thread(given: Given) -> None:
    it = await given()
    others = await direct(it, BO)

    assert (await clicks(it, AYA, ACCEPT)).acked

    assert await human_votes(it) == [("aya", AYA)]
    assert "✅ You accept" in text_of(await part(it, AYA))
    assert "✅ *Aya* accepts" in text_of(await it.card())
    assert await direct(it, BO) == others


async def test_a_vote_in_the_thread_shows_in_ones_messages(given: Given) -> None:
    it = await given()

    await it.says(AYA, NEGOTIATE, "Only until ten in the evening")

    assert "💬 You ask for a change – Only until ten in the evening" in text_of(await part(it, AYA))
    await clicks(it, AYA, ACCEPT)
    assert "✅ You accept" in text_of(await part(it, AYA))
    assert "Only until ten" not in text_of(await it.card())


@pytest.mark.parametrize(
    ("action", "shown"), [(NEGOTIATE, "💬 *Aya* asks for a change – Because"), (WITHDRAW, "*Aya* withdraws")]
)
async def test_a_form_opens_from_there_too(given: Given, action: str, shown: str) -> None:
    it = await given()

    form = await clicks(it, AYA, action)
    assert form.modal is not None
    assert (await it.fills_in(AYA, form, "Because I must")).acked

    assert await human_votes(it) == [("aya", AYA)]
    assert shown in text_of(await it.card())
    assert "Because I must" in text_of(await part(it, AYA))


async def test_everybody_can_agree_without_opening_the_thread(given: Given) -> None:
    it = await given()

    await clicks(it, AYA, ACCEPT)
    await clicks(it, BO, ACCEPT)

    await it.stands(Status.FINALIZED, round=1)
    for user, agent in ((AYA, "aya"), (BO, "bo")):
        assert await keys(it, user) == [f"part-1/{agent}", f"ending/{agent}"]
        assert not any(shows(each, ACCEPT) for each in await direct(it, user))
        assert "You are confirmed" in text_of((await direct(it, user))[-1])
    assert await keys(it, YOU) == ["ending-asked"], "once, at the end"
    assert "we have a plan" in text_of((await direct(it, YOU))[-1])


async def test_a_second_round_is_a_second_message(given: Given) -> None:
    it = await given()

    form = await clicks(it, AYA, NEGOTIATE)
    await it.fills_in(AYA, form, "Only until ten")
    await clicks(it, BO, ACCEPT)

    await it.stands(Status.NEGOTIATING, round=2)
    assert await keys(it, AYA) == ["part-1/aya", "part-2/aya"]
    assert [shows(each, ACCEPT) for each in await direct(it, AYA)] == [False, True]
    assert "Your wish was not taken up: Only until ten – it is short already" in text_of(await part(it, AYA))
    assert "Only until ten" not in text_of(await part(it, BO))


async def test_whoever_clicked_sees_their_vote_though_slack_changes_nothing_else(given: Given) -> None:
    it = await given()
    await it.demo.workspace.admin.fault("chat.update", "error", times=None)

    await clicks(it, AYA, ACCEPT)
    assert "✅ You accept" in text_of(await part(it, AYA))
    await it.clicks(BO, ACCEPT)
    assert "2 of 2 in favour" in text_of((await it.thread())[3])


async def test_what_only_one_person_sees_is_not_changed_through_a_click(given: Given) -> None:
    it = await given()
    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    state = await it.state()
    value = VoteButton(stream=it.key.stream, round=1, digest=state.rounds[0].digest).value()
    row = ActionsBlock(elements=[ButtonElement(text="Press", action_id=ACCEPT, value=value)])
    private = await client.chat_postEphemeral(channel=CHANNEL, user=AYA, text="For you", blocks=[row])

    await it.demo.person(AYA).click(CHANNEL, private["message_ts"], ACCEPT)
    await it.demo.settle(QUIET)

    assert await human_votes(it) == [("aya", AYA)]
    assert not it.demo.towow.services.response_urls.has(it.key.tenant, CHANNEL, private["message_ts"])
    await it.clicks(BO, NEGOTIATE)
    assert it.demo.towow.services.response_urls.has(it.key.tenant, CHANNEL, (await it.card()).ts)


# ── whose seat ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("action", [ACCEPT, NEGOTIATE, WITHDRAW])
@pytest.mark.parametrize("seat", ["bo", "chen", "nobody"])
async def test_a_button_with_somebody_else_s_seat_votes_for_nobody(given: Given, action: str, seat: str) -> None:
    it = await given(alone=["chen"])
    digest = (await it.state()).rounds[0].digest
    value = VoteButton(stream=it.key.stream, round=1, digest=digest, agent_id=f"user_agent_{seat}").value()
    row = ActionsBlock(elements=[ButtonElement(text="Press", action_id=action, value=value)])
    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    forged = await client.chat_postMessage(channel=AYA, text="A card", blocks=[row])
    card = Message(channel=forged["channel"], ts=forged["ts"], user=workspace.bot_user_id)
    before = await it.events()

    outcome = await clicks(it, AYA, action, card)

    assert (outcome.acked, outcome.modal) == (True, None)
    assert await it.events() == before
    [told] = [each for each in await direct(it, AYA) if each.visible_to]
    assert "You have no part" in told.text
    assert len(await it.refusals()) == 1


@pytest.mark.parametrize("action", [ACCEPT, NEGOTIATE])
async def test_a_button_there_that_should_be_gone_does_nothing(given: Given, action: str) -> None:
    it = await given()
    await it.keeps_old_cards()
    stale = await part(it, AYA)
    await it.says(AYA, NEGOTIATE, "Only until ten")
    await it.clicks(BO, ACCEPT)
    await it.stands(Status.NEGOTIATING, round=2)
    before = await it.events()

    outcome = await clicks(it, AYA, action, stale)

    assert (outcome.acked, outcome.modal) == (True, None)
    assert await it.events() == before
    [told] = [each for each in await direct(it, AYA) if each.visible_to]
    assert TOO_OLD in told.text


# ── time passes ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_at_half_time_whoever_has_not_decided_is_reminded(given: Given) -> None:
    it = await given()
    await clicks(it, AYA, ACCEPT)

    await it.passes()

    assert await keys(it, AYA) == ["part-1/aya"]
    assert await keys(it, BO) == ["part-1/bo", "reminder-1/bo"]
    assert "Half of the time" in (await direct(it, BO))[-1].text
    await it.time_is_up()
    assert await keys(it, BO) == ["part-1/bo", "reminder-1/bo", "ending/bo"]


async def test_who_was_asked_and_said_nothing_has_not_objected(given: Given) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    assert [each.agent_id for each in await it.happened(PersonReached)] == ["user_agent_aya"]

    await it.time_is_up()

    sources = [each.source for each in await it.happened(ProposalFeedback) if each.agent_id == "user_agent_aya"]
    assert sources == [Source.ASSUMED]
    assert "☑️ You did not object in time" in text_of(await part(it, AYA))


async def test_who_could_not_be_asked_is_silent(driver: Begin) -> None:
    it = await driver(fails={"feedback/aya": DOWN})
    await it.demo.workspace.admin.fault("conversations.open", "error", error="cannot_dm_bot", times=None)
    it = await it.asks()
    assert await it.happened(PersonReached) == []

    await it.time_is_up()

    assert {each.agent_id for each in await it.happened(ProposalFeedback)} == {"user_agent_bo"}
    assert await keys(it, AYA) == []


async def test_who_comes_into_reach_too_late_was_not_asked(driver: Begin) -> None:
    """Let Slack refuse messages to people until the time is over."""
    it = await driver(fails={"feedback/aya": DOWN})
    await it.demo.workspace.admin.fault("conversations.open", "status", times=None)
    it = await it.asks()

    await it.time_is_up()
    await it.demo.workspace.admin.clear_faults()
    await it.passes()

    assert {each.agent_id for each in await it.happened(ProposalFeedback)} == {"user_agent_bo"}
    assert (await keys(it, AYA))[0] == "part-1/aya"


async def test_nobody_waits_an_hour_for_an_account_that_has_gone(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.deactivate(AYA)
    it = await it.asks()
    before = it.demo.clock.now()
    assert [each.gone for each in await it.happened(PersonUnreachable)] == [True]

    await clicks(it, BO, ACCEPT)

    assert (await it.state()).rounds[0].tally is not None
    assert it.demo.clock.now() == before


async def test_an_account_that_goes_between_the_rounds_is_noticed(given: Given) -> None:
    it = await given()
    await it.says(BO, NEGOTIATE, "Only until ten")
    await it.demo.workspace.admin.deactivate(AYA, is_told=False)
    await it.demo.workspace.admin.fault("users.info", "error", error="fatal_error", times=None)
    it.script.fails["feedback/aya"] = DOWN
    await it.time_is_up()
    await it.demo.workspace.admin.clear_faults()
    await it.passes()
    state = await it.state()
    assert state.round == 2
    assert [(each.round, each.gone) for each in await it.happened(PersonUnreachable)] == [(2, True)]

    await it.goes_on()

    aya = [each for each in await it.happened(ProposalFeedback) if each.agent_id == "user_agent_aya"]
    assert Source.ASSUMED not in {each.source for each in aya}


# ── a restart ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_after_a_restart_everything_goes_on_where_it_was(given: Given, store: Store) -> None:
    it = await given()
    before = {user: await direct(it, user) for user in (AYA, BO)}
    workspace = it.demo.workspace
    opened = (await workspace.admin.calls())["conversations.open"]
    await it.leaves()

    slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=0.5, limited=False)
    async with AsyncExitStack() as leaving:
        towow = await leaving.enter_async_context(
            running(slack, store, it.script, people(LINKS), it.demo.clock, PATIENT, PROTOCOLS)
        )
        it = replace(it, demo=Demo(workspace, towow, it.demo.clock, it.demo.names, PROTOCOLS), leaving=leaving)
        await it.demo.settle(QUIET)
        assert {user: await direct(it, user) for user in (AYA, BO)} == before
        await clicks(it, AYA, ACCEPT)
        await it.passes()
        assert await keys(it, BO) == ["part-1/bo", "reminder-1/bo"]
        await clicks(it, BO, ACCEPT)
        await it.stands(Status.FINALIZED, round=1)
        assert await keys(it, AYA) == ["part-1/aya", "ending/aya"]
        assert await keys(it, BO) == ["part-1/bo", "reminder-1/bo", "ending/bo"]
        assert await keys(it, YOU) == ["ending-asked"]
        assert (await workspace.admin.calls())["conversations.open"] == opened + 1  # with whoever asked
