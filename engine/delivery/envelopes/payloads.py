"""What each ``payload_type`` carries (seed 002, section 5.1)."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

from pydantic import Field, StringConstraints, ValidationError

from engine.facts.shortening import without_surrogates
from engine.workers.envelope_lines import (
    LONGEST,
    VERSION,
    WHOLE,
    ArtifactRef,
    Envelope,
    ErrorPayload,
    Line,
    Strict,
    Text,
    TicketArtifact,
    TicketId,
    TicketReport,
    Timestamp,
    stamp,
    told,
)
from engine.workers.port import Fault

MOST: Final = 120
"""Entries of one list."""
Id = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Lines = Annotated[tuple[Line, ...], Field(max_length=MOST)]
Ids = Annotated[tuple[Id, ...], Field(max_length=MOST)]
TicketState = Literal["pending", "discussing", "in_progress", "blocked", "awaiting_review", "done", "error", "dropped"]


class Asked(Strict):
    question_id: Id
    text: Line


class Clarification(Strict):
    """The Manager asks the requester, or says that nothing is to be asked."""

    questions: Annotated[tuple[Asked | Line, ...], Field(max_length=MOST)] = ()
    """A text by itself is a question without an id."""
    status: Literal["needed", "closed"]
    intent_summary: Text = ""


class Answer(Strict):
    question_id: Id
    text: Text
    """Empty where it is left to the Manager."""


class ClarificationResponse(Strict):
    answers: Annotated[tuple[Answer | Text, ...], Field(max_length=MOST)]
    """A text by itself answers the question in its place."""
    status: Literal["answered", "closed"] = "answered"


class ClarificationNeeded(Strict):
    """The scheduler asks the Manager whether anything is to be asked."""

    goal: Text


class AssignedTo(Strict):
    """Whom a task is for: a role, or a person."""

    role_id: Annotated[str, StringConstraints(max_length=300)] = ""
    person_id: Annotated[str, StringConstraints(max_length=300)] = ""


class Output(Strict):
    label: Line
    path: Annotated[str, StringConstraints(max_length=300)] = ""


class PlanTask(Strict):
    task_id: Id
    description: Text
    dependencies: Ids = ()
    expected_outputs: Annotated[tuple[Output | Line, ...], Field(max_length=MOST)] = ()
    assigned_to: AssignedTo = AssignedTo()
    status: TicketState = "pending"
    risks: Lines = ()
    risk: Literal["low", "high"] = "low"
    """``high``: how it is done is discussed first."""
    risk_reason: Annotated[str, StringConstraints(max_length=300)] = ""
    checked_by: Annotated[str, StringConstraints(max_length=300)] = ""
    """A person who approves it; the Manager does, or the requester, where it is empty."""
    acceptance_criteria: Lines = ()
    deadline: Annotated[str, StringConstraints(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")] = ""


class Plan(Strict):
    tasks: Annotated[tuple[PlanTask, ...], Field(min_length=1, max_length=MOST)]


class HistoryEntry(Strict):
    timestamp: Timestamp
    event: Line
    by: Annotated[str, StringConstraints(max_length=300)] = ""


class Ticket(Strict):
    """The scheduler's own picture of a ticket."""

    ticket_id: Id
    task_id: Id
    owner: Annotated[str, StringConstraints(max_length=300)] = ""
    status: TicketState
    history: Annotated[tuple[HistoryEntry, ...], Field(max_length=10_000)] = ()


class OfTicket(Strict):
    ticket_id: Id


class OfSomeTicket(Strict):
    """What the seed's catalogue gives no ticket."""

    ticket_id: TicketId = ""
    """Empty where only one can be meant."""


class InstructionProposal(OfSomeTicket):
    summary: Text
    title: Text = ""
    open_questions: Lines = ()
    risks: Lines = ()
    draft_steps: Lines = ()


class Instruction(OfSomeTicket):
    summary: Text
    steps: Lines = ()
    resources: Lines = ()
    acceptance_criteria: Lines = ()


class Dispatch(OfTicket):
    """Everything that a worker is told of its ticket."""

    task_id: Id
    title: Text
    description: Text = ""
    goal: Text = ""
    summary: Text = ""
    steps: Lines = ()
    resources: Lines = ()
    acceptance_criteria: Lines = ()
    expected_outputs: Annotated[tuple[Output, ...], Field(max_length=MOST)] = ()
    results: Lines = ()
    """What the tickets that this one depends on have made."""
    answers: Lines = ()
    changes: Lines = ()
    deadline: Annotated[str, StringConstraints(max_length=20)] = ""


class ReviewRequest(OfTicket):
    """The scheduler asks the Manager to look at a report."""

    report: Annotated[int, Field(ge=1), WHOLE]
    """Which one of the ticket's, counted from 1."""
    artifacts: Annotated[tuple[ArtifactRef, ...], Field(max_length=MOST)] = ()


class Review(OfSomeTicket):
    decision: Literal["approved", "changes_requested"]
    notes: Text = ""
    requested_changes: Lines = ()


class Update(OfTicket):
    """A ticket has another status."""

    status: TicketState
    owner: Annotated[str, StringConstraints(max_length=300)] = ""
    why: Text = ""


class FinalTicket(Strict):
    ticket_id: Id
    title: Text
    owner: Text = ""
    status: TicketState
    artifacts: Annotated[tuple[ArtifactRef, ...], Field(max_length=MOST)] = ()


class FinalReport(Strict):
    status: Literal["completed", "incomplete"]
    reason: Line
    summary: Text
    tickets: Annotated[tuple[FinalTicket, ...], Field(max_length=MOST)] = ()
    learned: Lines = ()
    next_steps: Lines = ()


PAYLOADS: Final[Mapping[str, type[Strict]]] = {
    "clarification": Clarification,
    "clarification_response": ClarificationResponse,
    "clarification_needed": ClarificationNeeded,
    "plan": Plan,
    "ticket": Ticket,
    "instruction_proposal": InstructionProposal,
    "instruction": Instruction,
    "dispatch": Dispatch,
    "report": TicketReport,
    "review_request": ReviewRequest,
    "review": Review,
    "artifact_ref": TicketArtifact,
    "update": Update,
    "final_report": FinalReport,
    "error": ErrorPayload,
}
"""By the name that an envelope gives its payload."""


# ── as they are read ──────────────────────────────────────────────────────────────────────────────────────────────────
# Reads an envelope that somebody has sent: all of it is what it must be, or the fault is named.


class Read(NamedTuple):
    envelope: Envelope
    payload: Strict


def read_envelope(sent: bytes, session: str) -> Read | Fault:
    """Return an envelope with its payload, or the wrong field and what it must be, without its content.

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


# ── as they fit ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Makes what a delivery knows fit into the bounds of an envelope: people and models may write more.


Payload = TypeVar("Payload", bound=Strict)

NOTHING: Final = "…"
"""In the place of a text that may not be empty: its words were erased."""
ELLIPSIS: Final = "…"


def fitted(kind: type[Payload], said: Mapping[str, Any]) -> Payload:
    """Return the payload; what is too long for it is cut, and ends with an ellipsis.

    Args:
        said: values that JSON has.

    Raises:
        pydantic.ValidationError: something else than its length is wrong.
    """
    try:
        return kind.model_validate(said)
    except ValidationError as error:
        cut = json.loads(json.dumps(said))
        for each in error.errors(include_url=False):
            _cut(cut, each["loc"], each["type"], each.get("ctx", {}).get("max_length", 0))
        return kind.model_validate(cut)


def _cut(said: Any, loc: tuple[int | str, ...], why: str, most: int) -> None:
    *way, last = loc
    for step in way:
        if isinstance(step, int) or (isinstance(said, dict) and step in said):
            said = said[step]  # any other step names one of several shapes that it may have
    match why:
        case "string_too_long":
            said[last] = without_surrogates(said[last])[: most - 1] + ELLIPSIS
        case "string_too_short":
            said[last] = NOTHING
        case "string_unicode":
            said[last] = without_surrogates(said[last])
        case "too_long":
            said[last] = said[last][:most]
        case _:
            pass


DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, str]:
    """Return what each ``<name>.schema.json`` holds: the envelope, and each payload by its type."""
    shapes: dict[str, type[Strict]] = {"envelope": Envelope, **PAYLOADS}
    return {name: _written(name, shape.model_json_schema()) for name, shape in shapes.items()}


def _written(name: str, schema: dict[str, Any]) -> str:
    title = "".join(each.capitalize() for each in name.split("_"))
    return json.dumps({"$schema": DIALECT} | schema | {"title": title}, indent=2, ensure_ascii=False) + "\n"
