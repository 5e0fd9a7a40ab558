"""Generated deliberations: any state that people may get to see, reached through the rules.

The corpus is the same in every run, and made once in a process; with the profile ``exhaustive`` hypothesis draws
deliberations of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from engine.deliberation.answers import (
    CriticReply,
    HostAnswer,
    Move,
    Plan,
    PlanPhase,
    PlanTask,
    Risk,
    SlotChange,
    Suggestion,
)
from engine.deliberation.commands import AskCritic, EraseWords, RecordHostWords, RecordReply
from engine.deliberation.events import Difference
from engine.deliberation.policy import Policy
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import MOST_POINTS, Agent, Brief
from engine.kernel import FactKind, HandedFact, HandedPerson, Place
from tests.deliberation.scenario import (
    ANN,
    CRITIC,
    PLANNER,
    REQUESTER,
    Scenario,
    answering,
    criticised,
    drafted,
    planned,
    timed_out,
)
from tests.views.corpus import Generated

PLACE: Final = Place(channel="C_LOBBY", thread="1800000000.000100")

Texts = Callable[[], str]


def _played(draws: Random, pieces: Sequence[str]) -> Scenario:
    """
    Args:
        pieces: everything that anybody says in it is one of these.
    """

    def text() -> str:
        return draws.choice(pieces)

    policy = Policy(
        start=draws.choice(("blind", "blind", "sequential")), max_rounds=draws.randint(1, 5), host_speaks=True
    )
    scenario = Scenario(policy=policy, brief=_brief(draws, text)).opens(place=PLACE)
    for _ in range(draws.randint(0, 6)):
        if scenario.state.status is not Status.ARGUING:
            break
        _round(scenario, draws, text)
        _people(scenario, draws, text)
    if scenario.state.status is Status.ARGUING and draws.random() < 0.4:
        scenario.stops()
    if scenario.state.status is Status.CLOSING and draws.random() < 0.9:
        for agent in (PLANNER, CRITIC):
            scenario.states(agent, *_some(draws, text), worst=text())
    if scenario.state.status is Status.REPORTING and draws.random() < 0.9:
        _reports(scenario, draws, text)
    if scenario.state.status is Status.TERMINATED and draws.random() < 0.5:
        scenario.chooses(draws.choice((PLANNER, CRITIC)), why=text()[:1_000])
        _reports(scenario, draws, text)
    if not scenario.state.is_open or draws.random() < 0.3:  # else what is said would let both argue on
        _people(scenario, draws, text)
    if draws.random() < 0.05:
        scenario.does(EraseWords, whose=draws.choice(("", ANN)))
    return scenario


def _some(draws: Random, text: Texts, most: int = 12) -> tuple[str, ...]:
    return tuple(text() for _ in range(draws.randrange(most + 1)))


def _brief(draws: Random, text: Texts) -> Brief:
    people = [
        HandedPerson(person_id=f"p{number}", user_id=f"U{number:010}" if draws.random() < 0.5 else "", name=text())
        for number in range(draws.randrange(8))
    ]
    facts = [
        HandedFact(fact_id=f"f{number}", kind=draws.choice(list(FactKind)), text=text(), by=draws.choice((ANN, "")))
        for number in range(draws.randrange(12))
    ]
    return Brief(
        title=text() or "x",
        goal=("x" + text())[:4_000],
        origin=draws.choice(("", "collab-1")),
        starts=draws.choice(("", "2027-01-18")),
        ends=draws.choice(("", "2027-02-01")),
        options=_some(draws, text, 4),
        people=(HandedPerson(person_id="ann", user_id=ANN, name="Ann"), *people),
        facts=tuple(facts),
    )


def _plan(draws: Random, text: Texts) -> Plan:
    count = draws.choice((0, 1, 3, 30))
    tasks = [
        PlanTask(
            task_id=f"task-{number}",
            title=text() or "x",
            owner=draws.choice(("", "ann", "p0", "nobody")),
            estimated_hours=draws.choice((0, 2.5, 400)),
            starts=draws.choice(("", "2027-01-18")),
            deadline=draws.choice(("", "2027-01-20", text()[:40])),
            depends_on=tuple(f"task-{each}" for each in range(number) if draws.random() < 0.1),
            expected_output=text(),
        )
        for number in range(count)
    ]
    step = draws.choice((1, 4, 12))
    phases = [
        PlanPhase(phase_name=text() or "x", duration=text(), tasks=tuple(tasks[start : start + step]))
        for start in range(0, count, step)
    ]
    return Plan(title=text() or "x", goal=text(), phases=tuple(phases[:12]))


def _round(scenario: Scenario, draws: Random, text: Texts) -> None:
    state, number = scenario.state, len(scenario.state.rounds)
    is_blind = number == 1 and state.policy.start == "blind"
    for agent in (PLANNER, CRITIC):
        if draws.random() < 0.05:
            return  # it is thinking still
        if draws.random() < 0.1:
            scenario.says(agent, None, error=timed_out(agent, number))
        else:
            scenario.says(agent, _answer(agent, state, draws, text, is_blind=is_blind))
    if draws.random() < 0.05 or scenario.state.status is not Status.ARGUING:
        return
    differences = tuple(
        Difference(slot="deadline", about=text(), planner=text(), critic=text()) for _ in range(draws.randrange(9))
    )
    scenario.compared(draws.choice((0.3, 0.72, 0.75, 0.8, 0.95)), *differences, number=number)
    if draws.random() < 0.7:
        scenario.does(RecordHostWords, round=number, answer=HostAnswer(content=text() or "x"))


def _answer(agent: Agent, state: Deliberation, draws: Random, text: Texts, *, is_blind: bool) -> Any:
    said: dict[str, Any] = {
        "conclusion": text() or "x",
        "key_reasons": _some(draws, text),
        "assumptions": _some(draws, text),
        "confidence": draws.random(),
        "decision": draws.choice(("go", "go_with_changes", "no_go")),
        "choice": draws.choice(("", text())),
        "moves": tuple(
            Move(
                slot=slot,
                task_id=draws.choice(("", "task-1")),
                argument=draws.choice(list(state.arguments)),
                why=text(),
            )
            for slot in ("conclusion", "decision", "choice", "start", "deadline", "hours", "owner", "task")
            if state.arguments and draws.random() < 0.4
        ),
        "answers": tuple(each for point in state.points for each in answering(point.point_id, text() or "x")),
    }
    if agent is PLANNER:
        return planned(_plan(draws, text), **said)
    risks = [
        Risk(risk=text() or "x", severity=draws.choice(("high", "medium", "low")), impact=text())
        for _ in range(draws.randrange(13))
    ]
    suggestions = [
        Suggestion(
            issue=text(), solution=text() or "x", changes=(SlotChange(slot="owner", task_id="task-0", value="p0"),)
        )
        for _ in range(draws.randrange(13))
    ]
    if is_blind:
        return drafted(_plan(draws, text), criticised(*risks, suggestions=suggestions).critique, **said)
    no = ("feasible",) if draws.random() < 0.3 else ()
    return criticised(*risks, suggestions=suggestions, no=no, **said)


def _people(scenario: Scenario, draws: Random, text: Texts) -> None:
    for _ in range(draws.choice((0, 0, 1, MOST_POINTS))):
        scenario.objects(("x" + text())[:1_000], by=draws.choice((REQUESTER, ANN)))
    for _ in range(draws.choice((0, 0, 1, 3))):
        scenario.does(AskCritic, by=ANN, text=("x" + text())[:1_000])
        if scenario.refused is None and draws.random() < 0.8:
            answer = CriticReply(content=text() or "x", arguments=tuple(scenario.state.arguments)[:3])
            reply = draws.choice((answer, None))
            scenario.does(RecordReply, question_id=scenario.state.questions[-1].question_id, answer=reply)


def _reports(scenario: Scenario, draws: Random, text: Texts) -> None:
    scenario.reports(
        text() or "x",
        key_agreements=_some(draws, text),
        resolved_concerns=_some(draws, text),
        remaining_uncertainties=_some(draws, text),
        open_disagreements=_some(draws, text),
        dissent=_some(draws, text),
    )


_GENERATED: Final = Generated[Deliberation](_played)
deliberations, corpus, scenario = _GENERATED.any, _GENERATED.corpus, _GENERATED.scenario
