"""What is to be planned: as somebody writes it, from what another stream has handed over, and as data.

Code reads no words of it: the prompt ``brief`` does, once.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from engine.deliberation.answers import Compared
from engine.deliberation.terms import (
    LONGEST_FACT,
    LONGEST_GOAL,
    LONGEST_OPTION,
    LONGEST_TITLE,
    MOST_FACTS,
    MOST_OPTIONS,
    Brief,
)
from engine.facts.asked import local_day
from engine.facts.circumstances import Money
from engine.facts.data import is_empty
from engine.facts.shortening import shorten
from engine.kernel import FactKind, HandedFact, Handover, Millis

_BULLET: Final = re.compile(r"\s{0,20}[-*•·]\s{1,20}(?=\S)")


def brief_of(handed: Handover, *, now: Millis, time_zone: str, locale: str = "") -> Brief:
    """
    Args:
        time_zone: IANA; where whoever asked is.
        locale: theirs.
    """
    return Brief(
        title=handed.title,
        goal=handed.goal,
        language=handed.language,
        locale=locale,
        origin=handed.origin,
        origin_protocol=handed.protocol,
        time_zone=time_zone,
        today=local_day(now, time_zone),
        starts=handed.starts,
        ends=handed.ends,
        people=handed.people,
        facts=handed.facts[:MOST_FACTS],
        tasks=handed.tasks,
    )


def written_brief(
    text: str,
    *,
    today: str,
    time_zone: str = "",
    locale: str = "",
    facts: Sequence[str | HandedFact] = (),
    options: Sequence[str] = (),
    title: str = "",
) -> Brief:
    """Take a goal in a person's own words. It never fails: all of it stays as it was said.

    Args:
        today: ISO date, where the person is.
        facts: what the caller gives as facts; without any, each line of the text that begins with a bullet is one.
    """
    text = text.strip()[:LONGEST_GOAL]
    listed = [line for line in text.splitlines() if _BULLET.match(line)] if not facts else []
    goal = "\n".join(line for line in text.splitlines() if line not in listed).strip()
    if not goal:
        goal, listed = text, []
    said = facts or [_BULLET.sub("", line, count=1) for line in listed]
    chosen = tuple(each.strip()[:LONGEST_OPTION] for each in options if each.strip())[:MOST_OPTIONS]
    return Brief(
        title=shorten(title.strip() or goal.partition("\n")[0], LONGEST_TITLE),
        goal=goal,
        locale=locale,
        time_zone=time_zone,
        today=today,
        options=chosen if len(chosen) > 1 else (),
        facts=tuple(fact_of(each, place) for place, each in enumerate(said, 1))[:MOST_FACTS],
    )


def fact_of(said: str | HandedFact, place: int, kind: FactKind | None = None, by: str = "") -> HandedFact:
    """Return a fact by its place. What nobody has said the kind of holds for the whole."""
    if isinstance(said, HandedFact):
        return said
    text = said.strip()[:LONGEST_FACT]
    return HandedFact(fact_id=f"fact-{place}", kind=kind or FactKind.CONSTRAINT, text=text, by=by)


# ── what the prompt reads of it ───────────────────────────────────────────────────────────────────────────────────────
# Takes out of data whatever a model could have written words into.


_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")


def tag_of(language: str) -> str:
    """Return the tag of a language by BCP 47; empty where it is none."""
    return language if _TAG.fullmatch(language) else ""


def demanding(data: Iterable[Compared | None]) -> tuple[Compared, ...]:
    """Return those that demand something, with nothing in them that a model could write words into."""
    clean = (without_words_of(each) if isinstance(each, Money) else each for each in data)
    return tuple(each for each in clean if each is not None and not is_empty(each))


def without_words_of(sum_: Money) -> Money:
    return replace(sum_, currency=sum_.currency if _CURRENCY.fullmatch(sum_.currency) else "")
