"""*Abstain* on the card, under the policy that takes it; elsewhere there is no such button."""

from typing import Final

from bot.views.negotiation.button_values import vote_action
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Given
from .driver import ACCEPT, AYA, BO, PATIENT, YOU, nothing_changed, shows, text_of

ABSTAIN: Final = vote_action(FeedbackType.ABSTAIN)
BALANCED: Final = PATIENT.model_copy(update={"name": "balanced"})


async def test_one_click_abstains_and_the_card_says_who_did(given: Given) -> None:
    it = await given(policy=BALANCED)

    outcome = await it.clicks(AYA, ABSTAIN)

    assert outcome.modal is None
    card = text_of(await it.card())
    assert "⚪ *Aya* abstains" in card
    assert "1 of 1 in favour · 1 abstains" in card
    await it.clicks(BO, ACCEPT)
    state = await it.stands(Status.FINALIZED, round=1)
    assert state.final is not None
    assert state.final.optional_participants == ("user_agent_aya",)


async def test_it_changes_to_an_accept_and_back_while_the_round_is_open(given: Given) -> None:
    it = await given(policy=BALANCED)

    for action in (ABSTAIN, ACCEPT, ABSTAIN, ABSTAIN):
        await it.clicks(AYA, action)

    said = [each.feedback_type.value for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    assert said == ["abstain", "accept", "abstain"]


async def test_whoever_asked_abstains_for_one_of_several_seats_with_a_form(given: Given) -> None:
    it = await given(linked=[], alone=["aya", "chen"], policy=BALANCED)

    form = await it.clicks(YOU, ABSTAIN)
    await it.fills_in(YOU, form, seat="chen")

    assert (await it.votes())["chen"] == "abstain"


async def test_an_old_button_abstains_from_nothing(given: Given) -> None:
    it = await given(policy=BALANCED)
    await it.keeps_old_cards()
    stale = await it.card()
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    await it.stands(Status.FINALIZED)

    async with nothing_changed(it, by=AYA, told="That button is from a round that is over"):
        await it.clicks(AYA, ABSTAIN, card=stale)


async def test_under_the_seeds_rules_there_is_no_such_button(given: Given) -> None:
    it = await given()

    card = await it.card()
    assert shows(card, ACCEPT)
    assert not shows(card, ABSTAIN)
