"""given/when/then over the pure rules of the deliberation: the history is folded, one command is the when.

Commands carry what models would have said, so no model is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from engine.deliberation.answers import (
    ClosingAnswer,
    CriticAnswer,
    CriticDraft,
    Critique,
    Move,
    Plan,
    PlannerAnswer,
    PlanPhase,
    PlanTask,
    PointAnswer,
    Position,
    ReportAnswer,
    Risk,
    Suggestion,
    ValidityCheck,
)
from engine.deliberation.closing.reporting import next_number
from engine.deliberation.commands import (
    ChoosePosition,
    OpenDeliberation,
    RaisePoint,
    RecordClosing,
    RecordComparison,
    RecordPosition,
    RecordReport,
    StopDeliberation,
)
from engine.deliberation.events import Analysis, Difference, HostDecided, Score
from engine.deliberation.policy import Policy
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import Action, Agent, Brief, Error, Reason
from engine.kernel import (
    Ask,
    Compute,
    FactKind,
    HandedFact,
    HandedPerson,
    Place,
)

from ..given import NOON as NOON
from ..given import Given

REQUESTER = "U_ASKS"
ANN = "U_ANN"
EVE = "U_EVE"
STREAM = "plan-00000001"
PLANNER, CRITIC = Agent.PLANNER, Agent.CRITIC
BRIEF = Brief(
    title="An evening about AI",
    goal="Fifty people meet for an evening about AI.",
    people=(
        HandedPerson(person_id="ann", user_id=ANN, name="Ann"),
        HandedPerson(person_id="bo", name="Bo"),
    ),
    facts=(
        HandedFact(fact_id="need-1", kind=FactKind.NEED, text="a room for 50", by=REQUESTER),
        HandedFact(fact_id="limit-1", kind=FactKind.LIMIT, text="Ann cannot before 18:00", by=ANN),
    ),
)
QUIET = Policy(host_speaks=False)
SEQUENTIAL = Policy(name="sequential", start="sequential", host_speaks=False)


def task(task_id: str, **fields: Any) -> PlanTask:
    told: dict[str, Any] = {"task_id": task_id, "title": f"Do {task_id}", "owner": "ann", "estimated_hours": 2}
    return PlanTask(**told | fields)


def plan(*tasks: PlanTask | str, title: str = "The evening") -> Plan:
    made = tuple(each if isinstance(each, PlanTask) else task(each) for each in tasks or ("room",))
    return Plan(title=title, phases=(PlanPhase(phase_name="All of it", tasks=made),))


def planned(made: Plan | None = None, *, moves: Sequence[Move] = (), **fields: Any) -> PlannerAnswer:
    """What the Planner says. ``fields`` that a position has are the position's."""
    position, rest = _position(fields, "It works.")
    return PlannerAnswer(content="My plan.", position=position, plan=made or plan(), moves=tuple(moves), **rest)


def drafted(made: Plan | None = None, critique: Critique | None = None, **fields: Any) -> CriticDraft:
    position, rest = _position(fields, "It works.")
    said = critique or Critique()
    return CriticDraft(content="My own plan.", position=position, plan=made or plan(), critique=said, **rest)


def criticised(
    *risks: Risk | str,
    suggestions: Sequence[Suggestion] = (),
    no: Sequence[str] = (),
    **fields: Any,
) -> CriticAnswer:
    """``no``: what the validity check says no to. A risk that is only a text is a high one."""
    position, rest = _position(fields, "It works.")
    critique = Critique(
        risks=tuple(each if isinstance(each, Risk) else Risk(risk=each, severity="high") for each in risks),
        suggestions=tuple(suggestions),
        validity_check=ValidityCheck(**dict.fromkeys(no, False)),
    )
    return CriticAnswer(content="What is wrong.", position=position, critique=critique, **rest)


def _position(fields: dict[str, Any], conclusion: str) -> tuple[Position, dict[str, Any]]:
    own = {name: fields[name] for name in Position.__struct_fields__ if name in fields}
    rest = {name: each for name, each in fields.items() if name not in own}
    return Position(**{"conclusion": conclusion} | own), rest


@dataclass(kw_only=True)
class Scenario(Given):
    """A deliberation in the making. Every command gets a fresh id; time passes only when told."""

    rulebook: ClassVar = RULEBOOK
    policy: Policy = QUIET
    brief: Brief = BRIEF
    state: Deliberation = field(default_factory=Deliberation)

    # ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def opens(self, **fields: Any) -> Self:
        begun: dict[str, Any] = {"session_id": STREAM, "by": REQUESTER, "brief": self.brief, "policy": self.policy}
        return self.does(OpenDeliberation, **begun | {"place": Place(channel="C_LOBBY")} | fields)

    def says(self, agent: Agent, answer: Any, *, number: int | None = None, **fields: Any) -> Self:
        """An agent's answer; None where none came."""
        return self.does(RecordPosition, agent=agent, round=number or len(self.state.rounds), answer=answer, **fields)

    def both(self, planner: Any = None, critic: Any = None) -> Self:
        """Both speak in the current round, in their turn; what is not given is something plain."""
        is_first = len(self.state.rounds) == 1 and self.state.policy.start == "blind"
        self.says(PLANNER, planner or planned())
        return self.says(CRITIC, critic or (drafted() if is_first else criticised()))

    def compared(self, level: float, *differences: Difference, number: int | None = None, **fields: Any) -> Self:
        """``fields``: of the analysis; ``repeats`` is how similar each agent is to its own last position. Positions
        above 0.9 that differ in nothing agree as data, unless it is said otherwise."""
        repeats = fields.pop("repeats", {})
        fields = {"agreed": level > 0.9 and not differences} | fields
        analysis = Analysis(
            consensus_level=level,
            matrix=((1.0, level), (level, 1.0)),
            self_similarity=tuple(Score(name=name, level=each) for name, each in repeats.items()),
            **fields,
        )
        number = number or len(self.state.rounds)
        return self.does(RecordComparison, round=number, analysis=analysis, differences=differences)

    def round(self, level: float, planner: Any = None, critic: Any = None, **fields: Any) -> Self:
        """A whole round: both speak, and are compared."""
        return self.both(planner, critic).compared(level, **fields)

    def states(self, agent: Agent, *uncertainties: str, worst: str = "") -> Self:
        answer = ClosingAnswer(uncertainties=uncertainties, worst_case=worst)
        return self.does(RecordClosing, agent=agent, answer=answer)

    def closes(self) -> Self:
        """Both list what they do not know."""
        return self.states(PLANNER, "the weather").states(CRITIC, "the budget", worst="nobody comes")

    def reports(self, content: str = "# The plan", **fields: Any) -> Self:
        number = next_number(self.state)
        return self.does(RecordReport, answer=ReportAnswer(content=content, **fields), number=number)

    def objects(self, text: str = "What about the children?", by: str = ANN) -> Self:
        return self.does(RaisePoint, by=by, text=text)

    def chooses(self, agent: Agent, by: str = REQUESTER, **fields: Any) -> Self:
        return self.does(ChoosePosition, by=by, chosen=agent, **fields)

    def stops(self, by: str = REQUESTER, **fields: Any) -> Self:
        return self.does(StopDeliberation, by=by, **fields)

    def turn_is_over(self) -> Self:
        self.now = self.state.turn_due
        return self.rings("turn")

    # ── then ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def owing(self, *names: str) -> Self:
        """Exactly these effects are owed: ``plan planner-1``, ``compare compare-1``."""
        owed = [f"{each.prompt} {each.name}" for each in self.last.effects if isinstance(each, Ask)]
        owed += [f"{each.function} {each.name}" for each in self.last.effects if isinstance(each, Compute)]
        assert owed == list(names)
        return self

    def stands(self, status: Status, *, number: int | None = None, reason: Reason | None = None) -> Self:
        assert self.state.status is status, self.state.status
        if number is not None:
            assert len(self.state.rounds) == number
        if reason is not None:
            assert self.state.reason is reason
        return self

    def decided(self, action: Action, *reasons: Reason) -> Self:
        said = self.event(HostDecided)
        assert said in self.last.events
        assert (said.action, said.reasons) == (action, reasons)
        return self

    def errors(self) -> list[tuple[str, str]]:
        """What failed, and whose it was."""
        return [(each.error, each.agent or each.tool) for each in self.state.errors]


def timed_out(agent: Agent, number: int = 1) -> Error:
    return Error(error="agent_timeout", agent=agent, round=number)


def answering(point: str, text: str = "There is a playroom.") -> tuple[PointAnswer, ...]:
    return (PointAnswer(argument=point, answer=text),)


def opened(policy: Policy = QUIET, **fields: Any) -> Scenario:
    """It has begun, and the first agents are asked."""
    return Scenario(policy=policy, **fields).opens()


def in_round(number: int, level: float = 0.8, policy: Policy = QUIET, **fields: Any) -> Scenario:
    """The rounds before were held, none of them settling anything; each one is a little closer than the one before."""
    scenario = opened(policy, **fields)
    for each in range(1, number):
        scenario.round(level - 0.03 * (number - each))
    return scenario.stands(Status.ARGUING, number=number)
