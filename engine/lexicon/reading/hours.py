"""Times of day in Chinese and English texts."""

import re
from dataclasses import dataclass

from engine.lexicon.forms import Form, meant
from engine.lexicon.reading.asked import Found
from engine.lexicon.reading.numbers import number


@dataclass(frozen=True, slots=True)
class Hours:
    """``HH:MM``, or empty where it was not said."""

    start: str = ""
    end: str = ""


_PERIODS = {
    "morning": ("08:00", "12:00"),
    "noon": ("12:00", "13:00"),
    "lunchtime": ("12:00", "14:00"),
    "afternoon": ("12:00", "18:00"),
    "evening": ("18:00", "22:00"),
    "night": ("20:00", "00:00"),
    "overnight": ("22:00", "06:00"),
    "凌晨": ("00:00", "06:00"),
    "清晨": ("06:00", "09:00"),
    "早": ("06:00", "10:00"),
    "上午": ("08:00", "12:00"),
    "中午": ("11:00", "14:00"),
    "下午": ("12:00", "18:00"),
    "傍晚": ("17:00", "19:00"),
    "晚": ("18:00", "22:00"),
    "夜": ("20:00", "00:00"),
    "通宵": ("22:00", "06:00"),
}
_ALIASES = {
    "早上": "早",
    "早晨": "早",
    "一早": "早",
    "晚上": "晚",
    "晚间": "晚",
    "今晚": "晚",
    "午间": "中午",
    "正午": "中午",
    "午后": "下午",
}
_ALIASES |= {"夜里": "夜", "夜间": "夜", "深夜": "夜", "半夜": "凌晨", "彻夜": "通宵", "整夜": "通宵", "上午间": "上午"}
_LATE = frozenset({"afternoon", "evening", "night", "下午", "傍晚", "晚", "夜"})


def _english_form(at: int) -> str:
    """The form of a time of day; its groups end in that number."""
    return (
        rf"(?:(?P<h{at}>\d{{1,2}})(?:[:.](?P<m{at}>[0-5]\d))?(?:\s?(?P<p{at}>[ap])\.?m\b\.?)?"
        rf"|(?P<w{at}>noon|midnight))"
    )


_EN_PERIOD = r"(?:in\sthe\s|at\s|of\sthe\s)?(?P<period>morning|afternoon|evening|night)\b"
_EN_RANGE = Form(
    rf"\b(?:(?P<lead>between|from)\s)?{_english_form(1)}\s?(?:-|–|—|to|and|until|till)\s?{_english_form(2)}"
    rf"(?![\d:%])(?P<oclock>\so['’]?clock)?(?:\s{_EN_PERIOD})?",
    re.IGNORECASE | re.ASCII,
)
_EN_SINGLE = Form(
    r"(?<![\d:.,$€£¥-])\b(?:(?P<lead>at|by|from|until|till|before|after|around|no later than|starting at|starting)\s)?"
    rf"(?:around\s)?{_english_form(1)}(?![\d:%])(?P<oclock>\so['’]?clock\b)?(?:\s{_EN_PERIOD})?",
    re.IGNORECASE | re.ASCII,
)
_EN_PART = Form(
    r"(?<!good )\b(?:(?:in|on|for|during|at|through|all)\s)?(?:(?:the|an?|this|that|one|all)\s)?"
    r"(?:(?:early|late|mid)[\s-])?(?P<period>morning|afternoon|evening|night|lunchtime)s?\b"
    r"|\b(?P<all>overnight|all night|through(?:out)? the night|all through the night)\b",
    re.IGNORECASE | re.ASCII,
)
_ZH_NUMBER = r"(?:\d{1,2}|[零一二两三四五六七八九十]{1,3})"
_ZH_PERIOD = (
    r"凌晨|清晨|一早|早上|早晨|早(?=\d|[三四五六七八九十]{1,2}点)|上午|中午|正午|午间|下午|午后|傍晚|晚上|晚间"
    r"|深夜|夜里|夜间|半夜|通宵|彻夜|整夜|(?<=[今明天日号一二三四五六])晚(?!会|宴|餐|饭)|(?<=[今明天日号一二三四五六])早(?!餐|饭)"
)


def _chinese_form(at: int) -> str:
    return (
        rf"(?P<z{at}>{_ZH_PERIOD})?的?\s?(?P<h{at}>{_ZH_NUMBER})\s?(?:点|時|时(?!间|候|长|代|段|尚|区|刻)|:(?=[0-5]\d))"
        rf"钟?(?P<m{at}>半|一刻|三刻|[0-5]\d分?|{_ZH_NUMBER}分)?"
    )


_NO_POINTS = (
    r"(?!\s?(?:建议|要求|意见|想法|原因|说明|需求|问题|希望|期望|注意|理由|思考|提示|心得|内容|条件|个|[:、]\D))"
)
_ZH_RANGE = Form(
    rf"(?<!\d){_chinese_form(1)}\s?(?:到|至|-|–|—|~)\s?{_chinese_form(2)}"
    rf"|(?<![\d月])(?P<z3>{_ZH_PERIOD})?(?P<h3>{_ZH_NUMBER})\s?(?:到|至|-|–|—|~)\s?(?P<h4>{_ZH_NUMBER})\s?点{_NO_POINTS}"
)
_ZH_SINGLE = Form(rf"(?<![\d:第]){_chinese_form(1)}{_NO_POINTS}(?!\d)(?P<bound>之前|以前|前|之后|以后|后|开始|起)?")
_ZH_PART = Form(_ZH_PERIOD)


def hours_in(text: str) -> list[Found[Hours]]:
    """From left to right, without overlaps; ranges before single times, and these before parts of the day."""
    found: list[Found[Hours]] = []
    forms = (
        (_EN_RANGE, _english_range),
        (_ZH_RANGE, _chinese_range),
        (_EN_SINGLE, _english_single),
        (_ZH_SINGLE, _chinese_single),
        (_EN_PART, _part),
        (_ZH_PART, _part),
    )
    for match, meaning in meant(text, forms):
        if any(each.start < match.end() and match.start() < each.end for each in found):
            continue
        hours = meaning(match)
        if hours is not None:
            found.append(Found(hours, match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)


def _period(said: str | None) -> str:
    word = (said or "").lower()
    return _ALIASES.get(word, word)


def _part(match: re.Match[str]) -> Hours | None:
    groups = match.groupdict()
    if "period" not in groups:
        period = _period(match[0])
    elif groups["all"] or (re.match(r"all |through ", match[0], re.IGNORECASE) and groups["period"].lower() == "night"):
        period = "overnight"
    else:
        period = _period(groups["period"])
    start, end = _PERIODS[period]
    return Hours(start, end)


def _clock(hour: int, minute: int) -> str | None:
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        return None
    return f"{hour % 24:02d}:{minute:02d}"


def _on_clock(hour: int, minute: int, period: str, meridiem: str = "") -> str | None:
    """On a clock of 24 hours. Without a word for the part of the day, one to six is in the afternoon."""
    if meridiem:
        if not 1 <= hour <= 12:
            return None
        return _clock(hour % 12 + 12 * (meridiem == "p"), minute)
    if period in ("night", "晚", "夜", "凌晨", "overnight") and hour == 12:
        return _clock(24, minute)
    if period == "中午" and hour < 3:
        return _clock(hour + 12, minute)
    if period in _LATE and hour < 12 and not (period in ("night", "夜") and hour <= 5):
        return _clock(hour + 12, minute)
    if not period and 1 <= hour <= 6:
        return _clock(hour + 12, minute)
    return _clock(hour, minute)


def _english_time(match: re.Match[str], at: str, period: str, meridiem: str) -> str | None:
    if match[f"w{at}"]:
        return "12:00" if match[f"w{at}"].lower() == "noon" else "00:00"
    minute = match[f"m{at}"]
    if minute and match[f"h{at}"].startswith("0"):
        period = period or "clock"  # 08:30 is as it is written
    return _on_clock(int(match[f"h{at}"]), int(minute or 0), period, meridiem)


def _english_range(match: re.Match[str]) -> Hours | None:
    period = _period(match["period"])
    first, last = (match["p1"] or "").lower(), (match["p2"] or "").lower()
    points = any("." in match[0] and match[f"m{at}"] for at in "12") and ":" not in match[0]
    told = period or first or last or match["oclock"] or match["w1"] or match["w2"]
    if not told and (points or not (match["m1"] or match["m2"])):
        return None
    if last and not first and match["h1"] and match["h2"]:
        # "9-11am", "11-2pm": the first is in the same half of the day, unless it would come after the second.
        same = int(match["h1"]) % 12 <= int(match["h2"]) % 12
        first = last if same else ("a" if last == "p" else "p")
    if not (told) and match["m1"] and match["m2"]:
        period = "clock"
    start, end = _english_time(match, "1", period, first), _english_time(match, "2", period, last)
    return Hours(start, end) if start and end else None


def _english_single(match: re.Match[str]) -> Hours | None:
    period, meridiem, lead = _period(match["period"]), (match["p1"] or "").lower(), (match["lead"] or "").lower()
    told = period or meridiem or match["oclock"] or match["w1"]
    if not told:
        is_written = match["m1"] and match[0].count(".") == 0
        after = match.string[match.end() : match.end() + 3]
        is_alone = lead in ("at", "starting at") and not match["m1"] and re.match(r"\s?[.,;!?)]|\s?$", after)
        if not (is_written or is_alone):
            return None
        if is_written:
            period = "clock"
    time = _english_time(match, "1", period, meridiem)
    if time is None:
        return None
    if lead in ("by", "until", "till", "before", "no later than"):
        return Hours("", time)
    return Hours(time, "")


def _chinese_time(match: re.Match[str], at: str, period: str) -> str | None:
    hour, said = number(match[f"h{at}"]), (match.groupdict().get(f"m{at}") or "").removesuffix("分")
    minute = {"": 0, "半": 30, "一刻": 15, "三刻": 45}.get(said, number(said))
    if hour is None or minute is None:
        return None
    if ":" in match[0] and not period:
        period = "clock"
    return _on_clock(hour, minute, period)


def _chinese_range(match: re.Match[str]) -> Hours | None:
    if match["h3"]:
        period = _period(match["z3"])
        start, end = _chinese_time(match, "3", period), _chinese_time(match, "4", period)
        return Hours(start, end) if start and end else None
    first = _period(match["z1"])
    one, two = number(match["h1"]), number(match["h2"])
    if one is None or two is None:
        return None
    second = _period(match["z2"]) or (first if two > one or first in _LATE else ("下午" if first else ""))
    if not first and not match["z2"] and (two > 12 or 7 <= one < two):
        first = second = "clock"
    start, end = _chinese_time(match, "1", first), _chinese_time(match, "2", second)
    return Hours(start, end) if start and end else None


def _chinese_single(match: re.Match[str]) -> Hours | None:
    period = _period(match["z1"])
    if period in ("", "早", "晚") and match["h1"] in ("一", "两") and not match["m1"]:
        return None  # "早一点" is "a little earlier"
    time = _chinese_time(match, "1", period)
    if time is None:
        return None
    return Hours("", time) if (match["bound"] or "").endswith("前") else Hours(time, "")
