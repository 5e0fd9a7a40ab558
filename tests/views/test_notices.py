"""What is said to one person alone."""

from typing import Any

import pytest

from bot.texts import texts_in
from bot.views.directory import notices as directory
from bot.views.kit import notices as general
from bot.views.negotiation import notices
from engine.directory.errors import REFUSALS as OF_THE_DIRECTORY
from engine.errors import REFUSALS, InvalidInput, Refusal, Unanswered
from engine.negotiation.errors import REFUSALS as OF_A_NEGOTIATION
from engine.negotiation.state import Seat
from engine.negotiation.voting.kinds import FeedbackType

ALL = (*REFUSALS.values(), *OF_A_NEGOTIATION, *OF_THE_DIRECTORY)
WORDED = [each for each in ALL if each not in (Unanswered, InvalidInput)]
"""Unanswered is said to nobody, and InvalidInput is always of a more precise kind."""


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("kind", WORDED, ids=lambda kind: kind.__name__)
def test_every_refusal_has_words_of_its_own(kind: Any, language: Any) -> None:
    refused = directory.refused if kind in OF_THE_DIRECTORY else notices.refused
    sentence = refused(kind("internal words"), texts_in(language))
    assert "internal words" not in sentence
    assert len(sentence) > 5


def test_no_refusal_is_called_our_fault() -> None:
    texts = texts_in("en")
    for refused in (general.refused, directory.refused, notices.refused):
        said = {refused(kind("precise words"), texts) for kind in ALL}
        assert general.went_wrong(texts) not in said


class TooHeavy(Refusal):
    """A protocol's own refusal, which nobody has worded."""


@pytest.mark.parametrize("refused", [general.refused, directory.refused, notices.refused])
def test_a_refusal_without_words_says_itself_what_happened(refused: Any) -> None:
    assert (
        refused(TooHeavy("Ten tons are too heavy <!channel>."), texts_in("en"))
        == "Ten tons are too heavy <\u2060!channel>."
    )


def test_a_refusal_without_words_is_told_in_the_language_of_whoever_reads_it() -> None:
    english = "Something went wrong on our side. Nothing was lost; please try again in a moment."
    assert general.refused(TooHeavy(english), texts_in("zh")) == general.went_wrong(texts_in("zh"))


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
    own = (notices.empty_demand, notices.no_seat, notices.no_own_seat, notices.stopped)
    for say in (general.answer_missing, general.went_wrong, *own):
        assert len(say(words)) > 5
