"""What people asked for and did not get: in their words, or as data in the reader's language, and why not."""

from typing import Final

import pytest

from bot.texts import texts_in
from bot.views.kit.mrkdwn import Fit
from bot.views.negotiation.plan import plan
from bot.views.negotiation.voting.votes import wish_text
from engine.facts.data import Hours
from engine.facts.language import Language
from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import ALONE, Scenario, voting

LATE: Final = Hours(end="21:30")


def wishing(rounds: int = 1) -> Scenario:
    story = voting("bo", "cy", policy=ALONE.model_copy(update={"max_rounds": rounds}))
    said = FeedbackAnswer(feedback_type=FeedbackType.NEGOTIATE, change=LATE)
    story.does(RecordFeedback, agent_id="bo", round=1, answer=said)
    return story.twin("cy", "negotiate", wish="louder")


def shown(story: Scenario, missing: str = "", language: Language = "en") -> str:
    listed = plan.requests(story.state, story.state.open_requests(), "*Open*", missing, texts_in(language), Fit())
    return "\n".join(str(each) for each in listed)


@pytest.mark.parametrize(("language", "says"), [("en", "21:30"), ("zh", "21:30")])
def test_a_wish_that_is_data_alone_is_said(language: Language, says: str) -> None:
    story = wishing()
    texts = texts_in(language)

    assert says in wish_text(story.state, "bo", "", texts, str)
    assert wish_text(story.state, "bo", "", texts, str) in shown(story, language=language)


def test_what_was_asked_for_in_the_last_round_came_too_late() -> None:
    assert shown(wishing(), "nobody says").count("asked for in the last round, too late for another version") == 2


def test_where_there_was_another_round_it_is_not_called_too_late() -> None:
    assert "too late" not in shown(wishing(rounds=3), "nobody says")
