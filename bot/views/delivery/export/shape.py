"""The shape of the JSON export, which stays. `schema.json` beside this file says the same in JSON Schema.

What changes a field's name or meaning, or takes one away, is a new `schema_version`; a field more is not.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from engine.delivery.state import Status, TicketStatus
from engine.delivery.terms import EndReason, PersonNeed, PlannedBy, WorkerKind
from engine.facts.shortening import without_surrogates
from engine.kernel import Validated

Text = Annotated[str, BeforeValidator(without_surrogates)]
"""As somebody wrote it; nothing in it is escaped."""


class Part(Validated):
    model_config = ConfigDict(use_attribute_docstrings=True)


class Brief(Part):
    """What was to be carried out."""

    title: Text
    goal: Text
    origin: str | None
    """The negotiation or the deliberation that it goes on from; none where somebody asked for it directly."""
    time_zone: str
    ends: str | None
    """ISO date, inclusive."""


class Worker(Part):
    kind: WorkerKind
    user_id: str | None
    """Of a person."""
    role_id: str | None
    """Of everything that is no person: its role in the registry."""
    name: Text


class Output(Part):
    label: Text
    uri: Text
    """Relative to the folder of the session; an address where it is a link."""
    digest: str
    """``sha256:`` and 64 hexadecimal digits; of a link: of its address."""
    content_type: str
    size_bytes: int
    is_link: bool


class Check(Part):
    name: str
    has_passed: bool


class Attempt(Part):
    number: int
    by: str
    """A user's id, or a role's."""
    started_at: str
    ended_at: str | None
    outcome: str
    """``reported``, ``blocked``, ``permission``, or why it failed; empty while it is under way."""


class DecisionMade(Part):
    """What a person had to decide about a ticket."""

    need: PersonNeed
    text: Text
    outcome: str
    """How it was settled; empty while it waits."""
    by: str | None
    """A user's id, ``manager`` or ``scheduler``."""
    at: str | None
    """When it was settled."""


class Ticket(Part):
    ticket_id: str
    task_id: str
    title: Text
    description: Text
    status: TicketStatus
    owner: Worker
    depends_on: tuple[str, ...]
    """Ticket ids."""
    deadline: str | None
    """ISO date."""
    expected_outputs: tuple[Text, ...]
    acceptance: tuple[Text, ...]
    risk: Literal["low", "high"]
    """``high``: how it is done is discussed before anybody begins."""
    risk_reason: Text
    checked_by: str | None
    """Who approves it, a user's id; the Manager does, or whoever asked, where there is none."""
    summary: Text
    """What its owner has reported last."""
    outputs: tuple[Output, ...]
    """Those of the last report."""
    checks: tuple[Check, ...]
    approved_by: str | None
    """``manager``, or a user's id."""
    unread: tuple[Text, ...] = ()
    """What of it a person who has approved it had not opened, by its label."""
    attempts: tuple[Attempt, ...]
    decisions: tuple[DecisionMade, ...]
    input_tokens: int
    output_tokens: int
    usd: float
    """As far as whoever worked has reported it; likewise the tokens."""


class Report(Part):
    summary: Text
    learned: tuple[Text, ...]
    next_steps: tuple[Text, ...]


class Export(Part):
    """A delivery. Every time is ISO 8601, UTC; every day an ISO date in the time zone of the brief."""

    schema_version: Literal[1] = 1
    session_id: str
    asked_by: str
    """A user's id."""
    status: Status
    reason: EndReason | None
    """Why nothing more is done."""
    planned_by: PlannedBy | None
    brief: Brief
    opened_at: str
    ended_at: str | None
    tickets: tuple[Ticket, ...]
    report: Report | None


def schema() -> str:
    """What `schema.json` holds."""
    shape: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    shape |= Export.model_json_schema(mode="serialization")
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"
