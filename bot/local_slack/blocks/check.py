"""Does Slack take these blocks, this view? Every problem is found, in Slack's words, and not only the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..model import Json
from .catalogue import ACTIONS, BESIDE, BLOCKS, ELEMENTS, FEEDBACK, INPUTS, Part, Surface


class Report:
    def __init__(self) -> None:
        self.problems: list[str] = []

    def add(self, problem: str, pointer: str) -> None:
        self.problems.append(f"{problem} [json-pointer:{pointer or '/'}]")

    def part(self, thing: dict[str, object], part: Part, pointer: str, also: Sequence[str] = ()) -> None:
        """What can be said of any block or element from the catalogue alone."""
        for name in part.required:
            if thing.get(name) is None:
                self.add(f"missing required field: {name}", pointer)
        for name in thing.keys() - part.properties - set(also):
            self.add(f"invalid additional property: {name}", f"{pointer}/{name}")
        for name, longest in part.texts.items():
            if name in thing:
                self.text(thing[name], longest, f"{pointer}/{name}", plain=name in part.plain)
        for name, most in part.items.items():
            if name in thing:
                self.items(thing[name], most, f"{pointer}/{name}")

    def text(self, text: object, longest: int, pointer: str, *, plain: bool = False) -> None:
        """A string, or a text object."""
        if isinstance(text, str):
            self.length(text, longest, pointer)
            return
        if not isinstance(text, dict) or text.get("type") not in ("plain_text", "mrkdwn"):
            self.add("must be a text object", pointer)
            return
        if plain and text["type"] != "plain_text":
            self.add("must be a plain_text object", f"{pointer}/type")
        for name in text.keys() - {"type", "text", "emoji" if text["type"] == "plain_text" else "verbatim"}:
            self.add(f"invalid additional property: {name}", f"{pointer}/{name}")
        if not isinstance(text.get("text"), str):
            self.add("missing required field: text", pointer)
        elif not text["text"]:
            self.add("must be more than 0 characters", f"{pointer}/text")
        else:
            self.length(text["text"], longest, f"{pointer}/text")

    def length(self, text: str, longest: int, pointer: str) -> None:
        if len(text) > longest:
            self.add(f"must be less than {longest + 1} characters", pointer)

    def items(self, items: object, most: int, pointer: str) -> None:
        if not isinstance(items, list) or not items:
            self.add("must contain at least 1 item", pointer)
        elif len(items) > most:
            self.add(f"no more than {most} items allowed", pointer)


OPTION_TEXT = 75  # characters; description too
OPTION_VALUE = 150
LONG_OPTIONS = ("radio_buttons", "checkboxes")  # their texts may be mrkdwn


def check_element(report: Report, element: object, allowed: frozenset[str], pointer: str) -> None:
    kind = element.get("type") if isinstance(element, dict) else None
    if not isinstance(element, dict) or kind not in allowed:
        report.add(f"unsupported type: {kind}", f"{pointer}/type")
        return
    if kind in ("plain_text", "mrkdwn"):
        report.text(element, 3000, pointer)
        return
    report.part(element, ELEMENTS[kind], pointer, also=() if kind == "image" else ("action_id", "visible_to_user_ids"))
    report.length(str(element.get("action_id") or ""), 255, f"{pointer}/action_id")
    if element.get("style") not in (None, "primary", "danger"):
        report.add("must be primary or danger", f"{pointer}/style")
    if element.get("confirm") is not None:
        _check_confirm(report, element["confirm"], f"{pointer}/confirm")
    _check_options(report, element.get("options"), f"{pointer}/options", plain=kind not in LONG_OPTIONS)
    groups = element.get("option_groups")
    for number, group in enumerate(groups if isinstance(groups, list) else []):
        where = f"{pointer}/option_groups/{number}"
        report.text(group.get("label"), OPTION_TEXT, f"{where}/label", plain=True)
        _check_options(report, group.get("options"), f"{where}/options", plain=True)
    for name in ("positive_button", "negative_button") if kind == "feedback_buttons" else ():
        _check_feedback(report, element.get(name), f"{pointer}/{name}")
    if kind in ("static_select", "multi_static_select") and not (element.get("options") or groups):
        report.add("missing required field: options or option_groups", pointer)


def _check_feedback(report: Report, button: object, pointer: str) -> None:
    if not isinstance(button, dict):
        report.add("must be an object", pointer)
        return
    report.part(button, FEEDBACK, pointer)
    if "type" in button:
        report.add("invalid additional property: type", f"{pointer}/type")


def _check_options(report: Report, options: object, pointer: str, *, plain: bool) -> None:
    for number, option in enumerate(options if isinstance(options, list) else []):
        where = f"{pointer}/{number}"
        if not isinstance(option, dict):
            report.add("must be an option object", where)
            continue
        report.text(option.get("text"), OPTION_TEXT, f"{where}/text", plain=plain)
        if option.get("description") is not None:
            report.text(option["description"], OPTION_TEXT, f"{where}/description", plain=plain)
        report.length(str(option.get("value") or ""), OPTION_VALUE, f"{where}/value")


def _check_confirm(report: Report, confirm: object, pointer: str) -> None:
    if not isinstance(confirm, dict):
        report.add("must be a confirmation dialog object", pointer)
        return
    for name, longest in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
        if confirm.get(name) is not None:
            report.text(confirm[name], longest, f"{pointer}/{name}", plain=name != "text")
    if confirm.get("text") is None:
        report.add("missing required field: text", pointer)


MOST_BLOCKS = {"message": 50, "modal": 100, "home": 100}
MARKDOWN_TOTAL = 12_000  # characters, over all markdown blocks of a message
TASK_STATUSES = ("pending", "in_progress", "complete", "error")
MOST_CELLS_TEXT = 10_000  # characters, over all cells of a message's data tables
MOST_ROWS, MOST_COLUMNS, LONGEST_PAGE = 101, 20, 100  # the header is a row
CELLS = ("raw_text", "raw_number", "rich_text")
NEWER = frozenset({"plan", "task_card", "container", "context_actions", "data_table"})
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
    cells = sum(_cells_length(block) for block in blocks if _is(block, "data_table"))
    if cells > MOST_CELLS_TEXT:
        report.add(f"data tables must be less than {MOST_CELLS_TEXT + 1} characters in total", pointer)
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
    if kind == "data_table":
        _check_data_table(report, block, pointer)
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


def _check_data_table(report: Report, table: Json, pointer: str) -> None:
    """A header and 1 to 100 rows, all as wide as each other; the header has no rich text."""
    if not isinstance(table.get("caption"), str) or not table["caption"]:
        report.add("must be a string of more than 0 characters", f"{pointer}/caption")
    size = table.get("page_size", 1)
    if not isinstance(size, int) or not 1 <= size <= LONGEST_PAGE:
        report.add(f"must be from 1 to {LONGEST_PAGE}", f"{pointer}/page_size")
    rows = table.get("rows")
    if not isinstance(rows, list) or not 2 <= len(rows) <= MOST_ROWS or not all(isinstance(row, list) for row in rows):
        report.add(f"must be from 2 to {MOST_ROWS} rows", f"{pointer}/rows")
        return
    if not 1 <= len(rows[0]) <= MOST_COLUMNS or any(len(row) != len(rows[0]) for row in rows):
        report.add(f"all rows must have the same number of cells, from 1 to {MOST_COLUMNS}", f"{pointer}/rows")
    index = table.get("row_header_column_index", 0)
    if not isinstance(index, int) or not 0 <= index < len(rows[0]):
        report.add("must be the index of a column", f"{pointer}/row_header_column_index")
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            _check_cell(report, cell, f"{pointer}/rows/{number}/{column}", is_header=number == 0)


def _check_cell(report: Report, cell: object, pointer: str, *, is_header: bool) -> None:
    kind = cell.get("type") if isinstance(cell, dict) else None
    if not isinstance(cell, dict) or kind not in CELLS or (is_header and kind == "rich_text"):
        report.add(f"unsupported type: {kind}", f"{pointer}/type")
        return
    if kind == "rich_text":
        return
    if not isinstance(cell.get("text"), str) or not cell["text"]:
        report.add("must be more than 0 characters", f"{pointer}/text")
    if kind == "raw_number" and (not isinstance(cell.get("value"), int | float) or isinstance(cell["value"], bool)):
        report.add("must be a number", f"{pointer}/value")
    known = {"type", "text", "value"} if kind == "raw_number" else {"type", "text"}
    for name in cell.keys() - known:
        report.add(f"invalid additional property: {name}", f"{pointer}/{name}")


def _cells_length(table: Json) -> int:
    rows = [row for row in table.get("rows") or [] if isinstance(row, list)]
    return sum(_text_length(cell) for row in rows for cell in row)


def _text_length(part: object) -> int:
    """Characters of all texts in a cell, however deep they are."""
    if isinstance(part, dict):
        return sum(len(value) if name == "text" and isinstance(value, str) else _text_length(value)
                   for name, value in part.items())  # fmt: skip
    return sum(map(_text_length, part)) if isinstance(part, list) else 0


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
