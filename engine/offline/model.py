"""The offline model: picks the function that answers a prompt by the prompt's name."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from pydantic import ValidationError

from engine.errors import InvalidAnswer, ModelUnavailable
from engine.facts.language import Language
from engine.files.yaml_locations import read_yaml
from engine.kernel import ModelAnswer, plain
from engine.llm.port import OFFLINE, Answer, Question, Returns
from engine.llm.threads import without_blocking

Answerer = Callable[..., ModelAnswer]
"""Answers one prompt; it is called with what the prompt is given, by name."""


class OfflineModel:
    """A `Model` (engine/llm/port.py) that keeps nothing; answerers are by protocol, then by prompt."""

    def __init__(self, answerers: Mapping[str, Mapping[str, Answerer]]) -> None:
        self._answerers = answerers

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """Raise `ModelUnavailable` without rules for the prompt, `InvalidAnswer` where nothing can be said."""
        protocol, _, prompt = question.prompt.name.partition("/")
        answerer = self._answerers.get(protocol, {}).get(prompt)
        if answerer is None:
            raise ModelUnavailable(f"The offline model has no rules for {question.prompt.name}.")
        said = await without_blocking(partial(answerer, **question.given, **question.beside))
        try:
            return Answer(question.returns.checked(plain(said)), OFFLINE, is_final=True)
        except ValidationError as error:
            raise InvalidAnswer(f"{type(said).__name__} is no answer to {question.prompt.name}: {error}") from error


FILE = Path(__file__).with_name("phrases.yaml")


@cache
def phrases() -> Mapping[str, Mapping[Language, str]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


def phrase(key: str, language: Language, **values: object) -> str:
    return phrases()[key][language].format(**values)


def join_list(items: Sequence[str], language: Language) -> str:
    """``a, b and c``; with semicolons where an item has commas of its own."""
    if language == "zh":
        return ("；" if any("，" in each or "、" in each for each in items) else "、").join(items)
    if any("," in each for each in items):
        return "; ".join(items)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1] if items else ""
