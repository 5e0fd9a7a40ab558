"""Describes a payload that could not be handled, for the log and for whoever sent it.

Such a payload may lack anything: that can be what is wrong with it.
"""

from collections.abc import Mapping
from typing import Any, Final

from slack_bolt.response import BoltResponse

from bot.listeners.intake import is_fresh_and_human
from bot.listeners.interaction import errors, first_field
from bot.listeners.private_messages import spot_of_click

LONGEST_NAME: Final = 100
"""Characters of what the log quotes."""


def what_came(body: Mapping[str, Any]) -> str:
    """Return its kind, the name of what was used, and by whom; nothing that anybody wrote."""
    actions = body.get("actions")
    first = actions[0] if isinstance(actions, list) and actions else {}
    name = (
        _in(first, "action_id")
        or _in(body.get("view"), "callback_id")
        or _in(body.get("event"), "type")
        or body.get("callback_id")
        or body.get("command")
        or "without a name"
    )
    by = _in(body.get("user"), "id") or body.get("user_id") or _in(body.get("event"), "user")
    return f"{_quoted(body.get('type') or 'a payload')} {_quoted(name)} of {_quoted(by or 'nobody')}"


def reader_of(body: Mapping[str, Any]) -> str:
    """Return who is told; empty where that cannot be said."""
    return str(_in(body.get("user"), "id") or body.get("user_id") or "")


def spot_of(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return where the person looks who clicked; None where that cannot be told."""
    is_known = _in(body.get("container"), "channel_id") and _in(body.get("user"), "id")
    is_whole = isinstance(body.get("message", {}), dict)
    return spot_of_click(body) if body.get("type") == "block_actions" and is_known and is_whole else None


def spot_of_message(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return where somebody looks who has written to us; None where it was not to us, or is no message of a person."""
    event = body.get("event")
    if not isinstance(event, dict) or not all(isinstance(event.get(each), str) for each in ("channel", "user", "ts")):
        return None
    is_to_us = event.get("type") == "app_mention" or event.get("channel_type") == "im"
    if not is_to_us or not is_fresh_and_human(event):
        return None
    return {name: event[name] for name in ("channel", "user", "thread_ts") if name in event}


def still_open(body: Mapping[str, Any], sentence: str) -> BoltResponse | None:
    """Leave the form open, with what was written in it, and say so; None where it has no field to say it beside."""
    view = body.get("view") if body.get("type") == "view_submission" else None
    field = first_field(view) if isinstance(view, dict) else None
    return BoltResponse(status=200, body={**errors({field: sentence})}) if field else None


def _in(part: Any, name: str) -> Any:
    return part.get(name) if isinstance(part, dict) else None


def _quoted(name: object) -> str:
    return ascii(str(name)[:LONGEST_NAME]).strip("'")
