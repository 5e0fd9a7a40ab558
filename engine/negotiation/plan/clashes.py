"""Plans that take the same person, or the same room, at the same time: each finds the other, and says it.

What a plan books is written with the version that does, and looked up after that commit, so of two plans that are made
at once, the later one finds the earlier. It tells the other one, which looks for itself. Nothing is refused for it, and
no vote is counted otherwise. What everybody may be told of a clash is in no words of the other demand.

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
from pydantic import ConfigDict

from engine.facts.circumstances import When
from engine.facts.places import same_city
from engine.facts.quoting import folded
from engine.kernel import (
    Command,
    CommandDelivered,
    EffectFailed,
    FindRecords,
    Handled,
    KeyRange,
    Millis,
    Record,
    SendCommand,
    Validated,
    decode,
    encode,
)
from engine.negotiation.commands import RecordBookings, TellClash
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import ClashesFound
from engine.negotiation.ids import PROTOCOL, demand_id
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


FIND: Final = "bookings"
"""Name and scope of the effect that looks for what others have booked."""

TELL: Final = "clash"
ANSWER: Final = "clash_answer"
"""What is sent: the first part of an effect's name, before a slash and the other plan's channel id."""


def follow(draft: NegotiationDraft, before: Negotiation) -> None:
    """Look for clashes where the plan books something else than before; where it ends, tell those that it clashed with.

    A plan that takes place on no certain day, and in no room, looks for nothing.
    """
    state = draft.state
    if not have_changed(before, state):
        return
    own = bookings_of(state)
    if own and own != bookings_of(before):
        draft.owes(FindRecords(name=FIND, scope=FIND))
    elif not own:
        for channel_id in _by_plan(state.clashes):
            _tell(draft, TELL, channel_id)


def record(draft: NegotiationDraft, command: RecordBookings) -> None:
    """Record the clashes, if they are others than before, and tell the plans that this is about."""
    state = draft.state
    own = bookings_of(state)
    if not own:
        return  # it has ended since
    found = clashes([*own.values()], command.found)
    told, has_more = found[:MOST_CLASHES], len(found) > MOST_CLASHES
    before = state.clashes
    if (told, has_more) != ((before.clashes, before.has_more) if before else ((), False)):
        draft.happens(ClashesFound(**draft.ids, clashes=told, has_more=has_more))
    old, new = _by_plan(before), _by_plan(draft.state.clashes)
    changed = [each for each in dict.fromkeys((*old, *new)) if old.get(each) != new.get(each)]
    for channel_id in changed:
        _tell(draft, TELL, channel_id)
    if command.asked_by and command.asked_by not in changed:
        _tell(draft, ANSWER, command.asked_by)


def heed(draft: NegotiationDraft, command: TellClash) -> None:
    """Look again where another plan knows of something else than this one does."""
    state = draft.state
    mine = _by_plan(state.clashes).get(command.channel_id, frozenset())
    is_full = state.clashes is not None and state.clashes.has_more
    if mine == frozenset(command.shared) or (is_full and not mine) or not bookings_of(state):
        return
    draft.owes(FindRecords(name=FIND, scope=FIND, about="" if command.is_answer else command.channel_id))


def shown(state: Negotiation) -> tuple[Clash, ...]:
    """Return the clashes of a plan that is open or agreed."""
    is_told = (state.is_open or state.final) and not state.is_plan_erased
    return state.clashes.clashes if state.clashes and is_told else ()


def delivered(_draft: NegotiationDraft, _command: CommandDelivered | EffectFailed) -> bool:
    """Nothing follows from it that another plan was told of a clash."""
    return True


def compose_command(state: Negotiation, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    shared = _by_plan(state.clashes).get(effect.to, frozenset[str]()) if bookings_of(state) else ()
    is_answer = effect.name.startswith(f"{ANSWER}/")
    return TellClash(
        command_id=command_id,
        at=at,
        channel_id=state.channel_id,
        shared=tuple(sorted(shared)),
        is_answer=is_answer,
    )


class ClashSearch:
    """Looks for what other plans have booked (`engine.kernel.Search`)."""

    def ranges(self, state: Negotiation, effect: FindRecords) -> Sequence[KeyRange]:
        return ranges(bookings_of(state).values())

    def found(
        self, state: Negotiation, effect: FindRecords, records: Mapping[str, str], *, command_id: str, at: Millis
    ) -> Command:
        others = tuple(each for each in read(records) if each.stream != state.channel_id)
        return RecordBookings(command_id=command_id, at=at, found=others, asked_by=effect.about)


def _by_plan(known: ClashesFound | None) -> dict[str, frozenset[str]]:
    """Return what is taken twice, by the channel id of the other plan."""
    found: dict[str, frozenset[str]] = {}
    for each in known.clashes if known else ():
        found[each.channel_id] = found.get(each.channel_id, frozenset()) | {each.what}
    return found


def _tell(draft: NegotiationDraft, what: str, channel_id: str) -> None:
    draft.owes(SendCommand(name=f"{what}/{channel_id}", scope=TELL, to=channel_id, protocol=PROTOCOL))


class ClashTold(Validated):
    """That another plan takes the same person, or the same room, at the same time."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    agent_id: str
    """Who is taken; empty where it is a room."""
    room: str
    demand_id: str
    """The other plan's."""
    first: str
    """The first day on which both are at once, ISO 8601."""
    last: str
    start: str
    """When this plan begins, `HH:MM`; empty where either plan leaves its hours open."""
    end: str
    other_start: str
    """The other's hours, on its own clock."""
    other_end: str
    is_certain: bool
    """Whether both have their day and their hours; else it may turn out to be none."""


def clashes_now(state: Negotiation) -> tuple[ClashTold, ...]:
    return tuple(map(_clash_told, shown(state)))


def has_more(state: Negotiation) -> bool:
    return bool(shown(state)) and state.clashes is not None and state.clashes.has_more


def _clash_told(clash: Clash) -> ClashTold:
    return ClashTold(
        agent_id=clash.agent_id,
        room=clash.room,
        demand_id=demand_id(clash.channel_id),
        first=clash.first,
        last=clash.last,
        start=clash.start,
        end=clash.end,
        other_start=clash.other_start,
        other_end=clash.other_end,
        is_certain=clash.is_certain,
    )
