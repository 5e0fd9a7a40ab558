"""When those can who take part in a plan, out of what they hold to as data: computed, and never guessed.

Before there is a plan, whoever alone offers something essential has to be there, and in a plan whoever has a core seat.
Whoever is needed at another time of their own does not count, nor does, in a plan that says who is needed when it takes
place, whoever is not. Where the days are open, or nobody has said how long it takes, no times are looked for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.directory.profile import Profile
from engine.facts.circumstances import When
from engine.facts.places import time_zone_of
from engine.negotiation.answers import Assignment, ProposalDraft, TimeGiven
from engine.negotiation.demand.reading import asked
from engine.negotiation.plan.coverage import claimed_by, needs_of
from engine.negotiation.plan.parts import circumstances, whole_part
from engine.negotiation.plan.proposals import staffed
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.times.availability import Availability
from engine.times.feasible import Attendee, FoundTimes, PossibleTime, at_time, feasible, minutes_of, window_of

MANY: Final = 20
"""People from whom on it takes long enough for others to notice."""
_BEGINNING: Final = 15
"""Minutes that are looked at where nobody has said how long it takes."""
_NOBODY_SAID: Final = When()


def times_given(found: FoundTimes | None) -> tuple[TimeGiven, ...]:
    if found is None:
        return ()
    return tuple(
        TimeGiven(when=each.when, can=each.can, of=found.known, fits=not found.nearest)
        for each in (*found.times, *found.nearest)
    )


@remembered
def found_times(state: Negotiation, profiles: Mapping[str, Profile]) -> FoundTimes | None:
    """Return when those can who take part, or have a seat in the last version; None where nothing can be said of it."""
    context, zone = circumstances(state), asked(state).time_zone
    minutes = minutes_of(context.when, context.minutes)
    window = window_of(context.when, minutes, zone) if minutes else ()
    people = _seated(staffed(state).assignments, profiles) if state.proposals else _offering(state, profiles)
    if not window or not any(each.available.is_known for each in people):
        return None
    found = feasible(window, minutes, people, _now(state), context.when.time_zone or zone)
    return found if found.times or found.nearest else None


def time_of(state: Negotiation, profiles: Mapping[str, Profile], draft: ProposalDraft) -> PossibleTime | None:
    """Return who can when a draft takes place; None where it says no day and hour, or nothing is known of anybody."""
    context, zone = circumstances(state), asked(state).time_zone
    when = whole_part(context, draft).when
    people = _seated(draft.assignments, profiles)
    if when.exact != "day" or not when.start or not any(each.available.is_known for each in people):
        return None
    window = window_of(when, minutes_of(when, 0 if when.end else context.minutes) or _BEGINNING, zone)
    return at_time((window[0][0], window[-1][1]), people, _now(state), when) if window else None


def _now(state: Negotiation) -> int:
    return state.asked_at // 1000


def _offering(state: Negotiation, profiles: Mapping[str, Profile]) -> list[Attendee]:
    claims = {each.agent_id: claimed_by(state, each.agent_id) for each in state.participants}
    offered = Counter(need_id for each in claims.values() for need_id in each)
    alone = {each.need_id for each in needs_of(state) if each.essential and offered[each.need_id] == 1}
    return [
        Attendee(who, bool(alone & claimed), availability(profiles[who]))
        for who, claimed in claims.items()
        if who in profiles
    ]


def _seated(seats: Iterable[Assignment], profiles: Mapping[str, Profile]) -> list[Attendee]:
    return [
        Attendee(each.agent_id, each.core, availability(profiles[each.agent_id]))
        for each in _needed_then([*seats])
        if each.agent_id in profiles
    ]


def _needed_then(seats: list[Assignment]) -> Iterator[Assignment]:
    attending = [each for each in seats if each.attends]
    return (each for each in attending or seats if each.when == _NOBODY_SAID)


def availability(profile: Profile) -> Availability:
    """Return what somebody holds to of their own part, as data that is about time."""
    held = tuple(each.data for each in profile.data_limits if each.data is not None)
    return Availability(held, time_zone_of(profile.location) or "UTC")
