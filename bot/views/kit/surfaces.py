"""Slack's newer blocks, each drawn in the old ones where a workspace lacks them.

A card draws with what its `Fit` allows: *Show all* and workspaces without the newer blocks get the old ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, bold, plain_line
from bot.views.kit.rich_text import rich_text

MOST_CHILDREN: Final = 10
"""Slack takes no more blocks in a container."""
LONGEST_TITLE: Final = 150


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
