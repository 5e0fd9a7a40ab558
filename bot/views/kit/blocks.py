"""The few kinds of blocks we use, as plain values; `bot/posts` validates them with slack_sdk before it sends them."""

from collections.abc import Iterable, Sequence
from typing import Any

from bot.views.kit.mrkdwn import slack_length

Block = dict[str, Any]

LONGEST_HEADER = 150
NARROW = 30
"""Characters of a line that leaves room for a button beside it, in the thread pane."""
LONGEST_SECTION = 2_900
"""Slack takes 3,000 characters."""

LONGEST_COLUMN = 1_900
"""Slack takes 2,000 characters."""


def header(text: str) -> Block:
    return {"type": "header", "text": plain_text(text)}


def section(text: str) -> Block:
    return {"type": "section", "text": _mrkdwn(text)}


def verbatim(text: str) -> Block:
    """A text in which nothing is read as markup, as nothing may be added to what it says: a command, a difference."""
    return {"type": "section", "text": {"type": "plain_text", "text": text, "emoji": False}}


def columns(left: str, right: str) -> Block:
    """Two texts side by side, of at most `LONGEST_COLUMN` characters each; on a narrow screen, one below the other."""
    return {"type": "section", "fields": [_mrkdwn(left), _mrkdwn(right)]}


def context(text: str) -> Block:
    return {"type": "context", "elements": [_mrkdwn(text)]}


def divider() -> Block:
    return {"type": "divider"}


def actions(*buttons: Block) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def button(text: str, action_id: str, value: str, **more: Any) -> Block:
    return {"type": "button", "text": plain_text(text), "action_id": action_id, "value": value, **more}


def with_button(card: Sequence[Block], button: Block) -> list[Block]:
    """The card with one more button: beside its last buttons, else beside a text that leaves it room, else below."""
    rows = [number for number, block in enumerate(card) if block["type"] == "actions"]
    if not rows:
        texts = [number for number, block in enumerate(card) if _has_room(block)]
        narrow = [number for number in texts if number == len(card) - 1 or _is_narrow(card[number]["text"]["text"])]
        if not narrow:
            return [*card, actions(button)]
        beside = narrow[-1]
        return [*card[:beside], {**card[beside], "accessory": button}, *card[beside + 1 :]]
    last = rows[-1]
    return [*card[:last], actions(*card[last]["elements"], button), *card[last + 1 :]]


def _has_room(block: Block) -> bool:
    return bool(block["type"] == "section" and block.keys() == {"type", "text"})


def _is_narrow(text: str) -> bool:
    """Whether no line of a mrkdwn text gets longer for a button beside it."""
    return all(slack_length(line) <= NARROW for line in text.split("\n"))


def confirm(title: str, text: str, yes: str, no: str) -> dict[str, Any]:
    """The dialog that asks before a button acts."""
    return {
        "title": plain_text(title),
        "text": plain_text(text),
        "confirm": plain_text(yes),
        "deny": plain_text(no),
    }


def sections(paragraphs: Iterable[str], most: int = 20) -> list[Block]:
    """A section for each paragraph; if there are too many, paragraphs share sections."""
    return [section(text) for text in _shared([each for each in paragraphs if each], most)]


def titled_list(title: str, lines: Sequence[str]) -> list[Block]:
    """A title and its lines in as few sections as they need; nothing where there are no lines."""
    return [section(text) for text in _packed([title, *lines], LONGEST_SECTION)] if lines else []


def plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": True}


def _mrkdwn(text: str) -> dict[str, Any]:
    # Verbatim: Slack makes no links and mentions of its own out of what people wrote.
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def _shared(paragraphs: Sequence[str], most: int) -> list[str]:
    together = -(-len(paragraphs) // most) or 1
    groups = [paragraphs[start : start + together] for start in range(0, len(paragraphs), together)]
    return [text for group in groups for text in _packed(group, LONGEST_SECTION)]


def _packed(lines: Sequence[str], longest: int) -> list[str]:
    packed: list[str] = []
    for each in lines:
        if packed and slack_length(packed[-1]) + 1 + slack_length(each) <= longest:
            packed[-1] += f"\n{each}"
        else:
            packed.append(each)
    return packed
