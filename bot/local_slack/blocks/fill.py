"""What Slack adds to blocks when it stores them: ids for the nameless, defaults for texts."""

from __future__ import annotations

import secrets

from ..model import Json


def filled(blocks: list[Json]) -> list[Json]:
    """The blocks as Slack returns them."""
    return [_with_ids(block) for block in blocks]


def _with_ids(block: Json) -> Json:
    block = _texts(block)
    block.setdefault("block_id", secrets.token_urlsafe(4)[:5])
    for name in ("elements", "accessory", "element"):
        inside = block.get(name)
        if block["type"] in ("actions", "context_actions", "section", "input") and inside is not None:
            for element in inside if isinstance(inside, list) else [inside]:
                if element.get("type") != "image":
                    element.setdefault("action_id", secrets.token_urlsafe(4)[:5])
    if "child_blocks" in block:
        block["child_blocks"] = filled(block["child_blocks"])
    return block


def _texts(thing: Json) -> Json:
    """A deep copy with `emoji` and `verbatim` spelled out."""
    copy: Json = {name: _copied(value) for name, value in thing.items()}
    if copy.get("type") == "plain_text":
        copy.setdefault("emoji", True)
    elif copy.get("type") == "mrkdwn":
        copy.setdefault("verbatim", False)
    return copy


def _copied(value: object) -> object:
    if isinstance(value, dict):
        return _texts(value)
    return [_copied(item) for item in value] if isinstance(value, list) else value
