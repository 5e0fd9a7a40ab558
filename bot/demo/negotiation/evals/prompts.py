"""What negotiations add to ``towow evals`` for each of their prompts: questions out of demands that rules play."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from bot.demo.evals.part import EvalsPart, Table
from bot.demo.evals.questions.cases import PromptCase
from bot.demo.evals.questions.posing import Recorder, chosen, part_of, played_once
from bot.demo.negotiation.evals.cases import load_cases
from bot.demo.negotiation.evals.play import play
from bot.demo.negotiation.evals.rules import RULES
from bot.demo.negotiation.evals.told import case_of_told
from bot.models import offline_model
from bot.protocol_row import Protocol
from engine.errors import Misconfigured
from engine.llm.port import Question
from engine.negotiation.asks import RETURNS
from engine.negotiation.policy import FOR_PEOPLE


@cache
def _demands() -> Mapping[str, str]:
    return {each.id: each.demand for each in load_cases()}


async def composed(row: Protocol, case: PromptCase, table: Table) -> Question[Any]:
    """Return the question that a case means. Rules have answered whatever was asked before it."""
    if case.given:
        return Question(table.prompts[f"negotiation/{case.prompt}"], case.given, RETURNS[case.prompt])
    demand = _demands().get(case.scene)
    demand = demand or (case.scene if " " in case.scene or not case.scene.isascii() else None)
    if demand is None:
        raise Misconfigured([f"{case.id}: no demand is called {case.scene!r}"])
    policy = table.policy or FOR_PEOPLE["balanced"]

    async def scene(model: Recorder) -> None:
        await play(row, demand, model, table.prompts, table.profiles, policy)

    questions = await played_once(table, f"negotiation {demand}", scene, offline_model([row]))
    question = chosen(case, f"negotiation/{case.prompt}", questions, _whose)
    return _with_line(question, case) if case.told else question


def _with_line(question: Question[Any], case: PromptCase) -> Question[Any]:
    """Return the question to a twin that was told something more for good."""
    profile = question.given.get("profile")
    if profile is None:
        raise Misconfigured([f"{case.id}: nobody's twin is asked by {case.prompt!r}, so none can be told anything"])
    lines = tuple(dict.fromkeys((*profile.from_now_on, *case.told)))
    return replace(question, given={**question.given, "profile": profile.model_copy(update={"from_now_on": lines})})


def _whose(question: Question[Any]) -> str:
    """The file of the person whose twin is asked."""
    profile = question.given.get("profile")
    return profile.agent_id.removeprefix("user_agent_") if profile else ""


def part(row: Protocol) -> EvalsPart:
    compose = partial(composed, row)
    told = partial(case_of_told, compose=compose)
    return part_of("negotiation", tuple(RETURNS), compose, RULES, told=told)
