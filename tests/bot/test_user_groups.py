"""A demand mentions a user group of Slack: who is in it is asked first, and whoever asked hears of it."""

from __future__ import annotations

import pytest

from bot.demo.demo import CHANNEL
from bot.listeners.negotiation.invitations import MOST_PEOPLE
from bot.listeners.negotiation.workflow_step import STEP
from bot.local_slack import UserGroup
from engine.errors import ModelTimeout

from .conftest import Begin
from .driver import ALONE, AYA, BO, EVE, PATIENT, QUIET, SCOPES, YOU, Driver, texts_of
from .script import AGENT, people
from .test_shortcuts import pointed_at, sends

MOST = PATIENT.max_candidates
ASKED = "1 person of @design is asked first, and others for what is missing then."
LABELLED, BARE = "<!subteam^S_DESIGN|@design>", "<!subteam^S_DESIGN>"
"""As Slack writes a user group, with its handle or without."""


async def said(it: Driver, *members: str, group: str = LABELLED) -> None:
    await it.demo.workspace.admin.put_user_group(UserGroup(id="S_DESIGN", handle="design", users=[*members]))
    root = await it.demo.person(YOU).say(CHANNEL, "About the meetup")
    demand = f"<@U_TOWOW> Ask {group} first: I need a venue for 50 people in Berlin"
    await it.demo.person(YOU).say(CHANNEL, demand, thread_ts=root.ts)
    await it.demo.settle(QUIET)


@pytest.mark.parametrize("group", [LABELLED, BARE])
async def test_its_members_are_asked_and_whoever_asked_is_told(driver: Begin, group: str) -> None:
    it = await driver(alone=["chen"])
    it.script.cast = ("chen",)
    await said(it, BO, EVE, YOU, group=group)

    [state] = await it.negotiations()
    assert [*state.invited] == ["user_agent_bo"]
    assert [each.agent_id for each in state.reserve] == ["user_agent_chen"]
    assert state.invited["user_agent_bo"].reason == "The demand names @design."
    assert await it.told(YOU) == [f"{ASKED} 1 has no twin here, so nobody asks them."]


async def test_who_else_fits_is_asked_where_none_of_them_takes_part(driver: Begin) -> None:
    it = await driver(alone=["chen"], fails={"respond/bo": ModelTimeout("it took too long")}, policy=ALONE)
    it.script.cast = ("chen",)
    await said(it, BO)

    assert [each for each in it.script.asked if each.startswith("respond")] == ["respond/bo", "respond/chen"]
    [state] = await it.negotiations()
    assert [each.agent_id for each in state.participants] == ["user_agent_chen"]


@pytest.mark.parametrize(
    ("what", "is_asked"),
    [
        pytest.param("请先问@design：我需要柏林一个50人的场地", True, id="between other letters"),
        pytest.param("Ask @Design first. I need a venue", True, id="in another case"),
        pytest.param("Ask @designers first: I need a venue", False, id="another handle"),
        pytest.param("Ask ann@design.example first: I need a venue", False, id="a mail address"),
    ],
)
async def test_its_handle_behind_the_command_means_it_too(driver: Begin, what: str, is_asked: bool) -> None:
    it = await driver(alone=["chen"])
    it.script.cast = ("chen",)
    await it.demo.workspace.admin.put_user_group(UserGroup(id="S_DESIGN", handle="design", users=[BO]))

    outcome = await it.demo.person(YOU).slash(CHANNEL, "/towow", what)
    await it.demo.settle(QUIET)

    [state] = await it.negotiations()
    assert [*state.invited] == ["user_agent_bo" if is_asked else "user_agent_chen"]
    assert (outcome.message is not None) is is_asked


async def test_its_handle_in_a_form_means_it_too(driver: Begin) -> None:
    it = await driver(alone=["chen"])
    it.script.cast = ("chen",)
    await it.demo.workspace.admin.put_user_group(UserGroup(id="S_DESIGN", handle="design", users=[BO]))
    message = await it.demo.person(YOU).say(CHANNEL, f"Ask {LABELLED} first: I need a venue for 50 people")

    outcome = await sends(it, await pointed_at(it, message))

    assert outcome.modal is not None
    assert ASKED in "\n".join(texts_of(outcome.modal.blocks))
    [state] = await it.negotiations()
    assert [*state.invited] == ["user_agent_bo"]


async def test_who_is_beyond_those_who_are_asked_at_a_time_is_not_counted_as_asked(driver: Begin) -> None:
    users = {f"p{number}": f"U_P{number}" for number in range(MOST + 2)}
    it = await driver(said_by=people(users), linked=())
    await said(it, *users.values())

    [state] = await it.negotiations()
    assert len(state.invited) == MOST
    [told] = await it.told(YOU)
    assert told.startswith(f"{MOST} people of @design are asked first")
    assert "2 more may be asked if something is left open then" in told
    assert [each.agent_id for each in state.reserve] == [AGENT + f"p{MOST}", AGENT + f"p{MOST + 1}"]


async def test_who_is_beyond_them_is_asked_where_none_of_these_takes_part(driver: Begin) -> None:
    users = {f"p{number}": f"U_P{number}" for number in range(MOST + 2)}
    silent = {f"respond/p{number}": ModelTimeout("it took too long") for number in range(MOST)}
    it = await driver(said_by=people(users), linked=(), fails=silent, policy=ALONE)
    await said(it, *users.values())

    [state] = await it.negotiations()
    assert [each.agent_id for each in state.participants] == [AGENT + f"p{MOST}", AGENT + f"p{MOST + 1}"]


async def test_a_group_as_large_as_a_company_is_not_asked_as_a_whole(driver: Begin) -> None:
    users = {f"p{number}": f"U_P{number}" for number in range(MOST_PEOPLE + 3)}
    it = await driver(said_by=people(users), linked=())
    await said(it, *users.values())

    [state] = await it.negotiations()
    assert (len(state.invited), len(state.reserve)) == (MOST, MOST_PEOPLE - MOST)
    assert "3 are left out, since a group may be too large" in (await it.told(YOU))[0]


async def test_the_fourth_group_is_not_asked_and_that_is_said(driver: Begin) -> None:
    it = await driver()
    groups = [UserGroup(id=f"S_{number}", handle=f"group-{number}", users=[BO]) for number in range(4)]
    for each in groups:
        await it.demo.workspace.admin.put_user_group(each)

    await it.demo.person(YOU).say(CHANNEL, f"<@U_TOWOW> Ask {' '.join(f'@{each.handle}' for each in groups)}: a venue")
    await it.settles()

    assert "these are not asked first: @group-3" in (await it.told(YOU))[0]


async def test_a_group_that_is_gone_is_no_matter_of_permissions(driver: Begin) -> None:
    it = await driver()
    await it.demo.person(YOU).say(CHANNEL, "<@U_TOWOW> Ask <!subteam^S_GONE|@gone> first: I need a venue")
    await it.settles()

    [told] = await it.told(YOU)
    assert told == "Slack does not say who is in @gone, so whom I ask follows from the demand alone."


async def test_whoever_runs_a_workflow_is_told_as_well(driver: Begin) -> None:
    it = await driver(alone=["chen"])
    it.script.cast = ("chen",)
    await it.demo.workspace.admin.put_user_group(UserGroup(id="S_DESIGN", handle="design", users=[BO]))

    await it.demo.person(YOU).run_workflow(STEP, demand=f"Ask {LABELLED} first: a venue", channel=CHANNEL)
    await it.settles()

    [state] = await it.negotiations()
    assert [*state.invited] == ["user_agent_bo"]
    assert await it.told(YOU) == [ASKED]


async def test_a_group_in_which_nobody_has_a_twin_changes_nothing(driver: Begin) -> None:
    it = await driver()
    await said(it, EVE)

    [state] = await it.negotiations()
    assert [*state.invited] == ["user_agent_aya", "user_agent_bo"]
    [told] = await it.told(YOU)
    assert told == "Nobody of @design has a twin here, so whom I ask follows from the demand alone."


async def test_whose_account_is_closed_is_not_asked(driver: Begin) -> None:
    it = await driver(alone=["chen"])
    it.script.cast = ("chen",)
    await it.demo.workspace.admin.deactivate(BO)
    await said(it, AYA, BO)

    [state] = await it.negotiations()
    assert [*state.invited] == ["user_agent_aya"]


@pytest.mark.parametrize(("group", "name"), [(LABELLED, "@design"), (BARE, "a group")])
async def test_without_the_scope_it_goes_on_and_says_so(driver: Begin, group: str, name: str) -> None:
    it = await driver()
    await it.demo.workspace.admin.grant(*(each for each in SCOPES if each != "usergroups:read"))
    await said(it, BO, group=group)

    assert len(await it.negotiations()) == 1
    [told] = await it.told(YOU)
    assert f"I may not see who is in {name}, so" in told
