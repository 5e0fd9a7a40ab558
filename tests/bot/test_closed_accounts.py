"""Somebody's account is closed while they are asked: nobody's vote counts for them, whether or not Slack tells."""

from typing import Any, Final

import pytest

from engine.delivery.terms import PersonNeed
from engine.delivery.tickets.owners import decider_of
from engine.errors import ModelTimeout
from engine.negotiation.afterwards.commitments import UNDATED
from engine.negotiation.events import AgentWithdrawn, CheckInAsked, PersonUnreachable, ProposalFeedback, SeatGivenUp
from engine.negotiation.state import Status
from engine.negotiation.terms import Source

from .conftest import Begin, Given
from .driver import ACCEPT, ADMIN, AYA, BO, EVE, QUIET, YOU, Driver, text_of
from .leading import AGENT as AGENT_OWNER
from .leading import led
from .script import AGENT
from .test_check_ins import ASKING, PLAN
from .test_delegates import chooses, clicks, part
from .ticketing import persons, task

DOWN: Final = ModelTimeout("feedback took too long")


async def assumed(it: Driver) -> list[str]:
    votes = await it.happened(ProposalFeedback)
    return [each.agent_id for each in votes if each.source is Source.ASSUMED]


@pytest.mark.parametrize("is_told", [pytest.param(True, id="told"), pytest.param(False, id="the event is lost")])
async def test_nothing_is_assumed_of_an_account_that_was_closed_meanwhile(given: Given, is_told: bool) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    await it.demo.workspace.admin.deactivate(AYA, is_told=is_told)
    await it.settles()
    assert [each.gone for each in await it.happened(PersonUnreachable)] == [True] * is_told

    await it.time_is_up()

    [gone] = [each for each in await it.happened(PersonUnreachable) if each.round == 1]
    assert (gone.agent_id, gone.gone) == (AGENT + "aya", True)
    assert await assumed(it) == []
    assert (await it.state()).rounds[0].seats[AGENT + "aya"].vote is None


@pytest.mark.parametrize("is_told", [pytest.param(True, id="told"), pytest.param(False, id="the event is lost")])
async def test_nor_of_one_whose_delegate_says_nothing(given: Given, is_told: bool) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    assert await chooses(it, EVE) == {}
    await it.demo.workspace.admin.deactivate(AYA, is_told=is_told)

    await it.time_is_up()

    assert await assumed(it) == []


@pytest.mark.parametrize("is_told", [pytest.param(True, id="told"), pytest.param(False, id="the event is lost")])
async def test_nor_of_one_whose_delegate_has_no_account_any_more(given: Given, is_told: bool) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    assert await chooses(it, EVE) == {}
    await it.demo.workspace.admin.deactivate(EVE, is_told=is_told)
    await it.settles()
    told = f"<@{EVE}> cannot decide for you any more" in text_of(await part(it, AYA))
    assert told is is_told

    await it.time_is_up()

    assert await assumed(it) == []
    assert [(each.delegate, each.gone) for each in await it.happened(PersonUnreachable)] == [(EVE, True)]
    assert not (await it.state()).delegates


@pytest.mark.parametrize("is_told", [pytest.param(True, id="told"), pytest.param(False, id="the event is lost")])
async def test_no_twin_confirms_for_an_account_that_was_closed(given: Given, is_told: bool) -> None:
    it = await given()
    await it.demo.workspace.admin.deactivate(AYA, is_told=is_told)

    await it.time_is_up()

    assert [(each.agent_id, each.closed) for each in await it.happened(AgentWithdrawn)] == [(AGENT + "aya", True)]
    final = (await it.goes_on()).state()
    assert AGENT + "aya" not in getattr((await final).final, "confirmed_participants", ())
    assert "account was closed, so it goes on without them" in "".join(map(text_of, await it.thread()))


async def test_whoever_has_said_yes_and_goes_is_not_in_the_plan(given: Given) -> None:
    it = await given()
    await clicks(it, AYA, ACCEPT)
    await it.demo.workspace.admin.deactivate(AYA)
    await it.settles()

    await clicks(it, BO, ACCEPT)

    assert [(each.agent_id, each.closed) for each in await it.happened(AgentWithdrawn)] == [(AGENT + "aya", True)]


async def test_no_delegate_confirms_for_an_account_that_was_closed(given: Given) -> None:
    it = await given()
    await chooses(it, EVE)
    await clicks(it, EVE, ACCEPT)
    await it.demo.workspace.admin.deactivate(AYA)
    await it.settles()

    assert not (await it.state()).delegates
    await clicks(it, BO, ACCEPT)

    assert [(each.agent_id, each.closed) for each in await it.happened(AgentWithdrawn)] == [(AGENT + "aya", True)]


async def test_whose_delegate_has_no_account_any_more_names_another_one(given: Given) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    await chooses(it, EVE)
    await it.demo.workspace.admin.deactivate(EVE)
    await it.settles()

    assert await chooses(it, ADMIN) == {}
    await it.time_is_up()

    assert await assumed(it) == [AGENT + "aya"]


async def test_nobody_waits_any_longer_for_an_account_that_was_closed(given: Given) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    await clicks(it, BO, ACCEPT)
    before = it.demo.clock.now()

    await it.demo.workspace.admin.deactivate(AYA)
    await it.settles()

    assert (await it.state()).rounds[0].tally is not None
    assert it.demo.clock.now() == before


async def test_where_slack_does_not_say_it_the_round_is_closed_all_the_same(given: Given) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    await it.demo.workspace.admin.fault("users.info", "drop_before", times=None)

    await it.time_is_up()

    assert (await it.state()).rounds[0].tally is not None


async def test_a_replay_knows_who_was_gone_without_asking_anybody(given: Given) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    await it.demo.workspace.admin.deactivate(AYA, is_told=False)
    await it.time_is_up()
    asked = (await it.demo.workspace.admin.calls())["users.info"]

    folded = (await it.events(), await it.state())

    assert folded[1].rounds[0].seats[AGENT + "aya"].gone
    assert (await it.demo.workspace.admin.calls())["users.info"] == asked


async def test_of_a_twin_whose_person_is_gone_that_is_said_in_place_of_its_vote(given: Given) -> None:
    """Whoever asked may then ask somebody else."""
    it = await given()
    before = text_of((await it.thread())[-1])
    assert "has no account here any more" not in before

    await it.demo.workspace.admin.deactivate(AYA)
    await it.settles()

    after = text_of((await it.thread())[-1])
    assert f"▫️ <@{AYA}> has no account here any more" in after
    assert "*Aya* accepts (twin)" in before
    assert "*Aya* accepts" not in after


# ── after the agreement ───────────────────────────────────────────────────────────────────────────────────────────


async def agreed(given: Given, **circumstances: Any) -> Driver:
    it = await (await given(**circumstances)).goes_on()
    await it.stands(Status.FINALIZED)
    return it


async def test_whoever_asked_hears_of_a_promise_that_nobody_keeps_any_more(given: Given) -> None:
    it = await agreed(given)

    await it.demo.workspace.admin.deactivate(AYA)
    await it.settles()

    [left] = await it.happened(SeatGivenUp)
    assert (left.agent_id, left.by, left.closed) == (AGENT + "aya", "", True)
    said = next(text for each in await it.thread() if "no account" in (text := text_of(each)))
    assert f"👋 <@{YOU}>, *Aya* has no account here any more and cannot take part." in said
    assert "❌ Missing: Role of aya" in said
    assert "*Aya* agreed" not in await it.root()
    assert "Missing: Role of aya" in await it.root()
    assert "To ask somebody yourself, mention me with what is missing and their name." in said


async def test_it_is_told_once_and_of_nobody_else(given: Given) -> None:
    it = await agreed(given)
    await it.demo.workspace.admin.deactivate(EVE)
    await it.settles()
    assert await it.happened(SeatGivenUp) == []

    await it.demo.workspace.admin.deactivate(AYA)
    await it.settles()
    again = {"type": "user_change", "user": {"id": AYA, "deleted": True}, "event_ts": "9.9"}
    await it.demo.workspace.admin.announce(again)
    await it.settles()

    assert [each.agent_id for each in await it.happened(SeatGivenUp)] == [AGENT + "aya"]


async def test_a_promise_that_is_over_is_nobodys_loss(given: Given) -> None:
    it = await agreed(given)
    it.demo.clock.jump(it.demo.clock.now() + UNDATED + 1)

    await it.demo.workspace.admin.deactivate(AYA)
    await it.settles()

    assert await it.happened(SeatGivenUp) == []


async def test_where_slack_did_not_tell_it_is_found_out_before_somebody_is_asked_how_it_stands(given: Given) -> None:
    it = await given(policy=ASKING, says={"aggregate": PLAN})
    await it.goes_on()
    await it.demo.workspace.admin.deactivate(AYA, is_told=False)

    while not await it.happened(SeatGivenUp):
        await it.passes()

    assert [(each.agent_id, each.closed) for each in await it.happened(SeatGivenUp)] == [(AGENT + "aya", True)]
    assert not [each for each in await it.happened(CheckInAsked) if each.agent_id == AGENT + "aya"]


@pytest.mark.parametrize("whose", ["the owner", "who checks it"])
async def test_somebody_else_is_chosen_for_a_ticket(driver: Begin, whose: str) -> None:
    is_owner = whose == "the owner"
    it = await led(driver, task("room", persons(AYA)) if is_owner else task(owner=AGENT_OWNER, checked_by=AYA))

    await it.it.demo.workspace.admin.deactivate(AYA)
    await it.it.demo.settle(QUIET)

    ticket = await it.ticket()
    assert ticket.need is (PersonNeed.OWNER if is_owner else PersonNeed.REVIEW)
    assert decider_of(await it.state(), ticket, ticket.need) == YOU
