"""Reads an envelope that somebody has sent: all of it is what it must be, or the fault is named."""

from typing import Any, NamedTuple

from pydantic import ValidationError

from engine.delivery.envelopes.payloads import PAYLOADS
from engine.workers.envelope_lines import LONGEST, VERSION, Envelope, ErrorPayload, Strict, stamp, told
from engine.workers.port import Fault


class Read(NamedTuple):
    envelope: Envelope
    payload: Strict


def read_envelope(sent: bytes, session: str) -> Read | Fault:
    """Return an envelope with its payload, or which field is wrong and what it must be: nothing of its content.

    Args:
        session: whose envelope it has to be.
    """
    if len(sent) > LONGEST:
        return Fault(message=f"An envelope has at most {LONGEST} bytes.")
    try:
        envelope = Envelope.model_validate_json(sent)
    except ValidationError as error:
        return Fault(message=told(error))
    kind = PAYLOADS.get(envelope.payload_type)
    if kind is None:
        return Fault(message=f"payload_type: it is one of {', '.join(PAYLOADS)}.")
    if envelope.session_id != session:
        return Fault(payload_type=envelope.payload_type, message="session_id: it is another session's.")
    if envelope.version.partition(".")[0] != VERSION.partition(".")[0]:
        return Fault(payload_type=envelope.payload_type, message=f"version: {VERSION} is spoken here.")
    try:
        return Read(envelope, kind.model_validate(envelope.payload))
    except ValidationError as error:
        return Fault(payload_type=envelope.payload_type, message=told(error, "payload"))


def error_envelope(fault: Fault, session: str, at: Any, ticket: str = "") -> Envelope:
    """Return the ``error`` that answers an envelope which is none (seed 002, section 9).

    Args:
        at: a `datetime` with its zone.
        ticket: which one it was about; empty where it named none that there is.
    """
    hint = "Send it again as docs/schemas/delivery says; nothing has moved."
    payload = ErrorPayload(code="validation_failed", message=fault.message, resolution_hint=hint, ticket_id=ticket)
    return Envelope.model_validate(
        {
            "session_id": session,
            "timestamp": stamp(at),
            "source": "scheduler",
            "target": "sender",
            "payload_type": "error",
            "version": VERSION,
            "payload": payload.model_dump(),
        }
    )
