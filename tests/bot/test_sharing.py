"""Whoever asked has the plan posted in another channel, as a message that can be forwarded."""

import pytest

from bot.local_slack import Channel, Message, Outcome
from bot.views.negotiation.agreement.forwarded import WHERE
from bot.views.negotiation.button_values import SHARE

from .conftest import Given
from .driver import ADMIN, AYA, BO, EVE, YOU, Driver, shows, text_of
from .roles import LINKED

NEWS = Channel(id="C_NEWS", name="news", members=[YOU, ADMIN])


async def agreed(given: Given) -> Driver:
    it = await (await given(linked=LINKED)).goes_on()
    await it.demo.workspace.admin.put_channel(NEWS)
    return it


async def outcome(it: Driver) -> Message:
    return next(each for each in await it.thread() if shows(each, SHARE))


async def shares(it: Driver, user: str, channel: str = NEWS.id) -> Outcome:
    form = (await it.clicks(user, SHARE, card=await outcome(it))).modal
    assert form is not None
    sent = await it.demo.person(user).submit(form, {WHERE: {WHERE: channel}})
    await it.settles()
    return sent


@pytest.mark.parametrize("user", [YOU, ADMIN])
async def test_the_plan_stands_in_the_channel_whole_and_without_a_button_that_decides(given: Given, user: str) -> None:
    it = await agreed(given)
    before = await it.events()

    assert (await shares(it, user)).errors == {}

    [shared] = [each for each in await it.demo.person(YOU).messages(NEWS.id) if each.user not in (YOU, ADMIN)]
    said = text_of(shared)
    assert "We have a plan" in said
    state = await it.state()
    assert state.final is not None
    for seat in state.final.final_proposal.assignments:
        assert seat.display_name in said
        assert seat.responsibility in said
    assert f"Asked by <@{YOU}>" in said
    assert not [each for block in shared.blocks for each in block.get("elements", ()) if each.get("style")]
    assert await it.events() == before


@pytest.mark.parametrize("user", [AYA, BO, EVE])
async def test_nobody_else_shares_it(given: Given, user: str) -> None:
    it = await agreed(given)

    assert (await it.clicks(user, SHARE, card=await outcome(it))).modal is None

    assert len(await it.told(user)) == 1


async def test_where_it_cannot_be_posted_the_form_says_so_and_stays_open(given: Given) -> None:
    it = await agreed(given)
    await it.demo.workspace.admin.fault("chat.postMessage", "error", error="not_in_channel", times=1)

    assert "Invite me" in (await shares(it, YOU)).errors[WHERE]
    assert await it.demo.person(YOU).messages(NEWS.id) == []
