"""What was agreed, or argued out, is carried out: begun once, by whoever asked or an admin, in the same thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from bot.demo.demo import CHANNEL
from bot.listeners.conversation import without_word
from bot.listeners.delivery.beginning import WORDS
from bot.local_slack import Message
from bot.views.deliberation.forms import TEXT
from bot.views.deliberation.values import ASK, POINT
from bot.views.directory.buttons import AWAY
from bot.views.kit.handover import CARRIED_OUT_IN, CARRY_OUT, PLAN_IT
from bot.views.negotiation.button_values import PROCEED
from engine.delivery.planning.briefs import brief_of_goal
from engine.delivery.policy import PREFIX
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.kernel import HandedPerson, StreamKey
from engine.negotiation.answers import Assignment, ProposalDraft

from .conftest import Begin, Given
from .driver import ADMIN, AYA, BO, EVE, YOU, Driver, nothing_changed, shows, text_of
from .home import sends as fills
from .planning import Planned, agreed, planned
from .roles import REQUESTER, SEATED, STRANGER, Role, forges, roles
from .script import AGENT
from .test_deliberation import IN_PERSON, arrives
from .test_home import clicks_home
from .ticketing import UNMANAGED

SOMEBODY_ELSES: Final = "That is for somebody else, so nothing was changed."
GONE: Final = "We cannot find this delivery any more. If it still matters, begin it anew."


async def final(it: Driver) -> Message:
    return next(each for each in await it.thread() if shows(each, PROCEED))


async def delivery_of(it: Driver, origin: str) -> Delivery:
    state: Delivery = await it.demo.towow.services.gateway.read(StreamKey(it.key.tenant, PREFIX + origin), RULEBOOK)
    return state


async def boards(it: Driver) -> list[Message]:
    found = []
    for each in await it.everything(YOU):
        payload: Mapping[str, Any] = (each.metadata or {}).get("event_payload") or {}
        if payload.get("key") == "board":
            found.append(each)
    return found


async def test_each_confirmed_assignment_becomes_a_ticket_in_the_same_thread(given: Given) -> None:
    it = await agreed(given, protocols=UNMANAGED)
    [demand, *_] = await it.thread()

    await it.goes(YOU, CARRY_OUT, card=await final(it))

    state = await delivery_of(it, it.key.stream)
    assert {each.owner.user_id for each in state.tickets.values()} == {AYA, BO}
    assert (state.requester_id, state.brief.origin) == (YOU, it.key.stream)
    [board] = await boards(it)
    assert board.thread_ts == demand.ts
    assert "as it was agreed" in text_of(board)
    [session] = await it.demo.person().sessions()
    assert (session.thread_ts, session.status) == (demand.ts, "suspended")


async def test_work_that_has_hours_and_no_day_is_spread_over_those_that_people_give(given: Given) -> None:
    seats = (
        Assignment(agent_id=f"{AGENT}aya", role="Host", responsibility="finds the room", hours=16),
        Assignment(agent_id=f"{AGENT}bo", role="Cook", responsibility="cooks", hours=4, after=(f"{AGENT}aya",)),
    )
    it = await agreed(
        given, protocols=UNMANAGED, says={"aggregate": ProposalDraft(summary="A party", assignments=seats)}
    )
    away = await clicks_home(it, AYA, AWAY)
    assert not (await fills(it, AYA, away, first="2027-01-18", last="2027-01-19")).errors

    await it.goes(YOU, CARRY_OUT, card=await final(it))

    state = await delivery_of(it, it.key.stream)
    assert [(each.task.starts, each.task.deadline) for each in state.tickets.values()] == [
        ("2027-01-20", "2027-01-21"),  # Friday is over
        ("2027-01-22", "2027-01-22"),
    ]
    assert "Jan 21" in text_of((await boards(it))[0])


async def test_an_argued_plan_is_carried_out_with_its_tasks(given: Given) -> None:
    plan: Planned = await planned(given, protocols=UNMANAGED)

    await plan.it.clicks(YOU, CARRY_OUT, card=await plan.report())

    state = await delivery_of(plan.it, plan.key.stream)
    assert len(state.tickets) == len(state.brief.tasks) > 0
    assert state.brief.origin == plan.key.stream


async def test_a_plan_that_is_carried_out_is_not_reopened_any_more(given: Given) -> None:
    plan: Planned = await planned(given, protocols=UNMANAGED)
    form = await plan.form(YOU, POINT)
    await plan.it.keeps_old_cards()
    await plan.it.clicks(YOU, CARRY_OUT, card=await plan.report())
    before = len(await plan.events())

    assert (await plan.clicks(YOU, POINT)).modal is None
    await plan.sends(YOU, form, **{TEXT: "Where do the children go?"})

    assert len(await plan.events()) == before
    assert CARRIED_OUT_IN == PREFIX


async def test_what_has_begun_is_not_offered_again(given: Given) -> None:
    plan: Planned = await planned(given, protocols=UNMANAGED)
    assert not any(shows(each, PLAN_IT) for each in await plan.it.thread())
    await plan.it.clicks(YOU, CARRY_OUT, card=await plan.report())

    shown = [each for each in (await plan.posts()).values() if shows(each, POINT) or shows(each, CARRY_OUT)]
    assert shown == []
    assert shows(await plan.report(), ASK)


async def test_clicking_twice_begins_one_and_says_so(given: Given) -> None:
    it = await agreed(given, protocols=UNMANAGED)
    card = await final(it)
    await it.keeps_old_cards()

    await it.goes(YOU, CARRY_OUT, card=card)
    await forges(it, Role("admin", ADMIN), card, PROCEED, as_action=CARRY_OUT)

    assert len(await boards(it)) == 1
    [said] = await it.told(ADMIN)
    assert said.startswith("This is being carried out already")


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
async def test_whoever_asked_and_admins_have_it_carried_out_and_nobody_else(given: Given, role: Role) -> None:
    it = await agreed(given, protocols=UNMANAGED)
    await arrives(it, role)

    if role.steers:
        await forges(it, role, await final(it), PROCEED, as_action=CARRY_OUT)
        assert (await delivery_of(it, it.key.stream)).requester_id == YOU
        return
    async with nothing_changed(it, by=role.user, told=GONE if role.tenant else SOMEBODY_ELSES):
        await forges(it, role, await final(it), PROCEED, as_action=CARRY_OUT)
    assert await it.begun() == 1


@pytest.mark.parametrize("said", ["deliver", "交付", "执行"])
async def test_a_goal_that_somebody_types_is_carried_out_for_them(driver: Begin, said: str) -> None:
    it = await driver(linked=[], protocols=UNMANAGED)

    outcome = await it.demo.person(EVE).slash(CHANNEL, "/towow", f"{said} Book the room. Then invite the guests.")
    await it.settles()

    assert outcome.acked
    [board] = await boards(it)
    assert "Book the room" in text_of(board)
    assert await it.begun() == 1


async def test_a_goal_is_carried_out_in_direct_messages_for_whoever_writes_it(driver: Begin) -> None:
    it = await driver(linked=[], protocols=UNMANAGED)
    eve = it.demo.person(EVE)
    dm = (await eve.dm()).id

    said = await eve.say(dm, "deliver: a picnic for 20 people")
    await it.settles()

    [_, board, *_] = await eve.thread(dm, said.ts)
    assert "a picnic for 20 people" in text_of(board)
    assert await boards(it) == []
    assert await it.begun() == 1


async def test_a_sentence_that_begins_with_the_word_is_a_demand(driver: Begin) -> None:
    it = await driver(linked=["aya"], protocols=UNMANAGED)

    await it.demo.person(YOU).say(CHANNEL, f"<@{it.demo.workspace.bot_user_id}> Deliver a cake for 20 people")
    await it.settles()

    assert await boards(it) == []
    assert await it.begun() == 1


async def test_a_goal_without_words_is_asked_for(driver: Begin) -> None:
    it = await driver(linked=[], protocols=UNMANAGED)

    outcome = await it.demo.person(EVE).slash(CHANNEL, "/towow", "deliver")
    await it.settles()

    assert outcome.message is not None
    assert outcome.message.text.startswith("Say it in a few words")
    assert await it.begun() == 0


@pytest.mark.parametrize(
    ("text", "goal"),
    [("deliver: the room", "the room"), ("交付：场地", "场地"), ("执行 场地", "场地"), ("the room", "the room")],
)
def test_the_word_that_a_goal_begins_with_is_no_part_of_it(text: str, goal: str) -> None:
    assert without_word(text, WORDS) == goal


def test_whoever_a_goal_names_can_be_given_tickets() -> None:
    known = (
        HandedPerson(person_id=AYA, user_id=AYA, name="Aya"), HandedPerson(person_id=BO, user_id=BO, name="Bo"),
        HandedPerson(person_id="U_CHEN", user_id="U_CHEN", name="陈"),
    )  # fmt: skip

    brief = brief_of_goal("Aya books it, <@U_EVE> invites; borrow chairs.", by=YOU, today="", time_zone="", known=known)

    assert {each.user_id for each in brief.people} == {AYA, EVE, YOU}
    assert brief.goal == "Aya books it, @U_EVE invites; borrow chairs."
    assert brief.title == "Aya books it, @U_EVE invites; borrow chairs."
    assert brief_of_goal("Move\n- book a van", by=YOU, today="", time_zone="").title == "Move"
