"""Every text in an event is private, or one of the few kinds that everybody may know."""

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import pytest
from msgspec.structs import fields
from pydantic import BaseModel

from bot.registry import PROTOCOLS
from engine.deliberation.policy import Policy as DeliberationPolicy
from engine.delivery.policy import Policy as DeliveryPolicy
from engine.directory.messages import Settings
from engine.kernel import PRIVATE, Event, Message
from engine.kernel.encoding import records_in
from engine.negotiation.policy import Policy

EVENTS: Final = {name: kind for each in PROTOCOLS for name, kind in each.rulebook.events.items()}

ID: Final = "an id that ToWow or Slack has made, or that code has looked up among those"
CODE: Final = "a code of ToWow's own"

DATE: Final = "an ISO date, which code has read as one"

REGISTRY: Final = "a word of the role registry, which an operator writes"

LANGUAGE: Final = "the tag of a language"

PUBLIC: Final = {
    "agent_session": "an id that an agent has made",
    "artifacts.content_type": CODE,
    "capabilities": REGISTRY,
    "task.capabilities": REGISTRY,
    "tasks.capabilities": REGISTRY,
    "roles.capabilities": REGISTRY,
    "checks.name": REGISTRY,
    "roles.checks": REGISTRY,
    "roles.name": REGISTRY,
    "role_id": REGISTRY,
    "checked_by": ID,
    "started_by": ID,
    "gone": ID,
    "tasks.check": REGISTRY,
    "task.check": REGISTRY,
    "file_id": ID,
    "payload_type": CODE,
    "source": ID,
    "ticket_id": ID,
    "waits_for": ID,
    "worker": "the name and the version of a program, as it says",
    "agent": CODE,
    "agent_id": ID,
    "agent_ids": ID,
    "analysis.self_similarity.name": CODE,
    "analysis.slots.name": CODE,
    "brief.language": LANGUAGE,
    "brief.locale": LANGUAGE,
    "facts.before": ID,
    "facts.cost.currency": "a currency's code",
    "facts.demands.currency": "a currency's code",
    "facts.demands.day": DATE,
    "facts.demands.first": DATE,
    "facts.demands.last": DATE,
    "facts.fact_id": ID,
    "facts.option_id": ID,
    "facts.person_id": ID,
    "facts.task_id": ID,
    "pairs.critic": ID,
    "pairs.planner": ID,
    "position.dates.day": DATE,
    "position.owners.person_id": ID,
    "answered": ID,
    "argument": ID,
    "arguments": ID,
    "because": ID,
    "by": ID,
    "channel": ID,
    "code": CODE,
    "channel_id": ID,
    "confirmed_participants": ID,
    "after": ID,
    "conversation_id": "an id that the program which asked over HTTP has made",
    "core_without_accept": ID,
    "counted": "ids of needs: need_1 and so on, however a model has called them",
    "covers": "ids of needs: need_1 and so on, however a model has called them",
    "created_at": "a time",
    "deadline": DATE,
    "demand_id": ID,
    "depends_on": ID,
    "earliest": DATE,
    "ends": DATE,
    "error.detail": CODE,
    "errors.detail": CODE,
    "fact_id": ID,
    "facts": ID,
    "former_chain": "a digest",
    "digest": "a digest",
    "confidence": "a level; what a model says is held against the three there are",
    "model": "the name of a model",
    "need_id": "need_1 and so on, however a model has called it",
    "delegate": ID,
    "need_ids": ID,
    "needs": ID,
    "next_channel_id": ID,
    "next_demand_id": ID,
    "not_again": ID,
    "not_waited_for": ID,
    "offer_id": ID,
    "preparing": ID,
    "optional_participants": ID,
    "origin": ID,
    "brief.origin_protocol": CODE,
    "owner": ID,
    "parent_channel_id": ID,
    "parent_demand_id": ID,
    "person_id": ID,
    "point_id": ID,
    "priority": "a level; what a model says is held against the three there are",
    "prompt": "the name of a prompt",
    "prompt_hash": "a digest",
    "proposal_id": ID,
    "question_id": ID,
    "recipients": ID,
    "reopened_from": ID,
    "repeats": ID,
    "replaces": ID,
    "requester_id": ID,
    "same_for": ID,
    "session_id": ID,
    "severity": CODE,
    "slot": CODE,
    "spoken": ID,
    "starts": DATE,
    "status": CODE,
    "stream": ID,
    "workflow_run": ID,
    "sub_channel_id": ID,
    "sub_demand_id": ID,
    "task_id": "task-1 and so on, however a model has called it",
    "thread": ID,
    "key": "``seat/`` and an agent id, or ``step/`` and a number",
    "message_ts": ID,
    "language": "a language's tag; what a model says is held against the form of one",
    "locale": "a locale, as Slack tells it",
    "time_zone": "a name of the time zones' database, as Slack tells it",
    "to": ID,
    "today": DATE,
    "tool": CODE,
    "uncovered_needs": ID,
    "user_id": ID,
    "whose": ID,
    "votes": "agent ids and votes",
    "why": CODE,
}
"""Fields that everybody may know, though they are texts: by name, or by path where the name says too little, and what
is in them."""

WHOLE: Final = {
    DeliveryPolicy: "the name of a preset, numbers, and the id of a user",
    DeliberationPolicy: "the name of a preset, and numbers",
    Policy: "the name of a preset, and numbers",
    Settings: "the name of a preset, numbers, times of the day, and ids of channels and users",
}
"""Records that everybody may know as they are."""


def texts(kind: type[Message]) -> Iterator[tuple[str, Any]]:
    """Every field that may hold a text and is not private, however deep it is: its path, and its type."""
    for each in fields(kind):
        if PRIVATE in getattr(each.type, "__metadata__", ()):
            continue
        if inner := [*records_in(each.type)]:
            for record in inner:
                yield from ((f"{each.name}.{path}", hint) for path, hint in texts(record))
        elif holds_text(each.type):
            yield each.name, each.type


def names(path: str) -> set[str]:
    """What a field may be declared public by."""
    return {path, path.rpartition(".")[2]}


def holds_text(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return holds_text(get_args(hint)[0])
    if get_origin(hint) is Literal:
        return False
    if inner := get_args(hint):
        return any(holds_text(each) for each in inner)
    if isinstance(hint, type) and issubclass(hint, Enum | int | float | type(None)):
        return False
    return hint is not Ellipsis


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS.keys())
def test_whatever_may_quote_somebody_is_private(kind: type[Event]) -> None:
    strange = {path: hint for path, hint in texts(kind) if not PUBLIC.keys() & names(path) and hint not in WHOLE}

    assert not strange, "mark it PRIVATE, or say above why everybody may know it"


def test_no_kind_of_text_is_declared_public_that_no_event_has() -> None:
    found = {name for kind in EVENTS.values() for path, _ in texts(kind) for name in names(path)}

    assert {*PUBLIC} - found == set()


@pytest.mark.parametrize("kind", WHOLE)
def test_a_record_that_is_public_as_a_whole_holds_ids_and_numbers_alone(kind: type[BaseModel]) -> None:
    texts = {name for name, each in kind.model_fields.items() if holds_text(each.annotation)}

    ids = {"name", "policy", "channels", "admins", "fail_on_rejections", "force_at", "manager_user"}
    assert texts <= ids | {"digest_times", "quiet_hours"}
