"""Reads what a sentence says for or against whatever it is about, in Chinese and English.

Some things rule an option out whatever else speaks for it: a flooded road, a bankrupt supplier, an alibi. Others only
weigh. Negation turns both around: "no longer flooded" speaks for a road.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.deliberation import evidence_words as words


class Manner(StrEnum):
    """What is asked for; what speaks for a choice depends on it."""

    BEST = "best"
    CULPRIT = "culprit"
    """Who did it: what clears somebody speaks against choosing them."""
    ILLNESS = "illness"
    """What somebody has: a normal result speaks against an illness, a sign for it."""
    WORST = "worst"
    """What to give up: what speaks against an option speaks for choosing it."""


@dataclass(frozen=True, slots=True)
class Weight:
    value: float
    """Above 0: for it."""
    decisive: bool = False


NOTHING: Final = Weight(0.0)
DECISIVE: Final = 10.0
DENIED: Final = 2.5
"""What a sentence weighs that says of something that it is not there, or cannot be."""
SOFT: Final = 0.5
"""What a word of praise or of blame weighs."""
MOST_COUNTED: Final = 2
"""Words of praise, and of blame, of one sentence."""

_CULPRIT: Final = re.compile(
    r"\bwho (?:did|stole|killed|took|leaked|committed|murdered|poisoned|broke|sabotaged|started|is (?:the )?(?:guilty"
    r"|thief|killer"
    r"|culprit|murderer|responsible|likely to have))|\b(?:culprit|suspects?|perpetrator|murderer|guilty|thief"
    r"|which of them did)\b"
    r"|凶手|嫌疑|作案|真凶|放火|纵火|是谁(?:干|做|拿|偷)?|谁是|谁(?:偷|杀|干|泄|拿|放|做的|下毒)|窃贼|小偷|内鬼|肇事",
    re.IGNORECASE,
)
_ILLNESS: Final = re.compile(
    r"\b(?:illness|disease|diagnos\w+|suffers? from|what does (?:he|she|the patient) have"
    r"|which condition does)\b|什么病|诊断|哪种病|患(?:了|有)|病因",
    re.IGNORECASE,
)
_WORST: Final = re.compile(
    r"\bwhich (?:\w+ ){0,3}(?:to|should (?:we |be |they )?(?:be )?|do we |must (?:we )?)(?:drop\w*|cut\b|close\w*"
    r"|cancel\w*|reject\w*|abandon\w*|eliminat\w*|give up|shut)"
    r"|哪(?:个|家|项|条|一|位).{0,6}(?:放弃|砍掉|取消|淘汰|关闭|裁撤)|(?:放弃|砍掉|取消|淘汰|关闭)哪",
    re.IGNORECASE,
)

_RESTORED: Final = re.compile(
    r"\b(?:re-?opened|repaired|fixed|restored|resolved|lifted|reinstated|renewed|recovered|back in (?:service"
    r"|operation)|rebuilt|has since been|false alarm|unfounded|withdrawn the (?:complaint|claim))\b"
    r"|重新开放|恢复(?!期)|修复|修好|解除|抢通|疏通|已续|续期|误报|不实|虚惊",
    re.IGNORECASE,
)
_TURNED_EN: Final = re.compile(
    r"\b(?:no longer|not(?: been)?|never|isn't|aren't|wasn't|hasn't been|without(?: any)?|no|nor|free (?:of|from)"
    r"|zero|avoids?|unlikely|rather than|instead of|low|little|few)\s(?:(?:a|an|any|the|been|being|yet|at|all|ever"
    r"|known|history of|sign of|signs of|record of|reports? of|risk of|real|major|serious|significant|single|of|or"
    r"|have|had|has)\s){0,4}$",
    re.IGNORECASE,
)
_TURNED_ZH: Final = re.compile(
    r"(?:不再|没有|没|不|未|无|从未|从不|并非|避免|不是|不会|未曾|没有被|没被|未被|零)(?:任何|出现|发生|发现|受|被|过"
    r"|有|太|很|什么|重大|明显|存在){0,2}$"
)

_AHEAD: Final = re.compile(
    r"\b(?:will|to be|until|not yet|expected|may|might|could|plans?|before|only after|not)\b|预计|才能|之后才"
    r"|将|尚未|还没|还未|计划|等待|有望",
    re.IGNORECASE,
)
_HARMLESS: Final = re.compile(
    r"\b(?:no (?:problems?|complaints?|issues?|faults?|defects?|damage|delays?|doubts?|charge|cost|extra"
    r"|one knows|better|wonder|need)"
    r"|found no|without (?:problems?|delays?|trouble|a hitch)|not only|not (?:far|bad|expensive|long|a problem)"
    r"|no longer (?:than|a problem)|never (?:failed|late|missed))\b"
    r"|没有(?:任何)?(?:问题|投诉|故障|缺陷|障碍|异议|发现|副作用|延误|隐患)|不仅|不但|不错|不远|不贵|不超过"
    r"|从不|从未|从没|不差|不慢|无障碍",
    re.IGNORECASE,
)


def _word_forms(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)


_DECISIVE: Final = _word_forms(words.DECISIVE_EN, words.DECISIVE_ZH)
_BAD: Final = _word_forms(words.BAD_EN, words.BAD_ZH)
_GOOD: Final = _word_forms(words.GOOD_EN, words.GOOD_ZH)
_NOT: Final = _word_forms(words.NOT_EN, words.NOT_ZH)
_CLEARING: Final = _word_forms(words.CLEARING_EN, words.CLEARING_ZH)
_INCRIMINATING: Final = _word_forms(words.INCRIMINATING_EN, words.INCRIMINATING_ZH)

_EXCLUDING: Final = _word_forms(words.EXCLUDING_EN, words.EXCLUDING_ZH)
_SIGNS: Final = _word_forms(words.SIGNS_EN, words.SIGNS_ZH)


def manner_of(question: str) -> Manner:
    if _CULPRIT.search(question):
        return Manner.CULPRIT
    if _ILLNESS.search(question):
        return Manner.ILLNESS
    return Manner.WORST if _WORST.search(question) else Manner.BEST


def weight_of(sentence: str, manner: Manner = Manner.BEST) -> Weight:
    """What a sentence says for (above 0) or against choosing what it is about."""
    if manner is Manner.CULPRIT:
        return _guilt(sentence)
    if manner is Manner.ILLNESS:
        return _signs(sentence)
    weight = _quality(sentence)
    if manner is Manner.WORST:
        return Weight(-weight.value, decisive=False)
    return weight


def _guilt(sentence: str) -> Weight:
    clearing = _first(_CLEARING, sentence)
    against = len([*_INCRIMINATING.finditer(sentence)])
    false_alibi = re.search(
        r"false alibi|alibi\b.{0,30}\b(?:false|lie|fake|wrong|broke|fell apart)|no alibi|没有不在场|不在场证明是假"
        r"|伪造.{0,6}不在场",
        sentence,
        re.IGNORECASE,
    )
    if clearing and not false_alibi:
        return Weight(-DECISIVE, decisive=True)
    return Weight(1.0 + 0.5 * min(2, against - 1)) if against or false_alibi else NOTHING


def _signs(sentence: str) -> Weight:
    if _first(_EXCLUDING, sentence):
        return Weight(-DECISIVE, decisive=True)
    signs = len([*_SIGNS.finditer(sentence)])
    if is_denied(sentence) and not signs:
        return Weight(-DENIED)
    return Weight(SOFT * min(signs, 4))


def _first(pattern: re.Pattern[str], sentence: str) -> bool:
    return any(not is_turned(sentence, match.start()) for match in pattern.finditer(sentence))


def is_turned(sentence: str, at: int) -> bool:
    """Whether a negation stands right in front of that place."""
    before = sentence[max(0, at - 48) : at]
    return bool(_TURNED_EN.search(before) or _TURNED_ZH.search(before[-6:]))


def _quality(sentence: str) -> Weight:
    restored = any(not _is_ahead(sentence, match.start()) for match in _RESTORED.finditer(sentence))
    turned, decisive = 0, False
    for match in _DECISIVE.finditer(sentence):
        if is_turned(sentence, match.start()):
            turned += 1
        elif not restored:
            decisive = True
    if decisive:
        return Weight(-DECISIVE, decisive=True)
    value = SOFT * ((turned > 0) + restored)
    for pattern, sign in ((_BAD, -1.0), (_GOOD, 1.0)):
        for match in [*pattern.finditer(sentence)][:MOST_COUNTED]:
            value += SOFT * (-0.5 * sign if is_turned(sentence, match.start()) else sign)
    if not turned and not restored and is_denied(sentence):
        return Weight(min(value, 0.0) - DENIED)
    return Weight(value)


def is_denied(sentence: str) -> bool:
    """Whether it says that something is not so, cannot be, or is not there."""
    return bool(_NOT.search(sentence)) and not _HARMLESS.search(sentence)


def what_is_denied(sentence: str) -> str:
    """The words right behind what denies them, or in front of it in Chinese."""
    match = next((each for each in _NOT.finditer(sentence) if not each[0].lower().startswith("with")), None)
    if match is None:
        return ""  # "without nuts" may be what is asked for
    is_chinese = not sentence.isascii()
    before = sentence[max(0, match.start() - 6) : match.start()] if is_chinese else ""
    return f"{before}\n{sentence[match.end() : match.end() + (14 if is_chinese else 48)]}"


def _is_ahead(sentence: str, at: int) -> bool:
    """Whether what is said there is still to come: "will be repaired in May"."""
    return bool(_AHEAD.search(sentence[max(0, at - 24) : at]))
