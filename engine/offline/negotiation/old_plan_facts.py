"""What a version of a plan says of one person's part, as facts that constraints are held against.

A seat's own time counts before the plan's, and the plan's before the demand's. What none of them says stays open.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from engine.facts.circumstances import Money, People, When
from engine.lexicon import constraint_patterns as patterns
from engine.lexicon.clauses import CLAUSE_END
from engine.lexicon.clock_times import clock_spans
from engine.lexicon.constraints import ONLINE, Facts, Prepared, Weeks, cities_named
from engine.lexicon.time_zones import zone_of_place
from engine.negotiation.answers import Assignment, Circumstances, ProposalDraft, Understanding

_NOWHERE: Final = Circumstances()


def facts_of(
    understanding: Understanding | None,
    draft: ProposalDraft,
    seat: Assignment | None,
    seats: Sequence[Assignment],
) -> Facts:
    """
    Args:
        seat: the person's own; None for the plan as a whole.
        seats: all of the version.
    """
    context = understanding.context if understanding else _NOWHERE
    own = seat.when if seat else When()
    times = (own, draft.when, context.when)
    days = next((each.days for each in times if each.days), None)
    opens, closes, core = _hours(times, context)
    efforts = _efforts(seat)
    if closes is not None and core is None and days and days[0] == days[1]:
        efforts += (("whole", ((closes - (opens or 0)) % 1440 or 1440) / 60),)
    return Facts(
        first=days[0] if days else None,
        last=days[1] if days else None,
        opens=opens,
        closes=closes,
        is_own=bool(own.start),
        core=core,
        time_zone=next((each.time_zone for each in times if each.time_zone), "") or _zone_of(context),
        weeks=_weeks(draft, seat, seats, draft.when.days or context.when.days),
        place=_place(context.location or ""),
        is_own_online=seat is not None and patterns.says_online(f"{seat.role}\n{seat.responsibility}\n{seat.notes}"),
        people=_people(context),
        money=_money(context),
        efforts=efforts,
        prepared=tuple(_prepared(draft, days[0] if days else None)),
    )


def _hours(times: Iterable[When], context: Circumstances) -> tuple[int | None, int | None, tuple[int, int] | None]:
    """From when, until when, and the heart of it where only a part of the day is known."""
    for each in times:
        if each.start:
            return _minutes(each.start), _minutes(each.end) if each.end else None, None
        if found := _part_of_day(each.said):
            return found
    return _part_of_day(context.date or "") or (None, None, None)


def _part_of_day(said: str) -> tuple[int, int, tuple[int, int] | None] | None:
    spans = clock_spans(said[:200].lower()) if said else ()
    if len(spans) != 1:
        return None
    span = spans[0]
    return span.start, span.end, None if span.core == (span.start, span.end) else span.core


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


def _zone_of(context: Circumstances) -> str:
    return zone_of_place((context.location or "").lower())


def _place(location: str) -> str:
    """What is both online and somewhere is left open: who is there may be there either way."""
    if not patterns.says_online(location):
        return location.strip()
    return "" if cities_named(location) else ONLINE


def _people(context: Circumstances) -> People:
    if context.people.at_least or context.people.at_most:
        return context.people
    count = context.expected_attendees or 0
    return People(at_least=count, at_most=count)


def _money(context: Circumstances) -> Money:
    if context.money.none or context.money.amount:
        return context.money
    return Money(none=bool(patterns.NO_MONEY.search((context.budget or "").lower())))


def _efforts(seat: Assignment | None) -> tuple[tuple[str, float], ...]:
    if seat is None:
        return ()
    found: dict[str, float] = {}
    for hours, per in patterns.hours_in(f"{seat.role}\n{seat.responsibility}".lower()):
        found[per] = max(hours, found.get(per, 0))
    return tuple(found.items())


def _prepared(draft: ProposalDraft, day: date | None) -> Iterable[Prepared]:
    for each in draft.timeline.milestones:
        words = patterns.subjects_in(f"{each.name}\n{each.deliverable}")
        ahead = patterns.days_ahead(each.date) or patterns.days_ahead(each.name)
        if ahead is None and day is not None and (at := _date(each.date)):
            ahead = (day - at).days
        if words and ahead is not None:
            yield Prepared(words, ahead)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def _weeks(
    draft: ProposalDraft, seat: Assignment | None, seats: Sequence[Assignment], days: tuple[date, date] | None
) -> tuple[int, int] | None:
    """The weeks of the plan in which the person has something to do.

    Those of their own time, where the plan's beginning is known; else those of the steps that are theirs or
    everybody's.
    What their seat says of weeks counts only as far as no step contradicts it.
    """
    dated = [at for each in draft.timeline.milestones if (at := _date(each.date))]
    begins = _date(draft.timeline.start_date) or min(dated, default=days[0] if days else None)
    if seat and seat.when.days and begins:
        first, last = (max(0, (each - begins).days) // 7 + 1 for each in seat.when.days)
        return first, last
    own, common = _steps(draft, seat, seats, begins)
    said = [each for each in _weeks_said(seat) if each.allowed]
    if said:
        first = min(each.first for each in said)
        if min(own, default=first) < first:
            return min(own), max(own)
        return None if min(common, default=first) < first else (first, max((*own, *common), default=0))
    found = own + common
    return (min(found), max(found)) if found else None


def _weeks_said(seat: Assignment | None) -> list[Weeks]:
    if seat is None:
        return []
    texts = [part for text in (seat.responsibility, seat.notes) for part in CLAUSE_END.split(text.lower())]
    return [each for text in texts for each in patterns.weeks_in(text)]


def _steps(
    draft: ProposalDraft, seat: Assignment | None, seats: Sequence[Assignment], begins: date | None
) -> tuple[list[int], list[int]]:
    """The weeks of the steps that name the person, and of those that name nobody."""
    own: list[int] = []
    common: list[int] = []
    for each in draft.timeline.milestones:
        at = _date(each.date)
        weeks = (
            [(at - begins).days // 7 + 1]
            if at and begins and at >= begins
            else patterns.week_numbers(each.date.lower())
        )
        text = f"{each.name}\n{each.deliverable}"
        if seat and seat.display_name and seat.display_name in text:
            own += weeks
        elif not any(other.display_name and other.display_name in text for other in seats):
            common += weeks
    return own, common
