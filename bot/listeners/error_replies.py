"""What could not be handled: what it was, for the log; and where whoever sent it can be told.

A payload may lack anything here: that can be what is wrong with it.
"""

from collections.abc import Mapping
from typing import Any, Final

from slack_bolt.response import BoltResponse

from bot.listeners.gateway import spot_of_click

LONGEST_NAME: Final = 100
"""Characters of what the log quotes."""


def what_came(body: Mapping[str, Any]) -> str:
    """Its kind, the name of what was used, and by whom; nothing that anybody wrote."""
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
    """Who is told; empty where that cannot be said."""
    return str(_in(body.get("user"), "id") or body.get("user_id") or "")


def text_of(body: Mapping[str, Any]) -> str:
    """What was used, in whatever language it is."""
    return str(_in(body.get("message"), "text") or _in(_in(body.get("view"), "title"), "text") or "")


def spot_of(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where the person looks who clicked; None where that cannot be told."""
    is_known = _in(body.get("container"), "channel_id") and _in(body.get("user"), "id")
    is_whole = isinstance(body.get("message", {}), dict)
    return spot_of_click(body) if body.get("type") == "block_actions" and is_known and is_whole else None


def still_open(body: Mapping[str, Any], sentence: str) -> BoltResponse | None:
    """The form stays open, with what was written in it, and says so; None where it has no field to say it beside."""
    blocks = _in(body.get("view"), "blocks") if body.get("type") == "view_submission" else None
    for block in blocks if isinstance(blocks, list) else []:
        if _in(block, "type") == "input" and _in(block, "block_id"):
            return BoltResponse(status=200, body={"response_action": "errors", "errors": {block["block_id"]: sentence}})
    return None


def _in(part: Any, name: str) -> Any:
    return part.get(name) if isinstance(part, dict) else None


def _quoted(name: object) -> str:
    return ascii(str(name)[:LONGEST_NAME]).strip("'")
