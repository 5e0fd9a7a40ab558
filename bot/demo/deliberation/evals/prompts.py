"""What deliberations add to ``towow evals`` for each of their prompts: questions out of their goals."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from bot.demo.deliberation.evals.arguing import Arguing
from bot.demo.deliberation.evals.cases import Case, brief_of, load_cases
from bot.demo.deliberation.evals.play import play
from bot.demo.deliberation.evals.rules import RULES
from bot.demo.evals.part import EvalsPart, Table
from bot.demo.evals.questions.cases import PromptCase
from bot.demo.evals.questions.posing import Recorder, chosen, part_of, played_once
from bot.protocol_row import Protocol
from engine.deliberation.asks import RETURNS
from engine.errors import Misconfigured
from engine.llm.port import Question


@cache
def _goals() -> Mapping[str, Case]:
    return {each.id: each for each in load_cases()}


async def composed(row: Protocol, case: PromptCase, table: Table) -> Question[Any]:
    """Return the question that a case means. Nobody has judged anything in whatever was answered before it."""
    scene = _goals().get(case.scene)
    if scene is None:
        raise Misconfigured([f"{case.id}: no goal is called {case.scene!r}"])
    brief = brief_of(scene)

    async def deliberated(model: Recorder) -> None:
        await play(row, brief, model, table.prompts, question=case.words)

    questions = await played_once(table, f"deliberation {case.scene} {case.words}", deliberated, Arguing())
    return chosen(case, f"deliberation/{case.prompt}", questions, _whose)


def _whose(question: Question[Any]) -> str:
    return str(question.given.get("role", ""))


def part(row: Protocol) -> EvalsPart:
    return part_of("deliberation", tuple(RETURNS), partial(composed, row), RULES)
