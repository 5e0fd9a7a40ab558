"""What the profiles of people say that they can do for the needs of a demand."""

from collections.abc import Iterable, Sequence

from engine.directory.profile import Profile
from engine.lexicon.carrying import how_carried
from engine.lexicon.counting import brought_in
from engine.lexicon.matching import rank_profiles
from engine.negotiation.answers import Need
from engine.negotiation.given import EligibleProfile
from engine.negotiation.terms import Basis


def best_for(need: Need, profiles: Sequence[EligibleProfile]) -> EligibleProfile | None:
    """Return who says most of what this need takes; None where nobody does."""
    return next((each.profile for each in rank_profiles((need.what, *need.tags), profiles, 1)), None)


def abilities_for(need: Need) -> tuple[str, ...]:
    return need.tags or (need.what,)


def carried_by(profile: Profile, needs: Iterable[Need]) -> dict[str, Basis]:
    """Return how a profile carries each of the needs that it does."""
    found = {each.need_id: how_carried(profile, abilities_for(each)) for each in needs}
    return {need_id: how for need_id, how in found.items() if how is not None}


def brings(profile: Profile) -> int:
    """How many people come with somebody, by their profile."""
    return max(map(brought_in, (profile.profile_summary, *profile.capabilities, *profile.capabilities.values())))
