"""Cases of deliberations that are played from beginning to end, and what has to hold of what comes of them."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict

from bot.demo.evals.part import (
    ASKED_AT,
    REQUESTER,
    TIME_ZONE,
    AnyCase,
    EvalsPart,
    Outcome,
    Pattern,
    Table,
    play_stream,
    read_cases,
)
from bot.protocol_row import Protocol
from engine.deliberation.answers import (
    BriefAnswer,
    ClosingAnswer,
    CriticAnswer,
    CriticDraft,
    CriticReply,
    Critique,
    HostAnswer,
    NamedDay,
    Plan,
    PlannerAnswer,
    PlanPhase,
    PlanTask,
    PointAnswer,
    Position,
    ReportAnswer,
    Risk,
)
from engine.deliberation.commands import AskCritic, OpenDeliberation
from engine.deliberation.given import BriefGiven
from engine.deliberation.opening.briefs import fact_of, written_brief
from engine.deliberation.policy import DEFAULT, Policy
from engine.deliberation.rounds.plan_check import findings
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import Agent, Brief
from engine.directory.profile import Profiles
from engine.files import kept_folder
from engine.kernel import HandedPerson, Millis, ModelAnswer, plain
from engine.llm.port import Answer, Model, Prompt, Question, Returns

LASTING = timedelta(14)


class Arguing:
    """A `Model` (engine/llm/port.py)."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        said = _said(question.prompt.name.partition("/")[2], question.given)
        return Answer(question.returns.checked(plain(said)), "arguing", is_final=True)


def _said(prompt: str, given: Mapping[str, Any]) -> ModelAnswer:
    if prompt == "host":
        return HostAnswer(content=given["title"])
    brief: BriefGiven = given["brief"]
    match prompt:
        case "brief":
            return BriefAnswer()
        case "plan" | "revise":
            answers = _answers(given)
            return PlannerAnswer(content=brief.title, position=_position(brief, 0), plan=_plan(brief), answers=answers)
        case "draft":
            return CriticDraft(content=brief.title, position=_position(brief, 1), plan=_plan(brief))
        case "criticise":
            critique = Critique(risks=(Risk(risk=brief.title),))
            answers = _answers(given)
            return CriticAnswer(content=brief.title, position=_position(brief, 1), critique=critique, answers=answers)
        case "close":
            return ClosingAnswer(worst_case=brief.title)
        case "report":
            basis = given["basis"]
            names = "、".join(each.name for each in brief.people)
            return ReportAnswer(
                content=f"{brief.title} {names}".strip(),
                open_disagreements=basis.open_disagreements,
                remaining_uncertainties=basis.uncertainties,
            )
    return CriticReply(content=brief.title)


def _last(brief: BriefGiven) -> date:
    return date.fromisoformat(brief.ends) if brief.ends else date.fromisoformat(brief.today) + LASTING


def _position(brief: BriefGiven, sooner: int) -> Position:
    day = (_last(brief) - timedelta(sooner)).isoformat()
    choice = brief.options[0].label if brief.options else ""
    return Position(
        conclusion=brief.title, key_reasons=(brief.title,), choice=choice, dates=(NamedDay(name=brief.title, day=day),)
    )


def _plan(brief: BriefGiven) -> Plan:
    """One task for everybody, or for nobody."""
    last = _last(brief).isoformat()
    names = {each.person_id: each.name for each in brief.people}
    chosen = tuple(each.option_id for each in brief.options[:1])
    tasks = tuple(
        PlanTask(
            task_id=f"task-{place}",
            title=" ".join(filter(None, (brief.title, names.get(owner, "")))),
            owner=owner,
            deadline=last,
            acceptance_criteria=(brief.title,),
            because=chosen,
        )
        for place, owner in enumerate([each.person_id for each in brief.people] or [""], 1)
    )
    return Plan(title=brief.title, phases=(PlanPhase(phase_name=brief.title, tasks=tasks),))


def _answers(given: Mapping[str, Any]) -> tuple[PointAnswer, ...]:
    if "instructions" not in given:
        return ()
    named = (each.argument for each in given["instructions"].must_address if each.argument)
    return tuple(PointAnswer(argument=each, answer=given["brief"].title) for each in named)


FILE: Final = "evals/deliberation.yaml"
"""In the folder of the prompts."""

End = Literal["agreed", "diverged"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)


class Person(_Part):
    brings: str = ""
    hours: float | None = None


class ExpectedTask(_Part):
    """Of the tasks whose title the expression is found in, one has all of this."""

    task: Pattern
    owner: str | None = None
    """By name; empty for nobody."""
    after: str | None = None
    """ISO date: due no earlier."""
    before: str | None = None
    """ISO date: due no later."""
    never: tuple[str, ...] = ()
    """ISO dates on which it is not due."""


class Case(AnyCase):
    """A demand, and what must come of it."""

    goal: str
    """In a person's own words."""
    people: dict[str, Person] = {}  # noqa: RUF012 - pydantic copies it
    facts: tuple[str | dict[str, str], ...] = ()
    """Each a text, or a name and what they said."""
    options: tuple[str, ...] = ()
    starts: str = ""
    ends: str = ""
    choice: str | None = None
    tasks: tuple[ExpectedTask, ...] = ()
    covered: tuple[Pattern, ...] = ()
    """Each is found in some task."""
    rounds: int = 5
    end: End


def load_cases(path: Path | None = None) -> tuple[Case, ...]:
    """
    Args:
        path: the file that came with the code, unless told otherwise.

    Raises:
        Misconfigured: it is not there, or no list of cases.
    """
    return read_cases(path or kept_folder.folder("prompts") / FILE, Case)


def brief_of(case: Case) -> Brief:
    """What a case asks to be planned, on the day on which cases are played."""
    people = tuple(
        HandedPerson(person_id=f"person-{at}", name=name, brings=each.brings, hours=each.hours)
        for at, (name, each) in enumerate(case.people.items(), 1)
    )
    ids = {each.name: each.person_id for each in people}
    said = [each for one in case.facts for each in (one.items() if isinstance(one, dict) else [("", one)])]
    facts = [fact_of(text, at, by=ids.get(name, "")) for at, (name, text) in enumerate(said, 1)]
    today = ASKED_AT.date().isoformat()
    read = written_brief(case.goal, today=today, time_zone=TIME_ZONE, facts=facts, options=case.options)
    return replace(read, people=people, starts=case.starts or read.starts, ends=case.ends or read.ends)


Check = Callable[[Case, Deliberation], Iterator[str]]
"""Yields what is wrong. What does not apply yields nothing."""


def end_of(state: Deliberation) -> End:
    return "agreed" if state.status is Status.CONVERGED else "diverged"


def _ends(case: Case, state: Deliberation) -> Iterator[str]:
    if (end := end_of(state)) != case.end:
        yield f"it ends with {end} ({state.reason}) instead of {case.end}"
    if state.report is None:
        yield "there is no report"


def _rounds(case: Case, state: Deliberation) -> Iterator[str]:
    if len(state.rounds) > case.rounds:
        yield f"{len(state.rounds)} rounds instead of {case.rounds} at most"


def _choice(case: Case, state: Deliberation) -> Iterator[str]:
    said = state.last_output(Agent.PLANNER)
    if case.choice is not None and (said is None or said.position.choice != case.choice):
        yield f"{said.position.choice if said else 'nothing'} is chosen instead of {case.choice}"


def _tasks(case: Case, state: Deliberation) -> Iterator[str]:
    plan = _plan_fits(state)
    names = {each.person_id: each.name for each in state.brief.people}
    for expected in case.tasks:
        found = [each for each in plan.tasks if re.search(expected.task, each.title, re.I)] if plan else []
        if not found:
            yield f"no task is {expected.task}"
        elif not any(not [*_wrong(expected, each, names)] for each in found):
            yield "; ".join(_wrong(expected, found[0], names))


def _wrong(expected: ExpectedTask, task: PlanTask, names: Mapping[str, str]) -> Iterator[str]:
    if expected.owner is not None and names.get(task.owner, "") != expected.owner:
        yield f"{task.title} is given to {names.get(task.owner, 'nobody')} instead of {expected.owner or 'nobody'}"
    if expected.after is not None and task.deadline < expected.after:
        yield f"{task.title} is due {task.deadline}, before {expected.after}"
    if expected.before is not None and not "" < task.deadline <= expected.before:
        yield f"{task.title} is due {task.deadline or 'never'}, after {expected.before}"
    if task.deadline in expected.never:
        yield f"{task.title} is due {task.deadline}, when it cannot be"


def _covered(case: Case, state: Deliberation) -> Iterator[str]:
    plan = _plan_fits(state)
    titles = "\n".join(each.title for each in plan.tasks) if plan else ""
    for pattern in case.covered:
        if not re.search(pattern, titles, re.I):
            yield f"no task covers {pattern}"


def _sound(case: Case, state: Deliberation) -> Iterator[str]:
    """What both agree on has nothing grave wrong with it."""
    plan, said = _plan_fits(state), state.last_output(Agent.PLANNER)
    if plan is None or said is None or end_of(state) != "agreed":
        return
    read = state.read.facts if state.read else ()
    for each in findings(plan, state.brief, read, said.position.choice, options=state.options):
        if each.severity == "high":
            yield each.text


def _honest(case: Case, state: Deliberation) -> Iterator[str]:
    """A disagreement is told as one."""
    if state.report is None or end_of(state) == "agreed":
        return
    summary = state.report.summary
    if not state.report.is_divergent:
        yield "the report tells an agreement"
    if not (summary.open_disagreements or summary.dissent or summary.remaining_uncertainties):
        yield "the report does not say what is open"


CHECKS: Final[Mapping[str, Check]] = {
    "ends": _ends,
    "rounds": _rounds,
    "choice": _choice,
    "tasks": _tasks,
    "covered": _covered,
    "sound": _sound,
    "honest": _honest,
}


def faults(case: Case, state: Deliberation) -> dict[str, tuple[str, ...]]:
    return {name: tuple(check(case, state)) for name, check in CHECKS.items()}


def _plan_fits(state: Deliberation) -> Plan | None:
    final = final_plan(state)
    return final.plan if final else None


SESSION = "plan-00000001"
NOBODY: Final = Profiles({})


async def play(
    row: Protocol,
    brief: Brief,
    model: Model,
    prompts: Mapping[str, Prompt],
    policy: Policy = DEFAULT,
    *,
    question: str = "",
) -> Deliberation:
    """Play a deliberation to its end.

    Args:
        question: what whoever asked for it then asks the Critic; nothing where it is empty.

    Raises:
        Refusal: there is nothing to plan in the brief.
    """

    def begin(at: Millis) -> OpenDeliberation:
        return OpenDeliberation(command_id="evals", at=at, session_id=SESSION, by=REQUESTER, brief=brief, policy=policy)

    def ask(at: Millis) -> AskCritic:
        return AskCritic(command_id="evals-question", at=at, by=REQUESTER, text=question)

    state = await play_stream(
        row,
        SESSION,
        begin,
        lambda state: state.is_open,
        model=model,
        prompts=prompts,
        profiles=NOBODY,
        afterwards=(ask,) if question else (),
    )
    assert isinstance(state, Deliberation)  # noqa: S101 - its stream was begun by this protocol
    return state


async def outcome(row: Protocol, case: Case, table: Table) -> Outcome:
    brief = brief_of(case)
    state = await play(row, brief, table.model, table.prompts)
    return Outcome(case, end_of(state), faults(case, state))


def part(row: Protocol) -> EvalsPart:
    return EvalsPart(load_cases, partial(outcome, row), tuple(CHECKS))
