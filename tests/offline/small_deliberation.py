"""A deliberation without an engine: the offline answerers in turn, with what the engine would give them.

The rules of the engine decide more than this; it is for tests of what the answerers say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from engine.deliberation.answers import CriticAnswer, CriticDraft, Critique, PlannerAnswer
from engine.deliberation.given import (
    Addressed,
    ArgumentGiven,
    BriefGiven,
    CriticiseGiven,
    DraftGiven,
    FactGiven,
    FindingGiven,
    Instructions,
    OwnOutput,
    PersonGiven,
    ReviseGiven,
)
from engine.deliberation.halves import half
from engine.deliberation.plan_check import findings
from engine.deliberation.terms import Agent, Brief
from engine.kernel import HandedFact
from engine.offline.deliberation.answerers import ANSWERERS

MOST_ROUNDS = 5


@dataclass
class SmallDeliberation:
    brief: Brief
    points: Sequence[Addressed] = ()
    """Objections of people, from the second round on."""
    knows_all: bool = False
    """Whether each starts from all facts instead of half of them."""
    planner: PlannerAnswer | None = None
    critic: CriticDraft | CriticAnswer | None = None
    rounds: int = 0
    arguments: dict[str, ArgumentGiven] = field(default_factory=dict)
    said: list[PlannerAnswer | CriticDraft | CriticAnswer] = field(default_factory=list)

    def run(self, rounds: int = MOST_ROUNDS) -> "SmallDeliberation":
        """Let both speak until the Critic has no serious objection and both hold the same, at most so many rounds."""
        self._blind()
        while self.rounds < rounds and (self.rounds < 2 or not self.is_agreed):
            self._round()
        return self

    @property
    def is_agreed(self) -> bool:
        assert self.planner is not None
        assert self.critic is not None
        ours, theirs = self.planner.position, self.critic.position
        critique = self.critic.critique
        same = (ours.choice, ours.decision, ours.conclusion) == (theirs.choice, theirs.decision, theirs.conclusion)
        return (
            same and not critique.validity_check.has_no and not any(each.severity == "high" for each in critique.risks)
        )

    def half(self, agent: Agent) -> tuple[HandedFact, ...]:
        return self.brief.facts if self.knows_all else half(self.brief, agent)

    def _facts(self, agent: Agent) -> tuple[FactGiven, ...]:
        known = {each.fact_id for each in self.half(agent)}
        names = {each.user_id or each.person_id: each.name for each in self.brief.people}
        return tuple(
            FactGiven(
                fact_id=each.fact_id,
                kind=each.kind,
                text=each.text,
                by=names.get(each.by, each.by),
            )
            for each in self.brief.facts
            if self.rounds > 1 or each.fact_id in known
        )

    def _instructions(self, agent: Agent) -> Instructions:
        known = {each.fact_id for each in self.half(agent)}
        new = (each.fact_id for each in self.brief.facts if self.rounds == 2 and each.fact_id not in known)
        return Instructions(new_facts=tuple(new), must_address=tuple(self.points))

    def _given(self) -> BriefGiven:
        brief = self.brief
        people = tuple(
            PersonGiven(person_id=each.person_id, name=each.name, role=each.role, brings=each.brings, hours=each.hours)
            for each in brief.people
        )
        return BriefGiven(
            title=brief.title, goal=brief.goal, today=brief.today, starts=brief.starts, ends=brief.ends,
            options=brief.options, people=people, tasks=brief.tasks,
        )  # fmt: skip

    def _blind(self) -> None:
        self.rounds = 1
        self.planner = ANSWERERS["plan"](**DraftGiven(self._given(), self._facts(Agent.PLANNER)).values())  # type: ignore[assignment]
        self.critic = ANSWERERS["draft"](**DraftGiven(self._given(), self._facts(Agent.CRITIC)).values())  # type: ignore[assignment]
        self._keep()

    def _round(self) -> None:
        self.rounds += 1
        assert self.planner is not None
        revised = ReviseGiven(
            brief=self._given(), facts=self._facts(Agent.PLANNER), own=self._output(self.planner),
            other=self._output(self.critic) if self.critic else None, arguments=tuple(self.arguments.values()),
            findings=self._findings(), instructions=self._instructions(Agent.PLANNER),
            round=self.rounds, max_rounds=MOST_ROUNDS,
        )  # fmt: skip
        self.planner = ANSWERERS["revise"](**revised.values())  # type: ignore[assignment]
        assert self.planner is not None
        criticised = CriticiseGiven(
            brief=self._given(),
            facts=self._facts(Agent.CRITIC),
            own=self._output(self.critic) if self.critic else None,
            other=self._output(self.planner),
            arguments=tuple(self.arguments.values()),
            findings=self._findings(),
            instructions=self._instructions(Agent.CRITIC),
            round=self.rounds,
            max_rounds=MOST_ROUNDS,
        )
        self.critic = ANSWERERS["criticise"](**criticised.values())  # type: ignore[assignment]
        self._keep()

    def _findings(self) -> tuple[FindingGiven, ...]:
        assert self.planner is not None
        choice = self.planner.position.choice if self.brief.options else None
        found = findings(self.planner.plan, self.brief, self.brief.facts, choice)
        for at, each in enumerate(found):
            name = f"finding-{self.rounds}-{at}"
            self.arguments[name] = ArgumentGiven(
                argument_id=name, kind="finding", text=each.text, by="", round=self.rounds, severity=each.severity
            )
        return tuple(
            FindingGiven(
                argument=f"finding-{self.rounds}-{at}", severity=each.severity, text=each.text, task_id=each.task_id
            )
            for at, each in enumerate(found)
        )

    def _keep(self) -> None:
        assert self.planner is not None
        assert self.critic is not None
        self.said += [self.planner, self.critic]
        for at, risk in enumerate(self.critic.critique.risks):
            name = risk.repeats or f"risk-{self.rounds}-{at}"
            self.arguments[name] = ArgumentGiven(
                argument_id=name, kind="risk", text=risk.risk, by="critic", round=self.rounds, severity=risk.severity
            )
        for at, suggestion in enumerate(self.critic.critique.suggestions):
            name = suggestion.repeats or f"suggestion-{self.rounds}-{at}"
            self.arguments[name] = ArgumentGiven(
                argument_id=name, kind="suggestion", text=suggestion.solution, by="critic", round=self.rounds
            )

    def _output(self, answer: PlannerAnswer | CriticDraft | CriticAnswer) -> OwnOutput:
        critique: Critique | None = getattr(answer, "critique", None)
        output = OwnOutput(
            round=self.rounds,
            content=answer.content,
            position=answer.position,
            plan=getattr(answer, "plan", None),
            critique=critique,
        )
        if critique is None:
            return output
        by_text = {each.text: each.argument_id for each in self.arguments.values()}
        return replace(
            output,
            risk_ids=tuple(by_text.get(each.risk, "") for each in critique.risks),
            suggestion_ids=tuple(by_text.get(each.solution, "") for each in critique.suggestions),
        )
