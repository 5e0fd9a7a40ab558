"""Dates in English texts."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import cast

from engine.lexicon.forms import Form
from engine.lexicon.reading.calendar import UNKNOWN, VAGUE, Calendar, Days, Part, Unit
from engine.lexicon.reading.numbers import ENGLISH, ORDINALS, amount

Meaning = Callable[[re.Match[str], Calendar], Days | None]
"""What a form of words means; None where it is no date after all."""

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAYS = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_MONTH_NUMBERS = {
    name: at
    for at, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)
}
_WEEKDAY_NUMBERS = {name: at for at, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_MONTH = rf"(?P<month>{_MONTHS})\b\.?"
_WEEKDAY = rf"(?P<weekday>{_WEEKDAYS})\b"
_YEAR = r"(?:,?\s(?:of\s)?(?P<year>(?:19|20)\d\d)(?!\d))?"
_DAY = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<ordinal>{'|'.join(sorted(ORDINALS, key=len, reverse=True))}))\b"
_DASH = r"\s?(?:-|–|—|~|to|through|till|until|and|&)\s?"
_UNTIL = rf"(?:{_DASH}(?P<until>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%]|\s?[ap]\.?m))?"
_PART = (
    r"(?P<part>early|mid|middle|late|end|beginning|start|first half|second half|last days)"
    r"(?:\s(?:of|in)(?:\sthe)?)?[\s-]"
)
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)\b"
_COUNT = rf"(?P<count>half an?|(?:one|two|three|an?)\sand\sa\shalf|a couple(?:\sof)?|{ENGLISH}|an?)"
_UNIT = r"(?P<unit>working day|business day|day|week|fortnight|month|quarter|year)s?\b"
_NOT_PEOPLE = r"(?!\s(?:people|guests|persons|attendees|participants|seats|pax)\b)"

_PARTS: dict[str, Part] = {
    "early": "early",
    "beginning": "early",
    "start": "early",
    "first half": "first half",
    "mid": "mid",
    "middle": "mid",
    "late": "late",
    "second half": "second half",
    "last days": "end",
    "end": "end",
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NAMES_TOO = frozenset({"march", "april", "may", "june", "august"})
"""Months that are verbs, first names or other words too."""


def _said(match: re.Match[str], group: str) -> str:
    """What the words of a group are, in lower case; empty if the form has no such group."""
    return (match.groupdict().get(group) or "").lower()


def _month(match: re.Match[str]) -> int:
    return _MONTH_NUMBERS[_said(match, "month")[:3]]


def _year(match: re.Match[str]) -> int | None:
    return int(_said(match, "year")) if _said(match, "year") else None


def _part(match: re.Match[str]) -> Part:
    return _PARTS.get(_said(match, "part"), "")


def _day(match: re.Match[str]) -> int:
    return int(match["day"]) if match["day"] else ORDINALS[_said(match, "ordinal")]


def _before(match: re.Match[str], characters: int = 14) -> str:
    return match.string[max(0, match.start() - characters) : match.start()].lower()


def _dated(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "14 March", "March 14th, 2027", "3 to 5 May"."""
    told = re.search(r"\d(?:st|nd|rd|th)\b|\sof\s|\d{4}", match[0], re.IGNORECASE)
    led = re.search(r"(?:^|\b(?:on|by|before|until|from|after|for|the|and|to|of)\s|[(,:;]\s?)$", _before(match))
    if match["month"] in ("may", "march", "mar") and not told and not led:
        return None  # "we may 5 times": in lower case it is a verb, unless the words around show a date
    first = calendar.day(_month(match), _day(match), _year(match))
    if not match["until"] or first.first is None:
        return first
    last = calendar.day(_month(match), int(match["until"]), first.first.year).last
    return Days(first.first, last, is_range=True) if last and last >= first.first else first


def _bare_month(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "an October launch", where only its capital letter says that a word is a month."""
    word = match["month"]
    return calendar.month(_month(match)) if word[0].isupper() and len(word) > 3 and not _is_name(word) else None


def _is_name(word: str) -> bool:
    return word.lower() in _NAMES_TOO


def _led_month(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "in May", "until March"; "for may" and "to march" are no months."""
    weak = _said(match, "lead") in ("for", "of", "from", "to", "the", "last", "through", "around", "late")
    if (weak or len(match["month"]) == 3) and not match["month"][0].isupper() and match["month"] != "may":
        return None
    if weak and match["month"] in ("may", "march", "mar"):
        return None
    return None if _said(match, "lead") == "last" else calendar.month(_month(match), _year(match))


def _month_of_year(match: re.Match[str], calendar: Calendar) -> Days:
    ahead = {"this": 0, "next": 1}.get(_said(match, "ahead"))
    year = _year(match) if ahead is None else calendar.today.year + ahead
    return calendar.month(_month(match), year, _part(match))


def _weekday(match: re.Match[str], calendar: Calendar) -> Days | None:
    word, lead = match["weekday"], _said(match, "lead")
    if (len(word) <= 4 and not word[0].isupper()) or lead in ("last", "past", "every", "each"):
        return None  # "sat" and "wed" are verbs
    if re.search(r"\b(?:every|each)\s\w{1,12}\s$", _before(match, 24)):
        return None  # "every second Tuesday"
    weekday = _WEEKDAY_NUMBERS[word[:3].lower()]
    found = calendar.weekday(weekday, {"next": 1, "after next": 2, "a week": 1}.get(lead))
    return replace(found, is_weekday=True)


def _near(match: re.Match[str], calendar: Calendar) -> Days:
    word = match[0].lower()
    return calendar.in_days(2 if "after" in word else 1 if word.startswith("tom") else 0)


def _coming(match: re.Match[str], calendar: Calendar) -> Days:
    """ "next week", "the end of this month", "early next year"."""
    lead, part = _said(match, "lead"), _part(match)
    ahead = {"next": 1, "following": 1, "upcoming": 1, "coming": 1, "after next": 2}.get(lead, 0)
    match _said(match, "unit"):
        case "week":
            return calendar.week(ahead, part)
        case "weekend":
            return calendar.weekend(0 if lead in ("coming", "upcoming") else ahead)
        case "month":
            return calendar.month_ahead(ahead, part)
        case "quarter":
            return calendar.quarter_ahead(ahead, part)
    return calendar.year(calendar.today.year + ahead, part)


def _initials(match: re.Match[str], calendar: Calendar) -> Days:
    match match[0].upper()[-1]:
        case "W":
            return calendar.weekday(4)
        case "M":
            return calendar.month_ahead(0, "end")
        case "Q":
            return calendar.quarter_ahead(0, "end")
        case "Y":
            return calendar.year(calendar.today.year, "end")
    return calendar.in_days(0)


def _nth_of_month(match: re.Match[str], calendar: Calendar) -> Days:
    if not match["month"]:
        ahead = int(_said(match, "lead") == "next")
        found = _nth_thing(match, calendar.month_ahead(ahead), calendar)
        return found if found.is_known else _nth_thing(match, calendar.month_ahead(1), calendar)
    month = calendar.month(_month(match), _year(match))
    found = _nth_thing(match, month, calendar)
    if found.is_known or match["year"] or month.first is None:
        return found
    return _nth_thing(match, calendar.month(_month(match), month.first.year + 1), calendar)


def _nth_thing(match: re.Match[str], month: Days, calendar: Calendar) -> Days:
    word, what = _said(match, "nth"), _said(match, "what")
    nth = -1 if word == "last" else ORDINALS.get(word) or int(re.sub(r"\D", "", word))
    if what == "week":
        return calendar.nth_week(month, nth)
    if what == "weekend":
        return calendar.nth_weekday(month, nth, 5, lasting=2)
    return calendar.nth_weekday(month, nth, _WEEKDAY_NUMBERS[what[:3]])


def _week_of(match: re.Match[str], calendar: Calendar) -> Days:
    day = calendar.day(_month(match), _day(match), _year(match)).first
    return calendar.week_of(day) if day else UNKNOWN


def _counted(match: re.Match[str], calendar: Calendar, *, is_span: bool = False) -> Days | None:
    """ "in six weeks", "within two weeks", "over the next three months"."""
    count, unit, lead = _count(_said(match, "count")), _said(match, "unit"), _said(match, "lead")
    if count is None or count > 600:
        return None
    if unit == "fortnight":
        count, unit = count * 2, "week"
    elif unit == "quarter":
        count, unit = count * 3, "month"
    elif unit.endswith(" day"):
        count, unit, lead = count * 7 / 5, "day", "within"
    is_span = is_span or re.search(r"with|next|coming|less|under|most|following", lead) is not None
    return (calendar.within if is_span else calendar.ahead)(count, cast(Unit, unit))


def _given(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "we have six weeks", "a three-week sprint", "two months to build it": until that time has passed."""
    return _counted(match, calendar, is_span=True)


def _count(said: str) -> float | None:
    if said in ("", "a", "an"):
        return 1
    if said.startswith("a couple"):
        return 2
    if said.startswith("half a"):
        return 0.5
    if said.endswith("and a half"):
        return (amount(said.split()[0]) or 1) + 0.5
    return amount(said)


def _quarter(match: re.Match[str], calendar: Calendar) -> Days | None:
    """A quarter; it may be the name of a thing, as in "the Q3 launch"."""
    quarter = int(match["q"]) if match["q"] else ORDINALS[_said(match, "qth")]
    found = calendar.quarter(quarter, _year(match), _part(match))
    after = match.string[match.end() : match.end() + 12]
    if after and not after.isascii() and after[0].isalpha():
        return None  # a Chinese text, whose own form looks at what follows
    names_a_thing = re.match(
        r"[\s-](?!(?:for|with|and|but|we|i|in|at|to|so|or|then|if|as|our|the|is|on)\b)[a-z]{3,}",
        after,
        re.ASCII | re.IGNORECASE,
    )
    is_time = bool(match["part"] or match["year"] or (match["lead"] and not names_a_thing))
    return Days(found.first, found.last, is_context=not is_time)


def _season(match: re.Match[str], calendar: Calendar) -> Days | None:
    first_month, lead, year = _SEASONS[_said(match, "season")], _said(match, "lead"), _year(match)
    if not (lead or match["part"] or year):
        return None  # "spring" and "fall" are verbs
    found = calendar.season(first_month, year, _part(match))
    if lead == "next" and found.first == calendar.today:  # it is under way, so they mean the one after
        return calendar.season(first_month, calendar.today.year + 1, _part(match))
    return found


def _numeric(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "on 6/14", "14.06.2027": the month first, unless it cannot be or is written with points."""
    one, two = int(match["one"]), int(match["two"])
    if match["sep"] == "." and not match["year"]:
        return None  # a version, or a time
    month, day = (two, one) if one > 12 or match["sep"] == "." else (one, two)
    found = calendar.day(month, day, _year(match))
    # "8/12/2026", asked in November 2026, cannot be the twelfth of August.
    return found if found.is_known or max(one, two) > 12 else calendar.day(day, month, _year(match))


def _hours(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "within 48 hours", "in an hour"."""
    count = _count(_said(match, "count"))
    return None if count is None or count > 2_000 else calendar.within_hours(count)


def _half_year(match: re.Match[str], calendar: Calendar) -> Days | None:
    return calendar.half_year(match["half"] == "1", _year(match))


@cache
def english_rules() -> tuple[tuple[Form, Meaning], ...]:
    """All forms. Where several match, the caller takes the longest."""
    forms: tuple[tuple[str, Meaning], ...] = (
        (rf"\b(?:the\s)?{_DAY}{_UNTIL}\s(?:of\s)?{_MONTH}{_YEAR}", _dated),
        (rf"\b{_MONTH}\s(?:the\s)?{_DAY}{_UNTIL}(?![:%])(?!\s?[ap]m\b){_NOT_PEOPLE}{_YEAR}", _dated),
        (rf"\b(?:the\s)?{_PART}(?:(?:this|next)\s)?{_MONTH}{_YEAR}", _month_of_year),
        (rf"\b{_MONTH}\s(?:of\s)?(?P<year>20\d\d)(?!\d)", _month_of_year),
        (rf"\b(?:(?:the\s)?{_PART})?{_MONTH}\s(?:of\s)?(?P<ahead>this|next)\syear\b", _month_of_year),
        (
            rf"\b(?:the\s)?(?P<nth>first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th))\s"
            rf"(?P<what>weekend|week|{_WEEKDAYS})\s(?:of|in)\s(?:(?P<lead>the|this|next)\s)?(?:{_MONTH}|month\b){_YEAR}",
            _nth_of_month,
        ),
        (rf"\b(?:the\s)?week\s(?:of|commencing|beginning)\s(?:the\s)?{_DAY}\s(?:of\s)?{_MONTH}{_YEAR}", _week_of),
        (rf"\b(?:the\s)?week\s(?:of|commencing|beginning)\s{_MONTH}\s(?:the\s)?{_DAY}{_YEAR}", _week_of),
        (
            r"\b(?P<lead>in|by|this|next|coming|during|until|till|before|for|of|since|from|to|through|around|after|late"
            rf"|last|the)\s{_MONTH}(?!\s(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\b){_YEAR}",
            _led_month,
        ),
        (rf"\b{_MONTH}", _bare_month),
        (rf"\b(?:(?:the|this)\s)?(?:(?P<lead>coming|this|next|last|past|every|each)\s)?{_WEEKDAY}", _weekday),
        (rf"\b{_WEEKDAY}\s(?P<lead>after next)\b", _weekday),
        (rf"\b(?P<lead>a week)\s(?:on|from)\s{_WEEKDAY}", _weekday),
        (r"\b(?:the\s)?day\safter\stomorrow\b|\btomorrow\b|\btoday\b|\btonight\b", _near),
        (
            rf"\b(?:the\s)?(?:{_PART})?(?:this\s)?(?P<lead>this|next|coming|upcoming|following|current)\s"
            r"(?P<unit>weekend|week|month|quarter|year)\b",
            _coming,
        ),
        (r"\b(?:the\s)?(?P<unit>week|month|weekend|year)\s(?P<lead>after next)\b", _coming),
        (r"\b(?:at|over|on|during|before|by)\sthe\s(?P<unit>weekend)\b", _coming),
        (rf"\b(?:the\s)?{_PART}(?P<unit>week|month|quarter|year)\b", _coming),
        (r"\b(?:EOD|EOW|EOM|EOQ|EOY)\b", _initials),
        (rf"\b(?:within|in|over)\s(?:the\snext\s)?{_COUNT}\s?(?:hours?|hrs?)\b", _hours),
        (
            r"\b(?:on|by|until|before|from)\sthe\s(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?!\s(?:floor|of|street|[a-z]+\s?floor))",
            lambda match, calendar: calendar.day_of_month(int(match["day"])),
        ),
        (rf"\b(?:(?:in|by|before|during)\s)?H(?P<half>[12])\b{_YEAR}", _half_year),
        (r"\b(?:end|close)\sof\s(?:the\s)?(?:business|day)\b", lambda _, calendar: calendar.in_days(0)),
        (
            r"\b(?P<lead>(?:(?:in|over|during|for|within)\s)?(?:the\s)?(?:next|coming|following)"
            r"|in less than|in under|in at most|in|within)\s"
            rf"(?:(?:about|around)\s)?{_COUNT}\s?{_UNIT}(?:['’]\s?time)?",
            _counted,
        ),
        (
            rf"\b(?:have|has|got)\s(?:only\s|just\s|about\s|around\s|another\s){{0,2}}(?P<lead>){_COUNT}\s{_UNIT}"
            r"(?!\s(?:of|off|experience|ago|old|each|per|a)\b)",
            _given,
        ),
        (
            rf"\b(?P<lead>){_COUNT}[\s-]{_UNIT}\s"
            r"(?:project|sprint|prototype|pilot|build|deadline|time ?frame|timeline)\b",
            _given,
        ),
        (
            rf"\b(?P<lead>){_COUNT}\s{_UNIT}\s"
            r"(?=to\s(?:build|make|finish|deliver|complete|ship|write|do|prepare)\b)",
            _given,
        ),
        (rf"\bin\s(?:the|our)\s(?P<lead>next)\s(?P<count>){_UNIT}", _counted),
        (rf"\b{_COUNT}\s{_UNIT}\s(?:from (?:now|today))(?P<lead>)\b", _counted),
        (
            rf"\b(?:for|over)\s{_COUNT}\s(?:days|weeks|months)\b|\bin a few (?:days|weeks|months)\b"
            r"|\bin the (?:near future|coming days|coming weeks|coming months)\b"
            r"|\b(?:asap|as soon as possible|soon|urgently|right away|immediately|at short notice)\b",
            lambda _, __: VAGUE,
        ),
        (
            rf"\b(?:(?P<lead>in|by|this|next|during|until|before|after|from)\s)?(?:the\s)?(?:{_PART})?"
            rf"(?:q(?P<q>[1-4])|(?P<qth>first|second|third|fourth)\squarter)\b{_YEAR}",
            _quarter,
        ),
        (
            rf"\b(?:(?P<lead>this|next|in|by|during|before|until|for)\s)?(?:the\s)?(?:{_PART})?{_SEASON}{_YEAR}",
            _season,
        ),
        (
            r"\b(?:in|by|of|for|during|until|before)\s(?P<year>20\d\d)(?![\d-])",
            lambda match, calendar: calendar.year(int(match["year"])),
        ),
        (
            r"\b(?:on|by|before|from|until|due)\s(?P<one>\d{1,2})(?P<sep>[/.-])(?P<two>\d{1,2})"
            r"(?:(?P=sep)(?P<year>20\d\d))?(?![\d/.:-]?\d|\s?[ap]m)",
            _numeric,
        ),
        (r"(?<![\d/.-])(?P<one>\d{1,2})(?P<sep>[/.-])(?P<two>\d{1,2})(?P=sep)(?P<year>20\d\d)(?![\d/-])", _numeric),
    )
    return tuple((Form(form, re.IGNORECASE | re.ASCII), meaning) for form, meaning in forms)
