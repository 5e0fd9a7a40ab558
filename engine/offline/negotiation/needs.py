"""Finds what a demand needs: the abilities it names, and those that such an undertaking takes anyway."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.facts.language import Language, language_of
from engine.lexicon.mentions import (
    Mention,
    covered,
    is_followed,
    loose_mentions,
    topic_mentions,
    topics_of,
    undertaking_mentions,
)
from engine.lexicon.reading.places import ONLINE, place_in
from engine.lexicon.topics import Kind, Undertaking, lexicon, topic
from engine.negotiation.answers import Need, Understanding
from engine.offline.negotiation.subjects import subject_in
from engine.offline.negotiation.wanted import Thing, deed_in, things_in, topics_listed_in

_NOT_BEFORE = re.compile(
    r"(不需要|不用|无需|不要|不缺|已有|已经有了?|有了|(我们|我|公司|办公室)(这里|这边|自己|也)?有)[^，。；、,.;]{0,4}$"
    r"|\b(we|i)( already)?( have|'ve got| got)(?! (no|to|not)\b)( (an?|the|our|some))?( (?!no\b)[a-z-]+)?\s*$"
    r"|(?<!have )(?<!has )(?<!got )(?<!there is )(?<!there's )\b(no|without|"
    r"don'?t (need|want)|do not (need|want)|not looking for|already (have|got|booked|found))"
    r"(\s+(an?|any|the|our|more))?(\s+[a-z-]+)?\s*$"
)
_NOT_AFTER = re.compile(
    r"^(我们)?(都|也)?(已经|已)?(有了|订好|定好|搞定|不用|解决了|不需要|免了)|^(我们|我)?自己(来|带|解决|准备|搞定|做|出)"
    r"|^(es|s)?\s+(is|are)\s+(already\s+|not\s+)?(booked|sorted|taken care of|covered|settled|arranged|needed)"
)
_OPTIONAL_AFTER = re.compile(
    r"^[^。；！？;!?\n]{0,6}(更好|最好|也行|可有可无|锦上添花|再好不过)"
    r"|^[^.;!?\n]{0,60}\b(optional|would be nice|if possible|(is|as) a bonus|but not necessary|not required)\b"
)
_OPTIONAL_BEFORE = re.compile(
    r"(最好有|如果能有|能有|要是有|可以的话)[^，。；！？;!?\n]{0,8}$"
    r"|\b(nice to have|would be nice|ideally|optionally|if possible|as a bonus)\b[^.;!?\n]{0,40}$"
)
_AUDIENCE_BEFORE = re.compile(
    r"(给|面向|针对)(我们的?|所有|各位)?$|(?<!looking )(?<!search )(?<!searching )\bfor (the |our |all |young )?$"
)
_SOLELY = re.compile(
    r"只需要|只要|只缺|只差|就差|仅需"
    r"|\b(only|just) (need|missing|lack|require|looking for)"
)
"""Marks a demand that says all it needs."""
_HIRED_BEFORE = re.compile(
    r"\b(hire|hiring|recruit|recruiting|new hire|job opening)\b(?! panel)[^.;!?\n]{0,40}$"
    r"|(招聘?|招募|猎)(一|两|二|三|几|\d)?(个|位|名)?[^，。；,.;需要]{0,12}$"
)
"""Comes before those whom somebody wants to hire, who are not the ones to help with it."""
_ABOUT_BEFORE = re.compile(r"(关于|围绕|聊聊|讨论|\babout|\bon|\baround)\s*$")
_THEMED_AFTER = re.compile(r"^\s*(主题|技术|方向|领域|话题|圈|爱好者|从业者|[- ]?(themed|focused|enthusiast))")
_EXISTING = re.compile(
    r"(我们的|我的|咱们的|这个|这场|这次的?|\b(our|my|this|your|their|his|her))(\s*[a-z0-9-]+){0,2}\s*$"
)
"""Marks an undertaking that is already under way, which needs only what the demand names."""
_BUZZWORDS = frozenset({"ai", "llm", "大模型", "人工智能"})
"""Words for what an event is about rather than for what it needs."""
LESSONS = ("speaker", "facilitation")
"""The topics whose people have to know what it is about."""
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
    essential: frozenset[str] = frozenset()
    """The topics without which it cannot be: those that are named, and those that such an undertaking stands on."""
    timeline: Kind = "task"
    """How it is spread over time: what is asked for an event that is under way is a task, as anything else."""
    things: tuple[Thing, ...] = ()
    """What it asks for that is no topic."""
    subject: str = ""
    """What somebody is to teach or to talk about, where no topic knows it."""
    hired: frozenset[str] = frozenset()
    """The topics of those who are to be hired: colleagues who know them can say who is good at it."""


def needs_of(demand: Understanding) -> Needs:
    """What the demand's tags need; its text says which of that is named."""
    said = needs_in(demand.surface_demand)
    tagged = [key for key in topics_of(demand.capability_tags) if key not in said.themes.difference(said.topics)]
    topics = tuple(dict.fromkeys((*tagged, *(() if tagged else said.topics))))
    return Needs(
        language=said.language,
        kind=said.kind or _kind_of(topics),
        topics=topics,
        explicit=said.explicit.intersection(topics),
        welcome=tuple(key for key in said.welcome if key not in topics),
        themes=said.themes,
        essential=said.essential.intersection(topics),
        timeline=said.timeline,
        things=said.things,
        subject=said.subject if {*LESSONS}.intersection(topics) else "",
        hired=said.hired.intersection(topics),
    )


def needs_beyond_topics(demand: Understanding) -> tuple[Need, ...]:
    """The needs in words that no topic knows."""
    return tuple(each for each in demand.needs if not topics_of(each.tags or (each.what,)))


def covered_needs(needs: Iterable[Need], topics: Collection[str]) -> tuple[str, ...]:
    """The ids of the needs that somebody covers who does these topics."""
    return tuple(
        dict.fromkeys(
            each.need_id for each in needs if any(key in topics for key in topics_of(each.tags or (each.what,)))
        )
    )


@lru_cache(maxsize=256)
def needs_in(text: str) -> Needs:
    low = text.lower()
    mentions = topic_mentions(low)
    undertakings = _undertakings(low, mentions)
    kind = undertakings[0][1].kind if undertakings else _kind_of([mention.key for mention in mentions])
    starts = {mention.start for mention, _ in undertakings} | {mention.start for mention in mentions}
    named: list[str] = []
    optional: list[str] = []
    unwanted: set[str] = set()
    themes: set[str] = set()
    hired: set[str] = set()
    for mention in mentions:
        if _negated(low, mention) or _is_audience(low, mention):
            unwanted.add(mention.key)
        elif kind == "hire" and not topic(mention.key).on_site and _is_hired(low, mention):
            hired.add(mention.key)
        elif _is_theme(low, mention, kind, starts):
            themes.add(mention.key)
        else:
            (optional if _is_optional(low, mention) else named).append(mention.key)
    for mention in loose_mentions(low):
        if kind == "hire" and _is_hired(low, mention):
            hired.update(_meant(mention.word, kind))
        elif not _negated(low, mention) and not _is_audience(low, mention):
            named += _meant(mention.word, kind)
    named += topics_listed_in(text)
    unwanted -= {*named}
    hired -= {*named}
    meant = [
        each
        for mention, each in undertakings
        if each.kind == kind
        and not (named and _EXISTING.search(low[max(0, mention.start - 40) : mention.start]))
        and not (named and (each.only_if_unnamed or _SOLELY.search(low)))
    ]
    unwanted |= {"venue"} if _is_online(low) and "venue" not in named else set()
    taken = [key for each in meant for key in each.takes]
    panel = sorted(hired)
    topics = [key for key in dict.fromkeys((*named, *taken, *panel)) if key not in unwanted]
    if "mobile" in topics and "frontend" in topics and "frontend" not in {mention.key for mention in mentions}:
        topics.remove("frontend")  # "engineering" for a mobile app is mobile engineering
    welcome = dict.fromkeys(
        (*optional, *(key for _, each in undertakings if each.kind == kind for key in each.welcomes))
    )
    things = things_in(text)
    return Needs(
        language=language_of(text),
        kind=kind,
        topics=tuple(topics),
        explicit=frozenset(named).intersection(topics),
        welcome=tuple(key for key in welcome if key not in topics and key not in unwanted),
        themes=frozenset(themes),
        essential=frozenset((*named, *panel, *(key for each in meant for key in each.needs))).intersection(topics),
        timeline=_timeline(low, kind, [mention for mention, each in undertakings if each.kind == kind]),
        subject=subject_in(text) if {*LESSONS}.intersection(topics) else "",
        hired=frozenset(panel),
        things=things or (() if topics else tuple(filter(None, (deed_in(text),)))),
    )


def _timeline(text: str, kind: Kind | None, named: Sequence[Mention]) -> Kind:
    new = [each for each in named if not _EXISTING.search(text[max(0, each.start - 40) : each.start])]
    return kind if kind is not None and (new or (named and kind in ("incident", "hire", "move"))) else "task"


def _meant(word: str, kind: Kind | None) -> tuple[str, ...]:
    """The topics of a loose word; where the kind of undertaking has none of its own, those of making something."""
    topics = lexicon().loose[word]
    return topics.get(kind or "product", topics.get("product", ()))


def _is_online(text: str) -> bool:
    place = place_in(text)
    return place == ONLINE


def _is_audience(text: str, mention: Mention) -> bool:
    """Whether it says for whom something is: "an app for photographers"."""
    if mention.word.isascii() and not text[mention.start : mention.end].endswith(("ers", "ors")):
        return False
    return bool(_AUDIENCE_BEFORE.search(text[max(0, mention.start - 24) : mention.start]))


def _is_hired(text: str, mention: Mention) -> bool:
    """Whether somebody who can do this is to be hired."""
    return bool(_HIRED_BEFORE.search(text[max(0, mention.start - 60) : mention.start]))


def _is_optional(text: str, mention: Mention) -> bool:
    before, after = text[max(0, mention.start - 60) : mention.start], text[mention.end : mention.end + 80]
    return bool(_OPTIONAL_AFTER.search(after) or _OPTIONAL_BEFORE.search(before))


def _undertakings(text: str, mentions: Sequence[Mention]) -> list[tuple[Mention, Undertaking]]:
    """The undertakings that are meant: not those inside an ability's name, not declined ones, and of "product launch"
    only the launch."""
    inside = covered(mentions)
    found = [
        (mention, each)
        for mention, each in undertaking_mentions(text)
        if not (mention.start in inside and mention.end - 1 in inside)
        and not _negated(text, mention)
        and not text[mention.end :].lstrip(" -").startswith(each.not_before or ("\0",))
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
    votes: dict[Kind, int] = {"event": 0, "product": 0}
    for each in lexicon().undertakings.values():
        if each.kind in votes:
            votes[each.kind] += len({*each.takes, *each.welcomes}.intersection(topics)) > 0
    if votes["event"] == votes["product"]:
        return None
    return "event" if votes["event"] > votes["product"] else "product"
