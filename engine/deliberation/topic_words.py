"""Whether two texts name the same ability, which they may do in two languages: by the topics of engine/lexicon."""

from engine.lexicon.mentions import topics_in


def shared_topics(one: str, other: str) -> int:
    """How many abilities both name."""
    return len({*topics_in(one)} & {*topics_in(other)})


def names_all_topics(wanted: str, texts: list[str]) -> bool:
    """Whether every ability that a text names is named in one of the others; False where it names none."""
    topics = {*topics_in(wanted)}
    return bool(topics) and topics <= {each for text in texts for each in topics_in(text)}
