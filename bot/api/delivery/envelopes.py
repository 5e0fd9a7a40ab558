"""Takes envelopes over HTTP (seed 002, section 5): an invalid one is answered by an ``error``, and moves nothing."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from aiohttp import web

from bot.api.context import Call
from bot.api.delivery.deliveries import NAMED, unknown
from bot.api.delivery.schemas import EnvelopeTaken, SentEnvelope
from bot.api.streams import key_of
from bot.api.tokens import Scope
from engine.delivery import commands as asked
from engine.delivery.envelopes.payloads import (
    Answer,
    ClarificationResponse,
    Read,
    Review,
    error_envelope,
    read_envelope,
)
from engine.delivery.inbox import waits_for_owner
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import Evidence
from engine.delivery.tickets.owners import may_work_on
from engine.errors import NotAllowed
from engine.kernel import Command
from engine.workers.envelope_lines import TicketReport
from engine.workers.port import Fault

SCOPES: Final[Mapping[type, Scope]] = {
    ClarificationResponse: Scope.SUBMIT,
    Review: Scope.SUBMIT,
    TicketReport: Scope.VOTE,
}
"""What a token needs for each payload: the same as for the route that does the same."""


async def take_envelope(call: Call) -> EnvelopeTaken | web.Response:
    """Do what an envelope says, as the person or the program that the token is for."""
    said: SentEnvelope = call.body
    state = await NAMED.any(call)
    read = read_envelope(json.dumps(said.root).encode(), state.session_id)
    if isinstance(read, Read) and (scope := SCOPES.get(type(read.payload))) and scope not in call.token.scopes:
        kind = read.envelope.payload_type
        raise NotAllowed(f"This token may not send a {kind}; it takes one with the scope {scope}.")
    command = read if isinstance(read, Fault) else _command(call, state, read)
    if isinstance(command, Fault):
        return await _rejected(call, state, command, _named(state, said.root))
    await call.context.gateway.send(key_of(call, state.session_id), RULEBOOK, command)
    assert isinstance(read, Read)  # noqa: S101 - a fault has returned
    return EnvelopeTaken(payload_type=read.envelope.payload_type, session_id=state.session_id)


def _named(state: Delivery, sent: Any) -> str:
    """Return the ticket that an envelope names, also an invalid one, or the only one where a report or a review names
    none; empty where there is no such ticket.
    """
    match sent:
        case {"payload": {"ticket_id": str(ticket_id)}} if ticket_id:
            return ticket_id if ticket_id in state.tickets else ""
        case {"payload_type": "report" | "review"} if len(state.tickets) == 1:
            return next(iter(state.tickets))
        case _:
            return ""


async def _rejected(call: Call, state: Delivery, fault: Fault, ticket_id: str) -> web.Response:
    """Write down that it is none, and answer so. Whoever may not read the delivery writes nothing into it."""
    if not call.may_read(RULEBOOK.protocol, state):
        raise unknown()
    if state.is_open:
        rejected = asked.RejectEnvelope(
            command_id=call.cause_with_body("rejected"),
            at=call.now(),
            source=call.token.actor,
            payload_type=fault.payload_type,
            message=fault.message,
            ticket_id=ticket_id,
        )
        await call.context.gateway.send(key_of(call, state.session_id), RULEBOOK, rejected)
    at = datetime.fromtimestamp(call.now() / 1000, UTC)
    answered = error_envelope(fault, state.session_id, at, ticket_id)
    return web.Response(body=answered.model_dump_json(), status=422, content_type="application/json")


def _command(call: Call, state: Delivery, read: Read) -> Command | Fault:
    """Return the command that an envelope from outside stands for; what only the scheduler writes is none."""
    told: dict[str, Any] = {"command_id": call.cause_with_body("envelope"), "at": call.now()}
    as_admin = Scope.ADMIN in call.token.scopes
    leads = told | {"by": call.token.user or call.token.actor, "as_admin": as_admin}
    match read.payload:
        case ClarificationResponse() as said:
            return _answers(state, said, leads)
        case Review() as said:
            approves = said.decision == "approved"
            changes = "" if approves else "\n".join(said.requested_changes) or said.notes
            waiting = [each for each in state.tickets.values() if each.status is TicketStatus.AWAITING_REVIEW]
            ticket_id = _meant(said.ticket_id, waiting, "review")
            if isinstance(ticket_id, Fault):
                return ticket_id
            return asked.ReviewTicket(ticket_id=ticket_id, approves=approves, changes=changes, **leads)
        case TicketReport() as said:
            mine = [each for each in state.tickets.values() if _is_to_report(state, each, call.token.user)]
            ticket_id = _meant(said.ticket_id, mine, "report")
            if isinstance(ticket_id, Fault):
                return ticket_id
            return _report(said, told | {"by": call.token.user, "ticket_id": ticket_id})
        case _:
            kind = read.envelope.payload_type
            return Fault(payload_type=kind, message=f"payload_type: {kind} is not taken from outside.")


def _meant(named: str, possible: Sequence[Ticket], kind: str) -> str | Fault:
    """Return the ticket that is named; where none is, the only one that can be meant."""
    if named or len(possible) == 1:
        return named or possible[0].ticket_id
    waiting = ", ".join(each.ticket_id for each in possible) or "none"
    return Fault(payload_type=kind, message=f"payload.ticket_id: say which ticket is meant. Waiting: {waiting}.")


def _is_to_report(state: Delivery, ticket: Ticket, user: str) -> bool:
    return waits_for_owner(ticket) and may_work_on(state, ticket, user)


def _answers(state: Delivery, said: ClarificationResponse, told: dict[str, Any]) -> Command | Fault:
    open_ = state.open_clarification
    if open_ is None:
        return Fault(payload_type="clarification_response", message="Nothing is asked at the moment.")
    known = [each.question_id for each in open_.questions]
    by_question = dict(_placed(place, each, known) for place, each in enumerate(said.answers))
    if strange := [each for each in by_question if each not in known]:
        return Fault(
            payload_type="clarification_response",
            message=f"payload.answers: {len(strange)} of them answer no question that is open.",
        )
    answers = tuple(by_question.get(each, "") for each in known)
    return asked.AnswerClarification(number=open_.number, answers=answers, **told)


def _placed(place: int, answer: Answer | str, known: Sequence[str]) -> tuple[str, str]:
    """Return which question is answered, and how: a text by itself answers the one in its place."""
    if isinstance(answer, str):
        return (known[place] if place < len(known) else ""), answer
    return answer.question_id, answer.text


def _report(said: TicketReport, told: dict[str, Any]) -> Command | Fault:
    match said.status:
        case "blocked":
            why = "\n".join(said.issues) or said.summary
            return asked.BlockTicket(why=why, **told)
        case "proposal":
            text = "\n".join((*said.outputs, *said.issues)) or said.summary
            return asked.AnswerProposal(agrees=not said.issues, text=text, **told)
        case "completed" if len(said.outputs) == len(said.evidence) > 0:
            shown = tuple(_evidence(*each) for each in zip(said.outputs, said.evidence, strict=True))
            return asked.FinishTicket(evidence=shown, summary=said.summary, **told)
        case _:
            message = "payload: a completed report has an entry in evidence for each of outputs."
            return Fault(payload_type="report", message=message)


def _evidence(label: str, shown: str) -> Evidence:
    is_link = shown.startswith(("https://", "http://")) and not any(each.isspace() for each in shown)
    return Evidence(label=label, link=shown) if is_link else Evidence(label=label, text=shown)
