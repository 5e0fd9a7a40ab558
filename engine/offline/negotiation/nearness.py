"""How near what somebody says of themselves is to what is needed: by meaning, by words; one measure for all prompts."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from babel import Locale

from engine.directory.profile import Profile
from engine.facts.language import Language
from engine.llm.encoder import meaning
from engine.negotiation.answers import Need
from engine.negotiation.given import EligibleProfile
from engine.offline.reading.asking import without_lead
from engine.offline.reading.grammar import rule
from engine.offline.reading.grammar import words as words_of
from engine.offline.reading.script import is_read, tag_of

NEAR: Final = 0.84  # from here on somebody is asked
NEAR_BESIDES: Final = 0.66
NEAR_UNREAD: Final = 0.62
SAME_TAG: Final = 0.72
# What counts beside the nearest words of a profile: its summary, the nearest two sentences of it, words of the need
# anywhere in it, a tag in the need; what it costs that it lacks a name or a language, or what a need is about.
OF_SUMMARY, OF_SENTENCES, OF_ALL_WORDS, OF_TAG = 0.8, (0.3, 0.1), 0.2, 0.2
LANGUAGE_MISSING, SUBJECT_MISSING = 2.0, 1.0
# It says something where so much of the words stand there (of pairs of Chinese characters more), or a text is so near.
OF_SUBJECT, NEAR_SUBJECT, LONGEST_SUBJECT = (0.6, 0.5), 0.68, 3
# What it weighs that the words of a need stand in one of its texts; the same without an encoder, and in a part of one.
OF_WORDS, WORDS_ALONE, WORDS_OF_A_PART, OF_A_PART = 0.4, 1.2, 0.5, 0.85
# What is quoted: a tag without a description only if it is so much nearer, and rather what is in the demand's language.
TAG_ALONE, OWN_LANGUAGE = 0.7, 0.3
# What the rest of the demand weighs, without what else it asks for: two texts are to be near then, so all is farther.
OF_CONTEXT, FOR_CONTEXT, FOR_CONTEXT_OF_MANY, MOST_BY_CONTEXT = 0.5, 0.08, 0.2, 0.3

_RUN: Final = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+|[^\W\d_a-z]+")
_CLAUSE: Final = re.compile(r"[,;，；、。.]\s{0,5}|\sand\s|一起(?=[做来办写搞])", re.IGNORECASE)
SHORTEST_PART, SHORTEST_ZH = 8, 4  # characters of a part of a need that is compared alone, and of the first in Chinese
_SKILL: Final = re.compile(r"要?[会懂]")
_SENTENCE: Final = re.compile(r"[^.!?;:。！？；：]+")
_LAST_ZH: Final = re.compile(r".{0,200}的([\u3400-\u9fff]{2,40})$")
_HEAD: Final = re.compile(r"(.{3,60}?)\s(?:for|of|at|on|in|to|from|with|about|that|who)\s", re.I)  # photos of it

_COMMON_ZH: Final = frozenset(("一个", "一位", "需要", "帮忙", "我们", "有人", "可以", "活动", "一下"))
Described = Profile | EligibleProfile


class _Said(NamedTuple):
    """A text that is compared, the tag that it stands at, and the words that are then quoted for it."""

    text: str
    tag: str
    words: str
    is_part: bool = False


class Near(NamedTuple):
    score: float
    words: str  # of the profile: what they do that is nearest, as it stands there
    tag: str  # at which it stands


def is_sure(near: Near, tag: str, *, is_first: bool = True) -> bool:
    """Whether they are near enough to be asked unprompted; less is enough beside one who is, or if unread."""
    return near.score >= (NEAR_UNREAD if tag and not is_read(tag) else NEAR if is_first else NEAR_BESIDES)


def query_of(need: Need) -> str:
    """Return the words by which somebody is looked for."""
    return need.phrases[0] if need.phrases else without_lead(need.what)


def nearness(need: Need, profile: Described, language: Language = "en") -> Near:
    """Raise `NotKnownYet` where within `only_known`, where a text is not encoded yet."""
    best: dict[tuple[str, str], float] = {}
    whole = _compared(query_of(need), profile, best)
    for around in need.phrases[1:2]:
        gained = FOR_CONTEXT_OF_MANY if around.startswith(f"{query_of(need)}. ") else FOR_CONTEXT
        mixed = whole + OF_CONTEXT * (_compared(around, profile, {}, is_whole=True) - whole) + gained
        whole = min(mixed, whole + MOST_BY_CONTEXT)
    whole -= LANGUAGE_MISSING * _lacks_language(need.what, _public_text(profile), profile.languages)
    whole -= SUBJECT_MISSING * _lacks_subject(need, profile)
    in_language = {key: OWN_LANGUAGE * (tag_of(key[0])[:2] == language) for key in best}
    words, tag = max(best, key=lambda key: best[key] + in_language[key] - TAG_ALONE * (key[0] == key[1]))
    return Near(round(whole, 4), words, tag)


def _compared(query: str, profile: Described, best: dict[tuple[str, str], float], *, is_whole: bool = False) -> float:
    """Return how near a profile is to some words; the nearest of its own words are kept in ``best``."""
    head = _HEAD.match(query) or _LAST_ZH.match(query)
    clauses = _CLAUSE.split(query.replace(":", ","))
    least = [SHORTEST_PART if at or each.isascii() else SHORTEST_ZH for at, each in enumerate(clauses)]
    parts = [each for each, size in zip(clauses, least, strict=True) if len(each) > size or _SKILL.match(each)]
    queries = (query,) if is_whole else tuple(dict.fromkeys((query, *([head[1]] if head else ()), *parts)))
    said = _said(tuple(profile.tags), tuple(profile.capabilities.items()))
    texts = [each.text for each in said]
    weight = OF_WORDS if meaning().vectors((*queries, *texts, profile.profile_summary)) else WORDS_ALONE
    top = -1.0
    for asked in queries:
        for cosine, each in zip(meaning().nearness(asked, texts), said, strict=True):
            bonus = weight * share(asked, each.text) * (WORDS_OF_A_PART if each.is_part else 1)
            score = (cosine + bonus) * (OF_A_PART if each.is_part else 1)
            key = (each.words, each.tag)
            best[key], top = max(score, best.get(key, -1.0)), max(score, top)
    told = _public_text(profile).casefold()
    sentences = [each.strip() for each in _SENTENCE.findall(profile.profile_summary) if len(each) > SHORTEST_PART]
    nearest = sorted(meaning().nearness(query, sentences), reverse=True)
    return (
        top
        + OF_SUMMARY * meaning().nearness(query, (profile.profile_summary,))[0]
        + sum(weight * each for weight, each in zip(OF_SENTENCES, nearest, strict=False))
        + OF_ALL_WORDS * share(query, told)
        + OF_TAG * (not is_whole and any(_stands(each, query) for each in profile.tags))
        + OF_TAG * 2 * (not is_whole and any(_stands(query, each) for each in profile.tags))
    )


def closeness(need: Need, said: str) -> float:
    """Return how near one text is to a need, for whom the profile is not known."""
    query = query_of(need)
    for named, _ in _languages():
        query = named.sub(" ", query)  # whoever writes English is nobody who writes manuals
    return meaning().nearness(query, (said,))[0] + OF_WORDS * share(query, said)


def needs_subject(need: Need) -> str:
    """Return what it is about that is needed, such as the robots of "a speaker on robots"; else nothing."""
    match = rule("asking_subject").search(query_of(need))
    subject = match[1] or match[2] if match else ""
    return subject if _words(rule("told_times").sub(" ", subject)) and len(subject.split()) <= LONGEST_SUBJECT else ""


def _lacks_subject(need: Need, profile: Described) -> bool:
    if rule("asking_repairs").search(need.what) and not rule("asking_repairs").search(_public_text(profile)):
        return True
    if not (subject := needs_subject(need)):
        return False
    texts = [each.text for each in _said(tuple(profile.tags), tuple(profile.capabilities.items()))]
    told = share(subject, _public_text(profile))
    return told < OF_SUBJECT[subject.isascii()] and max(meaning().nearness(subject, texts), default=0.0) < NEAR_SUBJECT


def _public_text(profile: Described) -> str:
    return " ".join((*profile.tags, *profile.capabilities.values(), profile.profile_summary))


def _stands(tag: str, query: str) -> bool:
    if tag.isascii():
        return bool(re.search(rf"\b{re.escape(tag)}\b", query, re.IGNORECASE))
    return tag in query and tag not in _COMMON_ZH


@cache
def _languages() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return how each language is named in a text, and what it calls itself."""
    english, chinese = Locale("en").languages, Locale("zh").languages
    found = []
    for code in words_of("words_languages"):
        names = (english[code], chinese[code], Locale(code).languages[code])
        found.append((re.compile(rf"\b{names[0]}\b|{names[1][:-1]}[语文]"), names[2].casefold()))
    return tuple(found)


def _lacks_language(what: str, told: str, spoken: Sequence[str]) -> bool:
    """Whether a need names a language that a profile does not."""
    known = [each.casefold() for each in spoken]
    return any(
        named.search(what) and not (named.search(told) or own in known or any(map(named.search, spoken)))
        for named, own in _languages()
    )


@lru_cache(maxsize=4096)
def _said(tags: tuple[str, ...], capabilities: tuple[tuple[str, str], ...]) -> tuple[_Said, ...]:
    known = dict(capabilities)
    found = [_Said(tag, tag, known.get(tag, tag)) for tag in tags]
    for tag, words in capabilities:
        found.append(_Said(words, tag, words))
        parts = [each for at, each in enumerate(_CLAUSE.split(words)) if not at or not each.isascii() or " " in each]
        found += [_Said(each, tag, words, is_part=True) for each in parts if len(each) > 3]
    return tuple(found)


def share(wanted: str, said: str) -> float:
    """Return how much of some words stands in others."""
    return len(_words(wanted) & _words(said)) / max(1, len(_words(wanted)))


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
        if word.endswith(ending) and len(word) - len(ending) > 3 - (ending == "s"):
            return word[: -len(ending)]
    return word
