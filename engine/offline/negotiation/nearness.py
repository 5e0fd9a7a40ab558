"""How near what somebody says of themselves is to what is needed: by meaning, and by the words that both have.

One measure serves the choice of people and the twins' own answers, so that nobody is asked only to decline.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, Protocol

from babel import Locale

from engine.facts.language import Language
from engine.llm.encoder import meaning
from engine.negotiation.answers import Need
from engine.offline.reading.asking import without_lead
from engine.offline.reading.grammar import words as words_of
from engine.offline.reading.script import is_read, tag_of

NEAR: Final = 0.84
"""From here on somebody is asked, and takes part. Of a calibration set of 109 needs in two languages, against the people
who come with the code, 62 of the 80 that somebody fits have one of these among the first three that are asked, and none
of the 29 that nobody fits has anybody asked.
"""
NEAR_UNREAD: Final = 0.5
OF_SUMMARY: Final = 0.8
"""What it weighs how near the person's summary is as a whole: a word of theirs may be about something else."""
OF_SENTENCES: Final = (0.3, 0.1)
"""What the nearest two sentences of the summary weigh."""
OF_ALL_WORDS: Final = 0.2
"""What it weighs that the words of a need stand anywhere in the profile."""
OF_TAG: Final = 0.2
"""What it weighs that one of the tags stands in the need as it is."""
OF_WORDS: Final = 0.4
"""What it weighs that all the words of a need stand in the profile as well."""
WORDS_ALONE: Final = 1.2
"""The same where there is no encoder."""
WORDS_OF_A_PART: Final = 0.5
OF_A_PART: Final = 0.85
"""What counts of a part of a longer description: it is seldom what they do above all."""
TAG_ALONE: Final = 0.7
"""How much nearer a tag without a description has to be, to be quoted in place of a description."""
OWN_LANGUAGE: Final = 0.3
"""What it weighs, among a person's own descriptions, that one is in the language of the demand."""

_RUN: Final = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+|[^\W\d_a-z]+")
_CLAUSE: Final = re.compile(r"[,;，；、。.]\s*|\s+and\s+", re.IGNORECASE)
NAME_MISSING: Final = 0.2
"""What it weighs against somebody that a name in the need stands nowhere in their profile."""
LANGUAGE_MISSING: Final = 2.0
"""The same of a language: whoever does not say that they know it is not asked for it."""
SHORTEST_PART: Final = 8
"""Characters of a part of a need that is compared alone."""
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z]{2,}")
_SENTENCE: Final = re.compile(r"[^.!?;:。！？；：]+")
_HEAD: Final = re.compile(r"(.{3,}?)\s+(?:for|of|at|on|in|to|from|with|about|that|who)\s", re.IGNORECASE)
"""What a need is about before it goes on: "photos of the winners"."""

_COMMON_ZH: Final = frozenset(("一个", "一位", "需要", "帮忙", "我们", "有人", "可以", "活动", "一下"))


class _Said(NamedTuple):
    """A text that is compared, the tag that it stands at, and the words that are then quoted for it."""

    text: str
    tag: str
    words: str
    is_part: bool = False


class Described(Protocol):
    """What is read of a profile."""

    @property
    def profile_summary(self) -> str: ...
    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def capabilities(self) -> dict[str, str]: ...
    @property
    def languages(self) -> Sequence[str]: ...


class Near(NamedTuple):
    score: float
    words: str
    """Of the profile: what they do that is nearest, as it stands there."""
    tag: str
    """The tag that it stands at."""


def is_sure(near: Near, tag: str) -> bool:
    """Whether somebody is near enough to be asked without the requester's word, and to take part.

    Args:
        tag: of the demand's language. Where the grammar does not read it, the whole text is compared, which is never
            as near.
    """
    return near.score >= (NEAR if not tag or is_read(tag) else NEAR_UNREAD)


def query_of(need: Need) -> str:
    """Return the words by which somebody is looked for."""
    return need.phrases[0] if need.phrases else without_lead(need.what)


def nearness(need: Need, profile: Described, language: Language = "en") -> Near:
    """
    Raises:
        NotKnownYet: within `only_known`, where a text is not encoded yet.
    """
    query = query_of(need)
    head = _HEAD.match(query)
    parts = [each for each in _CLAUSE.split(query.replace(":", ",")) if len(each) > SHORTEST_PART]
    queries = dict.fromkeys((query, *([head[1]] if head else ()), *parts))
    said = _said(tuple(profile.tags), tuple(profile.capabilities.items()))
    texts = [each.text for each in said]
    weight = OF_WORDS if meaning().vectors((*queries, *texts, profile.profile_summary)) else WORDS_ALONE
    best: dict[tuple[str, str], float] = {}
    for asked in queries:
        wanted = _words(asked)
        for cosine, each in zip(meaning().nearness(asked, texts), said, strict=True):
            share = len(wanted & _words(each.text)) / len(wanted) if wanted else 0
            bonus = weight * share * (WORDS_OF_A_PART if each.is_part else 1)
            score = (cosine + bonus) * (OF_A_PART if each.is_part else 1)
            key = (each.words, each.tag)
            best[key] = max(score, best.get(key, -1.0))
    told = " ".join((*profile.tags, *profile.capabilities.values(), profile.profile_summary)).casefold()
    sentences = [each.strip() for each in _SENTENCE.findall(profile.profile_summary) if len(each) > SHORTEST_PART]
    nearest = sorted(meaning().nearness(query, sentences), reverse=True)
    wanted = _words(query)
    whole = (
        max(best.values())
        + OF_SUMMARY * meaning().nearness(query, (profile.profile_summary,))[0]
        + sum(weight * each for weight, each in zip(OF_SENTENCES, nearest, strict=False))
        + OF_ALL_WORDS * (len(wanted & _words(told)) / len(wanted) if wanted else 0)
        + OF_TAG * any(_stands(each, query) for each in profile.tags)
        - NAME_MISSING * _lacks_name(query, told)
        - LANGUAGE_MISSING * _lacks_language(need.what, f"{told} {' '.join(profile.languages)}".casefold())
    )
    words, tag = max(best, key=lambda key: best[key] + _telling(key[0], key[1], language))
    return Near(round(whole, 4), words, tag)


def _stands(tag: str, query: str) -> bool:
    if tag.isascii():
        return bool(re.search(rf"\b{re.escape(tag)}\b", query, re.IGNORECASE))
    return tag in query and tag not in _COMMON_ZH


def _lacks_name(query: str, told: str) -> bool:
    """Whether a name in a need, such as that of a tool, stands nowhere in a profile."""
    names = [each.casefold() for each in _NAME.findall(query)]
    return bool(names) and tag_of(query) == "en" and not all(each in told for each in names)


@cache
def _languages() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Return how each language is named in a need, and all of its names."""
    english, chinese = Locale("en").languages, Locale("zh").languages
    found = []
    for code in words_of("words_languages"):
        names = (english[code], chinese[code], Locale(code).languages[code])
        found.append((re.compile(rf"\b{names[0]}\b|{names[1][:-1]}[语文]"), tuple(map(str.casefold, names))))
    return tuple(found)


def _lacks_language(what: str, told: str) -> bool:
    """Whether a need names a language that a profile does not."""
    return any(named.search(what) and not any(each in told for each in names) for named, names in _languages())


def _telling(words: str, tag: str, language: Language) -> float:
    """Return how much better than others a text is to be quoted: a tag alone says little."""
    return OWN_LANGUAGE * (tag_of(words)[:2] == language) - TAG_ALONE * (words == tag)


@lru_cache(maxsize=4096)
def _said(tags: tuple[str, ...], capabilities: tuple[tuple[str, str], ...]) -> tuple[_Said, ...]:
    known = dict(capabilities)
    found = [_Said(tag, tag, known.get(tag, tag)) for tag in tags]
    for tag, words in capabilities:
        found.append(_Said(words, tag, words))
        found += [_Said(each, tag, words, is_part=True) for each in _CLAUSE.split(words) if len(each) > 3]
    return tuple(found)


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    found: set[str] = set()
    for run in _RUN.findall(text.casefold()):
        if run.isascii():
            if len(run) > 1 and run not in words_of("words_common"):
                found.add(_stem(run))
        else:
            found.update(pair for at in range(len(run) - 1) if (pair := run[at : at + 2]) not in _COMMON_ZH)
    return frozenset(found)


def _stem(word: str) -> str:
    for ending in ("ing", "ers", "er", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word
