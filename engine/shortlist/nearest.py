"""Who is nearest to what is looked for, of anybody: by meaning and by words, in whatever language."""

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from engine.llm.encoder import meaning
from engine.shortlist import WHOLE
from engine.shortlist.described import LONGEST_TEXT, Described, digest, embedded_texts
from engine.shortlist.people import SearchedProfiles

if TYPE_CHECKING:
    from engine.shortlist.index import Index

Somebody = TypeVar("Somebody", bound=Described)

MOST_INDICES: Final = 16
"""Indices of groups of people that are remembered: the same people are searched for one need after the other."""


class Ranked(NamedTuple, Generic[Somebody]):
    profile: Somebody
    score: float
    """Says who comes before whom in this one answer, and nothing else: it is made of ranks."""
    nearness: float
    """The highest cosine of a text with what they say of themselves, from -1 to 1; 0 where there is no encoder."""
    words: float
    """BM25 of the words that they share with the texts; 0 where they share none."""


def nearest(
    texts: Sequence[str], profiles: Mapping[str, Somebody] | Iterable[Somebody], most: int
) -> list[Ranked[Somebody]]:
    """Return those who fit best, the best first: as many as there are, and at most `most`.

    Args:
        texts: one thing that is looked for, said in several ways: what is needed, its tags, its phrases.
    """
    people = [*(profiles.values() if isinstance(profiles, Mapping) else profiles)]
    if not people or not any(each.strip() for each in texts):
        return []
    if isinstance(profiles, SearchedProfiles):
        [order] = profiles.index.orders([texts])
    else:
        [order] = _index_of(people).known_orders([texts])
    by_id = {each.agent_id: each for each in people}
    found: list[Ranked[Somebody]] = []
    for agent_id, score, nearness, words in order.scored():
        if len(found) >= most:
            break
        if agent_id in by_id:
            found.append(Ranked(by_id[agent_id], score, nearness, words))
    return found


_INDICES: Final[dict[tuple[str, ...], "Index"]] = {}
_LOCK: Final = Lock()


def _index_of(people: Sequence[Described]) -> "Index":
    """Return an index of a few people, made once as long as nothing changes of what they say."""
    from engine.shortlist.index import Index  # numpy is loaded only where somebody is searched

    if len(people) > WHOLE:
        meaning().may_take_a_while()
    key = tuple(part for each in people for part in (each.agent_id, digest(each)))
    with _LOCK:
        if key in _INDICES:
            return _INDICES[key]
    encoder = meaning()
    made = Index(encoder)
    for each in people:
        vectors = encoder.known(embedded_texts(each), LONGEST_TEXT)
        made.put(each, vectors or None)
    with _LOCK:
        if len(_INDICES) >= MOST_INDICES:
            _INDICES.clear()
        return _INDICES.setdefault(key, made)
