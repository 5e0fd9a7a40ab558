"""A model that answers as a scenario says, and where the scenario says nothing, as everybody would be glad of."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from bot.demo.oracle.part import Asked, OraclePart
from bot.demo.oracle.scenarios import AGENT, EVERYBODY, FAILS, Planted, Scenario, is_by_number, is_by_person
from engine.errors import InvalidAnswer, ModelError, ModelTimeout, ModelUnavailable
from engine.kernel import plain
from engine.llm.port import Answer, Question, Returns

_IDS = ("agent_id", "agent_ids", "after")


class ScriptedModel:
    """
    Args:
        planted: is put into the answers that it names, each time that they are asked for.
    """

    def __init__(self, scenario: Scenario, part: OraclePart, planted: Planted | None = None) -> None:
        self._scenario = scenario
        self._part = part
        self._planted = planted
        self.asked: list[Asked] = []
        self.questioned: set[str] = set()
        """What was asked for once more, since a check had something against it."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """Answer as the scenario says.

        Raises:
            ModelError: the scenario says so.
        """
        prompt = question.prompt.name.rpartition("/")[2]
        asked = self._part.place(self._scenario, prompt, question)
        self.asked.append(asked)
        if question.fault is not None:
            self.questioned.add(prompt)
        said = self._said(asked)
        if isinstance(said, str) and said in FAILS:
            raise _failure(said)
        usual = plain(self._part.usual(self._scenario, asked, question))
        answer = self._part.numbered(self._scenario, asked, question, usual | _as_fields(said))
        answer = with_ids(answer, self._scenario.people)
        if self._planted is not None and self._planted.at in (str(asked), f"{asked.prompt}/{asked.who}", asked.prompt):
            answer = planted_in(answer, self._planted, self._scenario.people)
        try:
            return Answer(question.returns.checked(answer), "oracle")
        except ValidationError as error:
            raise InvalidAnswer(f"{prompt}: {error}") from error

    def _said(self, asked: Asked) -> Any:
        """Return what the scenario says: for this person, and in this round or, if not, the last one before it."""
        answers: Mapping[str, Any] = self._scenario.answers
        if asked.subnet:
            answers = self._scenario.subnets.get(asked.subnet, {})
        said = answers.get(asked.prompt, {})
        if is_by_person(said, self._scenario.people):
            said = said.get(asked.who, said.get(EVERYBODY, {}))
        if is_by_number(said):
            known = [each for each in said if each <= asked.number]
            said = said[max(known)] if known else {}
        return said


def _as_fields(said: Any) -> dict[str, Any]:
    return dict(said) if isinstance(said, Mapping) else {}


def _failure(said: str) -> ModelError:
    kinds = {"unavailable": ModelUnavailable, "timeout": ModelTimeout, "invalid": InvalidAnswer}
    return kinds[said](f"the scenario says that it is {said}")


def with_ids(value: Any, people: Mapping[str, Any]) -> Any:
    """Write agent ids out where a scenario names somebody by their short name."""
    match value:
        case dict():
            return {
                name: _ids(each, people) if name in _IDS else with_ids(each, people) for name, each in value.items()
            }
        case list() | tuple():
            return [with_ids(each, people) for each in value]
        case _:
            return value


def _ids(value: Any, people: Mapping[str, Any]) -> Any:
    if isinstance(value, list | tuple):
        return [_ids(each, people) for each in value]
    return AGENT + value if isinstance(value, str) and value in people else value


def planted_in(answer: dict[str, Any], planted: Planted, people: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer with the planted value at its path.

    Raises:
        KeyError: there is no such place in it.
    """
    *steps, last = planted.field.removesuffix("+").rstrip(".").split(".")
    answer = _copied(answer)
    at: Any = answer
    for step in steps:
        at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
    value = with_ids({last: planted.value}, people)[last]
    if planted.field.endswith("+"):
        at.setdefault(last, []).append(value)
    elif isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return answer


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(each) for name, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list | tuple) else value
