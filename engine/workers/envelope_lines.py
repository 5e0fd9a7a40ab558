"""The envelopes that a command sends by line (seed 002, section 5): ``report``, ``artifact_ref`` and ``error``."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)

from engine.facts.shortening import visible
from engine.workers.port import Fault

VERSION: Final = "1.0"
LONGEST: Final = 1_000_000
"""Bytes of one envelope."""
PAYLOAD_TYPES: Final = ("report", "artifact_ref", "error")

Text = Annotated[str, StringConstraints(max_length=20_000)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]
"""Longer than anything that a person may write about a ticket."""
TicketId = Annotated[str, StringConstraints(max_length=300)]
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


TIME: Final = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
    r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
)


def _said_with_zone(value: Any) -> Any:
    if not (isinstance(value, str) and re.search(TIME, value) and value.isascii() and not value.endswith("\n")):
        raise ValueError("a timestamp is a text, in ISO 8601, with its offset, such as 2025-12-06T12:34:56Z")
    return value


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("there is no such time in UTC") from None


def _number(value: Any) -> Any:
    """Accept what JSON Schema calls a whole number: 7.0 is one; "7" and true are none."""
    if isinstance(value, bool | str):
        raise ValueError("it has to be a number")
    return value


Timestamp = Annotated[
    AwareDatetime,
    BeforeValidator(_said_with_zone),
    AfterValidator(_in_utc),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": TIME}),
]
WHOLE: Final = BeforeValidator(_number)


def stamp(moment: datetime) -> str:
    """Write a moment as every envelope does: UTC, with ``Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Report(Strict):
    status: Literal["completed", "blocked", "error", "proposal"]
    summary: Text = ""
    outputs: tuple[Line, ...] = Field((), max_length=50)
    evidence: tuple[Line, ...] = Field((), max_length=50)
    issues: tuple[Line, ...] = Field((), max_length=50)
    next_actions: tuple[Line, ...] = Field((), max_length=50)


class ArtifactRef(Strict):
    label: Line
    uri: Line
    digest: Digest | None = None
    content_type: Annotated[str, StringConstraints(max_length=200)] = ""
    size_bytes: Annotated[int, Field(ge=0), WHOLE] = 0
    description: Text = ""


class TicketReport(Report):
    """A report, and of which ticket; empty where only one can be meant."""

    ticket_id: TicketId = ""


class TicketArtifact(ArtifactRef):
    """A reference to something that was made, and by which ticket."""

    ticket_id: TicketId = ""


class ErrorPayload(Strict):
    code: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    message: Text
    resolution_hint: Text = ""
    ticket_id: TicketId = ""
    """Which ticket it is about; empty where it is about none."""


class Envelope(Strict):
    session_id: Line
    timestamp: Timestamp
    source: Line
    target: Line
    payload_type: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    version: Annotated[str, StringConstraints(min_length=1, max_length=20)]
    payload: dict[str, Any]


PAYLOADS: Final[dict[str, type[TicketReport | TicketArtifact | ErrorPayload]]] = {
    "report": TicketReport,
    "artifact_ref": TicketArtifact,
    "error": ErrorPayload,
}


def read_line(line: bytes, session: str, ticket: str = "") -> tuple[str, Strict] | Fault:
    """Return what a line says, by its payload type, or what is wrong with it.

    Args:
        ticket: whose worker has sent it; a line that names another one is none.
    """
    if len(line) > LONGEST:
        return Fault(message=f"An envelope has at most {LONGEST} bytes.")
    try:
        envelope = Envelope.model_validate_json(line)
    except ValidationError as error:
        return Fault(message=told(error))
    kind = PAYLOADS.get(envelope.payload_type)
    if kind is None:
        return Fault(message=f"payload_type: a worker sends {', '.join(PAYLOAD_TYPES)}.")
    if envelope.session_id != session:
        return Fault(payload_type=envelope.payload_type, message="session_id: it is another session's.")
    if envelope.version.partition(".")[0] != VERSION.partition(".")[0]:
        return Fault(payload_type=envelope.payload_type, message=f"version: {VERSION} is spoken here.")
    try:
        said = kind.model_validate(envelope.payload)
    except ValidationError as error:
        return Fault(payload_type=envelope.payload_type, message=told(error, "payload"))
    if ticket and said.ticket_id not in ("", ticket):
        return Fault(payload_type=envelope.payload_type, message="payload.ticket_id: it is another ticket's.")
    return envelope.payload_type, said


def told(error: ValidationError, within: str = "") -> str:
    """Say which fields are wrong and what each must be, with nothing of what they hold."""
    lines = []
    for each in error.errors(include_url=False, include_input=False, include_context=False)[:5]:
        path = ".".join(visible(str(part))[:60] for part in (within, *each["loc"]) if part != "")
        lines.append(f"{path or 'the whole'}: {each['msg']}")
    return "; ".join(lines)[:500]
