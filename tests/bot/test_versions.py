"""A round shows what is new; what it left out, and how it differs from the version before, is a click away."""

import json

import pytest

from bot.texts import texts_in
from bot.views.kit.button_values import SHOW_ALL
from bot.views.negotiation.button_values import COMPARE
from bot.views.negotiation.plan.plan import versions_beside_each_other
from engine.negotiation.answers import Assignment, ProposalDraft
from engine.negotiation.state import Status

from .conftest import Given
from .driver import ACCEPT, AYA, BO, EVE, NEGOTIATE, Driver, shows, text_of
from .script import AGENT


async def second_round(given: Given) -> Driver:
    it = await given()
    seats = (
        Assignment(agent_id=f"{AGENT}aya", role="Role of aya", responsibility="aya helps until ten"),
        Assignment(agent_id=f"{AGENT}bo", role="Role of bo", responsibility="bo helps"),
    )
    it.script.says["adjust"] = ProposalDraft(summary="A shorter evening", objective="x", assignments=seats)
    await it.says(AYA, NEGOTIATE, "Only until ten in the evening")
    await it.clicks(BO, ACCEPT)
    await it.stands(Status.NEGOTIATING, round=2)
    return it


async def test_two_versions_stand_beside_each_other_for_whoever_reads(given: Given) -> None:
    it = await second_round(given)
    card = await it.card()
    before = await it.events()

    shown = await it.clicks(EVE, COMPARE, card=card)

    assert shown.acked
    assert shown.modal is not None
    said = json.dumps(shown.modal.blocks, ensure_ascii=False)
    for each in ("*Version 1*", "*Version 2*", "aya helps", "aya helps until ten", "The same for: *Bo*"):
        assert each in said
    assert await it.events() == before


async def test_the_first_round_has_nothing_to_compare_with(given: Given) -> None:
    it = await given()
    assert not shows(await it.card(), COMPARE)


async def test_a_version_that_is_not_there_cannot_be_compared(given: Given) -> None:
    state = await (await second_round(given)).state()
    for version in (1, 3, -1):
        with pytest.raises(LookupError):
            versions_beside_each_other(state, version, texts_in("en"))


async def test_a_closed_round_shrinks_to_its_tally_and_shows_the_whole_plan_on_demand(given: Given) -> None:
    it = await second_round(given)
    first = (await it.thread())[-2]
    assert text_of(first).startswith("*Proposal 1 · round 1 of 5*: 1 of 2 in favour · 1 asks for a change. ")
    assert "Role of aya" not in text_of(first)
    shown = (await it.clicks(EVE, SHOW_ALL, card=first)).modal
    assert shown is not None
    assert "Role of aya" in str(shown.blocks)
