"""Days as people count them from a day: weeks and months ahead, the next of a number, a part of a month."""

from datetime import date, timedelta

Span = tuple[date, date]
"""The first day and the last."""


def single(day: date) -> Span:
    return day, day


def month_span(year: int, month: int) -> Span:
    following = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), following - timedelta(1)


def month_ahead(today: date, months: int) -> Span:
    return month_span(today.year + (today.month - 1 + months) // 12, (today.month - 1 + months) % 12 + 1)


def week_ahead(today: date, weeks: int) -> Span:
    """Return the Monday and the Sunday of the week that is so many weeks ahead."""
    monday = today + timedelta(7 * weeks - today.weekday())
    return monday, monday + timedelta(6)


def week_of_month(first: date, nth: int) -> Span:
    """Return the week that begins with the nth Monday from that day on."""
    monday = first + timedelta(-first.weekday() % 7 + 7 * (nth - 1))
    return monday, monday + timedelta(6)


def third_of_month(month: Span, begins: int) -> Span:
    """Return the ten days that begin with that day of the month; the last third goes on to its end."""
    first = month[0].replace(day=begins)
    return first, month[1] if begins > 20 else first + timedelta(9)


def weekend_of(day: date) -> Span:
    """Return the Saturday and the Sunday of that day's week."""
    return week_ahead(day, 0)[0] + timedelta(5), week_ahead(day, 0)[1]


def next_numbered(today: date, day: int) -> date:
    """Return the next day of that number, in this month or the next.

    Raises:
        ValueError: that month has no such day.
    """
    first, last = month_span(today.year, today.month)
    return (last + timedelta(1) if day < today.day else first).replace(day=day)


def next_dated(today: date, month: int, day: int, year: int = 0) -> date:
    """Return the day of that date, in a year to come where none is given.

    Raises:
        ValueError: there is no such day.
    """
    found = date(year or today.year, month, day)
    return found if year or found >= today else found.replace(year=today.year + 1)
