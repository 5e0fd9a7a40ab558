"""``towow evals deliberation``: its cases are well made, each check can fail, and the offline model passes."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.demo.deliberation.evals.play import CHECKS, Arguing, Case, Person, brief_of, faults, load_cases, play
from bot.models import needed_prompts, spoken
from bot.registry import DELIBERATION, PROTOCOLS
from engine.deliberation.rounds.plans import with_tasks
from engine.deliberation.state import Deliberation, Output, Status
from engine.deliberation.terms import Agent
from engine.kernel import plain
from engine.llm.port import Answer, Question, Returns
from tests.deliberation.arguing import answer

from .conftest import Towow

CASES: Final = load_cases()


def test_there_are_at_least_twenty_five_goals_and_half_are_chinese() -> None:
    chinese = [each for each in CASES if spoken(each.goal) == "zh"]
    assert len(CASES) >= 25
    assert abs(2 * len(chinese) - len(CASES)) <= len(CASES) * 0.2
    assert {"agreed", "diverged"} == {each.end for each in CASES}


def test_the_command_tells_what_came_of_a_case(towow: Towow) -> None:
    """Rules argue nothing, so that a case that can be agreed on is not."""
    done = towow("evals", "deliberation", "--case", "en-seats", "--json")
    said = json.loads(done.out)
    assert (said["cases"], said["passed"]) == (1, 0)
    assert set(said["protocols"]["deliberation"]["checks"]) == set(CHECKS)


class Agreeing:
    """Two who agree, and answer as the tests' model does (`tests.deliberation.arguing`)."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        said = answer(question.prompt.name.partition("/")[2], question.given)
        return Answer(question.returns.checked(plain(said)), "scripted")


CASE: Final = Case(
    id="en-talk", goal="Hold a talk", people={"Ana": Person()}, ends="2026-12-18", rounds=2, end="agreed"
)


@pytest.fixture
async def played() -> Deliberation:
    return await play(DELIBERATION, brief_of(CASE), Agreeing(), needed_prompts(PROTOCOLS))


def _plan_of_both(change: Callable[[Output], Output]) -> Callable[[Deliberation], Deliberation]:
    def changed(state: Deliberation) -> Deliberation:
        rounds = tuple(
            replace(
                each,
                outputs={
                    agent: change(output) if agent == Agent.PLANNER else output
                    for agent, output in each.outputs.items()
                },
            )
            for each in state.rounds
        )
        return replace(state, rounds=rounds)

    return changed


def _late(output: Output) -> Output:
    assert output.plan is not None
    tasks = {each.task_id: replace(each, deadline="2027-02-01") for each in output.plan.tasks}
    return replace(output, plan=with_tasks(output.plan, tasks))


@pytest.mark.parametrize(
    ("check", "given", "change"),
    [
        ("ends", {"end": "diverged"}, lambda state: state),
        ("rounds", {"rounds": 1}, lambda state: state),
        ("choice", {"choice": "Aula"}, lambda state: state),
        ("tasks", {"tasks": ({"task": "talk", "owner": "Ben"},)}, lambda state: state),
        ("tasks", {"tasks": ({"task": "no such task"},)}, lambda state: state),
        ("covered", {"covered": ("fireworks",)}, lambda state: state),
        ("sound", {}, _plan_of_both(_late)),
        ("honest", {}, lambda state: replace(state, status=Status.TERMINATED)),
    ],
)
async def test_each_check_can_fail(
    played: Deliberation, check: str, given: dict[str, Any], change: Callable[[Deliberation], Deliberation]
) -> None:
    assert not any(faults(CASE, played).values())
    case = Case.model_validate(CASE.model_dump() | given)
    assert faults(case, change(played))[check]


async def test_a_disagreement_is_told_as_one() -> None:
    state = await play(DELIBERATION, brief_of(CASE), Arguing(), needed_prompts(PROTOCOLS))
    assert not faults(Case.model_validate(CASE.model_dump() | {"end": "diverged", "rounds": 5}), state)["honest"]
