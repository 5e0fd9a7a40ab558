"""``towow evals deliberation``: its cases are well made, each check can fail, and the offline model passes."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.commands.evals import evaluate, parts
from bot.demo.deliberation.evals.cases import Case, brief_of, load_cases
from bot.demo.deliberation.evals.checks import CHECKS, faults
from bot.demo.deliberation.evals.play import play
from bot.models import needed_prompts, offline_model
from engine.deliberation.plan_changes import with_tasks
from engine.deliberation.state import Deliberation, Output, Status
from engine.deliberation.terms import Agent
from engine.facts.language import language_of
from tests.profiles.people import shipped

from .conftest import Towow

CASES: Final = load_cases()
PART: Final = parts()["deliberation"]


def test_there_are_at_least_twenty_five_goals_and_half_are_chinese() -> None:
    chinese = [each for each in CASES if language_of(each.goal) == "zh"]
    assert len(CASES) >= 25
    assert abs(2 * len(chinese) - len(CASES)) <= len(CASES) * 0.2
    assert {"agreed", "diverged"} == {each.end for each in CASES}


async def test_the_offline_model_passes_every_case() -> None:
    results = await evaluate(PART, CASES, shipped(), None)
    assert {each.case.id: each.faults for each in results if not each.passed} == {}


def test_the_command_tells_what_came_of_a_case(towow: Towow) -> None:
    done = towow("evals", "deliberation", "--case", "en-seats", "--json")
    said = json.loads(done.out)
    assert (said["cases"], said["passed"]) == (1, 1)
    assert set(said["protocols"]["deliberation"]["checks"]) == set(CHECKS)
    assert done.code == 0


CASE: Final = next(each for each in CASES if each.id == "en-owner")
CHOICE: Final = next(each for each in CASES if each.id == "en-seats")
IMPOSSIBLE: Final = next(each for each in CASES if each.id == "en-impossible-day")


@pytest.fixture
async def played() -> Deliberation:
    return await play(brief_of(CASE), offline_model(), needed_prompts())


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


def _chinese(output: Output) -> Output:
    return replace(output, content="这里说的是中文，而不是英文。")


@pytest.mark.parametrize(
    ("check", "given", "change"),
    [
        ("ends", {"end": "diverged"}, lambda state: state),
        ("rounds", {"rounds": 1}, lambda state: state),
        ("choice", {"choice": "Aula"}, lambda state: state),
        ("tasks", {"tasks": ({"task": "order food", "owner": "Ana"},)}, lambda state: state),
        ("tasks", {"tasks": ({"task": "no such task"},)}, lambda state: state),
        ("covered", {"covered": ("fireworks",)}, lambda state: state),
        ("sound", {}, _plan_of_both(_late)),
        ("language", {}, _plan_of_both(_chinese)),
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
    state = await play(brief_of(IMPOSSIBLE), offline_model(), needed_prompts())
    assert state.report is not None
    assert state.report.is_divergent
    assert "24 December" in state.report.content


async def test_what_is_chosen_rests_on_figures_of_different_people() -> None:
    state = await play(brief_of(CHOICE), offline_model(), needed_prompts())
    said = state.last_output(Agent.PLANNER)
    assert said is not None
    assert said.position.choice == "Aula"
    assert any("60 people" in each for each in said.position.key_reasons)
