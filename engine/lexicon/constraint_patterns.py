"""Finds constraints in texts in lower case: how many, in which weeks, on which days, where, for how much.

Times of day are in `engine.lexicon.clock_times`.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from engine.lexicon.constraints import (
    ON_SITE,
    ONLINE,
    Constraint,
    Effort,
    GroupSize,
    Notice,
    Pay,
    Place,
    Weekdays,
    Weeks,
)
from engine.lexicon.forms import Form, matches, meant

IN_RETURN: Final = (Notice, Pay)
"""What a clause demands besides whatever else it says."""

Said = tuple[int, int, Constraint | None, Constraint | None]
"""From where to where, what it demands, and what it demands where it is refused."""

_WORDS_EN: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a dozen": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "eighty": 80, "a hundred": 100, "one hundred": 100, "half a": 0.5,
}  # fmt: skip
_N: Final = r"(?:\d{1,6}(?:\.\d)?|" + "|".join(sorted(_WORDS_EN, key=len, reverse=True)) + ")"
_N_ZH: Final = r"(?:\d{1,6}(?:\.\d)?|[一二两三四五六七八九十百千半]{1,5})"
_DIGITS: Final = "零一二三四五六七八九"


def number(text: str) -> float:
    """The value of a number that the patterns here have matched."""
    if text[0].isdecimal():
        return float(text)
    if text in _WORDS_EN:
        return _WORDS_EN[text]
    if text == "半":
        return 0.5
    total, current = 0, 0
    for each in text.replace("两", "二"):
        if each in _DIGITS:
            current = _DIGITS.index(each)
        else:
            total += max(1, current) * {"十": 10, "百": 100, "千": 1000}.get(each, 0)
            current = 0
    return total + current


_DAY_NAMES: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_EN: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?\b"
_DAY_ZH: Final = r"(?:周|星期|礼拜)[一二三四五六日天]"
_SOME_DAYS: Final = rf"(?:{_DAY_EN}|weekends?\b|weekdays?\b|work(?:ing)? ?days?\b|{_DAY_ZH}|周末|工作日|平日)"
_NOT_ONE_DAY: Final = r"(?<![a-z])(?<!next )(?<!this )(?<!coming )(?<!上)(?<!下)(?<!这)(?<!本)(?<!下个)(?<!这个)"
_DAYS: Final = Form(
    rf"{_NOT_ONE_DAY}(?P<first>{_SOME_DAYS})"
    rf"(?:\s?(?P<to>to|through|until|-|–|到|至)\s?(?P<last>{_DAY_EN}|{_DAY_ZH}|[一二三四五六日天])"
    r"|(?P<more>(?:\s?(?:,|，|、|/|or|and|和|或|或者|跟)\s?(?:on )?"
    rf"(?:{_SOME_DAYS}|(?<=[、和或])[一二三四五六日天])){{0,6}}))"
)
_ONE_OF_DAYS: Final = re.compile(_SOME_DAYS + r"|[一二三四五六日天]")
_DATED: Final = re.compile(r"\d{1,2}(?:st|nd|rd|th)?\b|\d")


def _weekdays_named(said: str) -> frozenset[int]:
    if said.startswith(("weekend", "周末")):
        return frozenset((5, 6))
    if said.startswith(("weekday", "work", "工作日", "平日")):
        return frozenset(range(5))
    for number_, name in enumerate(_DAY_NAMES):
        if said.startswith(name):
            return frozenset((number_,))
    return frozenset(("一二三四五六日".index(said[-1].replace("天", "日")),))


def _weekdays(text: str) -> Iterator[Said]:
    for match in _DAYS.finditer(text):
        days = _weekdays_named(match["first"])
        if match["last"]:
            start, end = min(days), min(_weekdays_named(match["last"]))
            days = frozenset((start + each) % 7 for each in range((end - start) % 7 + 1))
        for each in _ONE_OF_DAYS.findall(match["more"] or ""):
            days |= _weekdays_named(each)
        yield *match.span(), Weekdays(days), Weekdays(days, allowed=False)


_PEOPLE_EN: Final = r"(?:people|persons?|attendees|participants|guests|visitors|pax|seats|heads|of us|folks|students)\b"
_PEOPLE_ZH: Final = r"(?:个|名|位)?(?:人|参与者|嘉宾|观众|宾客|来宾)"
_AT_MOST: Final = (
    r"no more than|not more than|at most|up to|a maximum of|maximum(?: of)?|max\.?|limit(?:ed)? (?:it )?to|capped at"
    r"|≤|<="
    r"|(?P<less>fewer than|less than|under|below|<)"
)
_AT_LEAST: Final = (
    r"at least|no fewer than|no less than|not fewer than|not less than|a minimum of|minimum(?: of)?|min\.?"
    r"|≥|>=|(?P<more>more than|over|above|>)"
)
_SIZE_NOUN: Final = (
    r"(?:group size|party size|head ?count|attendance|audience|number of (?:people|guests|attendees|participants)|group"
    r"|participants|attendees|guests)"
)
_SIZES: Final = (
    Form(rf"\b(?:{_AT_MOST}) (?P<most>{_N})[\s-]?{_PEOPLE_EN}"),
    Form(rf"\b(?:{_AT_LEAST}) (?P<least>{_N})[\s-]?{_PEOPLE_EN}"),
    Form(rf"\b(?:only |just )(?P<most>{_N})[\s-]?{_PEOPLE_EN}"),
    Form(rf"(?<![\d.])(?P<most>{_N})[\s-]?{_PEOPLE_EN} \(?(?:max(?:imum)?|at most|or (?:fewer|less)|tops)\b\)?"),
    Form(rf"(?<![\d.])(?P<least>{_N})[\s-]?{_PEOPLE_EN}(?: \(?(?:min(?:imum)?|at least|or more)\b\)?)"),
    Form(rf"(?:between |from )?(?<![\d.])(?P<least>{_N})\s?(?:-|–|to|and)\s?(?P<most>{_N})[\s-]?{_PEOPLE_EN}"),
    Form(
        rf"{_SIZE_NOUN} (?:(?:is|are|of|stays?|must|should|not|be|kept|limited|capped|to|at) ){{0,4}}?"
        rf"(?:{_AT_MOST}) (?P<most>{_N})\b"
    ),
    Form(rf"{_SIZE_NOUN} (?:(?:is|are|of|must|should|be) ){{0,3}}?(?:{_AT_LEAST}) (?P<least>{_N})\b"),
    Form(
        rf"(?:人数)?(?:不(?:能|要|得|可|会)?(?:超过|多于)|最多|至多|顶多|上限|控制在|限)\s?(?:为|是)?(?P<most>{_N_ZH})\s?{_PEOPLE_ZH}(?:以内|以下|之内)?"
    ),
    Form(rf"(?:人数)(?:不(?:能|要|得|可|会)?(?:超过|多于)|最多|至多|上限|控制在)\s?(?:为|是)?(?P<most>{_N_ZH})(?:以内|以下|之内)?"),
    Form(rf"(?P<most>{_N_ZH})\s?{_PEOPLE_ZH}(?:以内|以下|之内|封顶)"),
    Form(rf"(?P<less>少于|低于)(?P<most>{_N_ZH})\s?{_PEOPLE_ZH}"),
    Form(rf"(?:至少|不(?:能|要|得)?(?:少于|低于)|最少|起码)(?:要?有)?\s?(?P<least>{_N_ZH})\s?{_PEOPLE_ZH}"),
    Form(rf"(?P<more>超过|多于)(?P<least>{_N_ZH})\s?{_PEOPLE_ZH}"),
    Form(rf"(?P<least>{_N_ZH})\s?{_PEOPLE_ZH}(?:以上|起步|起)"),
    Form(rf"(?P<least>{_N_ZH})\s?(?:-|~|～|到|至)\s?(?P<most>{_N_ZH})\s?{_PEOPLE_ZH}(?:之间)?"),
)  # fmt: skip


def _sizes(text: str) -> Iterator[Said]:
    for match in matches(text, _SIZES):
        said = match.groupdict()
        most = int(number(said["most"])) if said.get("most") else 0
        least = int(number(said["least"])) if said.get("least") else 0
        most -= bool(most and said.get("less"))
        least += bool(least and said.get("more"))
        yield *match.span(), GroupSize(least, most), _opposite(least, most)


def _opposite(least: int, most: int) -> Constraint | None:
    """Refused bounds: "not over 20 people" is at most 20."""
    if least and not most:
        return GroupSize(at_most=least - 1) if least > 1 else None
    return GroupSize(at_least=most + 1) if most and not least else None


_ORDINAL: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_WEEK_EN: Final = rf"(?:week (?P<w>{_N})\b|the (?P<o>{'|'.join(_ORDINAL)}) week\b)"
_WEEK_ZH: Final = rf"第(?P<w>{_N_ZH})(?:个)?(?:周|星期)"
_SINCE: Final = r"not before|no earlier than|not earlier than|from|as of|starting(?: in| from| with)?|after(?P<next>)"
_WEEKS: Final = (
    (Form(rf"\b(?:{_SINCE}) {_WEEK_EN}(?: on(?:wards?)?\b)?"), 0),
    (Form(rf"\b{_WEEK_EN} (?:or later|and later|onwards?|on\b)"), 0),
    (Form(rf"\b(?:until|by|before(?P<next>)|up to) {_WEEK_EN}"), -1),
    (Form(rf"\b{_WEEK_EN}"), 1),
    (Form(rf"\bthe first (?P<w>{_N}) weeks\b"), 2),
    (Form(rf"(?:不早于|从|自){_WEEK_ZH}(?:起|开始|以后|之后|后)?"), 0),
    (Form(rf"{_WEEK_ZH}(?:起|开始)"), 0),
    (Form(rf"{_WEEK_ZH}(?P<next>以后|之后|后)"), 0),
    (Form(rf"{_WEEK_ZH}"), 1),
    (Form(rf"前(?P<w>{_N_ZH})(?:个)?(?:周|星期)"), 2),
)  # fmt: skip


def _weeks(text: str) -> Iterator[Said]:
    for match, kind in meant(text, _WEEKS):
        said = match.groupdict()
        week = int(number(said["w"])) if said.get("w") else _ORDINAL[said["o"]]
        after = said.get("next") is not None
        first, last = {0: (week + after, 0), -1: (1, week - after), 1: (week, week), 2: (1, week)}[kind]
        if first >= 1 and (not last or last >= first):
            yield *match.span(), Weeks(first, last), Weeks(first, last, allowed=False)


_ANY_WEEK: Final = (Form(rf"\b{_WEEK_EN}"), Form(_WEEK_ZH))


def weeks_in(text: str) -> list[Weeks]:
    """What a text says of the weeks of a plan."""
    return [each for _, _, each, _ in _weeks(text) if isinstance(each, Weeks)][:1]


def week_numbers(text: str) -> list[int]:
    """The weeks that the date of a step names."""
    found = [match.groupdict() for match in matches(text, _ANY_WEEK)]
    return [int(number(each["w"])) if each.get("w") else _ORDINAL[each["o"]] for each in found]


NO_MONEY: Final = Form(
    r"(?:没有|没|零|无)(?:什么)?(?:预算|经费|钱|报酬)|不花钱|无偿|\bunpaid\b"
    r"|\b(?:no|zero|without(?: a| any)?)\s+(?:budget|money|funding|pay)\b"
)
_MONEY: Final = Form(
    rf"(?P<sign>[¥￥$€£])\s?(?P<sum>\d{{1,7}})|(?P<sum2>\d{{1,7}}|{_N_ZH})\s?(?P<unit>元|块钱?|人民币|美元|欧元|yuan|rmb|cny|usd|dollars?|eur|euros?|gbp|pounds?)"
)
_CURRENCY: Final = {
    "¥": "CNY", "￥": "CNY", "$": "USD", "€": "EUR", "£": "GBP", "元": "CNY", "块": "CNY", "人": "CNY", "美": "USD",
    "欧": "EUR", "y": "CNY", "r": "CNY", "c": "CNY", "u": "USD", "d": "USD", "e": "EUR", "g": "GBP", "p": "GBP",
}  # fmt: skip
_PAID: Final = Form(
    r"\b(?:(?:get |be |being )?paid(?: (?:work|only|for it))?|(?:an? |the )?(?:(?:speaker'?s?|small|fair|agreed) )?fee"
    r"s?|an? honorarium|payment|compensation|reimbursed|remuneration)\b"
    r"(?: (?:has to be |must be |to be )?agreed(?: first| beforehand)?)?"
    r"|(?:需要先谈好|先谈好|需要|要有|有)?(?:一?点)?(?:报酬|酬劳|劳务费|稿费|讲课费|费用|付费)"
)
_LIVING: Final = Form(r"this is how i make a living|这是我的营生|我靠这个(?:吃饭|谋生)")


def _pay(text: str) -> Iterator[Said]:
    for match in _MONEY.finditer(text):
        sum_, sign = match["sum"] or match["sum2"], match["sign"] or match["unit"]
        yield *match.span(), Pay(int(number(sum_)), _CURRENCY[sign[0]]), None
    for match in matches(text, (_PAID, _LIVING)):
        yield *match.span(), Pay(), None


_EFFORTS: Final = (
    Form(
        rf"\b(?:{_AT_MOST}) (?P<hours>{_N}) (?:hours?|h)\b"
        r"(?:(?: of work| of my time)? ?(?:a|per|each|every|/) ?(?P<per>week|day)| in total| altogether)?"
    ),
    Form(
        rf"(?<![\d.])(?P<hours>{_N}) (?:hours?|h)\b ?(?:a|per|each|every|/) ?(?P<per>week|day)"
        r" (?:at (?:the )?most|max(?:imum)?|tops)\b"
    ),
    Form(
        rf"(?:(?P<per>每周|一周|每天|一天)\D{{0,4}})?(?:不(?:能|要)?超过|最多|至多|控制在)\s?(?P<hours>{_N_ZH})\s?个?(?:小时|钟头)(?:以内|之内)?"
    ),
)
_HOURS: Final = (
    Form(rf"(?<![\d.:])(?P<hours>{_N}) (?:hours?|h)\b ?(?:a|per|each|every|/) ?(?P<per>week|day)"),
    Form(rf"(?P<per>每周|一周|每天|一天)\D{{0,4}}?(?P<hours>{_N_ZH})\s?个?(?:小时|钟头)"),
)


def hours_in(text: str) -> Iterator[tuple[float, str]]:
    """The hours of work that a text names, and what they are counted per."""
    for match in matches(text, _HOURS):
        yield number(match["hours"]), _PER[match["per"]]


_GIVEN: Final = (
    Form(
        r"\bi(?:'ve got| have| can (?:give|spare|spend|offer|put in|do))(?: (?:you|it|this|about|around|up to))*"
        rf" (?P<hours>{_N}) (?:hours?|h)\b(?! ?(?:a|per|each|every|/) ?(?:week|day))"
    ),
    Form(rf"我(?:一共|总共)?(?:可以|能)?(?:有|出|给|花|抽出?|投入|拿出)\s?(?P<hours>{_N_ZH})\s?个?(?:小时|钟头)"),
)


def hours_given(text: str) -> Iterator[float]:
    """The hours that somebody says they have for the whole of it, or at most."""
    for match in matches(text, (*_GIVEN, *_EFFORTS)):
        if not match.groupdict().get("per"):
            yield number(match["hours"])


_PER: Final = {"week": "week", "每周": "week", "一周": "week", "day": "day", "每天": "day", "一天": "day"}


def _efforts(text: str) -> Iterator[Said]:
    for match in matches(text, _EFFORTS):
        per = _PER.get(match["per"] or "", "whole")
        yield *match.span(), Effort(number(match["hours"]), per), None  # type: ignore[arg-type]


_NOTICES: Final = (
    Form(
        rf"(?:\bat least )?\b(?P<n>{_N}) (?P<unit>days?|weeks?)"
        r"(?:'? notice\b| (?:before(?:hand)?|in advance|ahead|prior|earlier)\b(?: (?:of |to )?"
        r"(?:it|(?:the |this )?(?:event|date|day|start|meetup|meeting|workshop|party|activity)(?: day)?)\b)?)"
    ),
    Form(rf"(?:至少|最少)?(?:活动|开场|会议|聚会|开始)?(?:之?前|提前)(?:至少)?(?P<n>{_N_ZH})个?(?P<unit>天|日|周|星期)"),
    Form(rf"(?:至少|最少)?(?:活动|开场|会议|聚会|开始)?(?P<n>{_N_ZH})个?(?P<unit>天|日|周|星期)(?:之前|以前|前)"),
)  # fmt: skip
_SUBJECTS: Final = (
    Form(r"head ?count|number of (?:people|guests|attendees|participants)|final number|attendance|人数|名单"),
    Form(r"\btext|copy\b|script|manuscript|文案|稿|文字"),
    Form(r"picture|image|photo|poster|artwork|配图|图片|照片|海报"),
    Form(r"agenda|programme|program|schedule|run of show|run ?sheet|running order|rundown|议程|流程|日程"),
    Form(r"menu|food|dietary|菜单|餐|忌口"),
    Form(r"slides?|deck|presentation|material|幻灯|课件|ppt|材料|资料"),
    Form(r"deposit|定金|押金"),
    Form(r"contract|agreement|合同|协议"),
    Form(r"room|venue|floor ?plan|场地|布场"),
    Form(r"topic|title|题目|主题"),
)


def subjects_in(text: str) -> frozenset[str]:
    """What a text wants to have ready, or a step of a plan has ready, in words that are equal for the same thing."""
    low = text.lower()
    return frozenset(str(number_) for number_, each in enumerate(_SUBJECTS) if each.search(low))


def days_ahead(text: str) -> int | None:
    """How many days before the event a step of a plan says that it is."""
    low = text.lower()
    for form in _NOTICES:
        if match := form.search(low):
            return round(number(match["n"]) * (7 if match["unit"][0] in "w周星" else 1))
    return None


def _notices(text: str) -> Iterator[Said]:
    for match in matches(text, _NOTICES):
        days = round(number(match["n"]) * (7 if match["unit"][0] in "w周星" else 1))
        yield *match.span(), Notice(days, subjects_in(text)), None


_MANNERS: Final = (
    (Form(r"\b(?:online|virtual(?:ly)?|over zoom|on zoom|by video call)\b|线上|在线|网上"), ONLINE),
    (Form(r"\b(?:in person|on[\s-]site|offline|face[\s-]to[\s-]face)\b|线下|现场|面对面"), ON_SITE),
)


def _manners(text: str) -> Iterator[Said]:
    for match, name in meant(text, _MANNERS):
        yield *match.span(), Place(name), Place(name, allowed=False)


def says_online(text: str) -> bool:
    """Whether something is from afar by a text."""
    return any(name == ONLINE for _, name in meant(text.lower(), _MANNERS))


READERS: Final[tuple[Callable[[str], Iterator[Said]], ...]] = (
    _sizes,
    _efforts,
    _notices,
    _weeks,
    _weekdays,
    _manners,
    _pay,
)
"""What comes first wins where two of them read the same words."""
