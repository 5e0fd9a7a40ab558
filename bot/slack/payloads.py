"""Reads what Slack sends, and checks that it has the shape that Bolt and our listeners rely on.

Only what they use is checked; Slack may send whatever else it likes. Nothing here says who may do what.
"""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
CONTENT_TYPES: Final = (JSON, FORM)
MOST_FIELDS: Final = 100
"""Fields of one form; a slash command has about fifteen."""


class Malformed(Exception):
    """It cannot be from Slack as it is; the message says what is wrong, and repeats nothing that was sent."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Named(_Part):
    """A user, a team, a channel, an installation."""

    id: str | None = None
    team_id: str | None = None
    user_id: str | None = None
    enterprise_id: str | None = None


class _Known(_Part):
    """Whoever or whatever has to be known by its id."""

    id: str
    name: str | None = None
    team_id: str | None = None


class _Url(_Part):
    response_url: str | None = None


class _Event(_Part):
    type: str
    subtype: str | None = None
    user: str | Mapping[str, Any] | None = None
    channel: str | Mapping[str, Any] | None = None
    channel_type: str | None = None
    tab: str | None = None
    text: str | None = None
    ts: str | None = None
    thread_ts: str | None = None
    team: str | None = None
    user_team: str | None = None
    source_team: str | None = None
    item: str | Mapping[str, Any] | None = None
    message: Mapping[str, Any] | None = None
    previous_message: Mapping[str, Any] | None = None
    assistant_thread: Mapping[str, Any] | None = None


class _Payload(_Part):
    """What Bolt looks at in any payload before it knows what it is."""

    type: str | None = None
    enterprise: str | _Named | None = None
    team: str | _Named | None = None
    user: str | _Named | None = None
    channel: str | _Named | None = None
    enterprise_id: str | None = None
    team_id: str | None = None
    user_id: str | None = None
    channel_id: str | None = None
    thread_ts: str | None = None
    authorizations: tuple[_Named, ...] | None = None
    event: Mapping[str, Any] | None = None
    view: Mapping[str, Any] | None = None
    message: Mapping[str, Any] | None = None
    previous_message: Mapping[str, Any] | None = None
    assistant_thread: Mapping[str, Any] | None = None
    function_data: Mapping[str, Any] | None = None
    response_url: str | None = None
    response_urls: tuple[_Url, ...] = ()


class _Message(_Part):
    """A message that people write, as an event."""

    user: str
    channel: str
    ts: str


class _Stopped(_Part):
    """Somebody wants us to stop what we do in a thread."""

    user: str
    channel: str
    thread_ts: str | None = None
    event_ts: str


class _Opened(_Part):
    user: str


class _Events(_Part):
    event_id: str | None = None
    event: _Event


class _Container(_Part):
    type: str | None = None
    channel_id: str | None = None
    message_ts: str | None = None
    thread_ts: str | None = None


class _Action(_Part):
    action_id: str
    action_ts: str
    block_id: str | None = None
    type: str | None = None


class _InMessage(_Part):
    """Where a button is that stands in a conversation."""

    channel_id: str


class _Click(_Part):
    user: _Known
    actions: tuple[_Action, ...] = Field(min_length=1)
    container: _Container
    trigger_id: str


class _View(_Part):
    id: str
    callback_id: str
    hash: str
    private_metadata: str | None = None


class _Form(_Part):
    user: _Known
    view: _View


class _Shortcut(_Part):
    user: _Known
    callback_id: str
    trigger_id: str


class _WrittenMessage(_Part):
    ts: str
    text: str | None = None
    thread_ts: str | None = None


class _MessageShortcut(_Shortcut):
    channel: _Known
    message: _WrittenMessage


class _Command(_Part):
    command: str
    user_id: str
    channel_id: str
    trigger_id: str
    text: str = ""


class _Challenge(_Part):
    challenge: str


_KINDS: Final[Mapping[str, type[_Part]]] = {
    "event_callback": _Events,
    "block_actions": _Click,
    "view_submission": _Form,
    "view_closed": _Form,
    "shortcut": _Shortcut,
    "message_action": _MessageShortcut,
    "url_verification": _Challenge,
}
_EVENTS: Final[Mapping[str, type[_Part]]] = {
    "app_home_opened": _Opened,
    "agent_session_stopped": _Stopped,
}


def read_payload(content_type: str, body: str) -> dict[str, Any]:
    payload = _object(body) if content_type == JSON else _of_form(body)
    check_payload(payload)
    return payload


def check_payload(payload: Mapping[str, Any]) -> None:
    checked = _validated(_Payload, payload)
    kind = _KINDS.get(checked.type or "")
    if kind is not None:
        _validated(kind, payload)
    elif checked.type is None and "ssl_check" not in payload:
        _validated(_Command, payload)
    if checked.type == "event_callback":
        _check_event(payload["event"])
    elif checked.type == "block_actions" and payload["container"].get("type") != "view":
        _validated(_InMessage, payload["container"])


def _check_event(event: Mapping[str, Any]) -> None:
    kind = _EVENTS.get(event["type"])
    if event["type"] in ("app_mention", "message"):
        # Only what a person has written is read: a workflow is nobody, and what was edited has another shape.
        kind = _Message if event.get("user") and not event.get("hidden") else None
    if kind is not None:
        _validated(kind, event)


def _validated(kind: type[_Part], said: Mapping[str, Any]) -> Any:
    try:
        return kind.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(each) for each in first["loc"][:4])
        raise Malformed(f"{where or 'the payload'}: {first['msg'].lower()}") from None


def _of_form(body: str) -> dict[str, Any]:
    try:
        fields = parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:
        raise Malformed("the form cannot be read") from None
    said = dict(fields)
    if len(said) != len(fields):
        raise Malformed("a field is there twice")
    return _object(said["payload"]) if "payload" in said else said


def _object(text: str) -> dict[str, Any]:
    try:
        said = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Malformed("it is not JSON") from None
    if not isinstance(said, dict):
        raise Malformed("it is not a JSON object")
    return said


def _no_number(_: str) -> Any:
    """Refuse what Python reads as a number and JSON does not know: Infinity and NaN."""
    raise ValueError
