"""What neither half of the facts shows is found by both together, with the offline model, in every generated task."""

from functools import cache
from typing import Final

import pytest

from bot.demo.deliberation.evals.play import play
from bot.models import needed_prompts, offline_model
from engine.deliberation.halves import half
from engine.deliberation.plan_check import findings
from engine.deliberation.plans import final_plan
from engine.deliberation.state import Status
from engine.deliberation.terms import Agent
from tests.examples import some_in_every_run
from tests.offline.small_deliberation import SmallDeliberation

from .hidden_profiles import Task, alone_is_right, hidden_profiles

COUNT: Final = 44
"""Tasks that are made: by a test and not while tests are collected, since that takes seconds."""


@cache
def tasks() -> tuple[Task, ...]:
    return hidden_profiles()


def test_there_are_enough_of_them_of_each_kind_in_both_languages() -> None:
    names = [each.name for each in tasks()]
    assert len(names) == COUNT
    assert len({*names}) == len(names)
    for language in ("en", "zh"):
        assert {each.split()[0] for each in names if f" {language} " in each} == {
            "choice", "figures", "dates", "owners", "order",
        }  # fmt: skip


@pytest.mark.parametrize("agent", [Agent.PLANNER, Agent.CRITIC])
def test_neither_half_alone_shows_what_is_right(agent: Agent) -> None:
    assert [each.name for each in tasks() if alone_is_right(each, agent)] == []


def test_both_together_come_to_what_is_right_and_name_facts_of_both_halves() -> None:
    wrong: list[str] = []
    for task in tasks():
        held = SmallDeliberation(task.brief).run()
        assert held.planner is not None
        cited = {*held.planner.position.because, *(one for each in held.planner.plan.tasks for one in each.because)}
        halves = [{each.fact_id for each in half(task.brief, agent)} for agent in (Agent.PLANNER, Agent.CRITIC)]
        is_right = task.is_right(held.planner.position, held.planner.plan)
        if not (is_right and held.is_agreed and held.rounds <= 3 and all(cited & known for known in halves)):
            wrong.append(task.name)
        grave = findings(held.planner.plan, task.brief, task.brief.facts, held.planner.position.choice or None)
        assert not [each for each in grave if each.severity == "high"], task.name
    assert wrong == []


@pytest.mark.parametrize("number", some_in_every_run(COUNT))
async def test_the_rules_bring_both_halves_together_in_the_plan_that_is_reported(number: int) -> None:
    task = tasks()[number]
    state = await play(task.brief, offline_model(), needed_prompts())

    said, made = state.last_output(Agent.PLANNER), final_plan(state)
    assert said is not None
    assert made is not None
    assert state.report is not None
    assert state.status is Status.CONVERGED
    assert task.is_right(said.position, made.plan)
    cited = {*said.position.because, *(one for each in made.plan.tasks for one in each.because)}
    for agent in (Agent.PLANNER, Agent.CRITIC):
        assert cited & {each.fact_id for each in half(task.brief, agent)}
    assert len(state.rounds) <= 3
