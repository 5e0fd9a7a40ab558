"""What is said to one person alone."""

from typing import Any

import pytest

from bot.texts import texts_in
from bot.views.negotiation import notices
from engine.errors import REFUSALS, StoreUnavailable
from engine.negotiation.answers import FeedbackType
from engine.negotiation.state import Seat


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("kind", REFUSALS.values(), ids=REFUSALS)
def test_every_refusal_has_words_of_its_own(kind: Any, language: Any) -> None:
    words = notices.refused(kind("internal words"), texts_in(language))
    assert "internal words" not in words
    assert len(words) > 5


def test_only_the_unforeseen_is_called_our_fault() -> None:
    words = texts_in("en")
    blamed = [name for name, kind in REFUSALS.items() if notices.refused(kind(""), words) == notices.went_wrong(words)]
    assert blamed == ["Unanswered"]
    assert not issubclass(StoreUnavailable, tuple(REFUSALS.values()))


@pytest.mark.parametrize("vote", FeedbackType)
def test_a_vote_is_thanked_for(vote: FeedbackType) -> None:
    assert notices.recorded(vote, texts_in("en")).endswith("You can change your mind until the round closes.")


def test_a_vote_for_another_names_them() -> None:
    text = notices.recorded(FeedbackType.ACCEPT, texts_in("zh"), Seat("bo", "<王博>", None))
    assert text.startswith("代 &lt;王博&gt;：谢谢")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help_names_the_command(language: Any) -> None:
    assert "`/towow " in notices.usage("/towow", texts_in(language))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_small_sentences_are_there(language: Any) -> None:
    words = texts_in(language)
    for say in (notices.answer_missing, notices.empty_demand, notices.no_seat, notices.went_wrong, notices.stopped):
        assert len(say(words)) > 5
