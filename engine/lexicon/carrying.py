"""Whether a profile carries an ability that somebody is said to have.

What a profile says by the way does not count: a photographer's "photos of the venue" is no venue. Its tags count, and
its capabilities by their names; its texts only for abilities that the topics of engine/lexicon/topics.yaml do not know.
"""

from collections.abc import Sequence
from typing import Literal

from engine.directory.profile import Profile
from engine.lexicon.matching import tokens
from engine.lexicon.mentions import topics_in, topics_of


def how_carried(profile: Profile, tags: Sequence[str]) -> Literal["explicit", "inferred"] | None:
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
    return "inferred" if any(_is_told(tag, said) for tag in tags if not topics_in(tag)) else None


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
