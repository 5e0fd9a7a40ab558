"""Whether a number of something means so many people, by the topics and by words."""

from functools import lru_cache

from engine.lexicon.counting import name_people
from engine.lexicon.mentions import topics_in
from engine.lexicon.topics import topic


@lru_cache(maxsize=1024)
def are_people(what: str, tags: tuple[str, ...] = ()) -> bool:
    """Whether so many of this are so many people: "two speakers", not "two rooms".

    Args:
        what: a need in its own words.
        tags: abilities that it takes.
    """
    topics = [key for each in (what, *tags) for key in topics_in(each)]
    return not any(topic(key).thing for key in topics) if topics else name_people(what)
