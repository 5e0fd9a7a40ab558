"""People of other companies, who read along in a shared channel: they ask for nothing, and read no twin's thoughts."""

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, User
from engine.errors import ModelUnavailable

from .conftest import Begin
from .driver import AYA, EVE, EVERYBODY, QUIET, YOU, text_of

PARTNER = User(id=EVE, name="guest", real_name="A Guest", team_id="T_PARTNER")
SHARED = Channel(id=CHANNEL, name="general", members=[*EVERYBODY], is_ext_shared=True)


async def test_whoever_is_of_another_company_cannot_ask_here_and_is_told_why(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_channel(SHARED)
    await it.demo.workspace.admin.put_user(PARTNER)

    await it.demo.person(EVE).say(CHANNEL, "<@U_TOWOW> a venue for 50")
    await it.demo.settle(QUIET)

    assert await it.negotiations() == []
    [told] = await it.told(EVE)
    assert "I only take demands from people of this workspace" in told


@pytest.mark.parametrize("how", ["mention", "command"])
async def test_in_a_shared_channel_twins_keep_their_reasons_to_themselves(driver: Begin, how: str) -> None:
    it = await driver(twins={("bo", 1): "negotiate"}, alone=("chen",))
    await it.demo.workspace.admin.put_channel(SHARED)
    if how == "mention":
        await it.demo.person(YOU).say(CHANNEL, "<@U_TOWOW> a venue for 50")
    else:
        await it.demo.person(YOU).slash(CHANNEL, "/towow", "a venue for 50")
    await it.demo.settle(QUIET)
    [state] = await it.negotiations()
    assert state.place.shared

    shown = "\n".join(text_of(each) for each in await it.everything(EVE))

    assert "aya says accept" not in shown
    assert "bo says negotiate" not in shown
    assert "bo wants it shorter" in shown  # a wish is part of the plan
    assert "Asked because" not in shown


async def test_where_slack_does_not_say_who_reads_along_it_is_taken_for_shared(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.fault("conversations.info", "status")

    await it.demo.person(YOU).slash(CHANNEL, "/towow", "a venue for 50")
    await it.demo.settle(QUIET)

    [state] = await it.negotiations()
    assert state.place.shared


async def test_among_ourselves_the_reasons_are_shown(driver: Begin) -> None:
    it = await driver(fails={"feedback/bo": ModelUnavailable("down")})
    await it.demo.person(YOU).slash(CHANNEL, "/towow", "a venue for 50")
    await it.demo.settle(QUIET)

    [state] = await it.negotiations()
    shown = "\n".join(text_of(each) for each in await it.everything(AYA))

    assert not state.place.shared
    assert "aya says accept" in shown
