"""What the commands and the events of a deliberation are made of."""

from enum import StrEnum
from typing import Annotated, Final, Literal

from engine.kernel import PRIVATE, Event, HandedFact, HandedPerson, HandedTask, Message

PrivateText = Annotated[str, PRIVATE]
PrivateTexts = Annotated[tuple[str, ...], PRIVATE]

LONGEST_GOAL: Final = 4_000
LONGEST_TITLE: Final = 120
LONGEST_FACT: Final = 600
LONGEST_OPTION: Final = 120
MOST_OPTIONS: Final = 8
LONGEST_POINT: Final = 1_000
"""Characters of an objection or a question."""
MOST_FACTS: Final = 80
MOST_ROUNDS: Final = 5
"""Of one deliberation, however often it is reopened (seed 001, section 10)."""
MOST_POINTS: Final = 20
"""Objections and questions of one deliberation, each."""


class Agent(StrEnum):
    HOST = "host"
    PLANNER = "planner"
    CRITIC = "critic"
    REPORTER = "reporter"


DEBATERS: Final = (Agent.PLANNER, Agent.CRITIC)


class Action(StrEnum):
    """What the Host decides after a round."""

    CONTINUE = "continue"
    CONVERGE = "converge"
    FORCE_OPPOSITION = "force_opposition"
    TERMINATE = "terminate"


class Reason(StrEnum):
    """Why the Host decided so, and why a deliberation ended."""

    EARLY_AGREEMENT = "early_agreement"
    """Two drafts, each made without knowing the other, agree."""
    AGREED = "agreed"
    """The positions are equal as data, nothing is invalid, no high risk is open."""
    NOT_SIMILAR_ENOUGH = "not_similar_enough"
    MOVED_AWAY = "moved_away"
    """Somebody moved away from the other; only in histories of before."""
    NOT_VALID = "not_valid"
    """Similar enough, but the validity check has a no."""
    OPEN_RISK = "open_risk"
    """Similar enough, but a high risk is open."""
    OPEN_POINT = "open_point"
    """Similar enough, but somebody's objection has not been answered by both."""
    UNEXPLAINED_MOVE = "unexplained_move"
    """Similar enough only by a change that names no argument."""
    FAR_APART = "far_apart"
    AGENT_MISSING = "agent_missing"
    """One of both has not said anything so far, so there is nothing to compare."""
    MAX_ROUNDS = "max_rounds_reached"
    STALLED = "early_stopping"
    """The similarity has not changed over two rounds."""
    DIVERGED = "diverged"
    """Still far apart after the opposite side was argued."""
    USER_STOP = "user_stop"
    USER_DECIDED = "user_decided"
    """The requester chose between the two positions."""
    TIME_IS_UP = "time_is_up"
    NO_PLAN = "no_plan"
    """No agent has made a plan."""
    NOT_ARGUED = "not_argued"
    """Rules spoke, since there is no model: what is known is laid side by side, and nobody argued."""
    FORGOTTEN = "forgotten"
    """Words that it was about were erased."""


RULES: Final = "offline"
"""What answers are marked with that no model has given."""

ErrorCode = Literal["agent_timeout", "agent_failed", "tool_execution_failed", "content_withheld"]


class Brief(Message, kw_only=True):
    """What is to be planned, and what is known about it."""

    title: PrivateText
    goal: PrivateText
    language: str = ""
    """BCP 47: of what it goes on from; empty where nobody has said it."""
    locale: str = ""
    """Of whoever asked, for as long as no language is known."""
    origin: str = ""
    """The stream that it goes on from; empty where somebody asked for it directly."""
    origin_protocol: str = ""
    """That stream's, which is told of it; empty where it is not."""
    time_zone: str = ""
    """IANA: where the requester is. Dates are meant there."""
    today: str = ""
    """ISO date on which it was asked for, there."""
    starts: str = ""
    """ISO date on which the whole begins; empty where none is known."""
    ends: str = ""
    """ISO date by which the whole is done, inclusive."""
    options: PrivateTexts = ()
    """Where it is asked to choose: what there is to choose from."""
    people: tuple[HandedPerson, ...] = ()
    facts: tuple[HandedFact, ...] = ()
    """What people said. The Planner and the Critic each start from half of it (`engine.deliberation.composing`)."""
    tasks: tuple[HandedTask, ...] = ()
    """What was agreed already to be done."""


class ArgumentKind(StrEnum):
    FACT = "fact"
    RISK = "risk"
    SUGGESTION = "suggestion"
    POINT = "point"
    """Somebody's objection."""
    FINDING = "finding"
    """What code found wrong with a plan."""
    REASON = "reason"


class Error(Message, kw_only=True):
    """Something that failed and was made up for (seed 001, section 7)."""

    error: ErrorCode
    round: int
    agent: str = ""
    tool: str = ""
    detail: str = ""
    """A class of failure or a kind of content; nobody's words."""


class DeliberationEvent(Event):
    session_id: str
