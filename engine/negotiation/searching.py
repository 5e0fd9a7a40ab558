"""What people are searched by for a demand, and how much of them prompt 2 is given."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.facts.shortening import shorten
from engine.negotiation.answers import Need
from engine.negotiation.given import EligibleProfile
from engine.negotiation.state import Negotiation

MOST_LETTERS: Final = 22_500
"""Of all profiles that prompt 2 is given, a Chinese character counting as much as `CHINESE`: about 9,000 tokens."""
CHINESE: Final = 3
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]+")
FIELDS: Final = 130
"""Letters that the names of a profile's fields take."""
LEAST_SUMMARY: Final = 45


def searched(state: Negotiation) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """Return the demand in whole and, for each thing that it needs, the texts by which people are found for it."""
    demand = state.understanding
    if demand is None:
        return state.raw_input, ()
    needs = tuple(texts_of(each) for each in demand.needs)
    tags = (("\n".join(demand.capability_tags),),) if demand.capability_tags else ()
    whole = state.raw_input or demand.surface_demand
    return whole, (*needs, *(tags if not needs else ()))


def texts_of(need: Need) -> tuple[str, ...]:
    """Return what `engine.shortlist.nearest` is asked for a need: what it is, and what who fits would write."""
    return "\n".join((need.what, *need.tags)), *need.phrases


def fitting(profiles: Sequence[EligibleProfile]) -> tuple[EligibleProfile, ...]:
    """Return the profiles as they are where they fit into the prompt; else with shorter introductions, and
    where that is not enough without the last of them.
    """
    if sum(map(_letters, profiles)) <= MOST_LETTERS:
        return tuple(profiles)
    brief: list[EligibleProfile] = []
    room = MOST_LETTERS
    for each in profiles:
        share = min(
            room // (len(profiles) - len(brief)), MOST_LETTERS // len(profiles)
        )  # what some do not need is kept
        rest = share - _letters(replace(each, profile_summary=""))
        size = max(LEAST_SUMMARY, rest)
        is_chinese = not each.profile_summary[:8].isascii()
        short = replace(each, profile_summary=shorten(each.profile_summary, size // CHINESE if is_chinese else size))
        room -= _letters(short)
        if room < 0:
            break
        brief.append(short)
    return tuple(brief)


def _letters(profile: EligibleProfile) -> int:
    texts = (
        *(profile.agent_id, profile.user_name, profile.profile_summary, profile.location, profile.availability),
        *(*profile.tags, *profile.capabilities, *profile.capabilities.values(), *profile.interests, *profile.languages),
    )
    said = "".join(texts)
    chinese = 0 if said.isascii() else len("".join(_CHINESE.findall(said)))
    return FIELDS + len(said) + (CHINESE - 1) * chinese
