"""What a deliberation knows. `fold` says how events change it, `rules` what may happen, and `host` what comes next."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from engine.deliberation.answers import Critique, Flaw, Move, Plan, PointAnswer, Position, SlotPair
from engine.deliberation.events import Analysis, BriefRead, Difference, Finding, HostDecided, Summary
from engine.deliberation.policy import Policy
from engine.deliberation.terms import Agent, ArgumentKind, Brief, Error, Reason
from engine.kernel import Millis, Place


class Status(StrEnum):
    NEW = "new"
    ARGUING = "arguing"
    CLOSING = "closing"
    """Every agent lists what it still does not know."""
    REPORTING = "reporting"
    CONVERGED = "converged"
    TERMINATED = "terminated"


ENDED = frozenset({Status.CONVERGED, Status.TERMINATED})


class Output(Struct, frozen=True, kw_only=True):
    """What an agent said in one round."""

    agent: Agent
    round: int
    at: Millis
    content: str
    position: Position
    plan: Plan | None = None
    critique: Critique | None = None
    moves: tuple[Move, ...] = ()
    answers: tuple[PointAnswer, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    findings: tuple[Finding, ...] = ()
    model: str = ""
    reason_ids: tuple[str, ...] = ()
    """Argument ids of the key reasons, in their order; likewise of what the critique lists, and of the findings."""
    risk_ids: tuple[str, ...] = ()
    suggestion_ids: tuple[str, ...] = ()
    finding_ids: tuple[str, ...] = ()


class Argument(Struct, frozen=True, kw_only=True):
    """Something that can move somebody, by its id."""

    argument_id: str
    kind: ArgumentKind
    text: str
    by: str
    """An `Agent`, or a user's id."""
    round: int
    severity: str = "medium"


class Point(Struct, frozen=True, kw_only=True):
    """Somebody's objection, until both have addressed it."""

    point_id: str
    by: str
    text: str
    at: Millis
    answers: Mapping[str, str] = field(default_factory=dict)
    """By agent: what it said to it."""


class AskedCritic(Struct, frozen=True, kw_only=True):
    """Somebody's question to the Critic, and the reply."""

    question_id: str
    by: str
    text: str
    at: Millis
    reply: str | None = None
    """None while none is there; empty where no model could answer."""
    arguments: tuple[str, ...] = ()


class Round(Struct, frozen=True, kw_only=True):
    number: int
    outputs: Mapping[str, Output] = field(default_factory=dict)
    """By agent; of whoever has spoken in it."""
    skipped: Mapping[str, Error] = field(default_factory=dict)
    """By agent; of whoever did not answer."""
    analysis: Analysis | None = None
    differences: tuple[Difference, ...] = ()
    decision: HostDecided | None = None
    host_words: str = ""
    is_laid_out: bool = False
    """Whether the Host has laid two blind drafts side by side."""
    pairs: tuple[SlotPair, ...] = ()
    """Which of their slots are the same thing."""


class Closing(Struct, frozen=True, kw_only=True):
    reason: Reason
    is_divergent: bool
    asks: tuple[Agent, ...]
    at: Millis = 0
    """When the arguing ended."""
    stated: Mapping[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """By agent: uncertainties, and the worst case."""
    skipped: tuple[Agent, ...] = ()

    @property
    def awaited(self) -> tuple[Agent, ...]:
        return tuple(each for each in self.asks if each not in self.stated and each not in self.skipped)


class Choice(Struct, frozen=True, kw_only=True):
    """The requester's, between two positions."""

    by: str
    chosen: Agent
    why: str
    at: Millis
    reopened_by: str = ""
    """Who opened it again; empty where it stands."""


class Report(Struct, frozen=True, kw_only=True):
    content: str
    summary: Summary
    is_divergent: bool
    at: Millis
    model: str = ""
    number: int = 1


class Deliberation(Struct, frozen=True, kw_only=True):
    status: Status = Status.NEW
    session_id: str = ""
    requester_id: str = ""
    conversation_id: str = ""
    brief: Brief = Brief(title="", goal="")
    read: BriefRead | None = None
    """What a model has read out of the brief; None where none has."""
    policy: Policy = Policy()
    place: Place = Place()
    opened_at: Millis = 0
    updated_at: Millis = 0
    until: Millis = 0
    turn_due: Millis = 0
    """Until when whoever is asked at the moment is waited for."""
    extensions: int = 0
    """How often it was given time again."""
    reopened_rounds: int = 0
    """How many rounds there may be since it was reopened; 0 where it never was."""
    rounds: tuple[Round, ...] = ()
    """Oldest first; the last one is the current one."""
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    """By id, in the order in which they came up: facts, then what was said."""
    points: tuple[Point, ...] = ()
    questions: tuple[AskedCritic, ...] = ()
    best: int = 0
    """The round of the best valid plan so far; 0 where there is none."""
    best_open: int = 0
    """High risks and findings that were open against it."""
    choice: Choice | None = None
    former_choices: tuple[Choice, ...] = ()
    """What was decided before, and opened again by what somebody raised or asked."""
    stopped_by: str = ""
    closing: Closing | None = None
    report: Report | None = None
    reports: int = 0
    """How many were written or given up."""
    reason: Reason | None = None
    """Why it ended, or, where somebody has decided since, why it had; None before."""
    ended_at: Millis = 0
    carried_out_in: str = ""
    """The stream that carries it out; empty where none does, or where one was begun before it said so."""
    errors: tuple[Error, ...] = ()
    erased: str = ""
    """Whose words were erased: a user's id, or ``*`` for all."""

    @property
    def exists(self) -> bool:
        return self.status is not Status.NEW

    @property
    def is_open(self) -> bool:
        return self.exists and self.status not in ENDED

    @property
    def is_argued(self) -> bool:
        """Whether rounds go on: nothing has ended it, or it was reopened."""
        return self.status is Status.ARGUING

    @property
    def spoken_rounds(self) -> int:
        """The number of rounds in which anybody has spoken: one that was stopped before that is none."""
        return sum(bool(each.outputs) for each in self.rounds)

    @property
    def said_language(self) -> str:
        """BCP 47: in which it is argued; empty as long as nobody has said it."""
        return self.brief.language or (self.read.language if self.read else "")

    @property
    def language(self) -> str:
        """The same, or the requester's locale; empty without one."""
        return self.said_language or self.brief.locale

    @property
    def options(self) -> tuple[str, ...]:
        return self.brief.options or (self.read.options if self.read else ())

    @property
    def most_rounds(self) -> int:
        return self.reopened_rounds or self.policy.max_rounds

    @property
    def current(self) -> Round:
        return self.rounds[-1]

    @property
    def trend(self) -> tuple[float, ...]:
        """The level of consensus after each round that was compared."""
        return tuple(each.analysis.consensus_level for each in self.rounds if each.analysis)

    def last_output(self, agent: Agent) -> Output | None:
        """What an agent said last; where it was skipped, what it said before stands."""
        return next((each.outputs[agent] for each in reversed(self.rounds) if agent in each.outputs), None)
