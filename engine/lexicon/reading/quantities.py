"""Finds how many of a thing, or of which helpers, a text asks for: "3 data labelers", 两位嘉宾."""

import re
from dataclasses import dataclass

from engine.lexicon.forms import Form, matches
from engine.lexicon.reading.asked import in_usual_forms
from engine.lexicon.reading.numbers import ENGLISH, number

MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Quantity:
    """So many of what the words say."""

    count: int
    what: str
    start: int
    end: int


_UNITS = (
    "days weeks months years hours minutes seconds times percent degrees pounds dollars euros bucks miles "
    "kilometers km versions rounds ones others sessions words letters pages dozens lots series always "
    "this is was has as its us various"
)
_NOT_COUNTED = frozenset(_UNITS.split())
_WORD = r"[a-z][a-z'/+-]{1,20}"
_ADJECTIVES = (
    r"(?:(?!(?:of|for|and|or|to|in|on|at|by|with|from|per|who|that|am|pm|is|are|was|each|more|times|us)\b)"
    rf"{_WORD}\s){{0,3}}?"
)
_ENGLISH = Form(
    rf"(?<![\d.,/:$€£¥#-])(?:(?:at least|about|around)\s)?(?P<n>{ENGLISH})(?:\s(?:or|to)\s(?P<high>{ENGLISH}))?\s"
    rf"(?P<what>{_ADJECTIVES}(?:{_WORD}(?<!ss)s|people|staff|men|women))\b",
    re.IGNORECASE | re.ASCII,
)
_ONE = Form(
    rf"\b(?:need|needs|want|wants|hire|hiring|recruit|find|seeking|looking for|plus|and)\s(?:just\s|only\s)?"
    r"(?P<n>one|1)\s"
    rf"(?P<what>{_ADJECTIVES}{_WORD})\b(?=\s?(?:[.,;!?)]|$|\s(?:to|who|for|and|or|in|at|on|with|by)\b))",
    re.IGNORECASE | re.ASCII,
)
_CHINESE = Form(
    r"(?<![第每几数\d.])(?P<n>\d{1,6}|[一两二三四五六七八九十百千]{1,6})"
    r"(?:(?:到|至|-|~)(?P<high>\d{1,6}|[一二三四五六七八九十]{1,4}))?\s?"
    r"(?:个|位|名|台|张|间|场|份|套|辆|把|条|篇|组|支|块|部|桌|顶|瓶|杯)"
    r"(?!月|小时|星期|礼拜|人民|钱|左右|以内)\s?"
    r"(?P<what>(?:[\u4e00-\u9fffA-Za-z]{1,8}?的)?[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z\s]{0,11}?)"
    r"(?=[，。、；,.;！!？?（(\n]|$|和|及|与|跟|或|来|去|帮|做|参|给|在|以|用|负责|就|能|会(?!议)|的|可以|一起)"
)
_PEOPLE_ZH = Form(
    r"(?:招|招聘|招募|雇|找|需要|缺|还差|再加)\s?(?P<n>\d{1,4}|[一两二三四五六七八九十]{1,3})\s?(?:个|名|位)?"
    r"(?P<what>人手|人)(?!民|均|以上|以内)"
)


def quantities_in(text: str) -> list[Quantity]:
    """In the order of the text, without overlaps. A number of guests is one too: `people_in` knows which are that."""
    plain = in_usual_forms(text)
    found: list[Quantity] = []
    for match in matches(plain, (_ENGLISH, _ONE, _CHINESE, _PEOPLE_ZH)):
        count = number(match.groupdict().get("high") or match["n"])
        what = match["what"].strip()
        if count is None or not 0 < count <= MOST or what.lower().split()[-1] in _NOT_COUNTED:
            continue
        if count == 1 and match.re is _CHINESE.pattern:
            continue  # 一个 is an article
        if not any(each.start < match.end() and match.start() < each.end for each in found):
            found.append(Quantity(count, what, match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)
