"""Whoever asked for a plan that was agreed is offered to have it argued out, and nobody where there is nothing."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bot.texts import Texts, texts_in
from bot.views.kit.button_values import StreamButton
from bot.views.kit.handover import PLAN_IT
from bot.views.negotiation.action_forms import HOW, PROCEED_FORM
from bot.views.negotiation.agreement.outcome import outcome
from bot.views.negotiation.button_values import PROCEED
from bot.views.negotiation.presenter import posts
from engine.kernel import HandoverTaken
from engine.negotiation.actions import BY_NAME
from engine.negotiation.agreement.handover import hand_over
from engine.negotiation.commands import EraseWords
from engine.negotiation.state import Negotiation
from tests.negotiation.scenario import STREAM
from tests.views import forms
from tests.views.corpus import negotiations
from tests.views.message_contents import buttons, filled
from tests.views.stories import Story, post_of, voting


def ways_on(state: Negotiation, texts: Texts) -> dict[str, str]:
    """Return how one can go on from a plan by *Go…*, and what one gets."""
    form = forms.form_of(BY_NAME[PROCEED], PROCEED_FORM, state, texts)
    [chosen] = [each["element"] for each in form["blocks"] if each.get("block_id") == HOW]
    return {each["value"]: each["text"]["text"] for each in chosen["options"]}


def settled(*votes: str) -> Story:
    story = voting("aya", "bo")
    for agent, vote in zip(("aya", "bo"), votes, strict=True):
        story.twin(agent, vote)
    return story.time_is_up()


@pytest.mark.parametrize(
    ("language", "label", "does"),
    [
        ("en", "Go…", "Argue it out first: how it is done, and what could go wrong"),
        ("zh", "就这么办…", "先推敲一遍：具体怎么做，哪里可能出问题"),
    ],
)
def test_the_final_card_offers_it_and_says_what_one_gets_before_it_begins(language: Any, label: str, does: str) -> None:
    texts, state = texts_in(language), settled("accept", "accept").state
    button = buttons(outcome(state, texts))[PROCEED]
    assert button["text"]["text"] == label
    assert ways_on(state, texts)[PLAN_IT] == does


def test_a_plan_that_is_carried_out_as_it_stands_can_still_be_argued_out() -> None:
    button = buttons(post_of(settled("accept", "accept").goes_ahead(), "outcome"))[PLAN_IT]
    assert StreamButton.read(button["value"]).stream == STREAM


def test_once_the_plan_is_taken_up_there_is_no_filled_button_and_the_other_ways_stay() -> None:
    story = settled("accept", "accept")
    story.does(HandoverTaken, stream=f"plan-{STREAM}", protocol="deliberation")

    card = post_of(story, "outcome")
    assert filled(card) == []
    assert PROCEED in buttons(card)
    assert PLAN_IT not in ways_on(story.state, texts_in("en"))


def test_where_nothing_was_agreed_there_is_nothing_to_plan() -> None:
    assert PLAN_IT not in buttons(post_of(settled("reject", "reject"), "outcome"))
    assert PLAN_IT not in buttons(post_of(voting("aya").stopped(), "outcome"))


def test_where_the_words_of_the_plan_were_erased_there_is_nothing_to_plan() -> None:
    story = settled("accept", "accept").does(EraseWords, whose="U_ASKS", people=())
    assert all(PLAN_IT not in buttons(each) for each in posts(story.state))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(negotiations(8))
def test_it_is_offered_on_one_card_where_something_is_handed_over_and_nowhere_else(state: Negotiation) -> None:
    offering = [each.key for each in posts(state) if PLAN_IT in buttons(each)]
    offering += [
        each.key for each in posts(state) if PROCEED in buttons(each) and PLAN_IT in ways_on(state, texts_in("en"))
    ]
    assert offering == (["outcome"] if hand_over(state) else [])
