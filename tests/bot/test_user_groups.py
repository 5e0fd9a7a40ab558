"""A demand mentions a user group of Slack: who is in it is asked, and whoever asked hears of it."""

from __future__ import annotations

from bot.demo.demo import CHANNEL
from bot.local_slack import UserGroup

from .conftest import Begin
from .driver import AYA, BO, EVE, QUIET, SCOPES, YOU, Driver

DEMAND = "<@U_TOWOW> Ask <!subteam^S_DESIGN|@design> first: I need a venue for 50 people in Berlin"


async def said(it: Driver, *members: str) -> None:
    await it.demo.workspace.admin.put_user_group(UserGroup(id="S_DESIGN", handle="design", users=[*members]))
    root = await it.demo.person(YOU).say(CHANNEL, "About the meetup")
    await it.demo.person(YOU).say(CHANNEL, DEMAND, thread_ts=root.ts)
    await it.demo.settle(QUIET)


async def test_its_members_are_asked_and_whoever_asked_is_told(driver: Begin) -> None:
    it = await driver(alone=["chen"])
    it.script.cast = ("chen",)
    await said(it, BO, EVE, YOU)

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


async def test_without_the_scope_it_goes_on_and_says_so(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.grant(*(each for each in SCOPES if each != "usergroups:read"))
    await said(it, BO)

    assert len(await it.negotiations()) == 1
    [told] = await it.told(YOU)
    assert "I may not see who is in @design" in told
