"""The decision record as people read it; Slack takes it whatever people and models wrote."""

import re
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.negotiation.agreement.decision_record import as_text, why_this_plan
from bot.views.negotiation.button_values import WHY_PLAN
from engine.llm.port import OFFLINE
from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.drafting import Ids
from engine.negotiation.events import StepDegraded
from engine.negotiation.public.build import STEPS, decision_record
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.kinds import FeedbackType
from tests.examples import examples
from tests.negotiation.prompts import PROMPTS
from tests.views.corpus import negotiations
from tests.views.message_contents import CALL_TO_ALL, buttons, texts_of
from tests.views.stories import Story, post_of, voting
from tests.views.test_needs import lacking_food


def test_it_says_who_decided_by_whose_hand_and_what_is_missing() -> None:
    text = texts_of(why_this_plan(lacking_food().state, texts_in("en")))

    assert "*What was asked*\nA party for 30" in text
    assert "• <@U0AYA> · aya's role" in text
    assert "round 1: accepted (by the twin)" in text
    assert "*What the plan lacks*\n• catering (essential)" in text


def test_it_can_be_read_in_chinese_and_without_slack() -> None:
    text = as_text(lacking_food("办一场30人的聚会").state, texts_in("zh"))

    assert "提出的需求\n  办一场30人的聚会" in text
    assert "第 1 轮：同意（由分身）" in text
    assert "catering（必需）" in text
    assert "<@" not in text


ASKED: Final = sorted(each.partition("/")[2] for each in PROMPTS)
OF_TWINS: Final = {"respond", "feedback"}
"""These are asked for somebody, whose name says more than the step's."""


def degraded(prompt: str) -> Negotiation:
    state = voting("aya", "bo").state
    ids: Ids = {"demand_id": state.demand_id, "channel_id": state.channel_id}
    about = "aya" if prompt in OF_TWINS else ""
    return replace(state, degraded=(StepDegraded(**ids, prompt=prompt, why="E003", agent_id=about, round=1),))


@pytest.mark.parametrize("prompt", ASKED)
def test_a_step_that_no_model_could_do_is_named_in_words(prompt: str) -> None:
    [told] = decision_record(degraded(prompt)).degraded
    assert told.step == STEPS[prompt]
    assert " " in told.step
    text = as_text(degraded(prompt), texts_in("en"))
    assert ("The twin of Aya could not answer." if prompt in OF_TWINS else f"out of reach for {told.step}.") in text
    assert told.step not in as_text(degraded(prompt), texts_in("zh")), "it is said in Chinese there"


def test_it_names_no_rules_by_their_id() -> None:
    text = as_text(lacking_food().state, texts_in("en"))
    assert lacking_food().state.policy.name not in text
    assert re.search(r"Decided in round 1 of \d; \d+% of those asked had to accept", text)


def test_a_twin_that_speaks_by_rules_is_labelled() -> None:
    story = voting("aya")
    answer = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT)
    story.does(RecordFeedback, agent_id="aya", round=1, answer=answer, model=OFFLINE)
    assert "round 1: accepted (by the twin, by simple rules)" in as_text(story.state, texts_in("en"))
    assert "by simple rules" not in as_text(voting("aya").twin("aya", "accept").state, texts_in("en"))


def test_the_plan_has_a_button_for_it() -> None:
    assert WHY_PLAN in buttons(post_of(lacking_food(), "outcome"))


def test_what_ended_before_there_was_a_version_has_none() -> None:
    story = Story().demand().understood().shortlisted("aya").offers("aya", "decline")
    while story.state.is_open:
        story.now = max(story.now, story.state.offers_due)
        story.rings("offers")

    assert WHY_PLAN not in buttons(post_of(story, "outcome"))


@settings(
    max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(negotiations())
def test_slack_takes_it_whatever_was_written(state: Negotiation) -> None:
    modal = why_this_plan(state, texts_in("en"))

    assert view_problems(modal) == []
    assert not CALL_TO_ALL.search(texts_of(modal))
