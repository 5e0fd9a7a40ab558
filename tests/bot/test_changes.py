"""Whoever asked asks for a change of the open proposal, with the button and the form behind it."""

import pytest

from bot.local_slack import Outcome
from bot.views.kit.button_values import SHOW_ALL
from bot.views.negotiation.button_values import CHANGE
from bot.views.negotiation.voting.wish_fields import CHANGE as IN_WORDS
from engine.negotiation.answers import AdjustmentSummary, ProposalDraft, RequestAddressed
from engine.negotiation.events import ChangeRequested
from engine.negotiation.state import Status
from engine.projections.audit import acts

from .conftest import Given
from .driver import ACCEPT, AYA, BO, EVE, NEGOTIATE, YOU, Driver, nothing_changed, shows, text_of
from .test_handing_back import UNCHANGED

WISH = "Please in the garden"


async def opens(it: Driver, user: str = YOU) -> Outcome:
    return await it.clicks(user, CHANGE, card=(await it.thread())[1])


async def sends(it: Driver, text: str, user: str = YOU) -> Outcome:
    form = await opens(it, user)
    assert form.modal is not None, form
    outcome = await it.demo.person(user).submit(form.modal, {IN_WORDS: {IN_WORDS: text}})
    await it.settles()
    return outcome


def answered(*requests: RequestAddressed) -> ProposalDraft:
    return ProposalDraft(
        summary="A plan in the garden",
        assignments=UNCHANGED.assignments,
        adjustment_summary=AdjustmentSummary(requests_addressed=requests),
    )


async def test_it_holds_the_plan_for_a_version_and_comes_first_in_it(given: Given) -> None:
    it = await given(says={"adjust": answered(RequestAddressed(agent_id=YOU, request=WISH))})

    assert (await sends(it, WISH)).errors == {}
    [asked] = await it.happened(ChangeRequested)
    assert (asked.by, asked.text, asked.round) == (YOU, WISH, 1)
    assert WISH in text_of(await it.card()), "everybody sees what was asked for"
    trail = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert [(each.act, each.by) for each in trail][-1] == ("request_change", YOU)

    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    state = await it.stands(Status.FINALIZED, round=2)
    [told] = it.script.given["adjust"]["requester_requests"]
    assert (told.agent_id, told.request) == (YOU, WISH)
    assert state.proposal is not None
    assert state.proposal.summary == "A plan in the garden"
    closed = next(each for each in await it.thread() if "round 2 of" in text_of(each))
    shown = (await it.clicks(AYA, SHOW_ALL, card=closed)).modal
    assert shown is not None
    assert f"○ <@{YOU}>" in str(shown.blocks)
    assert WISH in str(shown.blocks)


async def test_without_an_answer_it_is_told_as_not_taken_up(given: Given) -> None:
    it = await given(says={"adjust": answered()})
    await sends(it, WISH)
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)

    state = await it.stands(Status.FINALIZED, round=2)
    assert state.proposal is not None
    assert state.proposal.adjustment_summary is not None
    assert [each.request for each in state.proposal.adjustment_summary.requests_declined] == [WISH]


async def test_an_empty_one_is_told_at_the_field(given: Given) -> None:
    it = await given()
    outcome = await sends(it, "   ")
    assert outcome.errors
    assert await it.happened(ChangeRequested) == []


@pytest.mark.parametrize("user", [AYA, EVE])
async def test_nobody_else_asks_for_one(given: Given, user: str) -> None:
    it = await given()
    async with nothing_changed(it, by=user, told="Only the person who asked can ask for a change"):
        await opens(it, user)


async def test_the_form_that_was_open_too_long_changes_nothing(given: Given) -> None:
    it = await given()
    form = await opens(it)
    assert form.modal is not None
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    await it.stands(Status.FINALIZED)
    assert not shows((await it.thread())[1], CHANGE)
    before = await it.events()

    outcome = await it.demo.person(YOU).submit(form.modal, {IN_WORDS: {IN_WORDS: WISH}})
    await it.settles()

    assert outcome.errors, "their words are not lost"
    assert await it.events() == before


async def test_who_asked_and_has_no_part_is_told_how_to_say_what_should_change(given: Given) -> None:
    """On the only version of a plan of one, where the only part is somebody else's."""
    it = await given(linked=("aya",))
    card = await it.card()
    assert "Your twin’s vote stands" not in text_of(card), "they have none"

    async with nothing_changed(it, by=YOU, told="say with “Ask for a change…” what should be different"):
        assert (await it.clicks(YOU, NEGOTIATE)).modal is None

    assert (await sends(it, WISH)).errors == {}
    assert [each.text for each in await it.happened(ChangeRequested)] == [WISH]
