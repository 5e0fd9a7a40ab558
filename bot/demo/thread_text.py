"""Renders a thread in the terminal, as Slack's client would show it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.emoji import Emoji
from rich.panel import Panel
from rich.text import Text

from bot.local_slack import Message
from bot.views.kit.menu import buttons_in

BUTTON: Final = {"primary": "black on green", "danger": "white on red", None: "black on white"}
TASKS: Final = {"pending": "⚪", "in_progress": "🔵", "complete": "✅", "error": "🔴"}
_DATE = re.compile(r"<!date\^(\d+)\^[^|<>]*\|[^<>]*>")
_USER = re.compile(r"<@([A-Z0-9_]+)(?:\|([^<>]*))?>")
_LINK = re.compile(r"<(https?://[^|<>]+)(?:\|([^<>]*))?>")
_BOLD = re.compile(r"(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])")
_ITALIC = re.compile(r"(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])")
_STRUCK = re.compile(r"(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])")


def print_thread(console: Console, messages: Sequence[Message], names: Mapping[str, str]) -> None:
    for message in messages:
        console.print(shown(message, names))


def shown(message: Message, names: Mapping[str, str]) -> Panel:
    """Return a message as a panel titled with its author.

    Args:
        names: of users, by id.
    """
    parts = [part for block in message.blocks for part in _block(block, names)] or [_mrkdwn(message.text, names)]
    who = names.get(message.user, message.user)
    private = " · only you can see this" if message.visible_to else ""
    return Panel(Group(*parts), title=Text(f"{who}{private}"), title_align="left", border_style="dim", padding=(0, 1))


def _block(block: dict[str, Any], names: Mapping[str, str]) -> Iterator[RenderableType]:
    match block.get("type"):
        case "header":
            yield Text(_unescaped(block["text"]["text"]), style="bold")
        case "section":
            if "text" in block:
                yield _mrkdwn(block["text"]["text"], names)
            for field in block.get("fields", ()):
                yield _mrkdwn(field["text"], names)
        case "context":
            yield Text.assemble(
                *(
                    part
                    for each in block["elements"]
                    if "text" in each
                    for part in (_mrkdwn(each["text"], names), "  ")
                ),
                style="dim",
            )
        case "actions":
            buttons = [
                part
                for each in buttons_in(block["elements"])
                for part in (Text(f" {_label(each)} ", style=BUTTON.get(each.get("style"), "reverse")), Text("  "))
            ]
            yield Text.assemble(*buttons)
        case "container":
            yield Text(_unescaped(block["title"]["text"]), style="bold")
            for child in block["child_blocks"]:
                yield from _block(child, names)
        case "plan":
            yield Text(_unescaped(block["title"]), style="bold")
            for task in block.get("tasks", ()):
                yield from _block(task, names)
        case "task_card":
            yield _task(block, names)
        case "divider":
            yield Text("─" * 20, style="dim")


def _task(card: dict[str, Any], names: Mapping[str, str]) -> Text:
    """A task on one line: its status, its title, and what is beside it."""
    line = Text(f"{TASKS.get(card['status'], '•')} {_unescaped(card['title'])}")
    for section in card.get("details", {}).get("elements", ()):
        for each in section.get("elements", ()):
            user = each.get("user_id")
            line.append(f"@{names.get(user, user)}" if user else each.get("text", ""))
    return line


def _label(element: Mapping[str, Any]) -> str:
    return str(element.get("text", {}).get("text", element.get("action_id", "")))


def _mrkdwn(text: str, names: Mapping[str, str]) -> Text:
    text = _DATE.sub(lambda found: _time(int(found[1])), text)
    text = _USER.sub(lambda found: f"@{names.get(found[1], found[2] or found[1])}", text)
    text = _LINK.sub(lambda found: found[2] or found[1], text)
    # Rich's own markup is not used: people write brackets and backslashes of their own.
    styled = Text(Emoji.replace(_unescaped(text)))
    for pattern, style in ((_BOLD, "bold"), (_ITALIC, "italic"), (_STRUCK, "strike")):
        styled = _marked(styled, pattern, style)
    return styled


def _marked(text: Text, pattern: re.Pattern[str], style: str) -> Text:
    """Apply a style to whatever the pattern matches, and remove its marks."""
    parts: list[Text] = []
    end = 0
    for found in pattern.finditer(text.plain):
        inner = text[slice(*found.span(1))]
        inner.stylize(style)
        parts += [text[end : found.start()], inner]
        end = found.end()
    return Text.assemble(*parts, text[end:])


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%H:%M:%S")


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
