"""A file that is put into a thread, and the message it comes with."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.export.form import Format
from bot.views.kit.markdown import as_slack_shows_it, with_emoji
from bot.views.kit.mrkdwn import UNLIMITED, Fit, editable, mention, plain_line

LONGEST_TITLE: Final = 100
MOST_LINES: Final = 10


@dataclass(frozen=True, slots=True)
class File:
    name: str
    title: str
    content: bytes
    message: tuple[Block, ...]


def exported_file(
    name: str, about: str, wanted: Format, content: bytes, by: str, undated: Sequence[str], texts: Texts
) -> File:
    """
    Args:
        name: of the file, without its ending.
        about: what it is about, for its title.
        by: the user who wants it.
        undated: what a calendar lacks for want of a date.
    """
    message = [blocks.section(texts.say("Exported by {who}", who=mention(by) or "?")), *_missing(undated, texts)]
    return File(f"{name}.{wanted.suffix}", plain_line(about, LONGEST_TITLE) or "ToWow", content, tuple(message))


def _missing(undated: Sequence[str], texts: Texts) -> list[Block]:
    fit = Fit()
    lines = [f"• {fit.line(each, 200)}" for each in undated[:MOST_LINES]]
    if len(undated) > MOST_LINES:
        lines.append("…")
    return blocks.titled_list(texts.say("*Not in it, for want of a date that a calendar can read*"), lines)


def with_picture(file: File, content: bytes, texts: Texts) -> list[File]:
    """Return a file, and the picture of its schedule beside it."""
    title = plain_line(texts.say("{what}: {detail}", what=texts.say("Schedule"), detail=file.title), LONGEST_TITLE)
    return [file, File(f"{file.name.rpartition('.')[0]}.png", title, content, ())]


def without_picture(texts: Texts) -> Block:
    """What is said where the picture could not be drawn."""
    return blocks.context(
        texts.say("The picture of the schedule is left out: this machine has no font for what is written in it.")
    )


_WORD_JOINER: Final = "\u2060"
_MARKS: Final = re.compile(r"[\\`*_\[\]<>~|$#]|&(?=[#A-Za-z])")
_ADDRESSES: Final = re.compile(r":(?=//)|(?<=mailto):|(?<=xmpp):|(?<=\w)\.(?=\S)", re.IGNORECASE)
_MAILBOXES: Final = re.compile(r"(?<=[\w.+%-])@(?=\w)")
"""Of addresses, which are copied from where they are shown: nothing may be in them that nobody sees. A reader that
takes no heed of the backslash makes a link of the address, to itself."""
_NAMES: Final = re.compile(r"(?<![\w.+%\\-])@(?=\S)|@(?=[^\w\s])")
"""A backslash would not keep a name from calling somebody, so a word joiner is inserted."""
_FIRST: Final = re.compile(r"([0-9]{1,9}(?=[.)]))?([-+=:.)])")
"""At the start of a line: a list, an underline, or the second line of a table."""


def safe_line(text: str) -> str:
    """On one line."""
    return _escaped(" ".join(_meant(text).split()))


def quote(text: str) -> str:
    """As many lines as it has, each marked as somebody's words, letter for letter."""
    lines = [_escaped(each.strip()) for each in editable(with_emoji(text), UNLIMITED).split("\n")]
    return "  \n".join(f"> {each}".rstrip() for each in lines)


def paragraphs(text: str) -> str:
    lines = [_escaped(each.strip()) for each in _meant(text).split("\n")]
    return re.sub(r"(?: {2}\n){2,}", "\n\n", "  \n".join(lines))


def bold(text: str) -> str:
    """``text`` is escaped already."""
    return f"**{text}**"


def _meant(text: str) -> str:
    """What is written, in plain words where it is marked up in Markdown, as models do; with emoji as they look."""
    return editable(with_emoji(as_slack_shows_it(text, with_marks=False)), UNLIMITED)


def _escaped(text: str) -> str:
    text = _ADDRESSES.sub(r"\\\g<0>", _MARKS.sub(r"\\\g<0>", text))
    text = _NAMES.sub(f"@{_WORD_JOINER}", _MAILBOXES.sub(r"\@", text))
    first = _FIRST.match(text)
    return f"{first[1] or ''}\\{text[first.start(2) :]}" if first else text
