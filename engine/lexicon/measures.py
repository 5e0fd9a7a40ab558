"""Finds how long, how often, how much and how many in a text, in units that compare across languages."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.lexicon.counting import name_people
from engine.lexicon.forms import Form
from engine.lexicon.reading.asked import in_usual_forms
from engine.lexicon.reading.money import money_in
from engine.lexicon.reading.numbers import CHINESE, ENGLISH, amount
from engine.lexicon.stances import stances_in


@dataclass(frozen=True, slots=True)
class Measure:
    """So much of something. ``what`` is ``duration`` (in hours), ``every`` (in days), ``percent``, ``money``,
    ``times``, ``people``, ``number``, or what is counted."""

    what: str
    value: str
    start: int
    end: int


_HOURS: Final = {
    "minute": 1 / 60, "min": 1 / 60, "hour": 1.0, "hr": 1.0, "day": 24.0, "week": 168.0, "fortnight": 336.0,
    "month": 730.0, "year": 8760.0, "分钟": 1 / 60, "小时": 1.0, "个小时": 1.0, "钟头": 1.0, "个钟头": 1.0,
    "天": 24.0, "周": 168.0, "星期": 168.0, "个星期": 168.0, "礼拜": 168.0, "个礼拜": 168.0, "个月": 730.0,
    "年": 8760.0, "季度": 2190.0, "个季度": 2190.0, "quarter": 2190.0, "个工作日": 24.0, "working day": 24.0,
    "business day": 24.0,
}  # fmt: skip
_DURATION: Final = Form(
    rf"(?<![\d.:/-])(?P<n>{ENGLISH}|\d{{1,4}}\.\d|\b(?:a|an|half an?|half)\b)"
    rf"(?:\s?(?:-|–|to|or)\s?(?P<high>{ENGLISH}))?"
    r"(?P<half> and a half)?[\s-](?:full |more |extra |whole |further |additional )?"
    r"(?P<unit>minute|min|hour|hr|working day|business day|day|week|fortnight|month|year|quarter)s?\b"
    r"(?!\sof\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
    re.IGNORECASE | re.ASCII,
)
_DURATION_ZH: Final = Form(
    rf"(?<![第\d.年月])(?P<n>{CHINESE}|半)(?:(?:到|至|-|~)(?P<high>{CHINESE}))?(?P<more>多)?\s?"
    r"(?P<unit>分钟|个?小时|个?钟头|天|周(?![一二三四五六日年边末])|个?星期(?![一二三四五六日天])|个?礼拜|个月|年(?![\d月级底初末])|个?季度|个工作日)(?P<half>半)?"
)
_FREQUENCY: Final = Form(
    r"(?:\b(?:every|each|per|once every)|(?<=hours )an?|(?<=minutes )an?|(?<=days )an?|(?<=times )an?|(?<=lessons )an?"
    r"|(?<=sessions )an?|(?<=yuan )an?|(?<=euros )an?|(?<=dollars )an?|(?<=people )an?|(?<=\d )an?|(?<=once )an?"
    r"|(?<=twice )an?)"
    rf"\s(?:(?P<n>{ENGLISH}|other|second)\s)?(?P<unit>hour|day|week|fortnight|month|quarter|year)s?\b"
    r"|\b(?P<word>hourly|daily|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly|annually)\b",
    re.IGNORECASE | re.ASCII,
)
_FREQUENCY_ZH: Final = Form(
    rf"每隔?(?:(?P<n>{CHINESE}))?(?P<unit>小时|天|日|周|星期|个?月|季度|年|晚)|(?P<word>隔天|隔周|天天|周会|周报|月报|日报|月会)"
)
_DAYS: Final = {
    "hour": 1 / 24, "day": 1.0, "week": 7.0, "fortnight": 14.0, "month": 30.0, "quarter": 91.0, "year": 365.0,
    "hourly": 1 / 24, "daily": 1.0, "weekly": 7.0, "biweekly": 14.0, "bi-weekly": 14.0, "fortnightly": 14.0,
    "monthly": 30.0, "quarterly": 91.0, "yearly": 365.0, "annually": 365.0, "小时": 1 / 24, "天": 1.0, "日": 1.0,
    "晚": 1.0, "周": 7.0, "星期": 7.0, "月": 30.0, "个月": 30.0, "季度": 91.0, "年": 365.0, "隔天": 2.0, "隔周": 14.0,
    "天天": 1.0, "周会": 7.0, "周报": 7.0, "月报": 30.0, "日报": 1.0, "月会": 30.0,
}  # fmt: skip
_PERCENT: Final = Form(
    rf"(?P<n>\d{{1,3}}(?:\.\d)?|\b(?:{ENGLISH}))\s?(?:%|percent\b|per cent\b)|百分之(?P<zh>{CHINESE})"
    r"|(?P<tenths>[一两二三四五六七八九])成(?!功|立|员|本|为|果|长|绩)"
    r"|(?P<half>\bhalf\b(?![ -]?(?:past|an?|hour|day|year|price|term|marathon)\b)|一半|半数|减半)"
    r"|(?P<third>\ba third\b|三分之一)"
    r"|(?P<quarter>\ba quarter\b(?! of an)|四分之一)|(?P<two>two thirds|三分之二)|(?P<twice>\bdouble\b|翻倍|翻番)",
    re.IGNORECASE | re.ASCII,
)
_TIMES: Final = Form(
    rf"\b(?P<word>once|twice)\b(?! (?:the|we|it|you|they|all|our))|(?P<n>{ENGLISH})\s(?:times|rounds|sessions)\b"
    rf"|(?<![第\d上下这首再])(?P<zh>{CHINESE})(?:次|轮|遍|回|场)(?!性)",
    re.IGNORECASE | re.ASCII,
)
_COUNT: Final = Form(
    rf"(?<![\d.,:/$€£¥#-])(?P<n>{ENGLISH})(?:\s?(?:-|–|to|or)\s?(?P<high>{ENGLISH}))?[\s-]"
    r"(?P<what>(?:(?!of\b|for\b|and\b|or\b|to\b|in\b|on\b|at\b|by\b|with\b|from\b|per\b|more\b|is\b|are\b|am\b|pm\b|the\b|am\b"
    r"|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec)[a-z][a-z-]{1,20}\s){0,2}?[a-z][a-z'-]{1,20})\b",
    re.IGNORECASE | re.ASCII,
)
_COUNT_ZH: Final = Form(
    rf"(?<![第\d.年月])(?P<n>{CHINESE})(?:(?:到|至|-|~)(?P<high>{CHINESE}))?\s?"
    r"(?P<unit>名|位|字(?!母|符|节)|页|公里|平方米|人(?!均)|个人|个(?!月|小时|星期|礼拜|工作日|季度)|台|间|家|套|份|篇|条|张|辆|本|支|组|座|门|款|项|种|批|步|章|层|轮|块屏|把|桶|箱|瓶|"
    r"(?=座位|席位|阶段|步骤|团队|城市|机房|供应商))(?P<what>[\u4e00-\u9fff]{0,4})"
)
_BARE: Final = Form(r"(?<![\w.:/#-])(?P<n>\d{1,6}(?:\.\d{1,2})?)(?P<unit>分|points?\b|级)?(?![\w:/%-]|\.\d)", re.ASCII)
_COMMA: Final = re.compile(r"(?<=[\u4e00-\u9fff]),")
_UNITS: Final = {"步": "stage", "章": "chapter", "字": "word", "页": "page", "公里": "kilometer"}
_OTHERS: Final = """
    january february march april may june july august september october november december th st nd rd or and is
    are o'clock percent times more less stars star
    """
_NO_NOUN: Final = frozenset(_OTHERS.split())


def amounts_in(text: str) -> list[Measure]:
    """Return shares, how often, how long, and money."""
    return _apart(_amounts(_plain(text)))


def counts_in(text: str) -> list[Measure]:
    """Return how many times, how many of what, and bare numbers; of a text without what else has numbers."""
    return _apart(_counts(_plain(text)))


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text without these passages; all positions stay."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _plain(text: str) -> str:
    return _COMMA.sub("，", in_usual_forms(text))


def _apart(measures: Iterator[Measure]) -> list[Measure]:
    """No words are read twice: the first kind that reads them has them."""
    found: list[Measure] = []
    for each in measures:
        if not any(one.start < each.end and each.start < one.end for one in found):
            found.append(each)
    return found


def _amounts(text: str) -> Iterator[Measure]:
    for match in _PERCENT.finditer(text):
        yield _made("percent", _percent(match), match)
    for match in (*_FREQUENCY.finditer(text), *_FREQUENCY_ZH.finditer(text)):
        if (every := _every(match)) is not None:
            yield _made("every", every, match)
    for match in (*_DURATION.finditer(text), *_DURATION_ZH.finditer(text)):
        if (hours := _hours(match)) is not None:
            yield _made("duration", hours, match)
    for found in money_in(text):
        value = found.value
        if value.amount or value.per_head:
            yield Measure("money", f"{value.amount or value.per_head} {value.currency}".strip(), found.start, found.end)


def _counts(text: str) -> Iterator[Measure]:
    for match in _TIMES.finditer(text):
        said = match["word"]
        count = {"once": 1.0, "twice": 2.0}[said.lower()] if said else amount(match["n"] or match["zh"])
        if count is not None:
            yield _made("times", count, match)
    for match in _COUNT_ZH.finditer(text):
        if (count := amount(match["high"] or match["n"])) is not None and not _is_article(match["n"]):
            unit, what = match["unit"], match["what"]
            is_people = unit in ("名", "位", "人", "个人") or name_people(what)
            what = "people" if is_people else _UNITS.get(unit) or _thing(what, 0)
            yield Measure(what, _number(count), match.start(), match.end("unit"))
    for match in _COUNT.finditer(text):
        what = match["what"].lower()
        count = amount(match["high"] or match["n"])
        if count is None or _is_article(match["n"]) or not _NO_NOUN.isdisjoint((what.split()[0], what.split()[-1])):
            continue
        if not 1990 < count < 2100:
            yield Measure(
                "people" if name_people(what) else _thing(what, -1), _number(count), match.start(), match.end("n")
            )
    for match in _BARE.finditer(text):
        if (count := amount(match["n"])) is not None and not 1990 < count < 2100:
            yield _made("number", count, match)


def _made(what: str, value: float, match: re.Match[str]) -> Measure:
    return Measure(what, _number(value), match.start(), match.end())


def _is_article(said: str) -> bool:
    return said.lower() in ("one", "一", "a", "an")


def _number(value: float) -> str:
    return f"{value:.4g}" if value < 1000 else str(round(value))


def _thing(words: str, at: int) -> str:
    """What is counted, by a name that is the same in both languages where it is known."""
    known = [each for each in stances_in(words).sequence if "=" not in each]
    return known[at] if known else "things"


def _hours(match: re.Match[str]) -> float | None:
    said = (match["high"] or match["n"]).lower()
    count = 0.5 if said.startswith("half") or said == "半" else 1.0 if said in ("a", "an") else amount(said)
    if count is None:
        return None
    return (count + 0.5 * bool(match["half"])) * _HOURS[match["unit"].lower()]


def _every(match: re.Match[str]) -> float | None:
    if word := match["word"]:
        return _DAYS[word.lower()]
    said = (match["n"] or "").lower()
    count = 1.0 if not said else 2.0 if said in ("other", "second") else amount(said)
    return None if count is None else count * _DAYS[match["unit"].lower()]


def _percent(match: re.Match[str]) -> float:
    if said := match["n"] or match["zh"]:
        return amount(said) or 0.0
    if match["tenths"]:
        return 10 * (amount(match["tenths"]) or 0.0)
    return (
        50.0
        if match["half"]
        else 33.3
        if match["third"]
        else 25.0
        if match["quarter"]
        else 66.7
        if match["two"]
        else 200.0
    )
