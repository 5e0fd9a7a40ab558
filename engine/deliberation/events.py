"""The events of a deliberation.

Whatever holds or quotes people's words, also in what a model has written, is marked PRIVATE and can be erased; numbers,
ids and codes are not.
"""

from typing import Annotated, ClassVar, Final

from engine.deliberation.answers import (
    Critique,
    FactRead,
    Flaw,
    Move,
    Plan,
    PointAnswer,
    Position,
    SlotChange,
    SlotPair,
)
from engine.deliberation.policy import Policy
from engine.deliberation.terms import (
    Action,
    Agent,
    Brief,
    DeliberationEvent,
    Error,
    PrivateText,
    PrivateTexts,
    Reason,
)
from engine.kernel import SPARSE, Message, Millis, Place, events_in


class DeliberationOpened(DeliberationEvent, kw_only=True):
    """Somebody asked for a plan."""

    event_type: ClassVar[str] = "towow.deliberation.opened"
    requester_id: str
    brief: Brief
    policy: Policy
    place: Place
    until: Millis
    """When it ends at the latest."""
    asked_at: Millis
    conversation_id: str = ""
    """As whoever asked over HTTP calls it."""


class BriefRead(DeliberationEvent, kw_only=True):
    """A model has read the brief and its facts into data: they are checked against from then on."""

    event_type: ClassVar[str] = "towow.deliberation.brief_read"
    language: str = ""
    """BCP 47."""
    options: PrivateTexts = ()
    """What there is to choose from, where the brief itself lists nothing: in its own words."""
    facts: tuple[FactRead, ...] = ()
    at: Millis = 0
    model: str = ""
    prompt_hash: str = ""


class Finding(Message, kw_only=True):
    """One thing that code found wrong with a plan."""

    code: str
    """A word of `engine.deliberation.rounds.plan_check`: ``past_deadline``, ``load``, ``missing_need`` ..."""
    severity: str
    """``high``, ``medium`` or ``low``."""
    text: PrivateText
    """In the language of the brief."""
    task_id: str = ""
    facts: tuple[str, ...] = ()
    """Ids of the facts that it follows from."""
    changes: tuple[SlotChange, ...] = ()
    """What would cure it; empty where code knows no cure."""


class PositionTaken(DeliberationEvent, kw_only=True):
    """An agent has spoken."""

    event_type: ClassVar[str] = "towow.deliberation.position_taken"
    agent: Agent
    round: int
    content: PrivateText
    position: Position
    plan: Plan | None = None
    """The Planner's, and in a blind first round the Critic's own."""
    critique: Critique | None = None
    moves: tuple[Move, ...] = ()
    """Those that name an argument which was there before."""
    answers: tuple[PointAnswer, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What code has found wrong with the plan (`engine.deliberation.rounds.plan_check`)."""
    at: Millis
    model: str = ""
    prompt_hash: str = ""
    errors: tuple[Error, ...] = ()


class PlanChecked(DeliberationEvent, kw_only=True):
    """A plan was held against what has been read out of the brief since it was asked for."""

    event_type: ClassVar[str] = "towow.deliberation.plan_checked"
    agent: Agent
    """Whose plan it is."""
    round: int
    """In which it was made."""
    findings: tuple[Finding, ...]
    """What is wrong with it besides what was found before."""
    at: Millis = 0


class AgentSkipped(DeliberationEvent, kw_only=True):
    """An agent did not answer: its last output stands."""

    event_type: ClassVar[str] = "towow.deliberation.agent_skipped"
    agent: Agent
    round: int
    error: Error
    at: Millis = 0


class TimeGiven(DeliberationEvent, kw_only=True):
    """ToWow was not there when a turn was over, or the whole: whoever was asked has their time again."""

    event_type: ClassVar[str] = "towow.deliberation.time_given"
    at: Millis
    until: Millis
    """When it ends now at the latest."""


class Difference(Message, kw_only=True):
    """Something in which the positions differ."""

    slot: str
    about: PrivateText
    """The task's title, or what else it is about."""
    planner: PrivateText
    critic: PrivateText


class Score(Message, kw_only=True):
    name: str
    level: float
    """From 0 to 1."""


class Analysis(Message, kw_only=True):
    """What `compare_positions` says of a round, worked out beside the rules."""

    consensus_level: float
    matrix: tuple[tuple[float, ...], ...]
    """Planner's and Critic's latest positions, in this order."""
    most_different_pair: tuple[int, int] = (0, 1)
    self_similarity: tuple[Score, ...] = ()
    """Of each agent to its own position of the round before."""
    slots: tuple[Score, ...] = ()
    """Agreement by slot; only where one of both says something."""
    moved_away: tuple[Agent, ...] = ()
    """Whose own changes made the positions differ more; only in histories of before."""
    unexplained: tuple[Agent, ...] = ()
    """Who changed something without naming an argument: it does not raise the level."""
    agreed: bool = False
    """Whether the positions are equal as data."""
    by_keywords: bool = False
    """No embedder was there: the level is the share of slots that are equal."""
    dimension: int = 0
    """Of the embedder's vectors."""
    vectors_computed: int = 0


class PositionsCompared(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.positions_compared"
    round: int
    analysis: Analysis
    differences: tuple[Difference, ...] = ()
    errors: tuple[Error, ...] = ()
    at: Millis = 0


class HostDecided(DeliberationEvent, kw_only=True):
    """What comes next, decided by code."""

    event_type: ClassVar[str] = "towow.deliberation.host_decided"
    round: int
    action: Action
    reasons: tuple[Reason, ...]
    """The first one is the one that decided."""
    must_address: PrivateTexts = ()
    """In the language of the brief."""
    arguments: tuple[str, ...] = ()
    """Ids of what must be addressed, where it has one."""
    avoid: PrivateTexts = ()
    next_agents: tuple[Agent, ...] = ()
    stubborn: tuple[Agent, ...] = ()
    """Who is told to change an assumption, to be less sure, or to name a flaw."""
    ignored: tuple[Agent, ...] = ()
    """Who was told so before, and did none of it."""
    opposes: Agent | None = None
    """Who argues the opposite side in the next round."""
    at: Millis = 0


class HostSpoke(DeliberationEvent, kw_only=True):
    """The Host's decision in a model's words; or, before it, what the Host finds the same in two blind drafts."""

    event_type: ClassVar[str] = "towow.deliberation.host_spoke"
    round: int
    content: PrivateText
    pairs: Annotated[tuple[SlotPair, ...], SPARSE] = ()
    """Which slots of two blind drafts are the same thing."""
    model: str = ""
    prompt_hash: str = ""


class PointRaised(DeliberationEvent, kw_only=True):
    """Somebody objects: both must address it."""

    event_type: ClassVar[str] = "towow.deliberation.point_raised"
    point_id: str
    by: str
    text: PrivateText
    at: Millis


class DeliberationReopened(DeliberationEvent, kw_only=True):
    """Somebody objects to a plan that is finished: it is argued about again."""

    event_type: ClassVar[str] = "towow.deliberation.reopened"
    by: str
    round: int
    """The round that begins; the last one there was where there can be no more."""
    until: Millis
    """When it ends now at the latest."""
    at: Millis


class PlanCarriedOut(DeliberationEvent, kw_only=True):
    """A delivery goes on from the plan: nothing reopens it any more."""

    event_type: ClassVar[str] = "towow.deliberation.carried_out"
    stream: str
    """The delivery."""
    at: Millis


class CriticAsked(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.critic_asked"
    question_id: str
    by: str
    text: PrivateText
    at: Millis


class CriticReplied(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.critic_replied"
    question_id: str
    content: PrivateText
    """Empty where no model could answer."""
    arguments: tuple[str, ...] = ()
    model: str = ""
    prompt_hash: str = ""


class PositionChosen(DeliberationEvent, kw_only=True):
    """Whoever asked has decided between the two positions."""

    event_type: ClassVar[str] = "towow.deliberation.position_chosen"
    by: str
    chosen: Agent
    why: PrivateText = ""
    at: Millis


class StopRequested(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.stop_requested"
    by: str
    at: Millis


class ClosingBegun(DeliberationEvent, kw_only=True):
    """No further round: every agent lists what it still does not know, or the Reporter writes at once."""

    event_type: ClassVar[str] = "towow.deliberation.closing_begun"
    reason: Reason
    asks: tuple[Agent, ...] = ()
    """Who is asked to list; nobody where the Reporter writes at once."""
    is_divergent: bool
    """Whether the report tells a disagreement."""
    at: Millis = 0


class ClosingStated(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.closing_stated"
    agent: Agent
    uncertainties: PrivateTexts = ()
    worst_case: PrivateText = ""
    model: str = ""
    prompt_hash: str = ""
    errors: tuple[Error, ...] = ()
    at: Millis = 0


class Summary(Message, kw_only=True):
    """The report, as data."""

    key_agreements: PrivateTexts = ()
    resolved_concerns: PrivateTexts = ()
    remaining_uncertainties: PrivateTexts = ()
    open_disagreements: PrivateTexts = ()
    dissent: PrivateTexts = ()
    todo: PrivateTexts = ()


class ReportWritten(DeliberationEvent, kw_only=True):
    """The plan that the report is about is `engine.deliberation.plans.final_plan`: no report changes it."""

    event_type: ClassVar[str] = "towow.deliberation.report_written"
    content: PrivateText
    summary: Summary
    is_divergent: bool
    at: Millis
    model: str = ""
    """Empty where code wrote it."""
    prompt_hash: str = ""
    errors: tuple[Error, ...] = ()


class DeliberationEnded(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.ended"
    is_converged: bool
    reason: Reason
    at: Millis


class WordsErased(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.words_erased"
    by: str
    whose: str = ""
    former_chain: str = ""


class PlaceChanged(DeliberationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.deliberation.place_changed"
    channel: str
    shared: bool


EVENTS: Final = events_in(vars())
