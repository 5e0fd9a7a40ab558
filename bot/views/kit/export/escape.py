"""Escapes texts of people and models for Markdown, so that they become no markup, no link and no HTML.

Source: the CommonMark specification 0.31, and GitHub's extensions to it: tables, strikethrough, bare links, footnotes
and formulas. As little as possible is escaped, since many read such a file as it is.
"""

import re
from typing import Final

from bot.views.kit.markdown import as_slack_shows_it, with_emoji
from bot.views.kit.mrkdwn import UNLIMITED, editable

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
