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
from engine.negotiation.answers import Assignment, ProposalDraft, TimeGiven
from engine.negotiation.asking import Busy
from engine.negotiation.demand.reading import asked
from engine.negotiation.plan.coverage import claimed_by, needs_of
from engine.negotiation.plan.parts import circumstances, whole_part
from engine.negotiation.plan.proposals import staffed
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.times.availability import Availability
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
def found_times(state: Negotiation, profiles: Mapping[str, Profile], busy: Busy) -> FoundTimes | None:
    """Return when those can who take part, or have a seat in the last version; None where nothing can be said of it.

    Args:
        busy: when people are, of those whose calendar is known.
    """
    context = circumstances(state)
    minutes, zone = minutes_of(context.when, context.minutes), context.when.time_zone or asked(state).time_zone
    window = window_of(context.when, minutes, zone) if minutes else ()
    if not window:
        return None
    known = Known(profiles, busy, zone, window[-1][1])
    people = known.seated(staffed(state).assignments) if state.proposals else known.offering(state)
    if not any(each.available.is_known for each in people):
        return None
    found = feasible(window, minutes, people, _now(state), zone)
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
    people = Known(profiles, busy, zone, window[-1][1]).seated(draft.assignments) if window else []
    if not any(each.available.is_known for each in people):
        return None
    return at_time((window[0][0], window[-1][1]), people, _now(state), replace(when, time_zone=zone))


def _now(state: Negotiation) -> int:
    return state.asked_at // 1000


class Known(NamedTuple):
    """What is known of when people can."""

    profiles: Mapping[str, Profile]
    busy: Busy
    zone: str
    end: int

    def offering(self, state: Negotiation) -> list[Attendee]:
        claims = {each.agent_id: claimed_by(state, each.agent_id) for each in state.participants}
        offered = Counter(need_id for each in claims.values() for need_id in each)
        alone = {each.need_id for each in needs_of(state) if each.essential and offered[each.need_id] == 1}
        return [self.attendee(who, must=bool(alone & claimed)) for who, claimed in claims.items()]

    def seated(self, seats: Iterable[Assignment]) -> list[Attendee]:
        return [self.attendee(each.agent_id, must=each.core) for each in needed_then([*seats])]

    def attendee(self, who: str, *, must: bool) -> Attendee:
        profile = self.profiles.get(who)
        available = (
            available_by(profile, self.busy.get(who), self.zone, self.end) if profile else Availability((), self.zone)
        )
        return Attendee(who, must, available)


def needed_then(seats: Sequence[Assignment]) -> Iterator[Assignment]:
    attending = [each for each in seats if each.attends]
    return (each for each in attending or seats if each.when == _NOBODY_SAID)
