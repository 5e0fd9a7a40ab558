"""What deliveries add to ``towow evals`` for each of their prompts: questions that are written out."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from bot.demo.delivery.evals.rules import RULES
from bot.demo.evals.part import Table
from bot.demo.evals.questions.cases import PromptCase, given_values
from bot.demo.evals.questions.posing import part_of
from engine.delivery.asks import RETURNS
from engine.delivery.given import (
    AdviseGiven,
    ClarifyGiven,
    DiscussGiven,
    FinalGiven,
    Given,
    InstructGiven,
    PlanGiven,
    ProposeGiven,
    ReviewGiven,
    WorkGiven,
)
from engine.errors import Misconfigured
from engine.llm.port import Question

GIVEN: Final[Mapping[str, type[Given]]] = {
    "clarify": ClarifyGiven,
    "plan": PlanGiven,
    "propose": ProposeGiven,
    "discuss": DiscussGiven,
    "instruct": InstructGiven,
    "work": WorkGiven,
    "review": ReviewGiven,
    "advise": AdviseGiven,
    "report": FinalGiven,
}
"""By prompt."""


async def composed(case: PromptCase, table: Table) -> Question[Any]:
    """Return the question of a case."""
    try:
        given = msgspec.convert(given_values("delivery", case), GIVEN[case.prompt])
    except msgspec.ValidationError as error:
        raise Misconfigured([f"{case.id}: {error}"]) from error
    return Question(table.prompts[f"delivery/{case.prompt}"], given.values(), RETURNS[case.prompt])


PART: Final = part_of("delivery", tuple(RETURNS), composed, RULES)
