"""When those can who take part in a plan, out of what they hold to as data: computed, and never guessed.

Before there is a plan, whoever alone offers something essential has to be there, and in a plan whoever has a core seat.
Whoever is needed at another time of their own does not count, nor does, in a plan that says who is needed when it takes
place, whoever is not. Where the days are open, or nobody has said how long it takes, no times are looked for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.directory.availability import available_by
from engine.directory.profile import Profile
from engine.facts.circumstances import When
from engine.facts.data import Datum, Days, Hours, Notice
from engine.kernel import Millis
from engine.negotiation.answers import Assignment, ProposalDraft, TimeGiven
from engine.negotiation.ask_rows import Busy
from engine.negotiation.demand.reading import asked
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.plan.clashes import shown
from engine.negotiation.plan.conditions import stated
from engine.negotiation.plan.coverage import claimed_by, needs_of
from engine.negotiation.plan.parts import circumstances, whole_part
from engine.negotiation.plan.proposals import staffed
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.times.availability import Availability, between, joined
from engine.times.clocks import Seconds
from engine.times.feasible import Attendee, FoundTimes, PossibleTime, at_time, feasible, minutes_of, window_of

MANY: Final = 12
"""People from whom on it takes long enough for others to notice."""
BEGINNING: Final = 15
"""Minutes that are looked at where nobody has said how long it takes."""
_NOBODY_SAID: Final = When()


def key_of(when: When) -> str:
    """Name a time among those that were found."""
    return f"{when.first}T{when.start}"


def times_given(found: FoundTimes | None) -> tuple[TimeGiven, ...]:
    if found is None:
        return ()
    return tuple(
        TimeGiven(when=each.when, can=each.can, of=found.known, fits=not found.nearest)
        for each in (*found.times, *found.nearest)
    )


@remembered
def found_times(state: Negotiation, profiles: Mapping[str, Profile], busy: Busy, at: Millis = 0) -> FoundTimes | None:
    """Return when those can who take part, or have a seat in the last version; None where nothing can be said of it.

    Args:
        busy: when people are, of those whose calendar is known.
        at: when it is asked; nothing begins before. 0: when the demand was.
    """
    context = circumstances(state)
    minutes, zone = minutes_of(context.when, context.minutes), context.when.time_zone or asked(state).time_zone
    window = _beside_others(state, window_of(context.when, minutes, zone), zone) if minutes else ()
    if not window:
        return None
    known = Known(profiles, busy, zone, window[-1][1], state.offers)
    people = known.seated(staffed(state).assignments) if state.proposals else known.offering(state)
    if not any(each.available.is_known for each in people):
        return None
    found = feasible(window, minutes, people, max(state.asked_at, at) // 1000, zone)
    return found if found.times or found.nearest else None


def time_of(
    state: Negotiation, profiles: Mapping[str, Profile], busy: Busy, draft: ProposalDraft
) -> PossibleTime | None:
    """Return who can when a draft takes place; None where it says no day and hour, or nothing is known of anybody."""
    context = circumstances(state)
    when = whole_part(context, draft).when
    zone = when.time_zone or asked(state).time_zone
    if when.exact != "day" or not when.start:
        return None
    window = window_of(when, minutes_of(when, 0 if when.end else context.minutes) or BEGINNING, zone)
    people = Known(profiles, busy, zone, window[-1][1], state.offers).seated(draft.assignments) if window else []
    if not any(each.available.is_known for each in people):
        return None
    return at_time((window[0][0], window[-1][1]), people, state.asked_at // 1000, replace(when, time_zone=zone))


def _beside_others(state: Negotiation, window: Sequence[Seconds], zone: str) -> tuple[Seconds, ...]:
    """Return the window without what other plans take of the room of the last version."""
    taken = joined(
        span
        for each in shown(state)
        if each.room and each.is_certain
        for span in window_of(
            When(first=each.first, last=each.last, start=each.other_start, end=each.other_end, exact="span"), 0, zone
        )
    )
    return tuple(span for begins, ends in window for span in between(taken, begins, ends))


class Known(NamedTuple):
    """What is known of when people can."""

    profiles: Mapping[str, Profile]
    busy: Busy
    zone: str
    end: int
    offers: Mapping[str, OfferSubmitted] = {}
    """What each has offered, whose days, hours and notice count as well."""

    def offering(self, state: Negotiation) -> list[Attendee]:
        claims = {each.agent_id: claimed_by(state, each.agent_id) for each in state.participants}
        offered = Counter(need_id for each in claims.values() for need_id in each)
        alone = {each.need_id for each in needs_of(state) if each.essential and offered[each.need_id] == 1}
        return [self.attendee(who, must=bool(alone & claimed)) for who, claimed in claims.items()]

    def seated(self, seats: Iterable[Assignment]) -> list[Attendee]:
        return [self.attendee(each.agent_id, must=each.core) for each in needed_then([*seats])]

    def attendee(self, who: str, *, must: bool) -> Attendee:
        profile, offer = self.profiles.get(who), self.offers.get(who)
        available = (
            available_by(profile, self.busy.get(who), self.zone, self.end) if profile else Availability((), self.zone)
        )
        return Attendee(who, must, replace(available, limits=(*available.limits, *_offered(offer))))


def _offered(offer: OfferSubmitted | None) -> Iterator[Datum]:
    """Yield what an offer says of when, as data; a condition of the whole binds its time as well."""
    if offer is None:
        return
    yield from (each.data for each in stated(offer) if isinstance(each.data, Days | Hours | Notice))
    if offer.earliest:
        yield Days(first=offer.earliest)
    if offer.notice:
        yield Notice(days=offer.notice)


def needed_then(seats: Sequence[Assignment]) -> Iterator[Assignment]:
    attending = [each for each in seats if each.attends]
    return (each for each in attending or seats if each.when == _NOBODY_SAID)
