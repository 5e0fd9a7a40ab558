"""Asks the prompts of the directory one by one."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from bot.demo.evals.part import Table
from bot.demo.evals.questions.cases import PromptCase
from bot.demo.evals.questions.checks import Rule
from bot.demo.evals.questions.posing import part_of
from engine.directory.asks import RETURNS, ProfileRead, ReadProfileGiven
from engine.directory.limit_rules import PROMPT
from engine.errors import Misconfigured
from engine.llm.port import Question


def _reads_each_line_once(given: Mapping[str, Any], answer: ProfileRead) -> Iterator[str]:
    known, numbers = {each.number for each in given["lines"]}, [each.number for each in answer.limits]
    yield from (f"there is no line {each}" for each in numbers if each not in known)
    if len({*numbers}) < len(numbers):
        yield "a line is read twice"
    yield from (f"line {each.number} has no data that can be compared" for each in answer.limits if each.data is None)


RULES: Final[Mapping[str, tuple[Rule, ...]]] = {PROMPT: (_reads_each_line_once,)}
"""What holds of every answer, by prompt."""


async def composed(case: PromptCase, table: Table) -> Question[Any]:
    """Return the question of a case."""
    try:
        given = msgspec.convert(case.given, ReadProfileGiven)
    except msgspec.ValidationError as error:
        raise Misconfigured([f"{case.id}: {error}"]) from error
    return Question(table.prompts[f"directory/{case.prompt}"], given.values(), RETURNS[case.prompt])


PART: Final = part_of("directory", tuple(RETURNS), composed, RULES)
