"""Takes envelopes over HTTP (seed 002, section 5): an invalid one is answered by an ``error``, and moves nothing."""

import json
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from bot.api.context import Call
from bot.api.delivery.lookup import NAMED, unknown
from bot.api.delivery.schemas import EnvelopeTaken, SentEnvelope
from bot.api.streams import key_of
from bot.api.tokens import Scope
from engine.delivery import commands as asked
from engine.delivery.envelopes.payloads import ClarificationResponse, Review, TicketReport
from engine.delivery.envelopes.reading import Read, error_envelope, read_envelope
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.delivery.terms import Evidence
from engine.kernel import Command
from engine.workers.port import Fault


async def take_envelope(call: Call) -> EnvelopeTaken | web.Response:
    """Do what an envelope says, as the person or the program that the token is for.

    Raises:
        Refusal, StoreError, TimeoutError
    """
    said: SentEnvelope = call.body
    state = await NAMED.any(call)
    read = read_envelope(json.dumps(said.root).encode(), state.session_id)
    command = read if isinstance(read, Fault) else _command(call, state, read)
    if isinstance(command, Fault):
        return await _rejected(call, state, command)
    await call.context.gateway.send(key_of(call, state.session_id), RULEBOOK, command)
    assert isinstance(read, Read)  # noqa: S101 - a fault has returned
    return EnvelopeTaken(payload_type=read.envelope.payload_type, session_id=state.session_id)


async def _rejected(call: Call, state: Delivery, fault: Fault) -> web.Response:
    """Write down that it is none, and answer so. Whoever may not read the delivery writes nothing into it.

    Raises:
        UnknownStream: it is not theirs to read.
        Refusal, StoreError, TimeoutError
    """
    if not call.may_read(RULEBOOK.protocol, state):
        raise unknown()
    if state.is_open:
        rejected = asked.RejectEnvelope(
            command_id=call.cause_with_body("rejected"),
            at=call.now(),
            source=call.token.actor,
            payload_type=fault.payload_type,
            message=fault.message,
        )
        await call.context.gateway.send(key_of(call, state.session_id), RULEBOOK, rejected)
    at = datetime.fromtimestamp(call.now() / 1000, UTC)
    answered = error_envelope(fault, state.session_id, at)
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
            changes = "\n".join(said.requested_changes) or said.notes
            return asked.ReviewTicket(
                ticket_id=said.ticket_id, approves=approves, changes="" if approves else changes, **leads
            )
        case TicketReport() as said:
            return _report(said, told | {"by": call.token.user})
        case _:
            kind = read.envelope.payload_type
            return Fault(payload_type=kind, message=f"payload_type: {kind} is not taken from outside.")


def _answers(state: Delivery, said: ClarificationResponse, told: dict[str, Any]) -> Command | Fault:
    open_ = state.open_clarification
    if open_ is None:
        return Fault(payload_type="clarification_response", message="Nothing is asked at the moment.")
    by_question = {each.question_id: each.text for each in said.answers}
    known = [each.question_id for each in open_.questions]
    if strange := [each for each in by_question if each not in known]:
        return Fault(
            payload_type="clarification_response",
            message=f"payload.answers: {len(strange)} of them answer no question that is open.",
        )
    answers = tuple(by_question.get(each, "") for each in known)
    return asked.AnswerClarification(number=open_.number, answers=answers, **told)


def _report(said: TicketReport, told: dict[str, Any]) -> Command | Fault:
    match said.status:
        case "blocked":
            why = "\n".join(said.issues) or said.summary
            return asked.BlockTicket(ticket_id=said.ticket_id, why=why, **told)
        case "proposal":
            text = "\n".join((*said.outputs, *said.issues)) or said.summary
            return asked.AnswerProposal(ticket_id=said.ticket_id, agrees=not said.issues, text=text, **told)
        case "completed" if len(said.outputs) == len(said.evidence) > 0:
            shown = tuple(_evidence(*each) for each in zip(said.outputs, said.evidence, strict=True))
            return asked.FinishTicket(ticket_id=said.ticket_id, evidence=shown, summary=said.summary, **told)
        case _:
            message = "payload: a completed report has an entry in evidence for each of outputs."
            return Fault(payload_type="report", message=message)


def _evidence(label: str, shown: str) -> Evidence:
    is_link = shown.startswith(("https://", "http://")) and not any(each.isspace() for each in shown)
    return Evidence(label=label, link=shown) if is_link else Evidence(label=label, text=shown)
