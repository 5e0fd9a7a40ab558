"""What Slack adds to blocks, which elements are in them, and what people enter there."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence

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


def elements(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """Every interactive element with the block it is in, top to bottom."""
    for block in blocks:
        yield from elements(block.get("child_blocks", []))
        inside: list[Json] = []
        if block["type"] in ("actions", "context_actions"):
            inside = block["elements"]
        elif block["type"] == "card":
            inside = block.get("actions", [])
        elif block["type"] in ("section", "input"):
            inside = [block.get("accessory") or block.get("element") or {}]
        for element in inside:
            if element.get("action_id"):
                yield block, element


def find_element(
    blocks: list[Json], action_id: str, block_id: str | None = None, index: int = 0
) -> tuple[Json, Json] | None:
    """The block and element with this action_id; `index` counts equal ones from the top."""
    found = [
        (block, element)
        for block, element in elements(blocks)
        if element["action_id"] == action_id and block_id in (None, block["block_id"])
    ]
    return found[index] if index < len(found) else None


def visible_blocks(blocks: list[Json], user_id: str) -> list[Json]:
    """The blocks as this user sees them: elements meant for others are not there."""
    return [seen for block in blocks if (seen := _visible(block, user_id)) is not None]


def _visible(block: Json, user_id: str) -> Json | None:
    seen = dict(block)
    if "child_blocks" in block:
        seen["child_blocks"] = visible_blocks(block["child_blocks"], user_id)
    if "accessory" in block and not _meant_for(block["accessory"], user_id):
        del seen["accessory"]
    if block["type"] in ("actions", "context_actions"):
        seen["elements"] = [element for element in block["elements"] if _meant_for(element, user_id)]
        return seen if seen["elements"] else None
    return seen


def _meant_for(element: Json, user_id: str) -> bool:
    only = element.get("visible_to_user_ids")
    return only is None or user_id in only


Values = Mapping[str, Mapping[str, object]]
"""What a person entered: block_id -> action_id -> text, option value(s), user id(s), date ..."""

STATEFUL = {
    "plain_text_input": ("value", "initial_value"),
    "email_text_input": ("value", "initial_value"),
    "url_text_input": ("value", "initial_value"),
    "number_input": ("value", "initial_value"),
    "rich_text_input": ("rich_text_value", "initial_value"),
    "static_select": ("selected_option", "initial_option"),
    "external_select": ("selected_option", "initial_option"),
    "radio_buttons": ("selected_option", "initial_option"),
    "checkboxes": ("selected_options", "initial_options"),
    "multi_static_select": ("selected_options", "initial_options"),
    "multi_external_select": ("selected_options", "initial_options"),
    "users_select": ("selected_user", "initial_user"),
    "multi_users_select": ("selected_users", "initial_users"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "channels_select": ("selected_channel", "initial_channel"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
    "file_input": ("files", ""),
}
"""Element type -> where its state is, and where the app put the first value."""

WELL_FORMED = {
    "email_text_input": (re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"), "Please enter a valid email address."),
    "url_text_input": (re.compile(r"https?://\S+"), "Please enter a valid URL."),
    "number_input": (re.compile(r"-?\d+(\.\d+)?"), "Please enter a number."),
}


def entered(element: Json, value: object) -> Json:
    """An element's state after a person chose or typed `value`."""
    kind: str = element["type"]
    if kind == "overflow":
        return {"type": kind, "selected_option": _option(element, value)}
    place, _ = STATEFUL[kind]
    if place == "selected_option":
        return {"type": kind, place: None if value is None else _option(element, value)}
    if place == "selected_options":
        chosen = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        return {"type": kind, place: [_option(element, one) for one in chosen if one is not None]}
    return {"type": kind, place: value or None if place == "value" else value}


def initial_values(blocks: list[Json]) -> dict[str, dict[str, Json]]:
    """The state of blocks nobody has touched: block_id -> action_id -> state."""
    values: dict[str, dict[str, Json]] = {}
    for block, element in elements(blocks):
        if element["type"] in STATEFUL:
            place, initial = STATEFUL[element["type"]]
            empty: object = [] if place.endswith("s") else None
            state = {"type": element["type"], place: element.get(initial, empty)}
            values.setdefault(block["block_id"], {})[element["action_id"]] = state
    return values


def input_problems(blocks: list[Json], values: Mapping[str, Mapping[str, Json]]) -> dict[str, str]:
    """What Slack's client would not let through: block_id -> sentence. Only input blocks are asked for anything."""
    return {
        block["block_id"]: problem
        for block, element in elements(blocks)
        if block["type"] == "input"
        for problem in _problems(block, element, values[block["block_id"]][element["action_id"]])
    }


def _problems(block: Json, element: Json, state: Json) -> Iterator[str]:
    place, _ = STATEFUL[element["type"]]
    value = state[place]
    if not value:
        if not block.get("optional", False):
            yield "Please complete this required field."
        return
    if place == "value":
        shortest, longest = element.get("min_length", 0), element.get("max_length", 3000)
        if len(value) < shortest:
            yield f"Please enter at least {shortest} characters."
        if len(value) > longest:
            yield f"Please enter no more than {longest} characters."
        pattern, sentence = WELL_FORMED.get(element["type"], (None, ""))
        if pattern is not None and not pattern.fullmatch(value):
            yield sentence
    if place.endswith("s") and len(value) > element.get("max_selected_items", len(value)):
        yield f"Please select no more than {element['max_selected_items']} items."


def _option(element: Json, value: object) -> Json:
    groups = [group["options"] for group in element.get("option_groups", [])]
    options: list[Json] = [*element.get("options", []), *(option for group in groups for option in group)]
    if element["type"] in ("external_select", "multi_external_select"):
        return {"text": {"type": "plain_text", "text": str(value), "emoji": True}, "value": str(value)}
    for option in options:
        if option.get("value") == value:
            return option
    known = ", ".join(str(option.get("value")) for option in options)
    raise ValueError(f"{element['action_id']} has no option {value!r}; it has: {known}.")
