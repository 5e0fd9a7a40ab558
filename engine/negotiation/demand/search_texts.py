"""What people are searched by for a demand, and how much of them prompt 2 is given."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.facts.shortening import shorten
from engine.negotiation.given import EligibleProfile
from engine.negotiation.state import Negotiation

MOST_BYTES: Final = 25_500
"""Of all profiles that prompt 2 is given, as UTF-8: about 9,000 tokens, in whatever script."""
FIELDS: Final = 130
"""Bytes that the names of a profile's fields take."""
LEAST_SUMMARY: Final = 45


def searched(state: Negotiation) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """Return the demand in whole, and for each thing that it needs the texts that say so: what it is, the abilities
    that carry it, and what somebody who fits would write of themselves.
    """
    demand = state.understanding
    if demand is None:
        return state.raw_input, ()
    needs = tuple(tuple(dict.fromkeys((each.what, *each.tags, *each.phrases))) for each in demand.needs)
    tags = (demand.capability_tags,) if demand.capability_tags and not needs else ()
    return state.raw_input or demand.surface_demand, (*needs, *tags)


def fitting(profiles: Sequence[EligibleProfile]) -> tuple[EligibleProfile, ...]:
    """Return the profiles as they are where they fit into the prompt; else with shorter introductions, and
    where that is not enough without the last of them.
    """
    if sum(map(_bytes, profiles)) <= MOST_BYTES:
        return tuple(profiles)
    brief: list[EligibleProfile] = []
    room = MOST_BYTES
    for each in profiles:
        share = min(room // (len(profiles) - len(brief)), MOST_BYTES // len(profiles))  # what some do not need is kept
        size = max(LEAST_SUMMARY, share - _bytes(replace(each, profile_summary="")))
        summary = each.profile_summary
        letters = size * len(summary) // max(1, len(summary.encode()))
        short = replace(each, profile_summary=shorten(summary, max(LEAST_SUMMARY // 3, letters)))
        room -= _bytes(short)
        if room < 0:
            break
        brief.append(short)
    return tuple(brief)


def _bytes(profile: EligibleProfile) -> int:
    texts = (
        *(profile.agent_id, profile.user_name, profile.profile_summary, profile.location, profile.availability),
        *(*profile.tags, *profile.capabilities, *profile.capabilities.values(), *profile.interests, *profile.languages),
    )
    return FIELDS + len("".join(texts).encode())
