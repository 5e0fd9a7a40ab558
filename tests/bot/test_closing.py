"""Closing a round early: the requester alone, after a question; twins' votes stand."""

import pytest

from bot.views.negotiation.button_values import CLOSE
from engine.negotiation.state import Status

from .conftest import Given
from .driver import AYA, EVE, STOP, YOU, nothing_changed, shows, text_of


async def test_the_requester_closes_a_round_and_the_twins_votes_stand(given: Given) -> None:
    it = await given()
    root = (await it.thread())[1]
    hesitated = await it.clicks(YOU, CLOSE, card=root, confirm=False)
    assert not hesitated.sent
    await it.stands(Status.NEGOTIATING)

    assert (await it.clicks(YOU, CLOSE, card=root)).acked

    await it.stands(Status.FINALIZED)
    assert not any(shows(each, action) for each in await it.thread() for action in (CLOSE, STOP))


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
