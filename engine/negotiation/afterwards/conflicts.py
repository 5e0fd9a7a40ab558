"""Somebody cannot any more when an agreed plan needs them: a calendar has changed, or their own days have.

Whoever looks up calendars finds it, and what comes of it is decided here. What was known when it was agreed is no
news, and neither is what its person has set aside, until it has gone and comes again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from typing import Any, Final

from msgspec.structs import replace

from engine.directory.profile import Profile
from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.facts.asked import local_day, zone_of
from engine.facts.circumstances import When
from engine.facts.data import Days
from engine.kernel import Event, Millis
from engine.negotiation.afterwards.commitments import commitments, keepers
from engine.negotiation.answers import Circumstances
from engine.negotiation.ask_rows import Busy
from engine.negotiation.commands import AvailabilityFinding, KeepTime, RecordAvailability
from engine.negotiation.demand.reading import asked
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    ConflictEnded,
    ConflictFound,
    OfferSubmitted,
    ReschedulingAnswered,
    ReschedulingBegun,
    ReschedulingEnded,
)
from engine.negotiation.plan.moving import moves
from engine.negotiation.plan.parts import circumstances, whole_part
from engine.negotiation.plan.times import BEGINNING, Known, needed_then
from engine.negotiation.state import Conflict, Negotiation, Rescheduling
from engine.negotiation.terms import Proposal
from engine.times.availability import USUAL
from engine.times.clocks import Seconds
from engine.times.feasible import Attendee, FoundTimes, at_time, feasible, minutes_of, window_of

MOST_DAYS: Final = 3
"""Of something without hours, during which nobody may be away."""
BEFORE: Final = timedelta(days=3)
AFTER: Final = timedelta(days=14)
"""How far from the agreed day another time is looked for where the demand's own days have none."""


def findings(
    state: Negotiation, profiles: Mapping[str, Profile], busy: Busy, at: Millis
) -> tuple[AvailabilityFinding, ...]:
    """Return of everybody who is needed at a time whether they can then; nothing of what is over.

    Args:
        busy: when people are, without what this very plan has put into their calendars.
    """
    if state.final is None or state.parent is not None or state.is_plan_erased:
        return ()
    plan, own = state.final.final_proposal, {each.agent_id for each in commitments(state)}
    seats = [each for each in plan.assignments if each.agent_id in own]
    looking = _Looking(state, profiles, busy, at)
    then = _then(circumstances(state), plan)
    groups = [(then, [each.agent_id for each in needed_then(seats)])]
    groups += [(each.when, [each.agent_id]) for each in seats if each.when != When()]
    return tuple(chain.from_iterable(looking.at(when, agent_ids) for when, agent_ids in groups))


def _then(context: Circumstances, plan: Proposal) -> When:
    """Return when a plan takes place. The demand's hours are the plan's only where it takes that long."""
    then, wanted = whole_part(context, plan).when, context.when
    is_window = wanted.exact != "day" or (0 < context.minutes < minutes_of(wanted))
    return replace(then, start="", end="") if is_window and not plan.when.start else then


class _Looking:
    def __init__(self, state: Negotiation, profiles: Mapping[str, Profile], busy: Busy, at: Millis) -> None:
        self._state = state
        self._profiles = profiles
        self._busy = busy
        self._now = at // 1000

    def at(self, when: When, agent_ids: list[str]) -> Iterator[AvailabilityFinding]:
        """Yield whether these can, who are needed at the same time."""
        zone = when.time_zone or circumstances(self._state).when.time_zone or asked(self._state).time_zone
        when = replace(when, time_zone=zone, said="")
        minutes = minutes_of(when, 0 if when.end else circumstances(self._state).minutes)
        span = _span(when, minutes, zone)
        if span is None or span[1] <= self._now:
            return
        people = self._people(agent_ids, zone, span[1])
        if not when.start:
            people = [replace(each, available=replace(each.available, limits=_away(each), busy=())) for each in people]
        cannot = {*at_time(span, people, 0, when).cannot}
        found = self._others(when, span[0], minutes, agent_ids, zone) if cannot and when.start and minutes else None
        for agent_id in agent_ids:
            is_not = agent_id in cannot
            yield AvailabilityFinding(agent_id=agent_id, when=when, cannot=is_not, found=found if is_not else None)

    def _people(
        self, agent_ids: list[str], zone: str, end: int, offers: Mapping[str, OfferSubmitted] = {}
    ) -> list[Attendee]:
        known = Known(self._profiles, self._busy, zone, end, offers)
        return [known.attendee(each, must=True) for each in agent_ids]

    def _others(self, when: When, begins: int, minutes: int, agent_ids: list[str], zone: str) -> FoundTimes | None:
        """Look on the demand's days, and where there is no time on these, around the agreed one; from tomorrow on, so
        that what was found holds for a day.
        """
        day, tomorrow = date.fromisoformat(when.first), _tomorrow(self._now, zone)
        nearest = None
        for wanted in (circumstances(self._state).when, self._around(when, day)):
            window = [(max(since, tomorrow), end) for since, end in window_of(wanted, minutes, zone) if end > tomorrow]
            if not window:
                continue
            people = self._people(agent_ids, zone, window[-1][1], self._state.offers)
            found = feasible(window, minutes, people, self._now, zone, instead_of=begins)
            if found.times:
                return found
            nearest = nearest or (found if found.nearest else None)
        return nearest

    def _around(self, when: When, day: date) -> When:
        deadline = circumstances(self._state).deadline
        last = (day + AFTER).isoformat()
        is_usual = bool(when.end) and USUAL.start <= when.start < when.end <= USUAL.end
        return replace(
            when,
            first=(day - BEFORE).isoformat(),
            last=min(last, deadline) if deadline else last,
            start=USUAL.start if is_usual else when.start,
            end=USUAL.end if is_usual else when.end,
            exact="span",
        )


def _span(when: When, minutes: int, zone: str) -> Seconds | None:
    """Return from when until when somebody is needed; None where that is not certain enough to be held against them."""
    if when.start and when.exact != "day":
        return None
    if when.days is None or (when.days[1] - when.days[0]).days >= MOST_DAYS:
        return None
    window = window_of(when, minutes or BEGINNING, zone)
    return (window[0][0], window[-1][1]) if window else None


def _away(of: Attendee) -> tuple[Days, ...]:
    days = (each for each in of.available.limits if isinstance(each, Days))
    return tuple(each for each in days if not each.allowed and each.first)


def _tomorrow(now: int, zone: str) -> int:
    day = datetime.fromisoformat(local_day(1000 * now, zone)).replace(tzinfo=zone_of(zone)) + timedelta(days=1)
    return int(day.astimezone(UTC).timestamp())


# ── what comes of it ──────────────────────────────────────────────────────────────────────────────────────────────


def is_news(state: Negotiation, found: Iterable[AvailabilityFinding]) -> bool:
    """Whether anything of this is to be recorded."""
    return any(_event(state, each) for each in found)


def record(draft: NegotiationDraft, command: RecordAvailability) -> None:
    """Record who cannot any more, and who can again."""
    for each in command.findings:
        if happened := _event(draft.state, each):
            draft.happens(happened)


def _event(state: Negotiation, found: AvailabilityFinding) -> ConflictFound | ConflictEnded | None:
    if state.final is None or all(each.agent_id != found.agent_id for each in commitments(state)):
        return None
    earlier = state.conflicts.get(found.agent_id, ())
    last = earlier[-1] if earlier else None
    about = {"demand_id": state.demand_id, "channel_id": state.channel_id, "agent_id": found.agent_id}
    if not found.cannot:
        was_known = last is None and _was_known(state, found)
        if was_known or (last is not None and not last.is_over):
            return ConflictEnded(**about, number=last.found.number if last else 0)
        return None
    is_same = last is not None and not last.is_over and last.found.when == found.when
    if is_same and last is not None:
        if last.kept_by or last.found.found == found.found or is_asked_about(state, found.agent_id):
            return None
    elif last is None and _was_known(state, found):
        return None
    number = (last.found.number if last else 0) + (0 if is_same else 1)
    return ConflictFound(**about, number=number, when=found.when, found=found.found)


def _was_known(state: Negotiation, found: AvailabilityFinding) -> bool:
    """Whether it was known of the version that was agreed, as it was agreed."""
    known = state.times.get(state.agreed.final_proposal.version) if state.agreed else None
    return not moves(state) and known is not None and known.then is not None and found.agent_id in known.then.cannot


def is_asked_about(state: Negotiation, agent_id: str) -> bool:
    """Whether those who are needed with somebody are being asked for another time."""
    last = state.reschedulings[-1] if state.reschedulings else None
    return last is not None and last.is_open and (agent_id in last.begun.agent_ids or agent_id == last.begun.agent_id)


def standing(state: Negotiation, agent_id: str) -> Conflict | None:
    """Return what keeps somebody from coming now; None where nothing does."""
    earlier = state.conflicts.get(agent_id, ())
    is_told = state.final is not None and not state.is_plan_erased
    return earlier[-1] if is_told and earlier and earlier[-1].stands else None


def keep(draft: NegotiationDraft, command: KeepTime) -> None:
    """Take that somebody can all the same.

    Raises:
        NotAllowed, Duplicate, IllegalStep
    """
    conflict = check_conflict(draft.state, command.agent_id)
    if command.by not in keepers(draft.state, command.agent_id):
        raise NotAllowed("Only the person whose part it is, or their delegate, can say that they can then.")
    draft.happens(ConflictEnded(**draft.ids, agent_id=command.agent_id, number=conflict.found.number, by=command.by))


def check_conflict(state: Negotiation, agent_id: str) -> Conflict:
    """Return what keeps somebody from coming.

    Raises:
        Duplicate: it was set aside already, or is over.
        IllegalStep: there was never anything.
    """
    conflict = standing(state, agent_id)
    if conflict is None and state.conflicts.get(agent_id):
        raise Duplicate("Nothing keeps them from coming any more.")
    if conflict is None:
        raise IllegalStep("Nothing is known that would keep them from coming.")
    return conflict


def _found(state: Negotiation, event: ConflictFound) -> Negotiation:
    earlier = state.conflicts.get(event.agent_id, ())
    kept = earlier[:-1] if earlier and earlier[-1].found.number == event.number else earlier
    return _with(state, event.agent_id, (*kept, Conflict(event)))


def _ended(state: Negotiation, event: ConflictEnded) -> Negotiation:
    earlier = state.conflicts.get(event.agent_id, ())
    if not earlier:  # they could not when it was agreed, and can now
        nothing = ConflictFound(
            demand_id=event.demand_id, channel_id=event.channel_id, agent_id=event.agent_id, number=event.number
        )
        return _with(state, event.agent_id, (Conflict(nothing, is_over=True),))
    last = replace(earlier[-1], kept_by=event.by) if event.by else replace(earlier[-1], is_over=True)
    return _with(state, event.agent_id, (*earlier[:-1], last))


def _with(state: Negotiation, agent_id: str, conflicts: tuple[Conflict, ...]) -> Negotiation:
    return replace(state, conflicts={**state.conflicts, agent_id: conflicts})


def _begun(state: Negotiation, event: ReschedulingBegun) -> Negotiation:
    return replace(state, reschedulings=(*state.reschedulings, Rescheduling(event)))


def _answered(state: Negotiation, event: ReschedulingAnswered) -> Negotiation:
    last = state.reschedulings[-1]
    answers = {**last.answers, **dict.fromkeys(event.agent_ids, event.keys)}
    return replace(state, reschedulings=(*state.reschedulings[:-1], replace(last, answers=answers)))


def _rescheduled(state: Negotiation, event: ReschedulingEnded) -> Negotiation:
    """Whoever has agreed to another time can then, and what kept them from the last one is over."""
    last = replace(state.reschedulings[-1], is_open=False, when=event.when)
    after = replace(state, reschedulings=(*state.reschedulings[:-1], last))
    if event.when is None:
        return after
    for agent_id in last.begun.agent_ids:
        if earlier := after.conflicts.get(agent_id):
            after = _with(after, agent_id, (*earlier[:-1], replace(earlier[-1], is_over=True)))
    return after


CHANGES: Final[Mapping[type[Event], Callable[[Negotiation, Any], Negotiation]]] = {
    ConflictFound: _found,
    ConflictEnded: _ended,
    ReschedulingBegun: _begun,
    ReschedulingAnswered: _answered,
    ReschedulingEnded: _rescheduled,
}
