"""Slack's newer blocks, each drawn in the old ones where a workspace lacks them.

A card draws with what its `Fit` allows: *Show all* and workspaces without the newer blocks get the old ones.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, bold, literal, plain_line

MARKS: Final = re.compile(
    r"<@(?P<user>[A-Z0-9_]+)>"
    r"|<#(?P<channel>[A-Z0-9]+)>"
    r"|<!date\^(?P<at>\d+)\^(?P<format>[^|<>^]*)(?:\^[^|<>]*)?\|(?P<fallback>[^<>]*)>"
    r"|<(?P<url>https?://[^|<>]+)\|(?P<words>[^<>]*)>"
    r"|\*(?P<bold>[^*\n]+)\*"
)


def rich_text(mrkdwn: str) -> Block:
    """
    Args:
        mrkdwn: as our cards write it; at least one character.
    """
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [*_elements(mrkdwn)]}]}


def _elements(mrkdwn: str) -> Iterator[dict[str, Any]]:
    end = 0
    for found in MARKS.finditer(mrkdwn):
        yield from _text(mrkdwn[end : found.start()])
        yield _marked(found)
        end = found.end()
    yield from _text(mrkdwn[end:])


def _text(text: str) -> Iterator[dict[str, Any]]:
    if text:
        yield {"type": "text", "text": literal(text)}


def _marked(found: re.Match[str]) -> dict[str, Any]:
    match found.lastgroup:
        case "user":
            return {"type": "user", "user_id": found["user"]}
        case "channel":
            return {"type": "channel", "channel_id": found["channel"]}
        case "fallback":
            told = {"timestamp": int(found["at"]), "format": found["format"], "fallback": literal(found["fallback"])}
            return {"type": "date", **told}
        case "words":
            return {"type": "link", "url": literal(found["url"]), "text": literal(found["words"])}
        case _:
            return {"type": "text", "text": literal(found["bold"]), "style": {"bold": True}}


MOST_CHILDREN: Final = 10
"""Slack takes no more blocks in a container."""
LONGEST_TITLE: Final = 150
MOST_LINES: Final = 10
"""People who stand on a line each; of more, there is a table in pages of so many."""
MOST_ROWS: Final = 100
"""Slack takes no more rows below the head of a table."""


class TaskStatus(StrEnum):
    """Named as task cards take them."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Task:
    task_id: str
    title: str
    """In plain words: nothing in it is read as markup."""
    status: TaskStatus
    details: str = ""
    """What is beside it, in mrkdwn."""
    line: str = ""
    """All of it in mrkdwn, for workspaces without task cards."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One of two feedback buttons."""

    text: str
    value: str
    label: str
    """What a screen reader reads."""

    @property
    def drawn(self) -> Block:
        return {"text": blocks.plain_text(self.text), "value": self.value, "accessibility_label": self.label}


def folded(title: str, children: Sequence[Block], fit: Fit) -> list[Block]:
    """Blocks behind a title, which are shown once it is clicked; without containers, below the title.

    Args:
        title: in plain words.
    """
    if not children:
        return []
    head = plain_line(title, LONGEST_TITLE) or "…"
    if not fit.use_newer():
        return [blocks.section(bold(fit.line(title, LONGEST_TITLE))), *children]
    groups = [children[start : start + MOST_CHILDREN] for start in range(0, len(children), MOST_CHILDREN)]
    return [_container(head, each) for each in groups]


def board(title: str, tasks: Sequence[Task], fit: Fit) -> list[Block]:
    """Tasks with their statuses, as one plan; without plans, as a list.

    Args:
        title: in plain words.
    """
    if not tasks:
        return []
    if not fit.use_newer():
        return blocks.titled_list(bold(fit.line(title, LONGEST_TITLE)), [each.line for each in tasks])
    return [{"type": "plan", "title": plain_line(title, LONGEST_TITLE) or "…", "tasks": [*map(_card, tasks)]}]


def people_table(
    title: str, heads: Sequence[str], people: Sequence[Sequence[str]], lines: Sequence[str], fit: Fit
) -> list[Block]:
    """A row for each person, in pages that can be sorted, where they are more than a screen of lines takes; else lines.

    Args:
        title: in mrkdwn.
        heads: of the columns, in plain words.
        people: the cells of each, in mrkdwn.
        lines: each person on a line, in mrkdwn.
    """
    if not MOST_LINES < len(people) <= MOST_ROWS or not fit.use_newer():
        return blocks.titled_list(title, lines)
    head = [_words(each) for each in heads]
    table = {
        "type": "data_table",
        "caption": plain_line(title.replace("*", ""), LONGEST_TITLE) or "…",
        "page_size": MOST_LINES,
        "rows": [head, *([_cell(each) for each in person] for person in people)],
    }
    return [blocks.section(title), table]


def feedback(action_id: str, good: Feedback, bad: Feedback, plain: Sequence[Block], fit: Fit) -> Block:
    """A thumb up and a thumb down; without feedback buttons, a row of plain ones.

    Args:
        plain: the buttons of that row.
    """
    if not fit.use_newer():
        return blocks.actions(*plain)
    buttons = {"positive_button": good.drawn, "negative_button": bad.drawn}
    return {
        "type": "context_actions",
        "elements": [{"type": "feedback_buttons", "action_id": action_id, **buttons}],
    }


def _cell(text: str) -> Block:
    """A cell of a mrkdwn text. Words alone take less of what a message may have."""
    rich = rich_text(text)
    parts = [each for section in rich["elements"] for each in section["elements"]]
    if any(each["type"] != "text" for each in parts):
        return rich
    return _words("".join(each["text"] for each in parts))


def _words(text: str) -> Block:
    return {"type": "raw_text", "text": text or "–"}


def _container(title: str, children: Sequence[Block]) -> Block:
    return {
        "type": "container",
        "title": blocks.plain_text(title),
        "is_collapsible": True,
        "default_collapsed": True,
        "child_blocks": [*children],
    }


def _card(task: Task) -> Block:
    card: Block = {"type": "task_card", "task_id": task.task_id, "title": task.title, "status": task.status.value}
    if task.details:
        card["details"] = rich_text(task.details)
    return card
