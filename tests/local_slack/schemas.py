"""Validates everything that the workspace sends against Slack's own types, where their schemas are available."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft7Validator

NEWER = ("container", "context_actions", "data_table", "plan", "task_card")
SCHEMAS = Path(__file__).parents[2].parent / "shared" / "slack" / "payloads"

RESPONSES: dict[str, tuple[str, str] | None] = {
    "agents.sessions.setStatus": None,
    "api.test": None,
    "apps.connections.open": ("RConn", ""),
    "assistant.threads.setSuggestedPrompts": None,
    "auth.test": ("RAuth", ""),
    "blocks.validate": None,
    "bots.info": None,
    "chat.delete": ("RUpdate", ""),
    "chat.getPermalink": None,
    "chat.postEphemeral": ("REph", ""),
    "chat.postMessage": ("RPost", ""),
    "chat.update": ("RUpdate", ""),
    "conversations.history": ("RReplies", ""),
    "conversations.info": ("RDm", ""),
    "conversations.join": ("RDm", ""),
    "conversations.list": ("RDm", "channels"),
    "conversations.members": None,
    "conversations.open": ("RDm", ""),
    "conversations.replies": ("RReplies", ""),
    "files.completeUploadExternal": None,
    "files.getUploadURLExternal": None,
    "files.info": None,
    "functions.completeError": None,
    "functions.completeSuccess": None,
    "reactions.add": None,
    "reactions.remove": None,
    "team.info": None,
    "dnd.teamInfo": None,
    "usergroups.list": None,
    "usergroups.users.list": None,
    "users.conversations": ("RDm", "channels"),
    "users.info": ("RUser", ""),
    "users.list": ("RUser", "members"),
    "views.open": ("RViews", ""),
    "views.publish": ("RViews", ""),
    "views.push": ("RViews", ""),
    "views.update": ("RViews", ""),
}
"""Method -> the schema of its answer, or of each item in this list of it; None where there is none at hand."""

ITEM = {"channels": "channel", "members": "user"}
"""A list in an answer -> how an answer with one such item calls it."""

EVENTS: dict[tuple[str, str | None], tuple[str, str] | None] = {
    ("agent_session_stopped", None): None,
    ("app_mention", None): ("EvAppMention", ""),
    ("message", None): ("EvMessage", ""),
    ("message", "thread_broadcast"): ("EvChanged", "ThreadBroadcastMessageEvent"),
    ("message", "bot_message"): ("EvChanged", "BotMessageEvent"),
    ("message", "file_share"): ("EvChanged", "FileShareMessageEvent"),
    ("message", "me_message"): ("EvChanged", "MeMessageEvent"),
    ("message", "message_changed"): ("EvChanged", ""),
    ("message", "message_deleted"): ("EvChanged", "MessageDeletedEvent"),
    ("app_home_opened", None): ("EvHome", ""),
    ("app_uninstalled", None): None,
    ("channel_id_changed", None): None,
    ("channel_shared", None): None,
    ("channel_unshared", None): None,
    ("channel_unarchive", None): None,
    ("group_unarchive", None): None,
    ("function_executed", None): None,
    ("member_joined_channel", None): None,
    ("member_left_channel", None): None,
    ("user_change", None): None,
    ("tokens_revoked", None): None,
}
"""Type and subtype -> schema and definition in it."""

INTERACTIONS = {
    "block_actions": "ButtonBlockAction",
    "message_action": "MsgShortcut",
    "shortcut": "GlobShortcut",
    "view_closed": "ViewClosed",
    "view_submission": "ViewSubmission",
}

checked: set[str] = set()
"""Schemas that something was held against in this process."""


def check_envelope(envelope: dict[str, Any]) -> None:
    """The payload of a Socket Mode envelope, whatever its kind."""
    payload = envelope.get("payload") or {}
    match envelope["type"]:
        case "events_api":
            _check_event(payload["event"])
        case "slash_commands":
            fits("Slash", "", payload)
        case "interactive" if payload["type"] != "block_actions" or payload["actions"][0]["type"] == "button":
            fits(INTERACTIONS[payload["type"]], "", payload)


def check_response(method: str, body: Any) -> None:
    """The answer of a call, refusals too."""
    if method not in RESPONSES:
        assert body == {"ok": False, "error": "unknown_method"}
        return
    found = RESPONSES[method]
    if found is None:
        return
    schema, items = found
    for one in [{"ok": True, ITEM[items]: item} for item in body.get(items, [])] if items else [body]:
        fits(schema, "", one)


def fits(schema: str, definition: str, payload: dict[str, Any]) -> None:
    """`definition` is one within the schema; "" means the whole."""
    if not SCHEMAS.is_dir():
        return
    checked.add(schema)
    mended = UNTRUE.get(definition or schema, _as_it_is)(payload)
    errors = _validator(schema, definition).iter_errors(_known(mended))
    problems = [f"{error.instance_path}: {error.message}" for error in errors]
    assert not problems, f"{schema}: " + "; ".join(problems)


def _check_event(event: dict[str, Any]) -> None:
    kind = event["type"]
    found = EVENTS[kind, event.get("subtype") if kind == "message" else None]
    if found is not None:
        fits(*found, event)


def _as_it_is(payload: dict[str, Any]) -> dict[str, Any]:
    return payload


def _edited(event: dict[str, Any]) -> dict[str, Any]:
    return {"edited": {"user": "U", "ts": "1.000000"}} | event


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    shown = {name: one for name, one in event["message"].items() if (name, one) != ("subtype", "tombstone")}
    return event | {"message": shown}


def _typed(event: dict[str, Any]) -> dict[str, Any]:
    where = {name: event[name] for name in ("channel", "channel_type", "event_ts")}
    return {"client_msg_id": "0"} | event | {"root": where | event["root"]}


def _answerable(payload: dict[str, Any]) -> dict[str, Any]:
    return {"response_url": ""} | payload if payload["container"]["type"] == "view" else payload


def _without_nulls(answer: dict[str, Any]) -> dict[str, Any]:
    return answer | {"view": {name: one for name, one in answer.get("view", {}).items() if one is not None}}


def _older(answer: dict[str, Any]) -> dict[str, Any]:
    message = answer.get("message", {})
    blocks = [each for each in message.get("blocks", ()) if each["type"] not in NEWER]
    return answer | ({"message": message | {"blocks": blocks}} if blocks != message.get("blocks", []) else {})


UNTRUE: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "ButtonBlockAction": _answerable,  # a view has no response_url
    "EvAppMention": _edited,  # not every mention was edited
    "EvChanged": _plain,  # there are tombstones
    "RPost": _older,  # it knows fewer blocks than there are
    "RUpdate": _older,
    "RViews": _without_nulls,  # a view with none below it has `previous_view_id: null`
    "ThreadBroadcastMessageEvent": _typed,  # not every broadcast comes from Slack's client, with its root as an event
}
"""What the published types say though it is not so: what to add or leave out for them."""


@cache
def _validator(name: str, definition: str) -> Draft7Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return Draft7Validator(schema | ({"$ref": f"#/definitions/{definition}"} if definition else {}))


def _known(value: Any) -> Any:
    """The value without what Slack sends and its published types forgot: `enterprise: null`."""
    if isinstance(value, dict):
        return {name: _known(one) for name, one in value.items() if (name, one) != ("enterprise", None)}
    return [_known(one) for one in value] if isinstance(value, list) else value
