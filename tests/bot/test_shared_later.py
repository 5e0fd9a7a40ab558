"""A channel is shared with another company after something began there: they read no votes and no reasons."""

from __future__ import annotations

from typing import Final

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel
from bot.views.negotiation.voting.vote_forms import WHY
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.kernel import ChangePlace
from engine.negotiation.events import PlaceChanged
from engine.negotiation.rules import RULEBOOK

from .conftest import Begin
from .driver import ACCEPT, AYA, BO, NEGOTIATE, QUIET, SCOPES, USERS, WITHDRAW, YOU, Driver, text_of

NEW: Final = "C_SHARED"
REASON: Final = "My mother is in hospital"


async def private(it: Driver, *, is_shared: bool = False) -> None:
    members = [*(each.id for each in USERS), it.demo.workspace.bot_user_id]
    channel = Channel(id=CHANNEL, name="general", members=members, is_private=True, is_ext_shared=is_shared)
    await it.demo.workspace.admin.put_channel(channel)


async def shares_unheard(it: Driver) -> None:
    """Share it without an event, more than a minute before anything more is shown there."""
    await private(it, is_shared=True)
    it.demo.clock.jump(it.demo.clock.now() + 61_000)
    await it.demo.settle(QUIET)


async def said(it: Driver, channel: str) -> str:
    found = await it.demo.person(YOU).conversation(channel)
    return "\n".join(text_of(each) for each in found if each.visible_to is None)


async def leaves(it: Driver) -> None:
    person = it.demo.person(BO)
    cards = [each for each in await person.messages((await person.dm()).id) if each.blocks]
    form = await person.click(cards[-1].channel, cards[-1].ts, WITHDRAW)
    await it.fills_in(BO, form, REASON)


@pytest.mark.parametrize("is_told", [pytest.param(True, id="told"), pytest.param(False, id="the event is lost")])
async def test_what_is_said_afterwards_has_no_reasons(driver: Begin, is_told: bool) -> None:
    it = await driver()
    await private(it)
    it = await it.asks()
    if is_told:
        await it.demo.workspace.admin.share(CHANNEL)
        await it.demo.settle(QUIET)
    else:
        await shares_unheard(it)

    await leaves(it)
    await it.goes_on()

    assert [each.shared for each in await it.happened(PlaceChanged)] == [True]
    assert REASON not in await said(it, CHANNEL)


async def test_where_we_may_not_ask_who_reads_there_no_reasons_are_shown(driver: Begin) -> None:
    """An app that was installed before it had the scope."""
    it = await driver()
    await it.demo.workspace.admin.grant(*(each for each in SCOPES if each != "groups:read"))
    await private(it)
    it = await it.asks()
    await shares_unheard(it)
    await leaves(it)

    assert REASON not in await said(it, CHANNEL)


async def test_what_was_said_before_is_taken_back(driver: Begin) -> None:
    it = await driver()
    await private(it)
    it = await it.asks()
    await leaves(it)
    assert REASON in await said(it, CHANNEL)

    await it.demo.workspace.admin.share(CHANNEL)
    await it.demo.settle(QUIET)

    assert REASON not in await said(it, CHANNEL)


async def test_why_somebody_wants_a_change_is_read_in_their_company_alone(driver: Begin) -> None:
    """In the end as in the round: the change itself is read by everybody."""
    it = await driver()
    await private(it)
    it = await it.asks()
    form = await it.clicks(AYA, NEGOTIATE)
    assert form.modal is not None
    await it.demo.person(AYA).submit(form.modal, {CHANGE: {CHANGE: "Only until ten"}, WHY: {WHY: REASON}})
    await it.settles()
    thread = await said(it, CHANNEL)
    assert "Only until ten" in thread
    assert REASON in thread

    await it.demo.workspace.admin.share(CHANNEL)
    await it.clicks(BO, ACCEPT)
    await it.demo.settle(QUIET)

    thread = await said(it, CHANNEL)
    assert "Only until ten" in thread
    assert REASON not in thread


async def test_once_no_other_company_is_in_there_reasons_are_shown_again(driver: Begin) -> None:
    it = await driver()
    await private(it)
    it = await it.asks()
    await it.demo.workspace.admin.share(CHANNEL)
    await it.demo.settle(QUIET)
    await leaves(it)
    assert REASON not in await said(it, CHANNEL)

    await it.demo.workspace.admin.unshare(CHANNEL)
    await it.demo.settle(QUIET)

    assert [each.shared for each in await it.happened(PlaceChanged)] == [True, False]
    assert REASON in await said(it, CHANNEL)


async def test_where_another_company_is_in_there_still_reasons_stay_hidden(driver: Begin) -> None:
    """One of two has left, or word of that comes after a third one has joined."""
    it = await driver()
    await private(it)
    it = await it.asks()
    await it.demo.workspace.admin.share(CHANNEL)
    await leaves(it)
    for is_shared in (True, False):
        event = {"type": "channel_unshared", "channel": CHANNEL, "is_ext_shared": is_shared, "event_ts": "9.9"}
        await it.demo.workspace.admin.announce(event)
        await it.demo.settle(QUIET)

    assert [each.shared for each in await it.happened(PlaceChanged)] == [True]
    assert REASON not in await said(it, CHANNEL)


async def test_what_is_shared_a_second_time_is_noticed_without_its_event_too(driver: Begin) -> None:
    it = await driver()
    await private(it)
    it = await it.asks()
    await shares_unheard(it)
    await it.clicks(AYA, ACCEPT)
    await it.demo.workspace.admin.unshare(CHANNEL)
    await it.demo.settle(QUIET)
    assert [each.shared for each in await it.happened(PlaceChanged)] == [True, False]
    await shares_unheard(it)
    await leaves(it)

    assert [each.shared for each in await it.happened(PlaceChanged)] == [True, False, True]
    assert REASON not in await said(it, CHANNEL)


async def test_it_goes_on_under_the_new_id_of_the_channel(driver: Begin) -> None:
    it = await driver()
    await private(it)
    it = await it.asks()
    assert it.posted is not None

    await it.demo.workspace.admin.share(CHANNEL, new_id=NEW)
    await it.demo.settle(QUIET)
    thread = await it.demo.person(YOU).thread(NEW, it.posted.message.ts)
    card = next(each for each in thread if "round-1" in str(each.metadata))
    for user in (AYA, BO):
        outcome = await it.demo.person(user).click(NEW, card.ts, ACCEPT)
        assert outcome.acked
        await it.demo.settle(QUIET)

    state = await it.state()
    assert not state.is_open
    assert (state.place.channel, state.place.shared) == (NEW, True)
    thread = await it.demo.person(YOU).thread(NEW, it.posted.message.ts)
    keys = [each.metadata["event_payload"]["key"] for each in thread if each.metadata]
    assert keys == ["root", "offers", "round-1", "outcome"]


async def test_what_is_found_out_too_late_of_an_id_of_before_changes_nothing(driver: Begin) -> None:
    """Slack was asked under the old id, and had not said yet that it has a new one."""
    it = await driver()
    await private(it)
    it = await it.asks()
    await it.demo.workspace.admin.share(CHANNEL, new_id=NEW)
    await it.demo.settle(QUIET)
    services = it.demo.towow.services
    late = ChangePlace(command_id="place:late", at=services.now(), old_channel=CHANNEL, channel=CHANNEL, shared=False)

    await services.gateway.send(it.key, RULEBOOK, late)

    place = (await it.state()).place
    assert (place.channel, place.shared) == (NEW, True)


async def test_where_it_is_not_shared_slack_is_asked_once_a_minute(driver: Begin) -> None:
    it = await (await driver()).asks()
    await it.says(AYA, NEGOTIATE, "Only until ten")

    calls = await it.demo.workspace.admin.calls()

    assert calls["conversations.info"] == 1
    assert await it.happened(PlaceChanged) == []
