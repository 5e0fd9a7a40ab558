"""Who and which rooms a plan takes at what time, so that two plans that take the same at once are noticed.

| question | kind | key | while |
| --- | --- | --- | --- |
| what takes this person or room? | ``booking`` | what it is / first day / stream | the plan is open, or agreed |

A plan books those who have a seat in it, and once it is agreed, those who agree. It has to take place on a day, or on
`MOST_DAYS` at most: whoever works on something for weeks can do something else on an evening. The subnets of a plan
book nobody, since whoever they find gets a seat there. Nobody's words are in it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from msgspec.structs import replace

from engine.facts.circumstances import When
from engine.facts.places import same_city
from engine.facts.quotes import folded
from engine.kernel import Handled, KeyRange, Record, decode, encode
from engine.negotiation.plan.told_needs import agreeing
from engine.negotiation.remembering import remembered
from engine.negotiation.state import TERMINAL, Negotiation
from engine.negotiation.terms import Assigned, Booking, Clash, Proposal

BOOKING: Final = "booking"
MOST_DAYS: Final = 3
"""A weekend, a conference; who takes part in something longer is not taken all the time."""
UNTIL: Final = timedelta(hours=4)
"""How long something lasts of which only the beginning is known."""
MOST_FOUND: Final = 30
"""Bookings of one person or room that are looked at."""
MOST_CLASHES: Final = 10
"""That are told; there may be more."""


# ── what a plan books ─────────────────────────────────────────────────────────────────────────────────────────────


@remembered
def bookings_of(state: Negotiation) -> Mapping[str, Booking]:
    """Return them by the key of their record."""
    plan = _plan(state)
    if plan is None:
        return {}
    promised = agreeing(state) if state.final else {each.agent_id for each in plan.assignments} - {*state.withdrawn}
    seats = [each for each in plan.assignments if each.agent_id in promised]
    found = [*_people(state, plan, seats), *_rooms(state, plan)]
    return {each.key: each for each in found}


def _plan(state: Negotiation) -> Proposal | None:
    if state.parent is not None or state.is_plan_erased:
        return None
    if state.final is not None:
        return state.final.final_proposal
    return None if state.status in TERMINAL else state.proposal


def _people(state: Negotiation, plan: Proposal, seats: Iterable[Assigned]) -> Iterator[Booking]:
    own = When()
    whole = _time(state, own, plan)
    for seat in seats:
        if at := whole if seat.when == own else _time(state, seat.when, plan):
            yield Booking(agent_id=seat.agent_id, stream=state.channel_id, **at)


def _rooms(state: Negotiation, plan: Proposal) -> Iterator[Booking]:
    at = _time(state, When(), plan)
    room = plan.room.strip()
    if at and room and state.understanding is not None:
        city = state.understanding.context.place.city
        yield Booking(room=room_digest(folded(room)), name=room, city=city, stream=state.channel_id, **at)


def room_digest(room: str) -> str:
    """The name of a room is somebody's words, which may be erased where the record stays."""
    return hashlib.sha256(room.encode()).hexdigest()[:16]


def _time(state: Negotiation, own: When, plan: Proposal) -> dict[str, str]:
    """Return the fields of a booking about time: somebody's own, else the plan's, else the demand's; empty where it is
    on no certain days.
    """
    times = [own, plan.when, *((state.understanding.context.when,) if state.understanding else ())]
    dated = next((each for each in times if each.days), None)
    days = dated.days if dated and dated.exact != "vague" else None
    if dated is None or days is None or (days[1] - days[0]).days >= MOST_DAYS:
        return {}
    timed = next((each for each in times if each.start), When())
    zone = next((each.time_zone for each in times if each.time_zone), state.time_zone)
    return {"first": dated.first, "last": dated.last, "start": timed.start, "end": timed.end, "time_zone": zone}


# ── the records ───────────────────────────────────────────────────────────────────────────────────────────────────


def have_changed(before: Negotiation, after: Negotiation) -> bool:
    """Whether a plan may book something else than before; cheap to tell."""
    return (
        before.proposals is not after.proposals
        or before.withdrawn is not after.withdrawn
        or before.final is not after.final
        or before.is_plan_erased is not after.is_plan_erased
        or (before.status in TERMINAL) is not (after.status in TERMINAL)
    )


def booked(handled: Handled[Negotiation]) -> tuple[Record, ...]:
    """Return the records that have changed. With every new version all are written, also those of before there were
    any.
    """
    before, after = handled.before, handled.after
    if not handled.events or not have_changed(before, after):
        return ()
    old, new = bookings_of(before), bookings_of(after)
    gone = [Record(BOOKING, key, None) for key in old.keys() - new.keys()]
    return (*gone, *(Record(BOOKING, key, encode(replace(each, name=""))) for key, each in new.items()))


def ranges(bookings: Iterable[Booking]) -> list[KeyRange]:
    """Return where the bookings are that may be at the same time as these."""
    found = {}
    for each in bookings:
        first = _shifted(each.first, -MOST_DAYS)  # the other one may have begun before, in an earlier time zone too
        end = _shifted(each.last, 2)
        found[each.key] = KeyRange(BOOKING, f"{each.what}/{first}", f"{each.what}/{end}", MOST_FOUND)
    return [*found.values()]


def read(records: Mapping[str, str]) -> list[Booking]:
    return [decode(each, Booking) for each in records.values()]


def _shifted(day: str, days: int) -> str:
    return (datetime.fromisoformat(day) + timedelta(days=days)).date().isoformat()


# ── what is taken twice ───────────────────────────────────────────────────────────────────────────────────────────


def clashes(own: Iterable[Booking], others: Sequence[Booking]) -> tuple[Clash, ...]:
    """Return which of these bookings another plan has at the same time, as far as both tell, each plan once for a
    person or room.
    """
    found: dict[tuple[str, str], Clash] = {}
    for one in own:
        for other in others:
            if other.stream == one.stream or other.what != one.what or _elsewhere(one, other):
                continue
            if days := _days_in_common(one, other):
                found.setdefault((other.stream, one.what), _clash(one, other, days))
    return tuple(found[each] for each in sorted(found))


def _elsewhere(one: Booking, other: Booking) -> bool:
    """Whether rooms of the same name are not the same."""
    return bool(one.room and one.city and other.city) and same_city(one.city, other.city) is not True


def _clash(one: Booking, other: Booking, days: Sequence[str]) -> Clash:
    is_timed = bool(one.start and other.start)
    return Clash(
        agent_id=one.agent_id,
        room=one.name,
        room_key=one.room,
        channel_id=other.stream,
        first=days[0],
        last=days[-1],
        start=one.start if is_timed else "",
        end=one.end if is_timed else "",
        other_start=other.start if is_timed else "",
        other_end=other.end if is_timed else "",
        is_certain=is_timed and one.first == one.last and other.first == other.last,
    )


def _days_in_common(one: Booking, other: Booking) -> list[str]:
    """Return the days of the first booking on which both are at once."""
    return [
        day
        for day, (begins, ends) in _slots(one, other.time_zone)
        if any(begins < last and first < ends for _, (first, last) in _slots(other, one.time_zone))
    ]


def _slots(each: Booking, default_zone: str) -> Iterator[tuple[str, tuple[datetime, datetime]]]:
    """Each day with from when until when something is taken on it."""
    from engine.facts.asked import zone_of

    zone = zone_of(each.time_zone or default_zone)
    first, last = datetime.fromisoformat(each.first), datetime.fromisoformat(each.last)
    for number in range((last - first).days + 1):
        day = first.date() + timedelta(days=number)
        begins = datetime.combine(day, time.fromisoformat(each.start or "00:00"), tzinfo=zone)
        if each.end:
            ends = datetime.combine(day, time.fromisoformat(each.end), tzinfo=zone)
            ends += timedelta(days=ends <= begins)
        else:
            ends = begins + (UNTIL if each.start else timedelta(days=1))
        yield day.isoformat(), (begins, ends)
