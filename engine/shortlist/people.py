"""People who are so many that a demand is put to a few of them: profiles that can be searched."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from weakref import finalize

from engine.directory.profile import Profile, Profiles
from engine.llm.encoder import meaning
from engine.shortlist import WHOLE

if TYPE_CHECKING:
    from engine.shortlist.index import Index


class SearchedProfiles(Profiles):
    """Profiles with an index that somebody else keeps up to date.

    Args:
        most: how many are put to a model.
    """

    def __init__(self, profiles: Profiles, index: "Index", most: int) -> None:
        super().__init__(profiles)
        self.index = index
        self.most = most


def is_whole(profiles: Profiles) -> bool:
    """Whether people are so few that a model is given all of them."""
    return len(profiles) <= _most(profiles)


def _most(profiles: Profiles) -> int:
    return profiles.most if isinstance(profiles, SearchedProfiles) else WHOLE


def candidates(
    profiles: Profiles, demand: str, needs: Sequence[Sequence[str]], is_eligible: Callable[[Profile], bool]
) -> list[Profile]:
    """Return those who can be asked; of too many for a model, the most promising."""
    if is_whole(profiles):
        return [each for each in profiles.values() if is_eligible(each)]
    from engine.shortlist.choosing import choose  # numpy is loaded only where there are many people

    index = profiles.index if isinstance(profiles, SearchedProfiles) else _index_of(profiles)
    return choose(index, profiles, demand, needs, is_eligible, _most(profiles))


_INDICES: Final[dict[int, "Index"]] = {}
"""By the id of profiles that are still there. They are mappings, which have no hash."""


def _index_of(profiles: Profiles) -> "Index":
    """Return an index of profiles that nobody keeps one of, made once."""
    from engine.shortlist.index import Index, vectors_of

    found = _INDICES.get(id(profiles))
    if found is None:
        encoder = meaning()
        encoder.may_take_a_while()
        found = Index(encoder)
        for each in profiles.values():
            found.put(each, vectors_of(encoder, each))
        _INDICES[id(profiles)] = found
        finalize(profiles, _INDICES.pop, id(profiles), None)
    return found
