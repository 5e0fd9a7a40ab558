"""Does Slack take these blocks, this view? Every problem is found, not only the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..model import Json
from .catalogue import ACTIONS, BESIDE, BLOCKS, INPUTS, Surface
from .check_elements import check_element
from .report import Report

MOST_BLOCKS = {"message": 50, "modal": 100, "home": 100}
MARKDOWN_TOTAL = 12_000  # characters, over all markdown blocks of a message
TASK_STATUSES = ("pending", "in_progress", "complete", "error")
NEWER = frozenset({"plan", "task_card", "container"})
"""Blocks of messages that older workspaces do not know."""
VIEW_PROPERTIES = {
    *("type", "title", "blocks", "submit", "close", "private_metadata", "callback_id", "clear_on_close"),
    *("notify_on_close", "external_id", "submit_disabled"),
}


def block_problems(blocks: object, surface: Surface, pointer: str = "/blocks") -> list[str]:
    """In Slack's words; empty if the blocks are fine."""
    report = Report()
    if not isinstance(blocks, list):
        report.add("must be an array", pointer)
        return report.problems
    if len(blocks) > MOST_BLOCKS[surface]:
        report.add(f"no more than {MOST_BLOCKS[surface]} items allowed", pointer)
    for number, block in enumerate(blocks):
        _check_block(report, block, surface, f"{pointer}/{number}")
    markdown = sum(len(str(block.get("text"))) for block in blocks if _is(block, "markdown"))
    if markdown > MARKDOWN_TOTAL:
        report.add(f"markdown blocks must be less than {MARKDOWN_TOTAL + 1} characters in total", pointer)
    for block_id in _repeated(block.get("block_id") for block in blocks if isinstance(block, dict)):
        report.add(f"block_id already exists: {block_id}", pointer)
    return report.problems


def view_problems(view: object) -> list[str]:
    """In Slack's words; empty if the view is fine."""
    report = Report()
    if not isinstance(view, dict) or view.get("type") not in ("modal", "home"):
        report.add("unsupported type; must be modal or home", "/view/type")
        return report.problems
    for name in view.keys() - VIEW_PROPERTIES:
        report.add(f"invalid additional property: {name}", f"/view/{name}")
    if view["type"] == "modal":
        if "title" not in view:
            report.add("missing required field: title", "/view")
        for name in ("title", "submit", "close"):
            if view.get(name) is not None:
                report.text(view[name], 24, f"/view/{name}", plain=True)
        if "submit" not in view and any(_is(block, "input") for block in view.get("blocks") or []):
            report.add("missing required field: submit (the view has input blocks)", "/view")
    for name, longest in (("private_metadata", 3000), ("callback_id", 255), ("external_id", 255)):
        report.length(str(view.get(name) or ""), longest, f"/view/{name}")
    if "blocks" not in view:
        report.add("missing required field: blocks", "/view")
        return report.problems
    return report.problems + block_problems(view["blocks"], view["type"], "/view/blocks")


def _check_block(report: Report, block: object, surface: Surface, pointer: str) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    part = BLOCKS.get(kind) if isinstance(kind, str) else None
    if not isinstance(block, dict) or part is None:
        report.add(f"unsupported type: {kind}", f"{pointer}/type")
        return
    if surface not in part.surfaces:
        report.add(f"unsupported type: {kind} (not in a {surface})", f"{pointer}/type")
        return
    report.part(block, part, pointer, also=("block_id",))
    report.length(str(block.get("block_id") or ""), 255, f"{pointer}/block_id")
    for element, where in _children(block, pointer):
        check_element(report, element, _allowed(block), where)
    action_ids = (element.get("action_id") for element, _ in _children(block, pointer) if isinstance(element, dict))
    for action_id in _repeated(action_ids):
        report.add(f"action_id already exists: {action_id}", f"{pointer}/elements")
    if kind == "section":
        _check_section(report, block, pointer)
    if kind == "image" and not (block.get("image_url") or block.get("slack_file")):
        report.add("missing required field: image_url or slack_file", pointer)
    if kind == "container" and isinstance(block.get("child_blocks"), list):
        _check_container(report, block, surface, pointer)
    if kind == "task_card" and block.get("status") not in TASK_STATUSES:
        report.add(f"must be one of {', '.join(TASK_STATUSES)}", f"{pointer}/status")
    if kind == "plan" and isinstance(block.get("tasks"), list):
        for number, task in enumerate(block["tasks"]):
            if not _is(task, "task_card"):
                report.add("must be a task_card", f"{pointer}/tasks/{number}/type")
            else:
                _check_block(report, task, surface, f"{pointer}/tasks/{number}")


def _check_container(report: Report, container: Json, surface: Surface, pointer: str) -> None:
    if not container.get("title") and not container.get("rich_text_title"):
        report.add("missing required field: title or rich_text_title", pointer)
    if container.get("default_collapsed") and not container.get("is_collapsible"):
        report.add("requires is_collapsible", f"{pointer}/default_collapsed")
    for number, child in enumerate(container["child_blocks"]):
        if isinstance(child, dict) and child.get("type") in NEWER:
            report.add(f"unsupported type: {child['type']} (in a container)", f"{pointer}/child_blocks/{number}/type")
        else:
            _check_block(report, child, surface, f"{pointer}/child_blocks/{number}")


def _check_section(report: Report, section: Json, pointer: str) -> None:
    if not section.get("text") and not section.get("fields"):
        report.add("missing required field: text or fields", pointer)
    fields = section.get("fields")
    for number, text in enumerate(fields if isinstance(fields, list) else []):
        report.text(text, 2000, f"{pointer}/fields/{number}")


def _children(block: Json, pointer: str) -> Iterator[tuple[object, str]]:
    """The elements of a block that are looked into, each with its pointer."""
    elements = block.get("elements")
    if block["type"] in ("actions", "context", "context_actions") and isinstance(elements, list):
        for number, element in enumerate(elements):
            yield element, f"{pointer}/elements/{number}"
    if block["type"] == "section" and block.get("accessory") is not None:
        yield block["accessory"], f"{pointer}/accessory"
    if block["type"] == "input" and block.get("element") is not None:
        yield block["element"], f"{pointer}/element"


def _allowed(block: Json) -> frozenset[str]:
    """The element types this block takes."""
    return {
        "actions": ACTIONS,
        "input": INPUTS,
        "section": BESIDE,
        "context": frozenset({"image", "plain_text", "mrkdwn"}),
        "context_actions": frozenset({"feedback_buttons", "icon_button"}),
    }[block["type"]]


def _repeated(ids: Iterator[object]) -> list[object]:
    return [name for name, times in Counter(one for one in ids if one).items() if times > 1]


def _is(block: object, kind: str) -> bool:
    return isinstance(block, dict) and block.get("type") == kind
