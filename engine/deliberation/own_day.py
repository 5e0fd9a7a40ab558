"""Tells which sentences say when what is asked for takes place: "The exam is on 6 March"."""

import re
from typing import Final

from engine.deliberation.words import words_of

_ITS_DAY: Final = re.compile(
    r"^\W*(?:(?:our|the|my|this|real|final|actual|whole)\s)*(?P<what>[\w'-]+(?:\s[\w'-]+){0,4}?)\s"
    r"(?:is|are|will be|takes? place|will take place|happens?|starts?|begins?)\s"
    r"(?:planned |scheduled |fixed |set |held )?(?:for |on |in |at )"
    r"|^(?:正式|这次|本次|我们的)?(?P<zh>[\u4e00-\u9fff]{2,10}?)(?:当天|时间|日期|的日子)?(?:就)?"
    r"(?:是在?|在|定在|安排在|定于|为|:|：)(?=[\d一二三四五六七八九十明后下本这])",
    re.IGNORECASE,
)
_ANY_EVENT: Final = re.compile(
    r"\b(?:exam|test|event|workshop|party|launch|wedding|conference|meetup|trip|move|race|marathon|concert|opening"
    r"|interview|go-live|release|tournament|flight|departure|day|fair|festival|dinner|seminar|summit|hackathon)\b"
    r"|考试|活动|婚礼|发布|上线|比赛|会议|大会|聚会|搬家|出发|开业|工作坊|演出|年会|面试|典礼|开幕|发布会"
    r"|运动会|分享会",
    re.IGNORECASE,
)
_NOT_ITS_DAY: Final = re.compile(
    r"\b(?:not|closed|away|busy|free|available|booked|unavailable|last year|if|only|off|due|ready|no"
    r"|rehearsal|deadline)\b"
    r"|不|没|休|闭|忙|空|如果|去年|只|彩排|截止",
    re.IGNORECASE,
)


def is_of_its_day(sentence: str, goal: str) -> bool:
    """Whether a sentence says when that takes place which the goal asks for."""
    match = _ITS_DAY.match(sentence)
    if match is None or _NOT_ITS_DAY.search(sentence):
        return False
    what = match["what"] or match["zh"]
    return bool(_ANY_EVENT.search(what)) and (bool(words_of(what) & words_of(goal)) or len(words_of(what)) <= 1)
