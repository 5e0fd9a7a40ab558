"""Finds the elements in blocks, and those that a person sees."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Json


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
