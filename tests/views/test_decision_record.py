"""The decision record as people read it; Slack takes it whatever people and models wrote."""

from hypothesis import HealthCheck, given, settings

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.negotiation.button_values import WHY_PLAN
from bot.views.negotiation.decision_record import as_text, why_this_plan
from engine.negotiation.state import Negotiation
from tests.views.corpus import negotiations
from tests.views.message_contents import CALL_TO_ALL, buttons, texts_of
from tests.views.stories import Story, post_of
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


def test_the_plan_has_a_button_for_it() -> None:
    assert WHY_PLAN in buttons(post_of(lacking_food(), "outcome"))


def test_what_ended_before_there_was_a_version_has_none() -> None:
    story = Story().demand().understood().shortlisted("aya").offers("aya", "decline")
    while story.state.is_open:
        story.now = max(story.now, story.state.offers_due)
        story.rings("offers")

    assert WHY_PLAN not in buttons(post_of(story, "outcome"))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(negotiations())
def test_slack_takes_it_whatever_was_written(state: Negotiation) -> None:
    modal = why_this_plan(state, texts_in("en"))

    assert view_problems(modal) == []
    assert not CALL_TO_ALL.search(texts_of(modal))
