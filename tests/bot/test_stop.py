"""A negotiation is stopped, a round closed, and either taken back."""

import asyncio

import pytest

from bot.views.negotiation.button_values import CLOSE, EXTEND, UNDO
from engine.negotiation.events import NegotiationCancelled, ProceedingTakenBack, StopTakenBack
from engine.negotiation.state import Status
from engine.projections.audit import acts

from . import home
from .conftest import Begin, Given
from .driver import ACCEPT, AYA, BO, EVE, NEGOTIATE, QUIET, STOP, YOU, Driver, nothing_changed, shows, text_of
from .test_delegates import direct
from .test_proceed import decides, outcome


async def test_the_requester_is_asked_first_and_then_it_stops(given: Given) -> None:
    it = await given()

    hesitated = await it.stops(YOU, confirm=False)
    assert not hesitated.sent
    assert hesitated.confirm is not None
    assert hesitated.confirm["title"]["text"] == "Stop this negotiation?"
    await it.stands(Status.NEGOTIATING)

    assert (await it.stops(YOU)).acked

    state = await it.stands(Status.CANCELLED)
    assert state.cancelled_by == YOU
    root, *_, proposal, outcome = (await it.thread())[1:]
    assert "Stopped by <@U_YOU>" in text_of(root)
    assert "Stopped before this round was over." in text_of(proposal)
    assert "<@U_YOU> stopped it. Nothing was agreed, and nobody owes anything." in text_of(outcome)
    assert not any(shows(each, action) for each in await it.thread() for action in (ACCEPT, NEGOTIATE, STOP))
    counts = await it.demo.towow.store.counts()
    assert (counts["owed"], counts["alarms"], counts["open_streams"]) == (0, 1, 0), "it can be undone for a while"


@pytest.mark.parametrize("user", [AYA, EVE], ids=["a participant", "somebody who only reads along"])
async def test_nobody_else_can_stop_it(given: Given, user: str) -> None:
    it = await given()

    async with nothing_changed(it, by=user, told="That is for somebody else to decide"):
        assert (await it.stops(user)).acked

    assert await it.refusals() == ["NotAllowed"]


async def test_there_is_nothing_to_stop_after_the_end(given: Given) -> None:
    it = await given()
    await it.keeps_old_cards()
    root = (await it.thread())[1]
    await it.goes_on()
    await it.stands(Status.FINALIZED)

    async with nothing_changed(it, by=YOU, told="That is not possible at this point"):
        assert (await it.stops(YOU, card=root)).acked


async def test_stopping_twice_at_once_stops_once(given: Given) -> None:
    it = await given()
    root = (await it.thread())[1]

    await asyncio.gather(*(it.stops(YOU, card=root) for _ in range(2)))

    assert len(await it.happened(NegotiationCancelled)) == 1


@pytest.mark.parametrize("prompt", ["understand", "filter", "respond", "aggregate", "feedback"])
async def test_it_can_be_stopped_while_a_model_thinks_whose_answer_then_changes_nothing(
    driver: Begin, prompt: str
) -> None:
    empty = await driver()
    thought = empty.script.held[prompt] = asyncio.Event()
    posting = asyncio.create_task(empty.demo.person().say("C_GENERAL", "<@U_TOWOW> A venue"))
    root = await empty.demo.person().until_message(
        "C_GENERAL", lambda each: shows(each, STOP), thread_ts=(await posting).ts
    )
    await empty.demo.person().click("C_GENERAL", root.ts, STOP)
    [stopped] = await empty.negotiations()

    thought.set()
    await empty.demo.settle(QUIET)

    [after] = await empty.negotiations()
    assert stopped.status is after.status is Status.CANCELLED
    assert (await empty.demo.towow.store.counts())["owed"] == 0


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


async def test_the_requester_closes_a_round_and_the_twins_votes_stand(given: Given) -> None:
    it = await given()
    root = (await it.thread())[1]
    hesitated = await it.clicks(YOU, CLOSE, card=root, confirm=False)
    assert not hesitated.sent
    await it.stands(Status.NEGOTIATING)

    assert (await it.clicks(YOU, CLOSE, card=root)).acked

    await it.stands(Status.FINALIZED)
    assert not any(shows(each, action) for each in await it.thread() for action in (CLOSE, STOP))


async def test_the_requester_gives_people_more_time_with_one_click(given: Given) -> None:
    it = await given()
    root = (await it.thread())[1]
    before = (await it.state()).rounds[-1].window.deadline
    told = len(await direct(it, AYA))
    async with nothing_changed(it, by=AYA, told="That is for somebody else to decide"):
        await it.clicks(AYA, EXTEND, card=root)

    assert (await it.clicks(YOU, EXTEND, card=root)).acked

    deadline = (await it.state()).rounds[-1].window.deadline
    assert deadline > before
    assert f"<!date^{deadline // 1000}^" in text_of(await it.card()), "the card of the round says until when"
    assert len(await direct(it, AYA)) == told, "their card changes, and nobody is notified"
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    assert not any(shows(each, EXTEND) for each in await it.thread())


@pytest.mark.parametrize("user", [AYA, EVE], ids=["a participant", "somebody who only reads along"])
async def test_nobody_else_closes_it(given: Given, user: str) -> None:
    it = await given()
    root = (await it.thread())[1]

    async with nothing_changed(it, by=user, told="That is for somebody else to decide"):
        assert (await it.clicks(user, CLOSE, card=root)).acked


async def test_a_button_of_a_round_that_is_over_closes_nothing(given: Given) -> None:
    it = await given()
    root = (await it.thread())[1]
    await it.keeps_old_cards()
    await it.goes_on()

    async with nothing_changed(it, by=YOU, told="That button is from a round that is over"):
        assert (await it.clicks(YOU, CLOSE, card=root)).acked


async def test_between_rounds_there_is_nothing_to_close(given: Given) -> None:
    it = await given()
    assert "the votes are coming in" in text_of((await it.thread())[1])
    await it.goes_on()

    assert not shows((await it.thread())[1], CLOSE)
