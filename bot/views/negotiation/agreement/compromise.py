"""Shows what a model considers still possible after a negotiation without agreement."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from engine.llm.port import OFFLINE
from engine.negotiation.answers import Assignment, Compromise, Resolution
from engine.negotiation.events import CompromiseOffered

MOST: Final = 8
"""Lines of one part, at most."""
LONGEST: Final = 400
"""Characters of a line, at most."""

Line = Callable[[str], str]


def sections(offered: CompromiseOffered, texts: Texts, fit: Fit) -> list[Block]:
    compromise, written = offered.compromise, partial(fit.line, most=LONGEST)
    title, summary = texts.say("What would still be possible"), fit.text(compromise.summary, 800) or "…"
    card = [blocks.section(f"*{title}*\n{summary}")]
    for heading, lines in parts(compromise, texts, written):
        card += blocks.titled_list(heading, fit.first(lines, MOST))
    if offered.model == OFFLINE:
        card.append(blocks.context(texts.say("Worked out by simple rules, not by a model. Nobody is bound by it.")))
    else:
        card.append(blocks.context(texts.say("A suggestion of the model’s. Nobody is bound by it.")))
    return card


def parts(compromise: Compromise, texts: Texts, line: Line) -> Iterator[tuple[str, Sequence[str]]]:
    """Headings, each with its lines.

    Args:
        line: makes a person's text safe, on one line.
    """
    groups = (
        (texts.say("*What could be built on*"), [line(each) for each in compromise.facts]),
        (texts.say("*Who could do what*"), [_seat(each, texts, line) for each in compromise.assignments]),
        (texts.say("*Alternatives*"), [_alternative(each, texts, line) for each in compromise.compromises]),
        (texts.say("*Still unsolved*"), [line(each) for each in compromise.unresolved]),
        (texts.say("*Next steps*"), [line(each) for each in compromise.suggestions]),
    )
    for heading, lines in groups:
        if filled := [f"• {each}" for each in lines if each]:
            yield heading, filled


def _seat(seat: Assignment, texts: Texts, line: Line) -> str:
    who = " · ".join(each for each in (line(seat.display_name), line(seat.role)) if each)
    what = line(seat.responsibility)
    return texts.say("{what}: {detail}", what=who, detail=what) if what else who


def _alternative(each: Resolution, texts: Texts, line: Line) -> str:
    text = line(each.resolution)
    if issue := line(each.issue):
        text = f"{issue} → {text}"
    return f"{text} ({why})" if (why := line(each.rationale)) else text
