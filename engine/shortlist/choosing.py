"""Chooses a few of many profiles for a demand: each thing that it needs gets its candidates, and so does the whole."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from engine.directory.profile import Profile
from engine.shortlist.index import Index

_WORD: Final = re.compile(r"[^\W_]+")


def choose(
    index: Index,
    profiles: Mapping[str, Profile],
    demand: str,
    needs: Sequence[Sequence[str]],
    is_eligible: Callable[[Profile], bool],
    most: int,
) -> list[Profile]:
    """Return the profiles that may help, the most promising first; those whom the demand names come before all others.

    Args:
        demand: all of it, in the words of whoever asks.
        needs: for each thing that it takes, the texts that say it: what it is, and what somebody who fits would write.

    Raises:
        NotKnownYet: within `engine.llm.encoder.only_known`.
    """
    queries = dict.fromkeys(each for each in ((demand,), *map(tuple, needs)) if any(map(str.strip, each)))
    orders = index.orders([*queries])
    chosen: dict[str, Profile] = {}
    for agent_id in (*named_in(demand, profiles), *_in_turn(orders)):
        if len(chosen) >= most:
            break
        profile = profiles.get(agent_id)
        if profile is not None and agent_id not in chosen and is_eligible(profile):
            chosen[agent_id] = profile
    return [*chosen.values()]


def named_in(text: str, profiles: Mapping[str, Profile]) -> list[str]:
    """Return the agent ids of those whom a text calls by their whole name, or mentions as Slack does."""
    words = f" {' '.join(_WORD.findall(text.casefold()))} "
    return [agent_id for agent_id, each in profiles.items() if _is_named(each, text, words)]


def _is_named(profile: Profile, text: str, words: str) -> bool:
    name = profile.user_name
    if profile.slack_user and f"<@{profile.slack_user}" in text:
        return True
    if name.isascii():
        return f" {' '.join(name.casefold().split())} " in words
    return len(name) > 1 and name in text


def _in_turn(orders: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the best of each order, then the second best of each, and so on."""
    for each in zip_longest(*orders):
        yield from (agent_id for agent_id in each if agent_id is not None)
