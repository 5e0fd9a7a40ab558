"""Draws the parts of a story as HTML."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import assert_never

from bot.texts import Texts
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import escaped
from bot.views.kit.story import schedule
from bot.views.kit.story.inline import Inline, moment
from bot.views.kit.story.model import (
    Cards,
    Chapter,
    Comparison,
    Facts,
    Fold,
    Happening,
    Part,
    Schedule,
    Section,
    Table,
    Words,
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws one chapter.

    Args:
        key: unique on the page; ids begin with it.
    """

    key: str
    inline: Inline
    texts: Texts

    def chapter(self, chapter: Chapter) -> str:
        drawn = "".join(self._section(each) for each in chapter.sections if each.parts)
        return (
            f'<article class="chapter" id="{self.key}" aria-labelledby="{self.key}-title">'
            f'<h2 id="{self.key}-title"{in_language(chapter.language)} dir="auto">'
            f"{self.inline.plain(chapter.title)}</h2>"
            f'<p class="status" id="{self.key}-status" dir="auto">{self.inline.line(chapter.status)}</p>'
            f"{drawn}{self._timeline(chapter.timeline)}</article>"
        )

    def _section(self, section: Section) -> str:
        key = f"{self.key}-{section.key}"
        parts = "".join(self._part(each, key) for each in section.parts)
        return (
            f'<section id="{key}" aria-labelledby="{key}-title" data-live>'
            f'<h3 id="{key}-title">{self.inline.plain(section.title)}</h3>{parts}</section>'
        )

    def _timeline(self, happened: Sequence[Happening]) -> str:
        if not happened:
            return ""
        key = f"{self.key}-timeline"
        items = "".join(f"<li>{moment(each.at)} <span>{self.inline.line(each.text)}</span></li>" for each in happened)
        texts = self.texts
        title = self.inline.plain(texts.say("What happened"))
        return (
            f'<section id="{key}" aria-labelledby="{key}-title" data-live>'
            f'<h3 id="{key}-title">{title}</h3><ol class="timeline">{items}</ol></section>'
        )

    def _part(self, part: Part, key: str) -> str:
        match part:
            case Words():
                return self._titled(part.text)
            case Cards():
                return "".join(self._block(each) for each in part.blocks)
            case Facts():
                return self._facts(part)
            case Table():
                return self._table(part.caption, part.head, part.rows)
            case Comparison():
                return self._comparison(part)
            case Schedule():
                return self._schedule(part, key)
            case Fold():
                inner = "".join(self._part(each, f"{key}-{part.key}") for each in part.parts)
                is_open = " open" if part.is_open else ""
                return (
                    f'<details id="{key}-{part.key}"{is_open}><summary>{self.inline.line(part.title)}</summary>'
                    f"{inner}</details>"
                )
            case _:
                assert_never(part)

    # ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _facts(self, facts: Facts) -> str:
        rows = "".join(
            f'<div><dt dir="auto">{self.inline.line(name)}</dt><dd dir="auto">{self.inline.line(what)}</dd></div>'
            for name, what in facts.rows
            if what
        )
        return f"<dl>{rows}</dl>" if rows else ""

    def _table(self, caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        if not rows:
            return ""
        body = [
            f'<tr><th scope="row" dir="auto">{self.inline.line(first)}</th>'
            + "".join(f'<td dir="auto">{self.inline.lines(each)}</td>' for each in others)
            + "</tr>"
            for first, *others in rows
        ]
        return self._frame(caption, head, body)

    def _frame(self, caption: str, head: Sequence[str], body: Sequence[str]) -> str:
        """A wide table is scrolled by itself, also with the keyboard."""
        columns = "".join(f'<th scope="col">{self.inline.line(each)}</th>' for each in head)
        return (
            f'<div class="wide" tabindex="0" role="group" aria-label="{_attribute(caption)}"><table>'
            f"<caption>{self.inline.line(caption)}</caption><thead><tr>{columns}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table></div>"
        )

    def _comparison(self, comparison: Comparison) -> str:
        """What differs is marked, also for whoever does not see the colour."""
        texts = self.texts
        changed = texts.say("changed")
        mark = f'<span class="hidden">{escape(changed)}: </span>'
        rows = []
        for about, before, after in comparison.rows:
            was = self.inline.lines(before)
            cells = f'<th scope="row" dir="auto">{self.inline.line(about)}</th><td dir="auto">{was}</td>'
            now = self.inline.lines(after)
            rows.append(
                f'<tr>{cells}<td dir="auto">{now}</td></tr>'
                if before == after
                else f'<tr>{cells}<td class="changed" dir="auto">{mark}{now}</td></tr>'
            )
        return self._frame(comparison.caption, (texts.say("About"), comparison.before, comparison.after), rows)

    def _schedule(self, shown: Schedule, key: str) -> str:
        drawn = schedule.picture(shown, self.texts, f"{key}-picture")
        rows = [(escaped(name), escaped(when)) for name, when in schedule.rows(shown, self.texts)]
        texts = self.texts
        head = (texts.say("What"), texts.say("When"))
        figure = f'<figure class="wide" tabindex="0" aria-label="{_attribute(shown.title)}">{drawn}</figure>'
        return (figure if drawn else "") + self._table(escaped(shown.title), head, rows)

    # ── the blocks of cards ───────────────────────────────────────────────────────────────────────────────────────

    def _block(self, block: Block) -> str:
        match block["type"]:
            case "header":
                return f'<h4 dir="auto">{self.inline.plain(block["text"]["text"])}</h4>'
            case "section":
                return "".join(self._texts(each for each in (block.get("text"), *block.get("fields", ())) if each))
            case "context":
                drawn = "".join(self._texts(block["elements"]))
                return f'<div class="small">{drawn}</div>' if drawn else ""
            case "divider":
                return "<hr>"
        return ""

    def _texts(self, objects: Iterable[Block]) -> Iterator[str]:
        for each in objects:
            if each.get("type") == "plain_text":
                yield f'<p dir="auto">{self.inline.plain(each["text"])}</p>'
            elif "text" in each:
                yield self._titled(each["text"])

    def _titled(self, text: str) -> str:
        """A bold first line above others is their title."""
        first, _, rest = text.partition("\n")
        is_title = rest and first.startswith("*") and first.endswith("*") and "*" not in first[1:-1]
        return (
            f'<h4 dir="auto">{self.inline.line(first[1:-1])}</h4>{self.inline.lines(rest)}'
            if is_title
            else self.inline.lines(text)
        )


def in_language(tag: str) -> str:
    """The attribute that says what language an element is in; empty where that is not known."""
    return f' lang="{escape(tag)}"' if tag else ""


def _attribute(text: str) -> str:
    """A text in mrkdwn as the value of an attribute: in plain words."""
    return escape(unescape(text).replace("*", ""))
