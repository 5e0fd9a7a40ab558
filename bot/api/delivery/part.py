"""What deliveries add to the HTTP interface."""

from typing import Final

from bot.api.delivery import acts, beginning, deliveries, envelopes, schemas
from bot.api.delivery.deliveries import reader, takes_part
from bot.api.part import ApiPart
from bot.api.route import EVENT_STREAM, PREFIX, Refusals, Route
from bot.api.schemas import StreamAsked
from bot.api.tokens import Scope
from engine.delivery.errors import InvalidBrief, InvalidEvidence, InvalidPlan, InvalidText, UnknownTicket
from engine.delivery.events import EVENTS
from engine.errors import (
    IllegalStep,
    InvalidInput,
    NotAColleague,
    NotAllowed,
    NothingToHandOver,
    Outdated,
    UnknownStream,
)
from engine.workers.envelope_lines import Envelope

_ALL: Final = f"{PREFIX}/deliveries"
_ONE: Final = f"{_ALL}/{{session_id}}"
_TICKET: Final = f"{_ONE}/tickets/{{ticket_id}}"
_UNKNOWN: Final[Refusals] = (UnknownStream,)
_LED: Final[Refusals] = (UnknownStream, InvalidInput, InvalidText, IllegalStep, NotAllowed)
_TICKETS: Final[Refusals] = (*_LED, UnknownTicket)
_TOLD: Final = (schemas.DeliveryTold,)

ROUTES: Final = (
    Route(
        "POST", _ALL, beginning.begin_delivery,
        "Have a goal, a plan, or what another stream has agreed on carried out",
        Scope.SUBMIT, _TOLD, schemas.NewDelivery,
        refusals=(*_UNKNOWN, InvalidBrief, InvalidPlan, IllegalStep, NothingToHandOver, NotAllowed), status=202,
        is_repeatable=True,
    ),
    Route(
        "GET", _ALL, deliveries.deliveries, "The deliveries that go on, and those that have ended",
        Scope.READ, (schemas.DeliveriesTold,), query=schemas.DeliveriesAsked,
    ),
    Route(
        "GET", _ONE, deliveries.delivery, "How a delivery stands: its tickets, what waits for whom, what was made",
        Scope.READ, _TOLD, refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_TICKET}/artifacts/{{number}}", deliveries.artifact,
        "What was made, as it was registered: read back, and held to its digest",
        Scope.READ, refusals=(*_UNKNOWN, UnknownTicket, IllegalStep),
        files=(*sorted(deliveries.SAFE_TYPES), deliveries.BYTES),
    ),
    Route(
        "POST", f"{_ONE}/answers", acts.answer_questions, "Answer what the Manager asks",
        Scope.SUBMIT, _TOLD, schemas.NewAnswers, refusals=(*_LED, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_ONE}/tickets", acts.add_ticket, "Add a ticket",
        Scope.SUBMIT, _TOLD, schemas.NewTicket, refusals=(*_TICKETS, InvalidPlan, NotAColleague), is_repeatable=True,
    ),
    Route(
        "POST", f"{_ONE}/budget", acts.raise_budget, "Let it cost more",
        Scope.SUBMIT, _TOLD, schemas.NewBudget, refusals=_LED, is_repeatable=True,
    ),
    Route(
        "POST", f"{_ONE}/stop", acts.stop_delivery, "Stop it; what came of it is summed up",
        Scope.SUBMIT, _TOLD, schemas.OfLeader, refusals=_LED, is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/review", acts.review_ticket, "Approve a ticket or request changes, overruling the Manager",
        Scope.SUBMIT, _TOLD, schemas.NewReview, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/answer", acts.answer_block, "Tell a blocked ticket's worker what it lacks",
        Scope.SUBMIT, _TOLD, schemas.NewAnswer, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/permission", acts.answer_permission, "Give an agent leave for what it asked, or refuse it",
        Scope.SUBMIT, _TOLD, schemas.NewPermission, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/owner", acts.change_owner, "Give a ticket to somebody else",
        Scope.SUBMIT, _TOLD, schemas.NewOwner,
        refusals=(*_TICKETS, Outdated, InvalidPlan, NotAColleague), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/checking", acts.change_checking, "Say how risky a ticket is, and who approves it",
        Scope.SUBMIT, _TOLD, schemas.NewChecking, refusals=(*_TICKETS, Outdated, NotAColleague), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/drop", acts.drop_ticket, "Drop a ticket: what depends on it waits for it no more",
        Scope.SUBMIT, _TOLD, schemas.NewDrop, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/reset", acts.reset_ticket, "Begin a ticket anew that has failed",
        Scope.SUBMIT, _TOLD, schemas.OfDecider, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/start", acts.start_ticket, "Start a ticket, as the person the token is bound to",
        Scope.VOTE, _TOLD, refusals=_TICKETS, is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/block", acts.block_ticket, "Say what a ticket lacks, as the person the token is bound to",
        Scope.VOTE, _TOLD, schemas.NewBlock, refusals=_TICKETS, is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/result", acts.finish_ticket,
        "Show what was made, as the person the token is bound to; it counts once it is registered",
        Scope.VOTE, _TOLD, schemas.NewResult, refusals=(*_TICKETS, InvalidEvidence), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/proposal", acts.answer_proposal,
        "Say what one thinks of a proposal, as the person the token is bound to",
        Scope.VOTE, _TOLD, schemas.NewOpinion, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/hand-over", acts.hand_ticket_over, "Ask a colleague to take a ticket",
        Scope.VOTE, _TOLD, schemas.NewHandOver, refusals=(*_TICKETS, NotAColleague), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/take", acts.take_ticket, "Take a ticket that one was asked to take",
        Scope.VOTE, _TOLD, schemas.NewTaking, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_TICKET}/decline", acts.decline_ticket, "Decline a ticket that one was asked to take",
        Scope.VOTE, _TOLD, schemas.NewTaking, refusals=(*_TICKETS, Outdated), is_repeatable=True,
    ),
    Route(
        "POST", f"{_ONE}/envelopes", envelopes.take_envelope,
        "Send an envelope of the delivery's catalogue; an invalid one is answered by an error, and moves nothing",
        Scope.VOTE, (schemas.EnvelopeTaken,), schemas.SentEnvelope,
        refusals=(*_TICKETS, Outdated, InvalidEvidence), is_repeatable=True, rejection=Envelope,
    ),
    Route(
        "GET", f"{PREFIX}/events/deliveries/{{session_id}}/stream", deliveries.delivery_events,
        "Server-sent events of a delivery: what has happened since the last one, and what happens from now on",
        Scope.READ, query=StreamAsked, refusals=_UNKNOWN, media=EVENT_STREAM, event_types=tuple(EVENTS),
    ),
)  # fmt: skip

PART: Final = ApiPart(ROUTES, takes_part, reader)
