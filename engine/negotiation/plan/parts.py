"""What a version of a plan says of one person's part, and of the whole: what people demand of it is held against that.

Somebody's own part is at their seat's time where it has one, else when everybody is needed who is needed then. What a
version leaves open is open: other people's days are never somebody's own.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, time
from typing import Final, Literal

from msgspec.structs import replace

from engine.facts.circumstances import People, When
from engine.facts.data import Datum, Deadline, Notice, Place
from engine.facts.holding import UNKNOWN, Finding, Part, holds
from engine.negotiation.answers import Assignment, Circumstances, Milestone, ProposalDraft
from engine.negotiation.state import Negotiation

Scope = Literal["own", "whole"]

_NOTHING: Final = Circumstances()
_WEEK: Final = 7
"""Days."""
ISO: Final = re.compile(r"\s{0,20}(\d{4}-\d\d-\d\d)\D*")
"""A date as prompts ask for it, perhaps with something behind it that is no number."""


def circumstances(state: Negotiation) -> Circumstances:
    """Return what the demand says of itself as data."""
    return state.understanding.context if state.understanding else _NOTHING


def demanded(context: Circumstances) -> Part:
    """Return what a demand says by itself, before there is a plan."""
    return Part(when=context.when, place=_place(context), people=heads(context), money=context.money)


def whole_part(context: Circumstances, draft: ProposalDraft) -> Part:
    days = [each for each in (draft.when.days, *map(_days, draft.timeline.milestones)) if each]
    return replace(
        demanded(context),
        when=_both(draft.when, context.when),
        weeks=_weeks(draft, days),
        ready=max((each[1] for each in days), default=None),
    )


def own_part(
    context: Circumstances, draft: ProposalDraft, seat: Assignment | None, *, milestones: Sequence[Milestone] = ()
) -> Part:
    """Return what a version says of one person's part; all is open where they have no seat.

    Args:
        milestones: those that are theirs.
    """
    if seat is None:
        return Part(money=context.money)
    when = _own_when(context, draft, seat)
    days = [each for each in (when.days, *map(_days, milestones)) if each]
    hours = float(seat.hours) if seat.hours else None
    span = (when.days[1] - when.days[0]).days + 1 if when.days and when.exact != "vague" else 0
    return Part(
        when=when,
        weeks=_weeks(draft, days),
        place=_place(context) if seat.attends else None,
        money=context.money,
        hours=hours,
        hours_a_day=(hours or _length(when)) if span == 1 else None,
        hours_a_week=hours if 0 < span <= _WEEK and when.exact == "day" else None,
        ready=max((each[1] for each in days), default=None),
    )


def agreed_time(draft: ProposalDraft, seat: Assignment) -> When:
    """Return what of a version's time somebody agrees to with their seat: its days, and its hours only where they are
    needed then. Where no seat says who is needed, everybody is.
    """
    when = draft.when
    if seat.attends or not any(each.attends for each in draft.assignments):
        return when
    return When(first=when.first, last=when.last)


def part_of(state: Negotiation, draft: ProposalDraft, seats: Iterable[Assignment], agent_id: str, scope: Scope) -> Part:
    context = circumstances(state)
    if scope == "whole":
        return whole_part(context, draft)
    seat = next((each for each in seats if each.agent_id == agent_id), None)
    return own_part(context, draft, seat, milestones=[each for each in draft.timeline.milestones if _is_of(each, seat)])


def held(
    state: Negotiation,
    wanted: Datum | None,
    agent_id: str,
    scope: Scope,
    draft: ProposalDraft,
    seats: Sequence[Assignment],
    where: str = "",
) -> Finding:
    """Hold a datum of somebody against a version.

    Args:
        where: what of the version is said to meet it, as in `ConditionAnswer`.
    """
    if wanted is None:
        return UNKNOWN
    part = part_of(state, draft, seats, agent_id, scope)
    if isinstance(wanted, Notice):
        part = replace(part, days_ahead=_days_ahead(circumstances(state), draft, where))
    found = holds(wanted, part)
    if isinstance(wanted, Deadline) and found.status == "met" and not _all_dated(draft, agent_id, scope):
        return UNKNOWN  # what has no day yet may be later
    return found


# ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _both(plan: When, demand: When) -> When:
    """Return when a plan takes place; what it leaves open is as the demand has it."""
    if not plan.days:
        return demand if demand.days or not plan.start else _there(replace(plan, exact="unknown"), demand)
    if plan.start or plan.end or not demand.start:
        return _there(plan, demand)
    return _there(replace(plan, start=demand.start, end=demand.end), demand)


def _there(when: When, demand: When) -> When:
    """Return a time on the clock of the demand where it does not say on which it is."""
    return replace(when, time_zone=demand.time_zone) if demand.time_zone and not when.time_zone else when


def _own_when(context: Circumstances, draft: ProposalDraft, seat: Assignment) -> When:
    own = _there(seat.when, context.when)
    if not seat.attends:
        return own
    whole = _both(draft.when, context.when)
    if own.days:
        is_then = own.days == whole.days and not (own.start or own.end)
        return replace(own, start=whole.start, end=whole.end, time_zone=whole.time_zone) if is_then else own
    if own.start or own.end:
        return replace(own, first=whole.first, last=whole.last, exact=whole.exact)
    return whole


def _days(milestone: Milestone) -> tuple[date, date] | None:
    day = day_of(milestone)
    return (day, day) if day else None


def day_of(milestone: Milestone) -> date | None:
    """Return the day of a step: as data, or as an ISO date in its words."""
    return iso_day(milestone.day or milestone.date)


def iso_day(said: str) -> date | None:
    """Return the day that a text begins with in ISO 8601, if it names no other; None where it is anything else."""
    plain = ISO.fullmatch(said)
    try:
        return date.fromisoformat(plain[1]) if plain else None
    except ValueError:
        return None


def _weeks(draft: ProposalDraft, days: Sequence[tuple[date, date]]) -> tuple[int, int] | None:
    """Return in which weeks of the plan these days are, where its beginning is known."""
    begins = iso_day(draft.timeline.start_date)
    if begins is None or not days or min(days)[0] < begins:
        return None
    first, last = min(each[0] for each in days), max(each[1] for each in days)
    return (first - begins).days // _WEEK + 1, (last - begins).days // _WEEK + 1


def _length(when: When) -> float | None:
    """Return how many hours something takes on a day."""
    if not (when.start and when.end):
        return None
    start, end = time.fromisoformat(when.start), time.fromisoformat(when.end)
    minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
    return (minutes % (24 * 60) or 24 * 60) / 60


def _is_of(milestone: Milestone, seat: Assignment | None) -> bool:
    return seat is not None and milestone.agent_id == seat.agent_id


def _all_dated(draft: ProposalDraft, agent_id: str, scope: Scope) -> bool:
    steps = [each for each in draft.timeline.milestones if scope == "whole" or each.agent_id == agent_id]
    return all(day_of(each) for each in steps)


def _days_ahead(context: Circumstances, draft: ProposalDraft, where: str) -> int | None:
    """Return how many days before it takes place the step is that is said to meet a condition."""
    kind, _, number = where.partition("/")
    steps = draft.timeline.milestones
    if kind != "milestone" or not number.isdecimal() or not 0 < int(number) <= len(steps):
        return None
    day, begins = day_of(steps[int(number) - 1]), starts_on(context, draft)
    return (begins - day).days if day and begins else None


def starts_on(context: Circumstances, draft: ProposalDraft) -> date | None:
    """Return the day on which it takes place, or, where it is no event, by which it is to be there; None if open."""
    first, last = may_begin(context, draft)
    return first if first == last else None


def may_begin(context: Circumstances, draft: ProposalDraft) -> tuple[date, date] | tuple[None, None]:
    """Return the first and the last of the days on which it may take place, or by which it is to be there."""
    when, due = _both(draft.when, context.when), iso_day(context.deadline)
    if when.days:
        return (
            (when.days[0], when.days[0]) if when.exact == "day" else when.days if when.exact == "span" else (None, None)
        )
    return (due, due) if due else (None, None)


# ── where, how many ───────────────────────────────────────────────────────────────────────────────────────────────


def _place(context: Circumstances) -> Place | None:
    there = context.place
    return there if there.allowed and (there.city or there.online) else None


def heads(context: Circumstances) -> People:
    if context.people.at_least or context.people.at_most:
        return context.people
    count = max(0, context.expected_attendees or 0)
    return People(at_least=count, at_most=count)
