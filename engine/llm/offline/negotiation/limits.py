"""Applies a profile's limits, which a twin must never break, to a demand or a plan."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.directory.profile import Profile
from engine.lexicon.topics import topic
from engine.llm.offline.negotiation.circumstances import has_money
from engine.llm.offline.negotiation.places import ONLINE, place_in, same_place
from engine.negotiation.answers import Understanding


@dataclass(frozen=True, slots=True)
class BrokenLimit:
    """A limit that would be broken; ``decline.<name>`` is its entry in phrases.yaml."""

    name: str
    values: dict[str, object]


def can_be_there(profile: Profile, topics: Sequence[str], demand: Understanding) -> bool:
    """Whether the person can use at least one of these abilities where the demand is."""
    place = demand.context.location
    if place is None or not profile.limits.locations or place_in(place) == ONLINE:
        return True
    if any(same_place(place, each) for each in profile.limits.locations):
        return True
    return any(not topic(key).on_site for key in topics)


def within_headcount(profile: Profile, demand: Understanding) -> bool:
    """Whether the number of people, if it is known, is within the person's limits."""
    wanted = demand.context.expected_attendees
    limits = profile.limits
    if wanted is None:
        return True
    return (limits.min_attendees or 0) <= wanted <= (limits.max_attendees or wanted)


def forbidden_word(profile: Profile, texts: Iterable[str]) -> str | None:
    together = "\n".join(texts).lower()
    return next((word for word in profile.limits.never if word.lower() in together), None)


def first_broken_limit(profile: Profile, topics: Sequence[str], demand: Understanding) -> BrokenLimit | None:
    """The first limit that taking part would break."""
    limits, wanted = profile.limits, demand.context.expected_attendees
    word = forbidden_word(profile, (demand.surface_demand, *demand.capability_tags))
    if word is not None:
        return BrokenLimit("never", {"word": word})
    if limits.busy is not None:
        return BrokenLimit("busy", {"why": limits.busy})
    if topics and not can_be_there(profile, topics, demand):
        return BrokenLimit("far", {"mine": profile.location, "place": demand.context.location})
    if wanted is not None and limits.max_attendees is not None and wanted > limits.max_attendees:
        return BrokenLimit("too_many", {"limit": limits.max_attendees, "wanted": wanted})
    if wanted is not None and limits.min_attendees is not None and wanted < limits.min_attendees:
        return BrokenLimit("too_few", {"limit": limits.min_attendees, "wanted": wanted})
    if limits.paid_only and demand.context.budget is not None and not has_money(demand.context.budget):
        return BrokenLimit("unpaid", {})
    return None
