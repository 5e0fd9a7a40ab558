"""*Why this plan…*: who decided what by whose hand, for everybody who reads the thread."""

import pytest

from bot.views.negotiation.button_values import WHY_PLAN

from .conftest import Begin
from .driver import ADMIN, AYA, YOU, texts_of
from .test_export import outcome_card, settled


@pytest.mark.parametrize("user", [YOU, AYA, ADMIN])
async def test_everybody_in_the_thread_reads_it_and_nothing_changes(driver: Begin, user: str) -> None:
    it = await settled(driver)
    before = await it.events()

    outcome = await it.clicks(user, WHY_PLAN, card=await outcome_card(it))

    assert outcome.modal is not None
    said = "\n".join(texts_of(outcome.modal.blocks))
    assert "round 1: accepted (by the twin)" in said
    assert await it.events() == before
