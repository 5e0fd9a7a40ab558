"""What a model is asked about a lunch."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.directory.profile import Profiles
from engine.errors import ModelError
from engine.kernel import Ask, Command, Millis, ModelAnswer
from engine.llm.port import Answer, Prompt, Question

from .rules import Lunch, RecordSuggestion

PROMPTS: Final = Path(__file__).with_name("prompts")


class Restaurant(ModelAnswer):
    name: str


RETURNS: Final = {"suggest": Restaurant}


def suggest(wish: str) -> Restaurant:
    """Answer without a model."""
    return Restaurant(name="Noodles & Co" if "noodles" in wish else "The canteen")


@dataclass(frozen=True)
class LunchAsks:
    prompts: Mapping[str, Prompt]
    people: Profiles

    def compose(self, state: Lunch, ask: Ask) -> Question[Any]:
        return Question(self.prompts["lunch/suggest"], {"wish": state.wish}, Restaurant)

    def read(
        self, state: Lunch, ask: Ask, prompt: Prompt, answer: Answer[Any], *, command_id: str, at: Millis
    ) -> Command:
        return RecordSuggestion(command_id=command_id, at=at, restaurant=answer.value.name)

    def fallback(self, state: Lunch, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        return RecordSuggestion(command_id=command_id, at=at, restaurant="")
