"""Finds what somebody is to teach or to talk about: a fire safety training takes more than a room and a speaker."""

import re
from functools import lru_cache

from engine.facts.shortening import shorten
from engine.lexicon.mentions import topics_in, undertaking_mentions
from engine.lexicon.reading.places import place_in
from engine.lexicon.topics import lexicon
from engine.offline.negotiation.wanted import LONGEST, tells_something, until_its_end, without_numbers

_LESSON_EN = r"(?:workshop|training|masterclass|course|class|seminar|webinar|bootcamp|lesson)"
_ABOUT_EN = re.compile(
    rf"\b(?:{_LESSON_EN}|talk|lecture|panel|session|talk series)(?:e?s)?(?: (?:session|day|evening|series))?s?"
    r" (?:on|about|in|around|covering) (?P<subject>[a-z][^,.;:!?\n]*)",
    re.IGNORECASE,
)
_BEFORE_EN = re.compile(rf"(?P<subject>(?<![a-z-])(?:[a-z-]+ +){{1,4}}){_LESSON_EN}(?:e?s)?\b", re.IGNORECASE)
LONGEST_READ = 200
"""Characters of a demand in which the words before "workshop" are sure to say what it is about."""
_NO_SUBJECT_EN = (
    "a an the our my your this that some any one two three first next new another short long free small big "
    "internal external real proper similar last breakfast lunch dinner online virtual remote public open team "
    "company staff employee customer annual monthly weekly daily yearly regular evening morning afternoon day "
    "half full half-day full-day one-day two-day three-day hour one-hour two-hour hands-on practical interactive "
    "introductory advanced beginner beginners good great nice want need needs run hold give host plan do have "
    "organise organize organising organizing set up join attend running planning with for to in on of and or is "
    "are we i at about by from will would like be help session sessions series week weekend half-hour live in- "
    "person on-site onsite paid certified professional whole special"
)
_SKIPPED_EN = frozenset(_NO_SUBJECT_EN.split())
_FORM_ZH = r"(?:培训|讲座|工作坊|训练营|分享会|研讨会|公开课|体验课|课程|兴趣班|夏令营|冬令营)"
_ABOUT_ZH = re.compile(
    r"(?:关于|围绕|主题是|主题为|讲讲|聊聊|讲(?![师座者课解台]))(?P<subject>[^，。；、,.;！？!?\s的]{2,10})"
)
_NOT_ZH = re.compile(r"^[话得到清述给我你他怎为自一二两三几半\d]|分钟|小时")
_BEFORE_ZH = re.compile(rf"(?P<subject>[^，。；、,.;！？!?\s\x00-\x7f]{{2,14}}?)(?:主题)?{_FORM_ZH}")
_LEAD_ZH = re.compile(
    r"^.*(?:[一两二三几]?(?:次|场|个|堂|节|期|轮|系列)|举办|开设|组织|安排|举行|准备|策划|参加|需要|想|要|[办做搞开上讲]"
    r"|给?(?:公司|团队|部门|大家|员工|同事|孩子|小朋友|学生|我们|他们|客户|社区|学校)们?(?:里|内部)?(?:做|办|开|上|搞|的)?)"
)
_TRIM_ZH = re.compile(
    r"^(?:线上|线下|内部|小型|大型|免费|年度|新|的|面向|儿童|少儿|成人|亲子|周末|晚间|公益|专业|入门|基础)+|的$"
)


@lru_cache(maxsize=256)
def subject_in(text: str) -> str:
    """What a lesson or a talk is about, where no topic knows it; empty where the text does not say."""
    plain = without_numbers(text)
    said = [until_its_end(match["subject"]) for match in _ABOUT_EN.finditer(plain)]
    said += [each for match in _ABOUT_ZH.finditer(plain) if not _NOT_ZH.search(each := match["subject"])]
    if not said and len(text) <= LONGEST_READ:
        said += [_without_lead(match["subject"]) for match in _BEFORE_EN.finditer(plain)]
        said += [_TRIM_ZH.sub("", _LEAD_ZH.sub("", match["subject"])) for match in _BEFORE_ZH.finditer(plain)]
    return next((shorten(each, LONGEST) for each in map(str.strip, said) if _is_subject(each.lower())), "")


def _without_lead(words: str) -> str:
    """The words directly before "workshop" that say what it is about; empty where a topic knows them."""
    kept: list[str] = []
    for word in reversed(words.split()):
        if word.lower() in _SKIPPED_EN:
            break
        kept.insert(0, word)
    return "" if topics_in(words.lower()) else " ".join(kept)


def _is_subject(text: str) -> bool:
    known = topics_in(text) or text in lexicon().loose or undertaking_mentions(text) or place_in(text) is not None
    return not known and tells_something(text) and len(text.split()) <= 5
