"""What deliberations add to the HTTP interface."""

from typing import Final

from bot.api.deliberation import sessions
from bot.api.deliberation.schemas import (
    ExportAsked,
    NewChoice,
    NewDeliberation,
    NewPoint,
    NewQuestion,
    NewStop,
    PlanDecision,
    PointsTold,
    QuestionsTold,
    SessionEvent,
)
from bot.api.deliberation.sessions import reader, takes_part
from bot.api.part import ApiPart
from bot.api.route import EVENT_STREAM, PREFIX, Refusals, Route
from bot.api.schemas import StreamAsked
from bot.api.tokens import Scope
from engine.deliberation.envelopes.session import MultiAgentMessage, SessionState
from engine.deliberation.errors import InvalidBrief, InvalidPoint
from engine.deliberation.events import EVENTS
from engine.errors import IllegalStep, InvalidInput, NotAllowed, NothingToHandOver, Outdated, UnknownStream

_ALL: Final = f"{PREFIX}/deliberations"
_ONE: Final = f"{_ALL}/{{session_id}}"
_UNKNOWN: Final[Refusals] = (UnknownStream,)

ROUTES: Final = (
    Route(
        "POST", _ALL, sessions.begin_deliberation,
        "Have a plan argued out, of a goal or of what a negotiation has agreed on; answered at once, or as a stream",
        Scope.SUBMIT, (SessionState,), NewDeliberation,
        refusals=(*_UNKNOWN, InvalidBrief, IllegalStep, NothingToHandOver, NotAllowed), status=202,
        is_repeatable=True, lines=SessionEvent,
    ),
    Route(
        "GET", _ONE, sessions.session, "How a deliberation stands, and all that was said in it",
        Scope.READ, (SessionState,), refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_ONE}/stream", sessions.session_lines,
        "Server-sent events: what the agents say, from the first word on, until there is a report",
        Scope.READ, query=StreamAsked, refusals=_UNKNOWN, media=EVENT_STREAM, lines=SessionEvent,
    ),
    Route(
        "GET", f"{_ONE}/messages", sessions.session_messages, "What a client shows of a deliberation, round by round",
        Scope.READ, (MultiAgentMessage,), refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_ONE}/decision", sessions.session_decision,
        "The decision record: what was decided, by whom, on which arguments, what was not taken up, and the cost",
        Scope.READ, (PlanDecision,), refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_ONE}/export", sessions.session_export, "The plan as a file",
        Scope.READ, query=ExportAsked, refusals=(*_UNKNOWN, IllegalStep), files=tuple(sessions.MEDIA.values()),
    ),
    Route(
        "POST", f"{_ONE}/stop", sessions.stop_deliberation, "Stop arguing, and have the report written now",
        Scope.SUBMIT, (SessionState,), NewStop,
        refusals=(*_UNKNOWN, InvalidInput, IllegalStep, NotAllowed), is_repeatable=True,
    ),
    Route(
        "POST", f"{_ONE}/choice", sessions.choose_position, "Decide between the two positions, as the person who asked",
        Scope.SUBMIT, (SessionState,), NewChoice,
        refusals=(*_UNKNOWN, InvalidPoint, IllegalStep, Outdated, NotAllowed), is_repeatable=True,
    ),
    Route(
        "GET", f"{_ONE}/points", sessions.session_points, "What people objected, and what both said to it",
        Scope.READ, (PointsTold,), refusals=_UNKNOWN,
    ),
    Route(
        "POST", f"{_ONE}/points", sessions.raise_point,
        "Object to something, as the person the token is bound to: both have to address it",
        Scope.VOTE, (PointsTold,), NewPoint,
        refusals=(*_UNKNOWN, InvalidPoint, IllegalStep, NotAllowed), is_repeatable=True,
    ),
    Route(
        "GET", f"{_ONE}/questions", sessions.session_questions, "What the Critic was asked, and what it replied",
        Scope.READ, (QuestionsTold,), refusals=_UNKNOWN,
    ),
    Route(
        "POST", f"{_ONE}/questions", sessions.ask_critic,
        "Ask the Critic something, as the person the token is bound to",
        Scope.VOTE, (QuestionsTold,), NewQuestion,
        refusals=(*_UNKNOWN, InvalidPoint, IllegalStep, NotAllowed), is_repeatable=True,
    ),
    Route(
        "GET", f"{PREFIX}/events/deliberations/{{session_id}}/stream", sessions.session_events,
        "Server-sent events of a deliberation: what has happened since the last one, and what happens from now on",
        Scope.READ, query=StreamAsked, refusals=_UNKNOWN, media=EVENT_STREAM, event_types=tuple(EVENTS),
    ),
)  # fmt: skip

PART: Final = ApiPart(ROUTES, takes_part, reader)
