"""Stopping a negotiation: the requester alone, after a question, once."""

import asyncio

import pytest

from engine.negotiation.events import NegotiationCancelled
from engine.negotiation.state import Status

from .conftest import Begin, Given
from .driver import ACCEPT, AYA, EVE, NEGOTIATE, QUIET, STOP, YOU, nothing_changed, shows, text_of


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
