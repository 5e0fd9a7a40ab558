"""An unmet wish stands on a card once."""

from collections.abc import Callable

import pytest

from bot.views.kit.post import Post
from engine.facts.circumstances import When
from engine.facts.data import Hours
from engine.negotiation.answers import AdjustmentSummary, Assignment, ProposalDraft, RequestDeclined
from engine.negotiation.commands import CastVote
from engine.negotiation.policy import PRESETS
from engine.negotiation.voting.kinds import FeedbackType
from tests.views.message_contents import shown, whole
from tests.views.stories import Story, post_of

WISH = "no earlier than 20:00"
DECLINED = RequestDeclined(agent_id="bo", request=WISH)


def plan(*declined: RequestDeclined) -> ProposalDraft:
    seats = tuple(
        Assignment(agent_id=each, display_name=each.title(), role="Host", attends=True)
        for each in ("aya", "bo", "chen")
    )
    summary = AdjustmentSummary(requests_declined=declined) if declined else None
    when = When(first="2027-12-10", last="2027-12-10", start="19:00", end="22:00", exact="day")
    return ProposalDraft(summary="An evening", assignments=seats, when=when, adjustment_summary=summary)


def declined() -> Story:
    """Bo wants it later, as data; the next version keeps the hour and says why."""
    linked = {"aya": "U0AYA", "bo": "U0BO", "chen": "U0CHEN"}
    policy = PRESETS["balanced"].model_copy(update={"human_window": 3600})
    story = Story(policy=policy, linked=linked).demand().understood().shortlisted("aya", "bo", "chen")
    story.offers("aya").offers("bo").offers("chen").proposed(plan())
    opened = story.state.rounds[-1]
    story.does(
        CastVote, by="U0BO", agent_id="bo", round=1, digest=opened.digest, feedback_type=FeedbackType.NEGOTIATE,
        text=WISH, change=Hours(start="20:00"),
    )  # fmt: skip
    story.clicks("U0AYA", "aya", "negotiate", "tea").clicks("U0CHEN", "chen", "accept")
    return story.proposed(plan(DECLINED))


@pytest.mark.parametrize("draw", [shown, whole])
def test_in_a_round_it_stands_once_with_what_is_in_the_way(draw: Callable[[Post], str]) -> None:
    text = draw(post_of(declined(), "round-2"))
    assert text.count("*Bo*: no earlier than 20:00") == 1, text
    assert "• *Bo*: no earlier than 20:00 – 19:00–22:00, and no earlier than 20:00 was asked" in text
    assert "*To look at*" not in text


def test_at_the_end_it_stands_once() -> None:
    story = declined()
    story.clicks("U0BO", "bo", "accept").clicks("U0AYA", "aya", "accept")
    text = whole(post_of(story, "outcome"))
    assert text.count("*Bo*: no earlier than 20:00") == 1, text
