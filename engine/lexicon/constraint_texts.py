"""Reads what a condition, a wish or a limit demands, in Chinese and English.

A text is read clause by clause. Words that only say "I can take part" are skipped; a clause that says anything else
is not about the plan as a whole ("no loudspeakers after 21:30"), so nothing is taken from it, and the text counts as
not understood. Premises ("if more than 20 come, ..."), permissions ("evenings are fine too") and questions demand
nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.lexicon import clauses, time_zones
from engine.lexicon import constraint_patterns as patterns
from engine.lexicon.clock_times import clock_spans
from engine.lexicon.constraints import (
    ON_SITE,
    ONLINE,
    Constraint,
    Dates,
    Notice,
    Place,
    Reading,
    TimeOfDay,
    Weekdays,
    Weeks,
)

if TYPE_CHECKING:
    from engine.facts.asked import Asked
    from engine.lexicon.reading.places import Place as City

    Cities = Mapping[str, City]

LONGEST: Final = 600
"""Characters that are read; a longer text is not understood as a whole."""

NOTHING: Final = Reading()


class Span(NamedTuple):
    """A constraint as it stands in a text: what it says as it is, and what it says where it is refused."""

    start: int
    end: int
    allows: Constraint | None
    refuses: Constraint | None


@lru_cache(maxsize=4096)
def read_constraints(text: str, asked: "Asked | None" = None) -> Reading:
    """Return what a text demands; nothing where it is not understood. Never raises.

    Args:
        asked: the day from which dates are counted; without it, none are read.
    """
    plain = unicodedata.normalize("NFKC", text[:LONGEST])
    low = plain.lower()
    if not low.strip() or clauses.QUESTION.search(low):
        return NOTHING
    low = clauses.ANY_BUT.sub("except ", clauses.INSTEAD.sub(" ", low))
    spans = _spans(low, asked, _cities_in(plain))
    if not spans:
        return NOTHING
    is_own = bool(clauses.FIRST_PERSON.search(low))
    groups: list[tuple[Constraint, ...]] = []
    complete, refused = len(text) <= LONGEST, False
    said = [each for each in _clauses(low, spans) if each[0].strip()]
    follows_premise = False
    for clause, spans in said:
        is_premise = bool(clauses.PREMISE.search(clause)) and (len(said) > 1 or not clauses.IF.match(clause))
        if is_premise or follows_premise:
            complete, follows_premise = False, is_premise
            continue
        read, understood, refused = _read_clause(clause, spans, was_refused=refused)
        complete = complete and understood and not _clash(groups, read)
        groups = _joined(groups, read)
    if is_own:
        if not clauses.BOUND.search(low):
            complete = complete and not any(_is_home(each) for group in groups for each in group)
            groups = [group for group in groups if not any(_is_home(each) for each in group)]
        groups = [tuple(_as_own(each) for each in group) for group in groups]
    return Reading(tuple(groups), complete and bool(groups) and all(groups))


def _as_own(constraint: Constraint) -> Constraint:
    """What somebody says of themselves is about their part, which may be less than the whole."""
    match constraint:
        case TimeOfDay() | Place():
            return replace(constraint, own=True)
    return constraint


def _is_home(constraint: Constraint) -> bool:
    """Whether it may only say where somebody is: "I'm in Shanghai" asks nothing of a plan, "only in Shanghai" does."""
    return isinstance(constraint, Place) and constraint.allowed and constraint.name not in (ONLINE, ON_SITE)


def _clash(groups: list[tuple[Constraint, ...]], more: list[tuple[Constraint, ...]]) -> bool:
    """Whether two clauses allow different things of one kind, so that either may be meant: mornings, evenings."""
    return any(_kind(one) is not None and _kind(one) == _kind(other) for one in groups for other in more)


def _joined(groups: list[tuple[Constraint, ...]], more: list[tuple[Constraint, ...]]) -> list[tuple[Constraint, ...]]:
    joined = [*groups]
    for each in more:
        at = next((at for at, one in enumerate(joined) if _kind(one) is not None and _kind(one) == _kind(each)), None)
        if at is None:
            joined.append(each)
        else:
            joined[at] += each
    return joined


def _kind(group: tuple[Constraint, ...]) -> type[Constraint] | None:
    """The kind of time or place that a group allows."""
    each = group[0]
    match each:
        case TimeOfDay(allowed=True) | Weekdays(allowed=True) | Dates(allowed=True) | Weeks(allowed=True):
            return type(each)
    return None


def _clauses(text: str, spans: list[Span]) -> Iterable[tuple[str, list[Span]]]:
    """Split at commas and the like, but not inside of a constraint, such as a list of weekdays: each clause with its
    constraints.
    """
    start = 0
    for mark in clauses.CLAUSE_END.finditer(text):
        if not any(each.start < mark.start() < each.end for each in spans):
            yield text[start : mark.start()], _within(spans, start, mark.start())
            start = mark.end()
    yield text[start:], _within(spans, start, len(text))


def _within(spans: list[Span], start: int, end: int) -> list[Span]:
    """Return the constraints of a part of a text, placed in that part."""
    return [
        each._replace(start=each.start - start, end=each.end - start) for each in spans if start <= each.start < end
    ]


def _read_clause(
    clause: str, spans: list[Span], *, was_refused: bool
) -> tuple[list[tuple[Constraint, ...]], bool, bool]:
    """Return its groups, whether it was understood, and whether it refuses what it names."""
    if not spans:
        return [], not _left_over(clause, spans), was_refused and not clause.strip()
    if clauses.PERMISSION.search(clause):
        return [], False, False
    bare = not any(char.isalnum() for char in _without(clause, spans))
    refused = was_refused if bare else _is_refused(clause, spans)
    groups: list[tuple[Constraint, ...]] = []
    allowed: list[Constraint] = []
    understood = True
    parts = _parts(clause, spans)
    if not refused and _are_alternatives(parts):
        return [], False, False
    for part, own in parts:
        if own and _left_over(part, own):
            # What somebody wants beforehand, or in return, always has words of its own.
            own = [each for each in own if isinstance(each.allows, patterns.IN_RETURN)]
            understood = understood and bool(own) and isinstance(own[0].allows, Notice)
        elif not own:
            understood = understood and not _left_over(part, own)
        refuses = _is_refused(part, own) if refused is None and own else bool(refused)
        for each in own:
            said = each.refuses if refuses else each.allows
            understood = understood and said is not None
            if said is not None and refuses:
                groups.append((said,))
            elif said is not None:
                allowed.append(said)
    groups += _grouped(allowed, any_of=bool(clauses.OR.search(_without(clause, spans))))
    return groups, understood, bool(refused)


def _are_alternatives(parts: list[tuple[str, list[Span]]]) -> bool:
    """Whether each part names a time of its own, of which one is enough: weekday evenings and weekends."""
    kinds = [[type(each.allows) for each in own] for _, own in parts if own]
    times = [each for each in kinds if not {TimeOfDay, Weekdays, Dates, Weeks}.isdisjoint(each)]
    return len(times) > 1 and any(each != times[0] or len(each) > 1 for each in times)


def _is_refused(clause: str, spans: list[Span]) -> bool | None:
    """Whether the clause refuses what it names; None where each of its parts says that for itself."""
    first, last = spans[0].start, spans[-1].end
    before = bool(clauses.REFUSAL.search(clause[:first]))
    after = bool(clauses.REFUSAL_AFTER.search(clause[last:]))
    if clauses.EXCEPT.search(clause[:first]):
        return not after  # "除了周末都不行" wants the weekend
    if len(spans) > 1 and clauses.REFUSAL.search(_without(clause, spans)[first:last]):
        return None
    return before != after


def _grouped(found: list[Constraint], *, any_of: bool) -> list[tuple[Constraint, ...]]:
    """Several things of a kind in one clause are alternatives: mornings and evenings."""
    if any_of:
        return [tuple(found)] if found else []
    kinds: dict[object, list[Constraint]] = {}
    for each in found:
        kinds.setdefault(each if isinstance(each, patterns.IN_RETURN) else _alternatives(each), []).append(each)
    return [tuple(each) for each in kinds.values()]


def _alternatives(constraint: Constraint) -> object:
    """What things have in common of which one is enough. A manner and a city are both asked for: on site in Rome."""
    match constraint:
        case Place(name=name) if name in (ONLINE, ON_SITE):
            return "manner"
    return type(constraint)


def _parts(clause: str, spans: list[Span]) -> list[tuple[str, list[Span]]]:
    """Split a clause at every "and" outside of its constraints: each part with its constraints."""
    start, parts = 0, []
    cuts = [
        each.span()
        for each in clauses.AND.finditer(clause)
        if not any(span.start < each.end() and each.start() < span.end for span in spans)
    ]
    for cut_start, cut_end in (*cuts, (len(clause), len(clause))):
        parts.append((clause[start:cut_start], _within(spans, start, cut_start)))
        start = cut_end
    return parts


def _left_over(part: str, spans: list[Span]) -> bool:
    """Whether a part says something besides its constraints."""
    rest = clauses.FILLER_ZH.sub(" ", time_zones.ZONE.sub(" ", _without(part, spans)))
    words = clauses.WORD.findall(rest)
    return any(word not in clauses.FILLER_EN for word in words)


def _without(text: str, spans: list[Span]) -> str:
    for each in spans:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def _spans(text: str, asked: "Asked | None", cities: "Cities") -> list[Span]:
    """Return the constraints in a text from left to right; what comes first in `patterns.READERS` wins."""
    found: list[Span] = []
    taken: list[tuple[int, int]] = []

    def add(start: int, end: int, allows: Constraint | None, refuses: Constraint | None) -> None:
        if not any(start < other_end and other_start < end for other_start, other_end in taken):
            taken.append((start, end))
            found.append(Span(start, end, allows, refuses))

    for read in patterns.READERS:
        for start, end, allows, refuses in read(text):
            add(start, end, allows, refuses)
    for start, end, place in _cities(text, cities):
        add(start, end, place, replace(place, allowed=not place.allowed))
    for start, end, dates in _dates(text, asked) if asked and clauses.DATED.search(text) else ():
        add(start, end, dates, replace(dates, allowed=False))
    clocks = clock_spans(text)
    zone = time_zones.time_zone_in(text) if clocks else ""
    for each in clocks:
        allows = TimeOfDay(each.start, each.end, time_zone=zone)
        add(*each.at, allows, replace(allows, start=each.core[0], end=each.core[1], allowed=False))
    return sorted(found, key=lambda each: each.start)


def _cities_in(text: str) -> "Cities":
    """The cities that a text names, by what it calls them, in lower case. Capitals tell some of them from words."""
    from engine.lexicon.reading.places import ONLINE as AFAR  # the first text that is read loads the cities
    from engine.lexicon.reading.places import places_in

    return {text[each.start : each.end].lower(): each.value for each in places_in(text) if each.value != AFAR}


def _cities(text: str, cities: "Cities") -> Iterable[tuple[int, int, Place]]:
    """The places where something is, or outside of which it is. A city's time is no place."""
    if not cities:
        return
    longest_first = sorted(cities, key=len, reverse=True)
    names = "|".join(rf"(?<![a-z]){re.escape(each)}(?![a-z])" for each in longest_first)
    for match in re.finditer(rf"(?:{clauses.OUTSIDE})?(?P<name>{names})(?P<after>{clauses.OUTSIDE_AFTER})?", text):
        if time_zones.ZONE.match(text, match.start("name")):
            continue
        city = cities[match["name"]]
        is_outside = bool(match["after"]) or match.start() < match.start("name")
        yield *match.span(), Place(city.en, allowed=not is_outside, part=city.part)


def _dates(text: str, asked: "Asked") -> Iterable[tuple[int, int, Dates]]:
    """The days that a text names, of those that say nothing of hours besides."""
    from engine.lexicon.reading.times import times_in  # the first text that is read loads the grammar

    for each in times_in(text, asked):
        first, last = (date.fromisoformat(day) if day else None for day in (each.value.first, each.value.last))
        if (first or last) and not each.value.start:
            yield each.start, each.end, Dates(first, last)
