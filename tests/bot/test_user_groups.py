"""A demand mentions a user group of Slack: who is in it is asked, and whoever asked hears of it."""

from __future__ import annotations

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import UserGroup

from .conftest import Begin
from .driver import AYA, BO, EVE, QUIET, SCOPES, YOU, Driver

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
    assert [*state.invited] == ["user_agent_chen", "user_agent_bo"]
    assert state.invited["user_agent_bo"].reason == "The demand names @design."
    assert await it.told(YOU) == [
        "1 person of @design is among those who are asked. 1 has no twin here, so nobody asks them."
    ]


async def test_whose_account_is_closed_is_not_asked(driver: Begin) -> None:
    it = await driver(alone=["chen"])
    it.script.cast = ("chen",)
    await it.demo.workspace.admin.deactivate(BO)
    await said(it, AYA, BO)

    [state] = await it.negotiations()
    assert [*state.invited] == ["user_agent_chen", "user_agent_aya"]


@pytest.mark.parametrize(("group", "name"), [(LABELLED, "@design"), (BARE, "a group")])
async def test_without_the_scope_it_goes_on_and_says_so(driver: Begin, group: str, name: str) -> None:
    it = await driver()
    await it.demo.workspace.admin.grant(*(each for each in SCOPES if each != "usergroups:read"))
    await said(it, BO, group=group)

    assert len(await it.negotiations()) == 1
    [told] = await it.told(YOU)
    assert f"I may not see who is in {name}, so" in told
