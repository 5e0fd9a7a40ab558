"""Whoever asked takes back that it was stopped, or that the plan is carried out, while the card still offers it."""

from bot.views.negotiation.button_values import UNDO
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack
from engine.negotiation.state import Status
from engine.projections.audit import acts

from . import home
from .conftest import Given
from .driver import ACCEPT, AYA, BO, QUIET, YOU, Driver, nothing_changed, shows, text_of
from .test_delegates import direct
from .test_proceed import decides, outcome


async def stopped(given: Given) -> Driver:
    it = await given()
    await it.stops(YOU)
    await it.stands(Status.CANCELLED)
    return it


async def test_a_stop_is_taken_back_and_people_vote_on(given: Given) -> None:
    it = await stopped(given)
    card = (await it.thread())[-1]
    assert "It can be undone until" in text_of(card)

    await it.clicks(YOU, UNDO, card=card)

    assert [each.by for each in await it.happened(StopTakenBack)] == [YOU]
    await it.stands(Status.NEGOTIATING)
    said = text_of((await it.thread())[-1])
    assert f"↩️ It was stopped, and <@{YOU}> took that back" in said
    for user in (AYA, BO):
        newest = await direct(it, user)
        assert "took that back" in text_of(newest[-1])
        assert any(shows(each, ACCEPT) for each in newest)
    assert "Your demands" in home.says(await home.opens(it, YOU))
    act = (await acts(it.demo.towow.store, it.key.tenant, it.key.stream))[-1]
    assert (act.act, act.by) == ("take_back", YOU)

    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    await it.goes_on()
    await it.stands(Status.FINALIZED)
    thread = [text_of(each) for each in await it.thread()]
    assert sum("↩️" in each for each in thread) == 1
    assert "✅ We have a plan" in thread[-1]


async def test_nobody_else_takes_it_back(given: Given) -> None:
    it = await stopped(given)
    async with nothing_changed(it, by=AYA, told="That is for somebody else to decide"):
        await it.clicks(AYA, UNDO, card=(await it.thread())[-1])


async def ten_minutes_pass(it: Driver) -> None:
    while (await it.state()).reversals.until:
        await it.passes()
    await it.demo.settle(QUIET)


async def test_after_ten_minutes_the_button_is_gone(given: Given) -> None:
    it = await stopped(given)
    await ten_minutes_pass(it)
    assert not shows((await it.thread())[-1], UNDO)


async def test_a_button_that_somebody_still_sees_later_does_nothing(given: Given) -> None:
    it = await stopped(given)
    card = (await it.thread())[-1]
    await it.keeps_old_cards()
    await ten_minutes_pass(it)
    async with nothing_changed(it, by=YOU, told="That cannot be undone any more"):
        await it.clicks(YOU, UNDO, card=card)


async def test_that_the_plan_is_carried_out_is_taken_back_everywhere(given: Given) -> None:
    it = await (await given()).goes_on()
    await it.stands(Status.FINALIZED)
    assert await decides(it, announce=True) == {}
    assert "🚀 It goes ahead" in text_of((await it.thread())[-1])

    await it.clicks(YOU, UNDO, card=await outcome(it))

    assert len(await it.happened(ProceedingTakenBack)) == 1
    told = f"↩️ <@{YOU}> took back that this plan is carried out"
    assert told in text_of(await outcome(it))
    assert told in text_of((await it.thread())[-1]), "the channel hears so in the same message"
    for user in (AYA, BO):
        assert told in text_of((await direct(it, user))[-1])
    assert await decides(it) == {}
    assert "🚀 It goes ahead" in text_of(await outcome(it))
