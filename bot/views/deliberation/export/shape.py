"""The shape of the JSON export, which stays. `schema.json` beside this file says the same in JSON Schema.

What changes a field's name or meaning, or takes one away, is a new `schema_version`; a field more is not.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from engine.deliberation.closing.decision_record import DecisionRecord
from engine.deliberation.envelopes.outputs import Plan
from engine.deliberation.envelopes.session import SessionState
from engine.deliberation.terms import Agent
from engine.facts.shortening import without_surrogates
from engine.kernel import FactKind, Validated

Text = Annotated[str, BeforeValidator(without_surrogates)]
"""As somebody wrote it; nothing in it is escaped."""


class Part(Validated):
    model_config = ConfigDict(use_attribute_docstrings=True)


class Person(Part):
    person_id: str
    """As tasks name their owners."""
    user_id: str | None
    """The linked person; none where there is only a twin."""
    name: Text
    role: Text
    brings: Text
    hours: float | None
    """How many they have said they can give."""


class Fact(Part):
    fact_id: str
    """As tasks and positions name what they rest on."""
    kind: FactKind
    text: Text
    by: str | None
    """The user who said it; none where nobody alone did."""


class Brief(Part):
    """What was to be planned, and what was known about it."""

    title: Text
    goal: Text
    origin: str | None
    """The negotiation, or whatever else it goes on from."""
    time_zone: str
    starts: str | None
    """ISO date."""
    ends: str | None
    """ISO date, inclusive."""
    options: tuple[Text, ...]
    """What there was to choose from."""
    people: tuple[Person, ...]
    facts: tuple[Fact, ...]


class FinalPlan(Part):
    by: Agent
    """Whose plan it is."""
    round: int
    """In which it was made."""
    is_valid: bool
    """Whether the validity check of its critique has no "no". One that nobody has criticised counts as not valid."""
    plan: Plan


class Point(Part):
    """Somebody's objection."""

    point_id: str
    by: str
    text: Text
    answers: dict[str, Text]
    """By agent. It is settled once both have answered."""


class Question(Part):
    """Somebody's question to the Critic."""

    question_id: str
    by: str
    text: Text
    reply: Text | None
    """None where none is there."""


class Choice(Part):
    by: str
    chosen: Agent
    why: Text
    at: str


class Export(Part):
    """A deliberation. Every time is ISO 8601, UTC; every day an ISO date in the time zone of the brief."""

    schema_version: Literal[1] = 1
    asked_by: str
    """A user's id."""
    brief: Brief
    plan: FinalPlan | None
    """The plan that it ended with."""
    points: tuple[Point, ...]
    questions: tuple[Question, ...]
    choice: Choice | None
    """Of whoever asked, between the two positions."""
    decision_record: DecisionRecord
    session: SessionState
    """All that was said, the report among it, as the HTTP interface tells it."""


def schema() -> str:
    """What `schema.json` holds."""
    shape: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    shape |= Export.model_json_schema(mode="serialization")
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"
