"""Whoever has sent a wish reads how it was understood, and says otherwise with a form; nobody else can."""

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Message
from bot.views.negotiation.button_values import CHANGE as CHANGE_BUTTON
from bot.views.negotiation.button_values import NOT_MEANT
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.negotiation.answers import RequestRead
from engine.negotiation.events import RequestCorrected

from .conftest import Given
from .driver import AYA, BO, NEGOTIATE, YOU, Driver, shows, text_of
from .test_direct import direct

READ = {"read_request": RequestRead(understood="Start on Tuesday")}
LINE = "💡 Understood as: Start on Tuesday"


async def own_card(it: Driver, user: str) -> Message:
    return next(each for each in reversed(await direct(it, user)) if shows(each, NEGOTIATE))


async def test_a_person_corrects_it_in_their_own_message(given: Given) -> None:
    it = await given(says=READ)
    await it.says(AYA, NEGOTIATE, "on Tuesday")
    card = await own_card(it, AYA)
    assert LINE in text_of(card)
    assert not any(LINE in text_of(each) for each in (*await direct(it, BO), *await it.thread()))

    opened = await it.demo.person(AYA).click(card.channel, card.ts, NOT_MEANT)
    assert opened.modal is not None
    await it.demo.person(AYA).submit(opened.modal, {"text": {"text": "a Tuesday in May"}})
    await it.settles()

    [corrected] = await it.happened(RequestCorrected)
    assert (corrected.by, corrected.text) == (AYA, "a Tuesday in May")


async def test_whoever_asked_corrects_it_in_the_thread_and_nobody_else_does(given: Given) -> None:
    it = await given(says=READ)
    form = (await it.clicks(YOU, CHANGE_BUTTON, card=(await it.thread())[1])).modal
    assert form is not None
    await it.demo.person(YOU).submit(form, {CHANGE: {CHANGE: "on Tuesday"}})
    await it.settles()
    card = next(each for each in await it.thread() if shows(each, NOT_MEANT))
    assert LINE in text_of(card)

    refused = await it.demo.person(BO).click(CHANNEL, card.ts, NOT_MEANT)
    assert refused.modal is None
    assert "Only whoever asked for it" in (await it.told(BO))[-1]
    opened = await it.demo.person(YOU).click(CHANNEL, card.ts, NOT_MEANT)
    assert opened.modal is not None
    await it.demo.person(YOU).submit(opened.modal, {"text": {"text": ""}})
    await it.settles()
    [corrected] = await it.happened(RequestCorrected)
    assert corrected.text == ""
    assert not any(LINE in text_of(each) for each in await it.thread())


@pytest.mark.parametrize("understood", ["", "   "])
async def test_where_nothing_was_read_nothing_is_shown(given: Given, understood: str) -> None:
    it = await given(says={"read_request": RequestRead(understood=understood)})
    await it.says(AYA, NEGOTIATE, "on Tuesday")

    assert "Understood as" not in text_of(await own_card(it, AYA))
