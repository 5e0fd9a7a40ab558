"""Finds the place, the number of people, the date and the budget that a demand names."""

import re

from engine.lexicon.language import Language
from engine.llm.offline.negotiation.places import place_in, place_name
from engine.negotiation.answers import Circumstances

_DIGITS = "零一二三四五六七八九"
_SMALL = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - as one reads them
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_NUMBERS = {**{word: value + 1 for value, word in enumerate(_SMALL)}, **_TENS, "hundred": 100, "a hundred": 100}
_WORD = "|".join(sorted((re.escape(word) for word in _NUMBERS), key=len, reverse=True))

_PEOPLE_ZH = re.compile(
    r"(?:(\d{1,5})\s*(?:-|~|—|到|至)\s*)?(?<![几数好\d])(\d{1,5}|[一二两三四五六七八九十百千]{1,7})\s*(?:多|余|来)?(?:个|名|位)?人"
    r"(?!\s*(?:的?(?:团队|小组|小队|工程师|开发|设计|负责|帮忙|帮|来做|一起做|志愿)|份|民币))"
)
_PEOPLE_EN = re.compile(
    rf"(?:(\d{{1,5}})\s*(?:-|–|to)\s*)?\b(\d{{1,5}}|{_WORD})[\s-]*(?:or so\s+)?"
    r"(?:people|persons?|attendees|guests|participants|seats|visitors|developers attending|folks|students|pax)\b"
    r"(?!\s*(?:team|squad|startup|company))"
)
_WEEKDAY = "(?:周|星期|礼拜)[一二三四五六日天末]"
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATES = (
    r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}\s*[日号]?",
    r"(?:\d{4}年|今年|明年)?\d{1,2}月(?:\d{1,2}[日号]|初|中旬|下旬|底|中)?",
    r"(?:十一|十二|[一二三四五六七八九十])月(?:[一二三四五六七八九十]{1,3}[日号]|初|中旬|下旬|底)?",
    rf"(?:下下|下个?|这个?|本){_WEEKDAY}|下下?周|下个?月(?:初|底|中)?|本周末|周末|{_WEEKDAY}|明天|后天|月底|年底",
    r"(?:[一二两三四五六七八九十]|\d{1,2})\s*个?(?:周|星期|月|天)(?:之?内|以内|后)",
    r"(?:国庆|春节|元旦|五一|端午|中秋|圣诞)(?:期间|前后|节|假期)?",
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?)\b(?:,?\s+\d{{4}})?",
    rf"\b(?:early|mid|late|the end of|end of|in|by|this|next)[\s-]+{_MONTH}\b(?:\s+\d{{4}})?",
    rf"\b(?:in|within|over|for)\s+(?:the\s+)?(?:next\s+)?(?:\d{{1,2}}|{_WORD})\s+(?:days?|weeks?|months?)\b",
    r"\b(?:this|next)\s+(?:week(?:end)?|month|quarter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    r"\b(?:tomorrow|tonight|q[1-4](?:\s+\d{4})?|by the end of the (?:week|month|quarter|year)|before christmas)\b",
)
_DATE = re.compile("|".join(_DATES))
_NO_MONEY = re.compile(
    r"(?:没有|没|零|无)(?:什么)?(?:预算|经费|钱)|不花钱|\b(?:no|zero|without(?: a| any)?)\s+(?:budget|money|funding)\b"
)
_MONEY = re.compile(
    r"(?:预算|经费|费用)[^，。；,;]{0,6}?((?<![\d,.])\d[\d,.]{0,12}\s{0,2}(?:万|千|k|w)?\s*(?:元|块|人民币|rmb|美元|欧元)?)"
    r"|([¥￥$€£]\s*(?<![\d,.])\d[\d,.]{0,12}\s{0,2}(?:万|千|k\b|m\b)?)"
    r"|((?<![\d,.])\d[\d,.]{0,12}\s{0,2}(?:万|千)?\s*(?:元|块钱|人民币|美元|欧元))"
    r"|\b((?<![\d,.])\d[\d,.]{0,12}\s{0,2}k?\s*(?:usd|eur|gbp|rmb|cny|dollars|euros|pounds|yuan))\b"
)
_WEEKS = re.compile(
    rf"(\d{{1,2}}|[一二两三四五六七八九十]{{1,2}}|{_WORD})\s*(?:个)?\s*(天|days?|周|星期|weeks?|月|months?)"
)
_SOON = re.compile(
    r"明天|后天|今|本周|这周|下下?周|下个?(?:周|星期|礼拜)|周末|tomorrow|tonight|this week|next (?!month|quarter)"
)


def circumstances_in(text: str, language: Language) -> Circumstances:
    place = place_in(text)
    return Circumstances(
        location=place_name(place, language) if place else None,
        expected_attendees=attendees_in(text),
        date=_verbatim(_DATE, text),
        budget=budget_in(text),
    )


def attendees_in(text: str) -> int | None:
    """The number of attendees; of a range, the upper end."""
    match = _PEOPLE_ZH.search(text) or _PEOPLE_EN.search(text.lower())
    value = number(match[2]) if match else None
    return value or None


def budget_in(text: str) -> str | None:
    none = _verbatim(_NO_MONEY, text)
    if none:
        return none
    match = _MONEY.search(text.lower())
    return next((group.strip().rstrip(",.") for group in match.groups() if group), None) if match else None


def has_money(budget: str | None) -> bool:
    return budget is not None and not _NO_MONEY.search(budget.lower()) and bool(re.search(r"[1-9]", budget))


def weeks_in(date: str) -> int | None:
    """How many weeks a period such as "the next six weeks" has; at least one."""
    match = _WEEKS.search(date.lower())
    count = number(match[1]) if match else None
    if match is None or not count:
        return None
    unit = match[2]
    if unit.startswith(("天", "day")):
        return max(1, count // 7)
    return count * 4 if unit.startswith(("月", "month")) else count


def is_soon(date: str) -> bool:
    """Whether the words mean days rather than weeks from now."""
    return bool(_SOON.search(date.lower()))


def number(text: str) -> int | None:
    """The value of ``50``, ``五十``, ``两百`` or ``fifty``."""
    text = text.strip().lower()
    if text.isdecimal():
        return int(text)
    return _NUMBERS.get(text) if text.isascii() else _chinese_number(text)


def _chinese_number(text: str) -> int:
    total, current = 0, 0
    for character in text.replace("两", "二"):
        if character in _DIGITS:
            current = _DIGITS.index(character)
        else:
            total += max(1, current) * {"十": 10, "百": 100, "千": 1000}.get(character, 0)
            current = 0
    return total + current


def _verbatim(pattern: re.Pattern[str], text: str) -> str | None:
    """The first match as it is written, but in lower case if lowering changes the length of the text."""
    low = text.lower()
    match = pattern.search(low)
    if match is None:
        return None
    return (text if len(low) == len(text) else low)[match.start() : match.end()].strip()
