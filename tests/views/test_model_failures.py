"""What a model failed at is told apart: it could not be reached, it was too slow, or its answer could not be read."""

from typing import Any

import pytest

from bot.texts import texts_in
from bot.views.deliberation.root import troubles
from bot.views.delivery.names import failure_text
from engine.deliberation.terms import Error
from tests.deliberation.scenario import PLANNER, opened

ENGLISH = texts_in("en")


@pytest.mark.parametrize(
    ("code", "detail", "told"),
    [
        ("agent_failed", "InvalidAnswer", "What the Planner answered in round 1 could not be read"),
        ("agent_failed", "ModelUnavailable", "The model behind the Planner could not be reached in round 1"),
        ("agent_timeout", "ModelTimeout", "The Planner did not answer in round 1"),
        ("agent_failed", "", "The Planner did not answer in round 1"),
    ],
)
def test_of_an_agent_that_argues(code: Any, detail: str, told: str) -> None:
    error = Error(error=code, round=1, agent=PLANNER, detail=detail)
    [said] = troubles(opened().says(PLANNER, None, error=error).state, ENGLISH)
    assert said == f"{told}; what it said before stands."


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ("InvalidAnswer", "What the model answered could not be read."),
        ("ModelTimeout", "The model did not answer in time."),
        ("ModelUnavailable", "The model could not be reached."),
        ("", "No model answered."),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_a_model_that_was_to_do_a_ticket(detail: str, told: str, language: Any) -> None:
    texts = texts_in(language)
    said = failure_text("model_failed", detail, texts)
    assert said == told if language == "en" else said and said != told
