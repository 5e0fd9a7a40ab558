"""Somebody's account is closed while they are asked: nobody's vote counts for them, whether or not Slack tells."""

from typing import Final

import pytest

from engine.errors import ModelTimeout
from engine.negotiation.events import AgentWithdrawn, PersonUnreachable, ProposalFeedback
from engine.negotiation.terms import Source

from .conftest import Given
from .driver import ACCEPT, ADMIN, AYA, BO, EVE, Driver, text_of
from .script import AGENT
from .test_delegates import chooses, clicks, part

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
