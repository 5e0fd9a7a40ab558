"""Decides whether a plan can grant a condition or a change that somebody asks for, by the principles of prompt 6."""

import re
from dataclasses import dataclass

from engine.lexicon.reading.money import has_money
from engine.lexicon.reading.numbers import number
from engine.lexicon.reading.places import place_in
from engine.negotiation.answers import Understanding
from engine.offline.negotiation.needs import needs_of
from engine.offline.negotiation.phrasing import phrase

_MONEY = re.compile(
    r"费用|报酬|付费|车费|车票|机票|差旅|稿费|劳务|酬金|[¥￥$€£]|\d+\s*元"
    r"|\b(paid|fees?|pay|payment|reimburs\w*|expenses|travel costs?|honorarium|invoice)\b"
)
_FREE = re.compile(r"不收|免费|无需|不要(?:任何)?(?:费用|报酬)|\b(no|without a|free of) (fee|charge|payment)\b")
_AT_MOST = re.compile(
    r"(?:不超过|最多|控制在|减到|限)\D{0,4}(\d+)\s*人?"
    r"|\b(?:at most|no more than|up to|limit\w* to)\s+(\d+)\s+(?:people|guests)"
)
_OTHER_DATE = re.compile(
    r"改期|推迟|延期|延后|改到(?:下|周|\d+月)|换个(?:时间|日子)|晚两?一?周|多给?\S{0,2}周"
    r"|\b(postpone|reschedul\w+|push (it |the date )?back|another date|(one|two|a) more weeks?)\b"
    r"|\bmove the (date|deadline)\b"
)
_OTHER_PLACE = re.compile(
    r"换(?:个|一个)?(?:城市|地方|场地)|(?:活动|聚会|整场)改(?:成|到|为)线上|\b(another|different) (city|venue|place)\b"
)
_OTHERS = re.compile(r"(?:换掉|不要让|别让|取消)\S{1,6}(?:的)?(?:分享|分工|负责)|\b(replace|remove|drop) [A-Z]\w+")


@dataclass(frozen=True, slots=True)
class RequestDecision:
    granted: bool
    reason: str


def decide_request(request: str, demand: Understanding, who: str) -> RequestDecision:
    """
    Args:
        request: a condition made with an offer, or a change asked for with a vote.
        who: the agent id of the person who asks.
    """
    language, context = needs_of(demand).language, demand.context
    low = request.lower()

    def declined(why: str, **values: object) -> RequestDecision:
        return RequestDecision(False, phrase(f"ruling.{why}", language, who, **values))

    if not request.strip():
        return declined("empty")
    if (_MONEY.search(low) and not _FREE.search(low)) or request == phrase("offer.paid", language, who):
        if not has_money(context.budget):
            return declined("money")
        return RequestDecision(True, phrase("ruling.paid", language, who, budget=context.budget))
    fewer = _AT_MOST.search(low)
    wanted = context.expected_attendees
    if fewer and wanted and (number(fewer[1] or fewer[2]) or wanted) < wanted:
        return declined("fewer", wanted=wanted)
    if _OTHER_DATE.search(low):
        return declined("date")
    elsewhere = place_in(request)
    moved = elsewhere is not None and context.location is not None and elsewhere != place_in(context.location)
    if context.location and _OTHER_PLACE.search(low) and (moved or elsewhere is None):
        return declined("place", place=context.location)
    if _OTHERS.search(request):
        return declined("others")
    return RequestDecision(True, phrase("ruling.granted", language, who))
