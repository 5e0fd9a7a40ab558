"""The port for tools: what a model may call before it answers, and what became of each call.

The tools for time say what day it is, and what day it will be. They know no clock: who asks gives them the moment.
Source: seed 001, sections 3.2 and 3.3, whose weekdays are computed here.
"""

import calendar
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Annotated, Any, Final, Generic, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from pydantic import Field

from engine.kernel import Millis, ModelAnswer

Takes = TypeVar("Takes", bound=ModelAnswer)


class Tool(msgspec.Struct, Generic[Takes], frozen=True):
    """Something a model may call before it answers a question.

    What it returns follows from its input and from what it was made with, such as a moment and a time zone. So the
    question fixes what its tools say.
    """

    name: str
    """Letters, digits, ``_`` and ``-``, at most 64; no other tool of the question has it."""
    description: str
    """Tells the model what the tool does, when to call it, and what comes back."""
    takes: type[Takes]
    """A model must give every field, as in an answer. What a field means is said in its `pydantic.Field`."""
    run: Callable[[Takes], Any]
    """Returns what can be written as JSON, and no more than a model should read. It has no effects, since it may run
    twice. It may wait for the encoder of sentences, and for nothing else.

    Raises:
        ToolRefused: this input cannot be worked with.
        ToolUnavailable: the tool does not work at the moment, whatever the input.
    """


class ToolRefused(Exception):
    """A call cannot be carried out as it is. The message tells the model what would work; it quotes no input."""


class ToolUnavailable(Exception):
    """A tool does not work at the moment. The message tells the model why; it quotes no input."""


class ToolFault(StrEnum):
    """Why a call gave no result."""

    UNKNOWN_TOOL = "unknown_tool"
    INVALID_INPUT = "invalid_tool_input"
    REFUSED = "tool_refused"
    """The input could be read, but not worked with."""
    TOO_MANY = "too_many_tool_calls"
    FAILED = "tool_execution_failed"
    """Seed 001, section 7.3."""
    TIMEOUT = "tool_timeout"


BROKEN = frozenset({ToolFault.FAILED, ToolFault.TIMEOUT})
"""Faults of a tool. The others are mistakes of the model, which is told of them and may call again."""


class ToolCall(msgspec.Struct, frozen=True):
    """One call, without what was said in it."""

    name: str
    """Empty where the model named no tool that it was given."""
    fault: ToolFault | None = None

    @property
    def ok(self) -> bool:
        return self.fault is None


WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In English wherever this runs, which the names of `calendar` are not."""


class NoInput(ModelAnswer):
    """The tool needs to know nothing."""


class Offset(ModelAnswer):
    """A part that is left out is 0; a negative one goes back."""

    years: int = 0
    months: int = 0
    weeks: int = 0
    days: int = 0
    hours: int = 0


class DateAsked(ModelAnswer):
    base_date: Annotated[
        str, Field(description="A date such as 2025-12-04, or with a local time, 2025-12-04T10:00:00.")
    ]
    offset: Offset


def get_now(time_zone: str, now: Millis) -> dict[str, str]:
    """
    Args:
        time_zone: IANA, e.g. ``Asia/Shanghai``.

    Raises:
        ToolRefused: there is no such time zone, or the moment is out of range.
    """
    zone = _zone(time_zone)
    try:
        here = datetime.fromtimestamp(now // 1000, UTC).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        raise ToolRefused(_OUT_OF_RANGE) from None
    return {
        "now": here.replace(tzinfo=None).isoformat(),
        "timezone": time_zone,
        "weekday": WEEKDAYS[here.weekday()],
        "date": here.date().isoformat(),
    }


def calculate_date(asked: DateAsked, time_zone: str) -> dict[str, str]:
    """Add years and months first, then weeks and days, then hours, which pass as on a clock of that time zone.

    A day that a month does not have becomes the month's last. A ``result_time`` is returned where a time of day was
    given, or hours.

    Raises:
        ToolRefused: the date cannot be read, the result is out of range, or there is no such time zone.
    """
    offset = asked.offset
    try:
        base, has_time = _read(asked.base_date, time_zone)
        moved = _months_later(base, 12 * offset.years + offset.months)
        moved += timedelta(weeks=offset.weeks, days=offset.days)
        if has_time or offset.hours:
            moved = _hours_later(moved, offset.hours, _zone(time_zone))
    except (ValueError, OverflowError):
        raise ToolRefused(_OUT_OF_RANGE) from None
    result = {"result_date": moved.date().isoformat(), "weekday": WEEKDAYS[moved.weekday()]}
    return result | {"result_time": moved.time().isoformat()} if has_time or offset.hours else result


def time_tools(time_zone: str, now: Millis) -> tuple[Tool[Any], ...]:
    """The tools of one question, for the people it is about: their time zone (IANA), and when it was asked."""
    return (
        Tool(
            name="get_now",
            description=(
                "Returns the present date, local time, weekday and time zone of the people this is about. Call it"
                " before you write any date that depends on today. It takes nothing."
            ),
            takes=NoInput,
            run=lambda _: get_now(time_zone, now),
        ),
        Tool(
            name="calculate_date",
            description=(
                "Returns the date and weekday that lie a given number of years, months, weeks, days and hours after"
                " a date, or before it where the number is negative; 0 adds nothing. Call it instead of counting days"
                " yourself. A month's last day is taken where the month has no such day."
            ),
            takes=DateAsked,
            run=lambda asked: calculate_date(asked, time_zone),
        ),
    )


_OUT_OF_RANGE: Final = "That is not between the years 1 and 9999. Stay within them."


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ToolRefused("The time zone is not known; its IANA name is needed, such as Asia/Shanghai.") from None


def _read(text: str, time_zone: str) -> tuple[datetime, bool]:
    """The local time, without its zone, and whether a time of day was given."""
    try:
        return datetime.combine(date.fromisoformat(text), time()), False
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ToolRefused("base_date cannot be read; write it as 2025-12-04 or 2025-12-04T10:00:00.") from None
    if moment.tzinfo is not None:
        moment = moment.astimezone(_zone(time_zone)).replace(tzinfo=None)
    return moment.replace(microsecond=0), True


def _months_later(base: datetime, months: int) -> datetime:
    years, month = divmod(base.month - 1 + months, 12)
    year = base.year + years
    last = calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 31
    return base.replace(year=year, month=month + 1, day=min(base.day, last))


def _hours_later(local: datetime, hours: int, zone: ZoneInfo) -> datetime:
    """Where the clock jumps ahead, a time of day that is left out becomes the one that follows the jump."""
    moment = local.replace(tzinfo=zone).astimezone(UTC) + timedelta(hours=hours)
    return moment.astimezone(zone).replace(tzinfo=None)
