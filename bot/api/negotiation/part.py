"""What negotiations add to the HTTP interface."""

from typing import Final

from bot.api.negotiation import decisions, demands, events, promises, votes
from bot.api.negotiation.lookup import reader, takes_part, told
from bot.api.negotiation.schemas import (
    ChangeTaken,
    CheckInAnswer,
    CheckInTaken,
    DemandStanding,
    DemandTold,
    GivenUp,
    HandedBack,
    NewChange,
    NewDecision,
    NewDemand,
    NewVote,
    PromiseToGiveUp,
    SeatToHandBack,
    Submitted,
    VoteTaken,
)
from bot.api.part import ApiPart
from bot.api.route import EVENT_STREAM, PREFIX, Refusals, Route
from bot.api.schemas import StreamAsked
from bot.api.tokens import Scope
from engine.errors import IllegalStep, ModelTimeout, ModelUnavailable, NotAllowed, UnknownAgent, UnknownStream
from engine.negotiation.agreement.decision_parts import DecisionRecord
from engine.negotiation.errors import InvalidDemand, InvalidVote, StaleVote, UnknownDemand
from engine.negotiation.events import EVENTS

_DEMAND: Final = f"{PREFIX}/demand"
_UNKNOWN: Final[Refusals] = (UnknownDemand, UnknownStream)

ROUTES: Final = (
    Route(
        "POST", f"{_DEMAND}/submit", demands.submit, "Ask for something; answered once it is understood",
        Scope.SUBMIT, (Submitted,), NewDemand,
        refusals=(InvalidDemand, IllegalStep, NotAllowed, ModelUnavailable, ModelTimeout), is_repeatable=True,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}", demands.demand, "A demand, its newest proposal and who voted how",
        Scope.READ, (DemandTold,), refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}/status", demands.standing, "How a demand stands",
        Scope.READ, (DemandStanding,), refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}/why", demands.why,
        "The decision record: why the plan is as it is, who decided what by whose hand, and what it lacks",
        Scope.READ, (DecisionRecord,), refusals=_UNKNOWN,
    ),
    Route(
        "POST", f"{_DEMAND}/{{demand_id}}/decisions", decisions.decide,
        "Decide about a demand of yours: say it otherwise, look wider, go on without what is missing, stop, "
        "carry it out, take that back",
        Scope.SUBMIT, (DemandStanding,), NewDecision,
        refusals=(*_UNKNOWN, InvalidDemand, IllegalStep, NotAllowed), is_repeatable=True,
    ),
    Route(
        "POST", f"{_DEMAND}/{{demand_id}}/votes", votes.vote, "Vote, as the person the token is bound to",
        Scope.VOTE, (VoteTaken,), NewVote,
        refusals=(*_UNKNOWN, UnknownAgent, NotAllowed, StaleVote, InvalidVote), is_repeatable=True,
    ),
    Route(
        "POST", f"{_DEMAND}/{{demand_id}}/hand-back", votes.hand_back,
        "Let the twin vote again for the person the token is bound to",
        Scope.VOTE, (HandedBack,), SeatToHandBack,
        refusals=(*_UNKNOWN, UnknownAgent, NotAllowed, IllegalStep), is_repeatable=True,
    ),
    Route(
        "POST", f"{_DEMAND}/{{demand_id}}/changes", votes.request_change,
        "Ask for a change of the open proposal, as the person who asked",
        Scope.VOTE, (ChangeTaken,), NewChange,
        refusals=(*_UNKNOWN, NotAllowed, IllegalStep, StaleVote, InvalidVote), is_repeatable=True,
    ),
    Route(
        "POST", f"{_DEMAND}/{{demand_id}}/give-up", promises.give_up,
        "Say that one cannot keep what one agreed to, as the person the token is bound to; others are looked for",
        Scope.VOTE, (GivenUp,), PromiseToGiveUp,
        refusals=(*_UNKNOWN, UnknownAgent, NotAllowed, IllegalStep), is_repeatable=True,
    ),
    Route(
        "POST", f"{_DEMAND}/{{demand_id}}/check-ins", promises.answer_check_in,
        "Say that something which is due is done or will be late, as the person the token is bound to",
        Scope.VOTE, (CheckInTaken,), CheckInAnswer,
        refusals=(*_UNKNOWN, NotAllowed, IllegalStep), is_repeatable=True,
    ),
    Route(
        "GET", f"{PREFIX}/events/negotiations/{{demand_id}}/stream", events.stream,
        "Server-sent events: what has happened since the last one, and what happens from now on",
        Scope.READ, query=StreamAsked, refusals=_UNKNOWN, media=EVENT_STREAM, event_types=tuple(EVENTS),
    ),
)  # fmt: skip

PART: Final = ApiPart(ROUTES, takes_part, reader, told)
