"""Draws mrkdwn as HTML. Only our own marks have an effect; everything else is escaped."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape, unescape
from typing import Final

from engine.facts.language import Language

TAGS: Final[Mapping[Language, str]] = {"en": "en", "zh": "zh-Hans"}
"""Languages as HTML names them."""

_MARK: Final = re.compile(
    r"<!date\^(?P<at>\d{1,11})\^[^|<>]*\|(?P<fallback>[^<>]*)>"
    r"|<@(?P<user>[A-Z0-9_]+)(?:\|[^<>]*)?>"
    r"|<(?P<url>https?://[^|<>\s]+)(?:\|(?P<label>[^<>]*))?>"
    r"|<[^<>]*>"
)
_BOLD: Final = re.compile(r"(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])")
_BULLET: Final = "• "


@dataclass(frozen=True, slots=True)
class Inline:
    """
    Args:
        names: of users, by id.
    """

    names: Mapping[str, str] = field(default_factory=dict)

    def line(self, text: str) -> str:
        """Return one line; line breaks stay line breaks."""
        return "<br>".join(self._line(each) for each in text.strip().split("\n"))

    def plain(self, text: str) -> str:
        """Return a text in which nothing is markup."""
        return escape(text)

    def lines(self, text: str) -> str:
        """Return paragraphs, and lists where lines begin with a bullet."""
        return "".join(self._groups(text))

    def _groups(self, text: str) -> Iterator[str]:
        words: list[str] = []
        items: list[str] = []
        for line in text.strip().split("\n"):
            if line.startswith(_BULLET):
                yield from self._paragraph(words)
                items.append(self._line(line.removeprefix(_BULLET)))
            elif items and line.startswith(" "):
                items[-1] += f"<br>{self._line(line.strip())}"
            elif line.strip():
                yield from _list(items)
                words.append(self._line(line))
            else:
                yield from _list(items)
                yield from self._paragraph(words)
        yield from _list(items)
        yield from self._paragraph(words)

    def _paragraph(self, words: list[str]) -> Iterator[str]:
        if words:
            yield f'<p dir="auto">{"<br>".join(words)}</p>'
            words.clear()

    def _line(self, text: str) -> str:
        """Bold is ours, and never reaches across a mark."""
        return "".join(self._pieces(text))

    def _pieces(self, text: str) -> Iterator[str]:
        # Bold words may hold a mark, as a mention does: the marks are drawn first, and put back last.
        drawn: list[str] = []

        def keep(found: re.Match[str]) -> str:
            drawn.append(self._mark(found))
            return f"\x00{len(drawn) - 1}\x00"

        kept = _MARK.sub(keep, text.replace("\x00", ""))
        start = 0
        for found in _BOLD.finditer(kept):
            yield self._restored(kept[start : found.start()], drawn)
            yield f"<strong>{self._restored(found[1], drawn)}</strong>"
            start = found.end()
        yield self._restored(kept[start:], drawn)

    def _restored(self, text: str, drawn: list[str]) -> str:
        parts = re.split("\x00(\\d+)\x00", text)
        return "".join(drawn[int(each)] if number % 2 else escape(unescape(each)) for number, each in enumerate(parts))

    def _mark(self, found: re.Match[str]) -> str:
        if found["at"]:
            return _time(int(found["at"]), unescape(found["fallback"]))
        if found["user"]:
            return f'<span class="who">{escape(self.names.get(found["user"]) or "@" + found["user"])}</span>'
        if found["url"]:
            url, label = unescape(found["url"]), unescape(found["label"] or found["url"])
            return f'<a href="{escape(url)}" rel="noreferrer noopener nofollow">{escape(label)}</a>'
        return ""


def moment(at: int) -> str:
    """Return a point in time, which the page shows in its reader's own time zone where it can.

    Args:
        at: milliseconds since 1970.
    """
    return _time(at // 1000, datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC"))


def _time(seconds: int, fallback: str) -> str:
    written = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f'<time datetime="{written}">{escape(fallback)}</time>'


def _list(items: list[str]) -> Iterator[str]:
    if items:
        inner = "".join(f'<li dir="auto">{each}</li>' for each in items)
        yield f"<ul>{inner}</ul>"
        items.clear()
