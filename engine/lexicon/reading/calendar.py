"""The days that people mean, counted from the day on which they ask. None of them is before it."""

import math
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from dateutil.relativedelta import relativedelta

DAY = timedelta(days=1)
WEEK = timedelta(days=7)

Part = Literal["", "early", "mid", "late", "end", "first half", "second half"]
Unit = Literal["day", "week", "month", "year"]


@dataclass(frozen=True, slots=True)
class Days:
    """Some days. Without ``first`` a deadline, without ``last`` a beginning, without both not resolved."""

    first: date | None = None
    last: date | None = None
    is_vague: bool = False
    """Said, but less than a date: "soon"."""
    is_context: bool = False
    """It names the thing instead of the time: "the Q3 launch"."""
    is_weekday: bool = False
    """Only the name of a weekday was said, so that a date beside it says more."""
    is_range: bool = False
    """Both ends were said: "from 3 to 5 May"."""

    @property
    def is_known(self) -> bool:
        return self.first is not None or self.last is not None

    @property
    def is_day(self) -> bool:
        return self.first is not None and self.first == self.last


UNKNOWN = Days()
VAGUE = Days(is_vague=True)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Raises ValueError or OverflowError for days that do not exist, such as 31 April."""

    today: date

    def span(self, first: date, last: date) -> Days:
        """What is left of these days; unknown if they are over."""
        return UNKNOWN if last < self.today else Days(max(first, self.today), last)

    def single(self, day: date) -> Days:
        return self.span(day, day)

    def in_days(self, days: int) -> Days:
        return self.single(self.today + days * DAY)

    def day(self, month: int, day: int, year: int | None = None) -> Days:
        """That day of that year, or its next occurrence."""
        if year is not None:
            return self.single(date(year, month, day))
        for ahead in range(9):  # 29 February may be eight years away
            try:
                found = date(self.today.year + ahead, month, day)
            except ValueError:
                continue
            if found >= self.today:
                return Days(found, found)
        raise ValueError(f"no year has a day {month}-{day}")

    def day_of_month(self, day: int, months: int | None = None) -> Days:
        """The next such day; or that of the month so many months ahead."""
        if months is not None:
            return self.single(self._month_ahead(months).replace(day=day))
        for ahead in range(3):
            try:
                found = self._month_ahead(ahead).replace(day=day)
            except ValueError:
                continue
            if found >= self.today:
                return Days(found, found)
        raise ValueError(f"no month has a day {day}")

    def year_of(self, month: int) -> int:
        """The year of the next such month, which may be the present one."""
        return self.today.year + (month < self.today.month)

    def month(self, month: int, year: int | None = None, part: Part = "") -> Days:
        first = date(year or self.year_of(month), month, 1)
        found = self.part_of_month(first, part)
        if year is None and not found.is_known:  # "early June", asked on 12 June
            found = self.part_of_month(first + relativedelta(years=1), part)
        return found

    def month_ahead(self, months: int, part: Part = "") -> Days:
        return self.part_of_month(self._month_ahead(months), part)

    def part_of_month(self, first: date, part: Part) -> Days:
        last = first + relativedelta(months=1) - DAY
        match part:
            case "early":
                return self.span(first, first.replace(day=10))
            case "mid":
                return self.span(first.replace(day=11), first.replace(day=20))
            case "late":
                return self.span(first.replace(day=21), last)
            case "end":
                return self.span(first.replace(day=25), last)
            case "first half":
                return self.span(first, first.replace(day=15))
            case "second half":
                return self.span(first.replace(day=16), last)
        return self.span(first, last)

    def quarter(self, quarter: int, year: int | None = None, part: Part = "") -> Days:
        first = date(year or self.year_of(quarter * 3), quarter * 3 - 2, 1)
        return self._months(first, 3, part)

    def quarter_ahead(self, quarters: int, part: Part = "") -> Days:
        first = date(self.today.year, (self.today.month - 1) // 3 * 3 + 1, 1) + relativedelta(months=3 * quarters)
        return self._months(first, 3, part)

    def year(self, year: int, part: Part = "") -> Days:
        return self._months(date(year, 1, 1), 12, part)

    def half_year(self, is_first: bool, year: int | None = None) -> Days:
        at = year or self.today.year + (is_first and self.today.month > 6)
        first = date(at, 1 if is_first else 7, 1)
        return self.span(first, first + relativedelta(months=6) - DAY)

    def season(self, first_month: int, year: int | None = None, part: Part = "") -> Days:
        """Three months from that one on, e.g. December for the winter."""
        first = date(year or self.today.year, first_month, 1)
        if year is None and first_month == 12 and self.today.month <= 2:
            first -= relativedelta(years=1)
        found = self._months(first, 3, part)
        return found if found.is_known or year else self._months(first + relativedelta(years=1), 3, part)

    def weekday(self, weekday: int, weeks: int | None = None) -> Days:
        """The next such day (0 is Monday), which may be today; or that of the week so many weeks ahead."""
        if weeks is None:
            return self.in_days((weekday - self.today.weekday()) % 7)
        day = self._monday() + weeks * WEEK + weekday * DAY
        return self.single(day if day >= self.today else day + WEEK)

    def week(self, weeks: int, part: Part = "") -> Days:
        monday = self._monday() + weeks * WEEK
        match part:
            case "early" | "first half":
                return self.span(monday, monday + DAY)
            case "mid":
                return self.span(monday + DAY, monday + 3 * DAY)
            case "late" | "end" | "second half":
                return self.span(monday + 3 * DAY, monday + 4 * DAY)
        return self.span(monday, monday + 6 * DAY)

    def week_of(self, day: date) -> Days:
        monday = day - day.weekday() * DAY
        return self.span(monday, monday + 6 * DAY)

    def weekend(self, weeks: int) -> Days:
        """Asked on a Sunday, the weekend of this week is the next one."""
        saturday = self._monday() + weeks * WEEK + 5 * DAY
        if weeks == 0 and self.today.weekday() == 6:
            saturday += WEEK
        return self.span(saturday, saturday + DAY)

    def nth_week(self, of: Days, nth: int) -> Days:
        """The nth week of a month, from Monday on; the first is the one most of whose days are in it. -1: the last."""
        first, last = self._whole_month(of)
        thursdays = [day for day in _days(first, last) if day.weekday() == 3]
        return self.span(thursdays[_index(nth)] - 3 * DAY, thursdays[_index(nth)] + 3 * DAY)

    def nth_weekday(self, of: Days, nth: int, weekday: int, lasting: int = 1) -> Days:
        """The nth such day of a month, and ``lasting`` days from it on."""
        first, last = self._whole_month(of)
        found = [day for day in _days(first, last) if day.weekday() == weekday][_index(nth)]
        return self.span(found, found + (lasting - 1) * DAY)

    def ahead(self, count: float, unit: Unit) -> Days:
        """After that time: as exact as its unit."""
        day = self._later(count, unit)
        match unit:
            case "day":
                return Days(day, day)
            case "week":
                return self.week_of(day)
            case "month":
                return self.part_of_month(day.replace(day=1), "")
        return self.year(day.year)

    def within_hours(self, hours: float) -> Days:
        """Today, and the days on which they may end."""
        return Days(self.today, self.today + math.ceil(hours / 24) * DAY) if hours > 12 else self.in_days(0)

    def away_from(self, days: Days, count: float, unit: Unit) -> Days:
        """So long before (negative) or after some days."""
        origin = days.first if count < 0 else days.last
        if origin is None:
            raise ValueError("they have no such end")
        day = Calendar(origin)._later(count, unit)
        return self.single(day)

    def within(self, count: float, unit: Unit) -> Days:
        """From now on until that time has passed."""
        return Days(self.today, self._later(count, unit))

    def _later(self, count: float, unit: Unit) -> date:
        whole, half = int(count), count != int(count)
        match unit:
            case "day":
                return self.today + whole * DAY
            case "week":
                return self.today + round(count * 7) * DAY
            case "month":
                return self.today + relativedelta(months=whole, days=15 * half)
        return self.today + relativedelta(years=whole, months=6 * half)

    def _months(self, first: date, count: int, part: Part) -> Days:
        """Months, or the first, the middle or the last quarter of a year and third of less."""
        third = relativedelta(months=3 if count == 12 else count // 3)
        last = first + relativedelta(months=count) - DAY
        match part:
            case "early":
                return self.span(first, first + third - DAY)
            case "mid":
                return self.span(first + relativedelta(months=count // 3), last - relativedelta(months=count // 3))
            case "late":
                return self.span(last + DAY - third, last)
            case "end":
                return self.span(last.replace(day=25 if count == 3 else 15), last)
            case "first half" | "second half":
                middle = first + relativedelta(months=count // 2, days=15 * (count % 2))
                return self.span(first, middle - DAY) if part == "first half" else self.span(middle, last)
        return self.span(first, last)

    def _monday(self) -> date:
        return self.today - self.today.weekday() * DAY

    def _month_ahead(self, months: int) -> date:
        return self.today.replace(day=1) + relativedelta(months=months)

    def _whole_month(self, of: Days) -> tuple[date, date]:
        """The month that some of these days are in."""
        if of.last is None:
            raise ValueError("the month is over")
        first = of.last.replace(day=1)
        return first, first + relativedelta(months=1) - DAY


def _days(first: date, last: date) -> list[date]:
    return [first + count * DAY for count in range((last - first).days + 1)]


def _index(nth: int) -> int:
    if nth in (0, -1):
        return -1
    if not 0 < nth <= 5:
        raise ValueError(f"no month has a week number {nth}")
    return nth - 1
