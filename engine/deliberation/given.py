"""What each prompt of a deliberation is given, as a type: its fields are the names that the prompt's header declares.

Nobody's profile is among it: what is known of people is what their offers, votes and points have said to everybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.deliberation.answers import Critique, Plan, Position
from engine.kernel import FactKind, HandedTask, Message


class PersonGiven(Message, kw_only=True):
    person_id: str
    name: str
    role: str = ""
    brings: str = ""
    hours: float | None = None
    """How many they can give; None where they said nothing."""


class OptionGiven(Message, kw_only=True):
    option_id: str
    label: str


class BriefGiven(Message, kw_only=True):
    """What is to be planned. It is the same for everybody, in every round."""

    title: str
    goal: str
    language: str = ""
    """BCP 47; empty where nobody knows it yet: then that of the goal."""
    today: str
    starts: str = ""
    ends: str = ""
    options: tuple[OptionGiven, ...] = ()
    """Where it is asked to choose: what there is to choose from."""
    people: tuple[PersonGiven, ...] = ()
    tasks: tuple[HandedTask, ...] = ()


class FactGiven(Message, kw_only=True):
    fact_id: str
    kind: FactKind
    text: str
    by: str = ""
    """The name of whoever said it."""


class ArgumentGiven(Message, kw_only=True):
    """Something that can be named as what moved somebody."""

    argument_id: str
    kind: str
    text: str
    by: str
    round: int
    severity: str = "medium"


class Addressed(Message, kw_only=True):
    """What has to be addressed in this turn."""

    argument: str = ""
    """Its id, where it has one."""
    text: str
    by: str = ""
    """The name of the person who raised it; empty where it comes from the Host."""


class OwnOutput(Message, kw_only=True):
    """What an agent said last, as the agent itself or the other one is told."""

    round: int
    content: str
    position: Position
    plan: Plan | None = None
    critique: Critique | None = None
    suggestion_ids: tuple[str, ...] = ()
    """The argument ids of the critique's suggestions, in their order."""
    risk_ids: tuple[str, ...] = ()


class AskedGiven(Message, kw_only=True):
    """Somebody's question to the Critic."""

    question: str
    by: str
    """Their name."""
    reply: str = ""
    """Empty where none is there yet."""


class Instructions(Message, kw_only=True):
    """What the Host tells one agent for its turn."""

    new_facts: tuple[str, ...] = ()
    """The ids of the facts that it is told for the first time: the other one knew them. They stand here and not with
    the facts, so that these are told in the same words in every round."""
    must_address: tuple[Addressed, ...] = ()
    avoid: tuple[str, ...] = ()
    must_move: bool = False
    """It has repeated itself: it has to change an assumption, to be less sure, or to name a flaw of the other's."""
    opposes: bool = False
    """It argues only the opposite side, and repeats nothing that was said."""
    asked: tuple[AskedGiven, ...] = ()
    """What people have asked the Critic since it spoke."""
    unexplained: tuple[str, ...] = ()
    """What it changed without saying which argument moved it, in words."""


class FindingGiven(Message, kw_only=True):
    """What code found wrong with the plan."""

    argument: str
    severity: str
    text: str
    task_id: str = ""


class ReportBasis(Message, kw_only=True):
    """What the report has to tell, worked out by code."""

    is_divergent: bool
    outcome: str
    """An `engine.deliberation.closing.reporting.Outcome`."""
    reason: str
    """Why the deliberation ended, in words."""
    rounds: int
    agreements: tuple[str, ...] = ()
    resolved: tuple[str, ...] = ()
    """What was held against the plan, and what was changed for it."""
    uncertainties: tuple[str, ...] = ()
    worst_cases: tuple[str, ...] = ()
    open_disagreements: tuple[str, ...] = ()
    """With what would settle each."""
    dissent: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """What people said, where nobody has argued about it."""
    chosen: str = ""
    """Whose position the requester chose, and why."""


@dataclass(frozen=True, slots=True)
class Given:
    """The values of one question."""

    def values(self) -> Mapping[str, Any]:
        """By name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class DraftGiven(Given):
    """A first position, blind: for the Planner's prompt ``plan``, and the Critic's ``draft``."""

    brief: BriefGiven
    facts: tuple[FactGiven, ...]


@dataclass(frozen=True, slots=True)
class ReviseGiven(Given):
    """The Planner answers the critique: prompt ``revise``."""

    brief: BriefGiven
    facts: tuple[FactGiven, ...]
    own: OwnOutput
    other: OwnOutput | None
    arguments: tuple[ArgumentGiven, ...]
    findings: tuple[FindingGiven, ...]
    instructions: Instructions
    round: int
    max_rounds: int


@dataclass(frozen=True, slots=True)
class CriticiseGiven(Given):
    """The Critic answers the Planner's latest plan: prompt ``criticise``."""

    brief: BriefGiven
    facts: tuple[FactGiven, ...]
    own: OwnOutput | None
    other: OwnOutput
    arguments: tuple[ArgumentGiven, ...]
    findings: tuple[FindingGiven, ...]
    instructions: Instructions
    round: int
    max_rounds: int


class SlotGiven(Message, kw_only=True):
    """One thing that a draft decides, dates, gives to somebody or counts."""

    slot_id: str
    kind: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ReadGiven(Given):
    """What a brief and its facts say is read into data: prompt ``brief``."""

    brief: BriefGiven
    facts: tuple[FactGiven, ...]


@dataclass(frozen=True, slots=True)
class HostGiven(Given):
    """The Host words a decision that is made, or lays two blind drafts side by side: prompt ``host``."""

    title: str
    tag: str
    """Of its language, BCP 47; empty where nobody knows it."""
    action: str
    """``lay_out`` where nothing is decided yet."""
    reason: str
    """In words."""
    level: int
    """Consensus, in percent."""
    must_address: tuple[str, ...]
    differences: tuple[str, ...]
    planner: tuple[SlotGiven, ...] = ()
    """What is to be laid side by side."""
    critic: tuple[SlotGiven, ...] = ()


@dataclass(frozen=True, slots=True)
class CloseGiven(Given):
    """Every agent lists what it still does not know: prompt ``close``."""

    brief: BriefGiven
    role: str
    own: OwnOutput
    plan: Plan
    arguments: tuple[ArgumentGiven, ...]


@dataclass(frozen=True, slots=True)
class ReportGiven(Given):
    """The Reporter: prompt ``report``."""

    brief: BriefGiven
    plan: Plan
    basis: ReportBasis


@dataclass(frozen=True, slots=True)
class ReplyGiven(Given):
    """The Critic answers somebody's question: prompt ``reply``."""

    brief: BriefGiven
    facts: tuple[FactGiven, ...]
    plan: Plan
    critique: Critique | None
    arguments: tuple[ArgumentGiven, ...]
    question: str
