"""What the deliberation's part of the HTTP interface is sent and answers with, besides seed 001's own JSON."""

from typing import Annotated, Literal, Self

from pydantic import Field, RootModel, StrictBool, StringConstraints, model_validator

from bot.api.schemas import WHOLE, ApiModel, UserId
from engine.deliberation.closing.decision_record import DecisionRecord
from engine.deliberation.envelopes.outputs import Cost
from engine.deliberation.envelopes.session import AgentOutputEvent, FinalReportEvent, HostDecisionEvent
from engine.deliberation.terms import (
    LONGEST_FACT,
    LONGEST_GOAL,
    LONGEST_OPTION,
    LONGEST_POINT,
    MOST_FACTS,
    MOST_OPTIONS,
)
from engine.kernel import FactKind

WORDS: str = r"[^\s\x1c-\x1f\x85]"
"""At least one character that is no space."""

Fact = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_FACT, pattern=WORDS)]
Option = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_OPTION, pattern=WORDS)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_POINT, pattern=WORDS)]

# ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────


class NewFact(ApiModel):
    text: Fact
    by: UserId | None = None
    """The user who said it."""
    kind: FactKind | None = None
    """What it is about. Left out: something that holds for the whole."""


class NewDeliberation(ApiModel):
    """Seed 001, section 6.1, and what is known of it."""

    message: Annotated[str, Field(max_length=LONGEST_GOAL)] = ""
    """What is to be planned, in somebody's own words. Needed unless `origin` says it."""
    mode: Literal["multi_agent"] = "multi_agent"
    user_id: Annotated[UserId | None, Field(alias="userId")] = None
    """Who asks. Left out: the token's own user; another than that user is refused."""
    conversation_id: Annotated[str, Field(alias="conversationId", max_length=200)] = ""
    """As the program calls what it belongs to."""
    facts: Annotated[tuple[Fact | NewFact, ...], Field(max_length=MOST_FACTS)] = ()
    """What people know of it. The Planner and the Critic each start from half of them. Left out: the lines of
    the message that begin with a bullet."""
    options: Annotated[tuple[Option, ...], Field(max_length=MOST_OPTIONS)] = ()
    """What there is to choose from, at least two. Left out: as a model reads the message."""
    origin: Annotated[str, Field(max_length=80)] = ""
    """The `channel_id` of a negotiation that was agreed on: its plan is argued out, with what its people said, once. It
    takes whoever asked for it, or an admin."""
    start: Literal["blind", "sequential"] = "blind"
    """Whether Planner and Critic take their first positions in parallel, neither knowing the other's, or in turn."""
    max_rounds: Annotated[int, Field(ge=1, le=5), WHOLE] = 5

    @model_validator(mode="after")
    def _says_what_is_planned(self) -> Self:
        if self.origin:
            if self.message.strip() or self.facts or self.options:
                raise ValueError("an origin cannot be combined with message, facts or options")
        elif not self.message.strip():
            raise ValueError("say in message what is to be planned")
        if len(self.options) == 1:
            raise ValueError("one option is no choice; name at least two")
        return self


class NewPoint(ApiModel):
    text: Words
    """What both have to address."""


class NewQuestion(ApiModel):
    text: Words
    reopens: StrictBool = True
    """Whether both argue on with it where the plan is finished and not carried out; else it is only answered."""


class NewChoice(ApiModel):
    """What whoever asked decides between the two positions."""

    chosen: Literal["planner", "critic"]
    why: Annotated[str, Field(max_length=LONGEST_POINT)] = ""
    round: Annotated[int, Field(ge=1, le=5), WHOLE] | None = None
    """The newest round whose positions were read: refused where one has changed since."""
    user_id: Annotated[UserId | None, Field(alias="userId")] = None
    """Who decides. Left out: the token's own user; another than that user is refused."""


class NewStop(ApiModel):
    user_id: Annotated[UserId | None, Field(alias="userId")] = None
    """Who stops it. Left out: the token's own user; another than that user is refused."""


class ExportAsked(ApiModel):
    format: Literal["markdown", "json", "ics"] = "markdown"


# ── what is answered ──────────────────────────────────────────────────────────────────────────────────────────────────


_Line = Annotated[AgentOutputEvent | HostDecisionEvent | FinalReportEvent, Field(discriminator="type")]


class SessionEvent(RootModel[_Line]):
    """A line of the stream (seed 001, section 6.1)."""


class PlanDecision(DecisionRecord):
    """What was decided, by whom, on which arguments, and what was not taken up. No model writes it."""

    cost: Cost | None
    """Of the model's calls; null where none was made."""


class PointTold(ApiModel):
    """Somebody's objection."""

    point_id: str
    by: str
    text: str
    planner: str | None
    """What the Planner said to it; null until then."""
    critic: str | None


class PointsTold(ApiModel):
    points: tuple[PointTold, ...]


class QuestionTold(ApiModel):
    """Somebody's question to the Critic."""

    question_id: str
    by: str
    text: str
    reply: str | None
    """Null until there is one; empty where no model could answer."""


class QuestionsTold(ApiModel):
    questions: tuple[QuestionTold, ...]
