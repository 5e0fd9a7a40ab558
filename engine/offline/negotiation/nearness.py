"""How near what somebody says of themselves is to what is needed: by meaning, and by the words that both have.

One measure serves the choice of people and the twins' own answers, so that nobody is asked only to decline.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from engine.facts.language import Language
from engine.llm.encoder import meaning
from engine.negotiation.answers import Need
from engine.offline.reading.script import is_read, tag_of

NEAR: Final = 0.57
"""From here on somebody is asked, and takes part. On a calibration set of 46 needs in two languages, against the people
who come with the code, 25 of the 30 that somebody fits have one of these among their first three, and one of the other 16 has
anybody; at .48 four of these have.
"""
NEAR_UNREAD: Final = 0.38
OF_WORDS: Final = 0.3
"""What it weighs that all the words of a need stand in the profile as well."""
WORDS_ALONE: Final = 1.2
"""The same where there is no encoder."""
OWN_LANGUAGE: Final = 0.15
"""What it weighs, among a person's own descriptions, that one is in the language of the demand."""

_RUN: Final = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+|[^\W\d_a-z]+")
_CLAUSE: Final = re.compile(r"[,;，；、。.]\s*|\s+and\s+", re.IGNORECASE)
_COMMON: Final = frozenset(
    "a an the of for to in on at and or our my with who can could someone somebody anybody person people new help from "
    "about into by is are be that this we us you your me it as some any one two three by up out do does get make need "
    "needs take good small before after who how all more most team day days work works".split()
)
_COMMON_ZH: Final = frozenset(("一个", "一位", "需要", "帮忙", "我们", "有人", "可以", "活动", "一下"))


class Described(Protocol):
    """What is read of a profile."""

    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def capabilities(self) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class Near:
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
    return need.phrases[0] if need.phrases else need.what


def nearness(need: Need, profile: Described, language: Language = "en") -> Near:
    """
    Raises:
        NotKnownYet: within `only_known`, where a text is not encoded yet.
    """
    query = query_of(need)
    said = _said(tuple(profile.tags), tuple(profile.capabilities.items()))
    texts = [text for text, _, _ in said]
    wanted = _words(query)
    is_encoded = bool(meaning().vectors((query, *texts)))
    weight = OF_WORDS if is_encoded else WORDS_ALONE
    cosines = meaning().nearness(query, texts)
    best: dict[str, tuple[float, str]] = {}
    for cosine, (text, tag, words) in zip(cosines, said, strict=True):
        score = cosine + weight * (len(wanted & _words(text)) / len(wanted) if wanted else 0)
        if score > best.get(words, (-1.0, ""))[0]:
            best[words] = (score, tag)
    top = max(score for score, _ in best.values())
    told = [(score + OWN_LANGUAGE * (tag_of(words)[:2] == language), words) for words, (score, _) in best.items()]
    words = max((each for each in told if best[each[1]][0] >= min(top, NEAR)), key=lambda each: each[0])[1]
    return Near(round(top, 4), words, best[words][1])


@lru_cache(maxsize=4096)
def _said(tags: tuple[str, ...], capabilities: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str, str], ...]:
    """Return each text that is compared, the tag that it stands at, and the words that are then quoted for it."""
    known = dict(capabilities)
    found = [(tag, tag, known.get(tag, tag)) for tag in tags]
    for tag, words in capabilities:
        parts = [words, *(each for each in _CLAUSE.split(words) if len(each) > 3)]
        found += [(each, tag, words) for each in dict.fromkeys(parts)]
    return tuple(found)


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    found: set[str] = set()
    for run in _RUN.findall(text.casefold()):
        if run.isascii():
            if len(run) > 1 and run not in _COMMON:
                found.add(_stem(run))
        else:
            found.update(pair for at in range(len(run) - 1) if (pair := run[at : at + 2]) not in _COMMON_ZH)
    return frozenset(found)


def _stem(word: str) -> str:
    for ending in ("ing", "ers", "er", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word


def nearest_need(needs: Iterable[Need], profile: Described, language: Language) -> tuple[Need, Near] | None:
    """Return the need that somebody is nearest to; None where there is none."""
    ranked = [(each, nearness(each, profile, language)) for each in needs]
    return max(ranked, key=lambda each: each[1].score, default=None)
