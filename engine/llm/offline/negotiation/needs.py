"""Finds what a demand needs: the abilities it names, and those that such an undertaking takes anyway."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.lexicon.language import Language, language_of
from engine.lexicon.mentions import (
    Mention,
    covered,
    is_followed,
    loose_mentions,
    topic_mentions,
    topics_of,
    undertaking_mentions,
)
from engine.lexicon.topics import Kind, Undertaking, lexicon
from engine.negotiation.answers import Need, Understanding

_NOT_BEFORE = re.compile(
    r"(不需要|不用|无需|不要|不缺|已有|已经有了?|有了)[^，。；、,.;]{0,4}$"
    r"|\b(no|without|don'?t (need|want)|do not (need|want)|not looking for|already (have|got|booked|found))"
    r"(\s+(an?|any|the|our|more))?(\s+[a-z-]+)?\s*$"
)
_NOT_AFTER = re.compile(
    r"^(我们)?(都|也)?(已经|已)?(有了|订好|定好|搞定|不用|解决了|不需要|免了)"
    r"|^(es|s)?\s+(is|are)\s+(already\s+|not\s+)?(booked|sorted|taken care of|covered|settled|arranged|needed)"
)
_ABOUT_BEFORE = re.compile(r"(关于|围绕|聊聊|讨论|\babout|\bon|\baround)\s*$")
_THEMED_AFTER = re.compile(r"^\s*(主题|技术|方向|领域|话题|圈|爱好者|从业者|[- ]?(themed|focused|enthusiast))")
_EXISTING = re.compile(r"(我们的|我的|咱们的|这个|这场|这次的?|\b(our|my|this|your|their|his|her))(\s*[a-z-]+)?\s*$")
"""Marks an undertaking that is already under way, which needs only what the demand names."""
_BUZZWORDS = frozenset({"ai", "llm", "大模型", "人工智能"})
"""Words for what an event is about rather than for what it needs."""
_NEVER_A_THEME = frozenset({"venue", "speaker", "planning", "host", "photography", "catering"})


@dataclass(frozen=True, slots=True)
class Needs:
    language: Language
    kind: Kind | None
    topics: tuple[str, ...]
    """All topics it needs, those that were named first."""
    explicit: frozenset[str]
    """The topics that the demand names."""
    welcome: tuple[str, ...]
    """The topics that would be nice to have."""
    themes: frozenset[str]
    """The topics it is about, which nobody has to contribute."""


def needs_of(demand: Understanding) -> Needs:
    """What the demand's tags need; its text says which of that is named."""
    said = needs_in(demand.surface_demand)
    tagged = [key for key in topics_of(demand.capability_tags) if key not in said.themes - said.explicit]
    topics = tuple(dict.fromkeys((*tagged, *(() if tagged else said.topics))))
    return Needs(
        language=said.language,
        kind=said.kind or _kind_of(topics),
        topics=topics,
        explicit=said.explicit.intersection(topics),
        welcome=tuple(key for key in said.welcome if key not in topics),
        themes=said.themes,
    )


def covered_needs(needs: Iterable[Need], topics: Collection[str]) -> tuple[str, ...]:
    """The ids of the needs that somebody covers who does these topics."""
    return tuple(dict.fromkeys(each.need_id for each in needs if any(key in topics for key in topics_of(each.tags))))


@lru_cache(maxsize=256)
def needs_in(text: str) -> Needs:
    low = text.lower()
    mentions = topic_mentions(low)
    undertakings = _undertakings(low, mentions)
    kind = undertakings[0][1].kind if undertakings else _kind_of([mention.key for mention in mentions])
    starts = {mention.start for mention, _ in undertakings} | {mention.start for mention in mentions}
    named: list[str] = []
    unwanted: set[str] = set()
    themes: set[str] = set()
    for mention in mentions:
        if _negated(low, mention):
            unwanted.add(mention.key)
        elif _is_theme(low, mention, kind, starts):
            themes.add(mention.key)
        else:
            named.append(mention.key)
    for mention in loose_mentions(low):
        if not _negated(low, mention):
            named += lexicon().loose[mention.word].get(kind or "product", ())
    taken = [
        key
        for mention, each in undertakings
        if each.kind == kind and not (named and _EXISTING.search(low[max(0, mention.start - 40) : mention.start]))
        for key in each.takes
    ]
    topics = [key for key in dict.fromkeys((*named, *taken)) if key not in unwanted]
    if "mobile" in topics and "frontend" in topics and "frontend" not in {mention.key for mention in mentions}:
        topics.remove("frontend")  # "engineering" for a mobile app is mobile engineering
    welcome = dict.fromkeys(key for _, each in undertakings if each.kind == kind for key in each.welcomes)
    return Needs(
        language=language_of(text),
        kind=kind,
        topics=tuple(topics),
        explicit=frozenset(named).intersection(topics),
        welcome=tuple(key for key in welcome if key not in topics and key not in unwanted),
        themes=frozenset(themes),
    )


def _undertakings(text: str, mentions: Sequence[Mention]) -> list[tuple[Mention, Undertaking]]:
    """The undertakings that are meant: not those inside an ability's name, not declined ones, and of "product launch"
    only the launch."""
    inside = covered(mentions)
    found = [
        (mention, each)
        for mention, each in undertaking_mentions(text)
        if not (mention.start in inside and mention.end - 1 in inside) and not _negated(text, mention)
    ]
    starts = {mention.start for mention, _ in found}
    return [(mention, each) for mention, each in found if not is_followed(text, mention, starts)]


def _negated(text: str, mention: Mention) -> bool:
    before, after = text[max(0, mention.start - 40) : mention.start], text[mention.end : mention.end + 40]
    return bool(_NOT_BEFORE.search(before) or _NOT_AFTER.search(after))


def _is_theme(text: str, mention: Mention, kind: Kind | None, starts: set[int]) -> bool:
    """Whether the mention says what the undertaking is about: an AI meetup needs no machine learning."""
    followed = is_followed(text, mention, starts)
    if kind == "product":
        return followed and mention.key not in _crafts()
    if kind is None or mention.key in _NEVER_A_THEME:
        return False
    return (
        followed
        or mention.word in _BUZZWORDS
        or bool(_ABOUT_BEFORE.search(text[max(0, mention.start - 20) : mention.start]))
        or bool(_THEMED_AFTER.search(text[mention.end : mention.end + 20]))
    )


@cache
def _crafts() -> frozenset[str]:
    """The topics that making a product takes."""
    made = [each for each in lexicon().undertakings.values() if each.kind == "product"]
    return frozenset(key for each in made for key in (*each.takes, *each.welcomes))


def _kind_of(topics: Sequence[str]) -> Kind | None:
    """The kind of undertaking that most of these abilities belong to."""
    votes = {"event": 0, "product": 0}
    for each in lexicon().undertakings.values():
        votes[each.kind] += len({*each.takes, *each.welcomes}.intersection(topics)) > 0
    if votes["event"] == votes["product"]:
        return None
    return "event" if votes["event"] > votes["product"] else "product"
