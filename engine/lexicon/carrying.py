"""Whether a profile carries an ability that somebody is said to have.

What a profile says by the way does not count: a photographer's "photos of the venue" is no venue. Its tags count, and
its capabilities by their names; its texts, and what is near in meaning, only for abilities that the topics of
engine/lexicon/topics.yaml do not know.
"""

from collections.abc import Sequence
from typing import Final, Literal

from engine.lexicon.matching import Described, tokens
from engine.lexicon.mentions import topics_in, topics_of
from engine.llm.encoder import meaning

NEAR: Final = 0.52
NEAR_A_TOPIC: Final = 0.62
"""How near in meaning an ability of a profile has to be; nearer if a topic knows it, whose words missed it."""


def how_carried(profile: Described, tags: Sequence[str]) -> Literal["explicit", "inferred"] | None:
    """
    Args:
        tags: abilities any of which is enough, the most telling first.

    Returns:
        ``explicit`` if the profile has the first of them, ``inferred`` if it has another one or says the same in other
        words, None if it has none.
    """
    own = (*profile.tags, *profile.capabilities)
    able = set(topics_of(own))
    having = [not able.isdisjoint(topics_in(tag)) or any(_is_same(tag, each) for each in own) for tag in tags]
    if any(having):
        return "explicit" if having[0] else "inferred"
    said = {*tokens("\n".join((*own, *profile.capabilities.values(), profile.profile_summary)))}
    unknown = [tag for tag in tags if not topics_in(tag)]
    if any(_is_told(tag, said) for tag in unknown):
        return "inferred"
    return "inferred" if len(unknown) == len(tags) and nearness(profile, unknown) >= 1 else None


def nearness(profile: Described, tags: Sequence[str]) -> float:
    """How near the profile's nearest ability is to one of these tags in meaning; 1 and more is near enough."""
    own = [*dict.fromkeys((*profile.tags, *profile.capabilities))]
    needed = [NEAR_A_TOPIC if topics_in(each) else NEAR for each in own]
    found = (near / least for tag in tags for near, least in zip(meaning().nearness(tag, own), needed, strict=True))
    return max(found, default=0.0)


def nearest_ability(profile: Described, tag: str) -> str:
    """The name of the profile's capability that says most of this one; empty if none does."""
    wanted = {*tokens(tag)}
    scored = [(len(wanted & {*tokens(f"{name} {words}")}), name) for name, words in profile.capabilities.items()]
    told = [name for score, name in scored if score and score == max(scored)[0]]
    if told or not profile.capabilities:
        return next(iter(told), "")
    names = [*profile.capabilities]
    near = meaning().nearness(tag, names)
    return names[near.index(max(near))] if max(near) >= NEAR else ""


def names_ability(text: str, tags: Sequence[str]) -> bool:
    """Whether a text names one of these abilities."""
    known, words = set(topics_in(text)), {*tokens(text)}
    return any(not known.isdisjoint(topics_in(tag)) or _is_told(tag, words) for tag in tags)


def _is_same(tag: str, own: str) -> bool:
    """Whether somebody's own tag says all that this one says."""
    wanted = {*tokens(tag)}
    return bool(wanted) and wanted <= {*tokens(own)}


def _is_told(tag: str, words: set[str]) -> bool:
    """Whether most of the words of a tag are among these."""
    wanted = {*tokens(tag)}
    return 2 * len(wanted & words) > len(wanted)
