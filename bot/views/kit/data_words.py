"""Says data in the reader's language: what somebody demands of a plan, and what a plan says.

Everything here is plain text on one line; for mrkdwn it is given to `bot.views.kit.mrkdwn.escaped`, which keeps the
marks that isolate what is written from right to left.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, time
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from babel.core import Locale
from babel.dates import format_date, format_time, get_timezone_location
from babel.numbers import format_currency, format_decimal, is_currency

from bot.texts import Texts, isolated
from bot.views.kit.mrkdwn import plain_line
from engine.facts.circumstances import Money, People, When
from engine.facts.data import (
    WEEKDAYS,
    Datum,
    Days,
    Deadline,
    Effort,
    Hours,
    Notice,
    Place,
    Weekday,
    Weeks,
)
from engine.facts.places import city_in, is_city

LONGEST_NAME: Final = 60
LONGEST_SAID: Final = 120
"""Characters."""

_WEEKDAY: Final = re.compile("E+|c+")
_MONTH: Final = re.compile("(?<!M)MMM(?!M)|(?<!L)LLL(?!L)")
_CENTS: Final = re.compile(r"\.0+")


def wanted_words(datum: Datum, texts: Texts, today: str = "") -> str:
    """Say a demand: "not on Mondays", "at most 20 people", "by Tuesday, December 1".

    Args:
        today: an ISO date; days of its year are shown without the year.
    """
    said: Callable[[Any, Texts, str], str] = _WANTED[type(datum)]
    return said(datum, texts, today)


def found_words(datum: Datum, texts: Texts, today: str = "") -> str:
    """Say what a plan has of that kind: "Monday, November 30", "25 people", "19:00"."""
    said: Callable[[Any, Texts, str], str] = _FOUND[type(datum)]
    return said(datum, texts, today)


# ── days and hours ────────────────────────────────────────────────────────────────────────────────────────────────


def day_words(day: str, texts: Texts, today: str = "") -> str:
    """A day with its weekday, and with its year where it is another one than today's.

    Args:
        day: an ISO date; what is none stays as it is.
    """
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    is_this_year = today.startswith(f"{found:%Y}-")
    pattern = _whole_words("MMMEd" if is_this_year else "yMMMEd", texts.locale)
    return isolated(format_date(found, pattern, locale=texts.locale))


@cache
def _whole_words(skeleton: str, locale: str) -> str:
    """The pattern of a date in the locale's own order, with its month and its weekday written out."""
    pattern = Locale.parse(locale).datetime_skeletons[skeleton].pattern
    return _MONTH.sub("MMMM", _WEEKDAY.sub("EEEE", pattern))


def days_words(first: str, last: str, texts: Texts, today: str = "") -> str:
    """One day, or the first and the last one; empty where none is known."""
    if first and last and first != last:
        return texts.say("{first} to {last}", first=day_words(first, texts, today), last=day_words(last, texts, today))
    return day_words(first or last, texts, today) if first or last else ""


def clock_words(clock: str, texts: Texts) -> str:
    """A time of day as the reader's country writes it; on a clock of 24 hours where no country is known."""
    if not clock or texts.locale == texts.language:
        return clock
    return isolated(format_time(time.fromisoformat(clock), "short", locale=texts.locale))


def hours_words(start: str, end: str, texts: Texts) -> str:
    """From when until when on a day, or one of them alone; empty where none is known."""
    if start and end:
        return f"{clock_words(start, texts)}–{clock_words(end, texts)}"
    return clock_words(start, texts) if start else texts.say("until {end}", end=clock_words(end, texts)) if end else ""


def zone_words(zone: str, texts: Texts) -> str:
    """The city or the country of a time zone, in the reader's language; empty where it is not known."""
    try:
        return isolated(get_timezone_location(ZoneInfo(zone), locale=texts.locale, return_city=True)) if zone else ""
    except (ValueError, OSError, LookupError):
        return ""


def when_words(when: When, texts: Texts, today: str = "") -> str:
    """A time in one line: its days and hours where they are known, else the words in which it was said."""
    days = days_words(when.first, when.last if when.first else "", texts, today)
    if not days and when.last:
        days = texts.say("by {day}", day=day_words(when.last, texts, today))
    hours = hours_words(when.start, when.end, texts)
    zone = f"({found})" if hours and (found := zone_words(when.time_zone, texts)) else ""
    return " ".join(filter(None, (days, hours, zone))) or isolated(plain_line(when.said, LONGEST_SAID))


def _weekday(day: Weekday, texts: Texts) -> str:
    plural = {
        "mon": texts.say("Mondays"),
        "tue": texts.say("Tuesdays"),
        "wed": texts.say("Wednesdays"),
        "thu": texts.say("Thursdays"),
        "fri": texts.say("Fridays"),
        "sat": texts.say("Saturdays"),
        "sun": texts.say("Sundays"),
    }
    return plural[day]


def weekdays_words(days: tuple[Weekday, ...], texts: Texts) -> str:
    """Days of the week in their order, as a list in the reader's language."""
    return texts.listed([_weekday(each, texts) for each in WEEKDAYS if each in days])


def _wanted_days(wanted: Days, texts: Texts, today: str) -> str:
    parts = []
    if wanted.weekdays:
        named = weekdays_words(wanted.weekdays, texts)
        parts.append(
            texts.say("only on {days}", days=named) if wanted.allowed else texts.say("not on {days}", days=named)
        )
    first, last = (day_words(each, texts, today) if each else "" for each in (wanted.first, wanted.last))
    if first and last and first != last:
        parts.append(
            texts.say("only from {first} to {last}", first=first, last=last)
            if wanted.allowed
            else texts.say("not from {first} to {last}", first=first, last=last)
        )
    elif first and last:
        parts.append(
            texts.say("only on {days}", days=first) if wanted.allowed else texts.say("not on {days}", days=first)
        )
    elif first:
        parts.append(
            texts.say("no earlier than {day}", day=first)
            if wanted.allowed
            else texts.say("not from {day} on", day=first)
        )
    elif last:
        parts.append(
            texts.say("no later than {day}", day=last)
            if wanted.allowed
            else texts.say("not until after {day}", day=last)
        )
    return texts.say(", ").join(parts)


def _found_days(found: Days, texts: Texts, today: str) -> str:
    return days_words(found.first, found.last, texts, today) or weekdays_words(found.weekdays, texts)


def _wanted_hours(wanted: Hours, texts: Texts, _today: str) -> str:
    start, end = clock_words(wanted.start, texts), clock_words(wanted.end, texts)
    if start and end:
        said = (
            texts.say("only between {start} and {end}", start=start, end=end)
            if wanted.allowed
            else texts.say("not between {start} and {end}", start=start, end=end)
        )
    elif start:
        said = (
            texts.say("no earlier than {day}", day=start)
            if wanted.allowed
            else texts.say("not from {day} on", day=start)
        )
    elif end:
        said = texts.say("no later than {day}", day=end) if wanted.allowed else texts.say("not before {time}", time=end)
    else:
        return ""
    return _with_zone(said, wanted.time_zone, texts)


def _found_hours(found: Hours, texts: Texts, _today: str) -> str:
    return _with_zone(hours_words(found.start, found.end, texts), found.time_zone, texts)


def _with_zone(said: str, zone: str, texts: Texts) -> str:
    named = zone_words(zone, texts)
    return f"{said} ({named})" if said and named else said


def _wanted_weeks(wanted: Weeks, texts: Texts, _today: str) -> str:
    first, last = wanted.first, wanted.last
    if first and last and first != last:
        return (
            texts.say("only in weeks {first} to {last}", first=first, last=last)
            if wanted.allowed
            else texts.say("not in weeks {first} to {last}", first=first, last=last)
        )
    if first and last:
        return texts.say("only in week {n}", n=first) if wanted.allowed else texts.say("not in week {n}", n=first)
    if first:
        return (
            texts.say("no earlier than week {n}", n=first)
            if wanted.allowed
            else texts.say("not from week {n} on", n=first)
        )
    if last:
        return (
            texts.say("no later than week {n}", n=last)
            if wanted.allowed
            else texts.say("not until after week {n}", n=last)
        )
    return ""


def _found_weeks(found: Weeks, texts: Texts, _today: str) -> str:
    if found.first and found.last and found.first != found.last:
        return texts.say("weeks {first} to {last}", first=found.first, last=found.last)
    return texts.say("week {n}", n=found.first or found.last)


def _wanted_notice(wanted: Notice, texts: Texts, _today: str) -> str:
    return texts.count("at least {n} day ahead", "at least {n} days ahead", wanted.days)


def _found_notice(found: Notice, texts: Texts, _today: str) -> str:
    return texts.count("{n} day ahead", "{n} days ahead", found.days)


def _wanted_deadline(wanted: Deadline, texts: Texts, today: str) -> str:
    return texts.say("by {day}", day=day_words(wanted.day, texts, today)) if wanted.day else ""


def _found_deadline(found: Deadline, texts: Texts, today: str) -> str:
    return day_words(found.day, texts, today)


# ── where, how many, for how much ─────────────────────────────────────────────────────────────────────────────────


def _wanted_place(wanted: Place, texts: Texts, today: str) -> str:
    if wanted.online and not wanted.city:
        return texts.say("only online") if wanted.allowed else texts.say("not online")
    place = _found_place(wanted, texts, today)
    if not place:
        return ""
    if wanted.city and not is_city(wanted.city):
        return _somewhere(wanted, place, texts)
    if wanted.online:
        return (
            texts.say("only in {place} or online", place=place)
            if wanted.allowed
            else texts.say("neither in {place} nor online", place=place)
        )
    return texts.say("only in {place}", place=place) if wanted.allowed else texts.say("not in {place}", place=place)


def _somewhere(wanted: Place, place: str, texts: Texts) -> str:
    """A place that is no city we know, such as a room or whatever else somebody wrote: no preposition fits all."""
    if wanted.online:
        said = texts.say("online, or only here: {place}", place=place)
        return said if wanted.allowed else texts.say("not online, and not here: {place}", place=place)
    return (
        texts.say("only here: {place}", place=place) if wanted.allowed else texts.say("not here: {place}", place=place)
    )


def _found_place(found: Place, texts: Texts, _today: str) -> str:
    return city_words(found.city, texts) or (texts.say("online") if found.online else "")


def city_words(city: str, texts: Texts) -> str:
    """A city by its name in the reader's language where we know it in that, else as it was said."""
    is_known = Locale.parse(texts.locale).language == texts.language
    named = city_in(city.strip(), texts.language) if is_known else city
    return isolated(plain_line(named, LONGEST_NAME))


def _wanted_people(wanted: People, texts: Texts, today: str) -> str:
    if wanted.at_most and not wanted.at_least:
        return texts.count("at most {n} person", "at most {n} people", wanted.at_most)
    return _found_people(wanted, texts, today)


def _found_people(found: People, texts: Texts, _today: str) -> str:
    least, most = found.at_least, found.at_most
    if least and most and least != most:
        return texts.say("{least} to {most} people", least=least, most=most)
    if least and not most:
        return texts.count("at least {n} person", "at least {n} people", least)
    if most and not least:
        return texts.count("up to {n} person", "up to {n} people", most)
    return texts.count("{n} person", "{n} people", most)


def sum_words(amount: int, currency: str, texts: Texts) -> str:
    """A sum with its currency as the reader's country writes it."""
    code = currency.strip().upper()
    if is_currency(code):
        pattern = _CENTS.sub("", Locale.parse(texts.locale).currency_formats["standard"].pattern)
        return format_currency(amount, code, pattern, locale=texts.locale, currency_digits=False)
    return " ".join(filter(None, (number_words(amount, texts), isolated(plain_line(currency, LONGEST_NAME)))))


def number_words(number: float, texts: Texts) -> str:
    return format_decimal(number, locale=texts.locale)


def _wanted_money(wanted: Money, texts: Texts, today: str) -> str:
    if wanted.none or wanted == Money():
        return _found_money(wanted, texts, today) if wanted.none else texts.say("only if it is paid")
    return texts.say("at least {sum}", sum=_found_money(wanted, texts, today))


def _found_money(found: Money, texts: Texts, _today: str) -> str:
    if found.none:
        return texts.say("no money")
    if found.per_head and not found.amount:
        return texts.say("{sum} a head", sum=sum_words(found.per_head, found.currency, texts))
    return sum_words(found.amount, found.currency, texts)


def _wanted_effort(wanted: Effort, texts: Texts, _today: str) -> str:
    hours = number_words(wanted.hours, texts)
    at_most = {
        "day": texts.say("at most {hours} h a day", hours=hours),
        "week": texts.say("at most {hours} h a week", hours=hours),
        "whole": texts.say("at most {hours} h in all", hours=hours),
    }
    return at_most[wanted.per]


def _found_effort(found: Effort, texts: Texts, _today: str) -> str:
    hours = number_words(found.hours, texts)
    told = {
        "day": texts.say("{hours} h a day", hours=hours),
        "week": texts.say("{hours} h a week", hours=hours),
        "whole": texts.say("{hours} h in all", hours=hours),
    }
    return told[found.per]


_WANTED: Final[Mapping[type, Callable[[Any, Texts, str], str]]] = {
    Days: _wanted_days,
    Hours: _wanted_hours,
    Weeks: _wanted_weeks,
    People: _wanted_people,
    Money: _wanted_money,
    Place: _wanted_place,
    Notice: _wanted_notice,
    Effort: _wanted_effort,
    Deadline: _wanted_deadline,
}
_FOUND: Final[Mapping[type, Callable[[Any, Texts, str], str]]] = {
    Days: _found_days,
    Hours: _found_hours,
    Weeks: _found_weeks,
    People: _found_people,
    Money: _found_money,
    Place: _found_place,
    Notice: _found_notice,
    Effort: _found_effort,
    Deadline: _found_deadline,
}
