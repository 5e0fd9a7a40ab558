"""Finds rooms that a text names, so that they are told apart: "room 301", 301会议室, "the boardroom".

"A meeting room" is any room, so it is none of these.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from engine.lexicon.forms import Form, matches
from engine.lexicon.reading.asked import LONGEST

_KINDS: Final = r"room|hall|studio|auditorium|lab|boardroom|theatre|theater|suite|lounge|classroom"
_KINDS_ZH: Final = "会议室|会议厅|教室|报告厅|宴会厅|多功能厅|活动室|包间|包厢|展厅|礼堂|大厅|房间|演播室"
_NUMBERED: Final = Form(
    rf"(?<![A-Za-z])(?i:{_KINDS})\s(?:no\.?\s?|number\s|#\s?)?(?P<id>[A-Z]?-?\d{{1,4}}[A-Z]?|[A-Z])(?![A-Za-z0-9'])"
    r"(?!\s?(?:people|guests|seats))"
)
_NAMED: Final = Form(
    rf"\b(?:[Mm]eeting|[Cc]onference|[Ss]eminar)\s[Rr]oom\s(?P<after>[A-Z][a-z]\w+)\b"
    rf"|\b[Tt]he\s(?P<before>[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?)\s(?:{_KINDS})\b(?!s)",
)
_ONLY_ONE: Final = Form(
    r"\b(?:in|at|on|use|book|booking)\s(?:the|our)\s(?P<id>auditorium|boardroom|rooftop(?: terrace)?|canteen|cafeteria"
    r"|atrium|lobby|ballroom|library|(?:main|big|large|small|great) (?:meeting |conference |lecture )?(?:room|hall))\b",
    re.IGNORECASE,
)
_NUMBERED_ZH: Final = Form(
    rf"(?P<id>[A-Za-z]?-?\d{{1,4}}[A-Za-z]?|(?<![A-Za-z])[A-Z])\s?号?\s?(?:{_KINDS_ZH}|室|厅)(?!外)"
    rf"|(?:{_KINDS_ZH})\s?(?P<id2>[A-Za-z]?-?\d{{1,4}}[A-Za-z]?|[A-Z](?![A-Za-z]))(?!\d*\s?(?:人|个|位|名|块|元))"
)
_ONLY_ONE_ZH: Final = Form(
    r"(?:在|到|于|用|借|订|预订|地点[:：]?)\s?(?:公司|我们|园区|单位|学校)?的?"
    r"(?P<id>(?:[一二三四五六七八九十\d]{1,2}[楼层])?(?:大|小|中|主)?(?:会议室|会议厅|报告厅|多功能厅|礼堂|宴会厅|活动室)"
    r"|(?:[一二三四五六七八九十\d]{1,2}[楼层])?(?:屋顶花园|天台|露台|食堂|大堂))"
)
_ANY_ZH: Final = re.compile(r"(?:会议室|会议厅|活动室)")
"""Without a floor or a size, there may be several of these."""


@dataclass(frozen=True, slots=True)
class Room:
    """A room by its name, as it was said, and in a form that is equal for the same one."""

    name: str
    key: str


def rooms_in(text: str) -> tuple[Room, ...]:
    """Each room once, in the order of the kinds of their names."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST])
    found: dict[str, Room] = {}
    for match in matches(plain, (_NUMBERED, _NAMED, _ONLY_ONE, _NUMBERED_ZH, _ONLY_ONE_ZH)):
        said = next(each for each in match.groupdict().values() if each)
        if _ANY_ZH.fullmatch(said):
            continue
        is_name = match.re in (_NUMBERED.pattern, _NUMBERED_ZH.pattern, _NAMED.pattern)
        key = " ".join(said.lower().replace("-", "").split())
        found.setdefault(key, Room(match[0].strip() if is_name else said, key))
    return tuple(found.values())
