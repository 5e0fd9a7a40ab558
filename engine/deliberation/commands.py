"""The commands of a deliberation. They come from people, from models' answers, and from what is worked out."""

from engine.deliberation.answers import (
    BriefAnswer,
    ClosingAnswer,
    CriticReply,
    DebaterAnswer,
    HostAnswer,
    ReportAnswer,
)
from engine.deliberation.events import Analysis, Difference, Finding
from engine.deliberation.policy import Policy
from engine.deliberation.terms import Agent, Brief, Error
from engine.kernel import Command, Place


class OpenDeliberation(Command, kw_only=True):
    session_id: str
    """Also the stream's name."""
    by: str
    brief: Brief
    policy: Policy = Policy()
    place: Place = Place()
    conversation_id: str = ""


class Answered(Command, kw_only=True):
    """A model's answer, or, with ``error``, that none came."""

    model: str = ""
    prompt_hash: str = ""
    error: Error | None = None
    tool_errors: tuple[Error, ...] = ()


class RecordPosition(Answered, kw_only=True):
    agent: Agent
    round: int
    answer: DebaterAnswer | None
    """None where none came: the last output stands."""
    findings: tuple[Finding, ...] = ()
    """What code found wrong with the plan in it."""


class RecordBrief(Answered, kw_only=True):
    answer: BriefAnswer | None
    """None where none came: all stays as it was said."""


class RecordComparison(Command, kw_only=True):
    round: int
    analysis: Analysis
    differences: tuple[Difference, ...] = ()
    error: Error | None = None


class RecordHostWords(Answered, kw_only=True):
    round: int
    answer: HostAnswer | None


class RecordClosing(Answered, kw_only=True):
    agent: Agent
    answer: ClosingAnswer | None


class RecordReport(Answered, kw_only=True):
    answer: ReportAnswer | None
    """None where none came: code writes it."""
    number: int = 1
    """Which report, as its ask's ``about`` says: there is a second one if somebody decides after a divergent end."""


class RecordReply(Answered, kw_only=True):
    question_id: str
    answer: CriticReply | None


class RaisePoint(Command, kw_only=True):
    by: str
    text: str


class AskCritic(Command, kw_only=True):
    by: str
    text: str
    reopens: bool = True
    """Whether both argue on with it where the plan is finished; else it is only answered."""


class ChoosePosition(Command, kw_only=True):
    by: str
    chosen: Agent
    round: int = 0
    """The newest round whose positions they were shown; 0 where nobody says."""
    why: str = ""
    as_admin: bool = False


class StopDeliberation(Command, kw_only=True):
    by: str
    as_admin: bool = False


class EraseWords(Command, kw_only=True):
    whose: str = ""
    """A user's id; empty where all of it is erased."""
    former_chain: str = ""
