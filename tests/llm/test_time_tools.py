"""What day it is and what day it will be, held against the calendar."""

import calendar
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel import Millis
from engine.llm.conversation import call_tool
from engine.llm.schema import tool_schema
from engine.llm.tools import WEEKDAYS, DateAsked, Offset, ToolFault, ToolRefused, calculate_date, get_now, time_tools
from tests.anthropic_server.schemas import check

SHANGHAI = "Asia/Shanghai"
NOW: Millis = 1_764_813_600_000
"""Thursday, 2025-12-04, 10:00 in Shanghai."""
TOOLS = time_tools(SHANGHAI, NOW)
DATES = st.dates()
ZONES = st.sampled_from(sorted(available_timezones()))


async def called(**said: Any) -> Any:
    """The output of the input, both as the protocol has them."""
    outcome = await call_tool(TOOLS, said["tool"], said, seconds=5)
    assert outcome.call.ok == outcome.result["success"]
    return outcome.result


def later(base: date | str, time_zone: str = SHANGHAI, **offset: int) -> dict[str, str]:
    return calculate_date(DateAsked(base_date=str(base), offset=Offset(**offset)), time_zone)


async def test_the_time_is_told_in_the_protocols_form() -> None:
    assert await called(tool="get_now") == {
        "success": True,
        "data": {
            "now": "2025-12-04T10:00:00",
            "timezone": "Asia/Shanghai",
            "weekday": "Thursday",
            "date": "2025-12-04",
        },
    }


async def test_a_date_is_calculated_in_the_protocols_form() -> None:
    assert await called(tool="calculate_date", base_date="2025-12-04", offset={"weeks": 2, "days": 3}) == {
        "success": True,
        "data": {"result_date": "2025-12-21", "weekday": "Sunday"},
    }


@pytest.mark.parametrize(
    ("said", "fault", "words"),
    [
        pytest.param(
            {"base_date": "tomorrow", "offset": {}}, ToolFault.REFUSED, "base_date cannot be read", id="no date"
        ),
        pytest.param({"base_date": "2025-02-29", "offset": {}}, ToolFault.REFUSED, "cannot be read", id="no such day"),
        pytest.param(
            {"base_date": "9999-12-31", "offset": {"days": 1}}, ToolFault.REFUSED, "between the years", id="too late"
        ),
        pytest.param(
            {"base_date": "0001-01-31", "offset": {"months": -1}},
            ToolFault.REFUSED,
            "between the years",
            id="too early",
        ),
        pytest.param(
            {"base_date": "2025-12-04", "offset": {"years": 10**40}},
            ToolFault.REFUSED,
            "between the years",
            id="endless",
        ),
        pytest.param(
            {"base_date": "2025-12-04", "offset": {"days": 10**40}}, ToolFault.REFUSED, "between the years", id="ages"
        ),
        pytest.param(
            {"base_date": "2025-12-04", "offset": {"days": 1.5}}, ToolFault.INVALID_INPUT, "offset.days", id="a half"
        ),
        pytest.param({"offset": {"days": 1}}, ToolFault.INVALID_INPUT, "base_date: Field required", id="from nowhere"),
        pytest.param({"base_date": "2025-12-04"}, ToolFault.INVALID_INPUT, "offset: Field required", id="by nothing"),
    ],
)
async def test_what_cannot_be_calculated_is_said_to_be(said: dict[str, Any], fault: ToolFault, words: str) -> None:
    outcome = await call_tool(TOOLS, "calculate_date", said, seconds=5)
    assert outcome.call.fault is fault
    assert outcome.result.keys() == {"success", "error"}
    assert outcome.result["success"] is False
    assert words in outcome.result["error"]


@pytest.mark.parametrize("zone", ["", "Asia/Beijing", "America", "..", "/etc/passwd", "a\0b", "x" * 5_000])
async def test_a_time_zone_that_nobody_knows_is_said_to_be_unknown(zone: str) -> None:
    for tool, said in (
        ("get_now", {}),
        ("calculate_date", {"base_date": "2025-12-04", "offset": {"hours": 1}}),
        ("calculate_date", {"base_date": "2025-12-04T10:00:00Z", "offset": {}}),
    ):
        outcome = await call_tool(time_tools(zone, NOW), tool, said, seconds=5)
        assert outcome.result["success"] is False
        assert "time zone is not known" in outcome.result["error"]


async def test_whole_days_need_no_time_zone() -> None:
    assert later("2025-12-04", "Mars/Olympus", days=1) == {"result_date": "2025-12-05", "weekday": "Friday"}


def test_a_moment_that_no_calendar_has_is_refused() -> None:
    for far in (10**18, -(10**18)):
        with pytest.raises(ToolRefused, match="between the years"):
            get_now(SHANGHAI, far)


def test_each_tool_is_described_and_has_a_schema_that_the_api_takes() -> None:
    for tool in TOOLS:
        assert len(tool.description) > 100
        check(dict(tool_schema(tool.takes)))
    everything = {"years": 0, "months": 0, "weeks": 2, "days": 3, "hours": 0}
    jsonschema_rs.validate(dict(tool_schema(DateAsked)), {"base_date": "2025-12-04", "offset": everything})
    jsonschema_rs.validate(dict(tool_schema(TOOLS[0].takes)), {})


# ── against the calendar ──────────────────────────────────────────────────────────────────────────────────────────


def day_of(result: dict[str, str]) -> date:
    return date.fromisoformat(result["result_date"])


@given(DATES, st.integers(-5_000, 5_000), st.integers(-50_000, 50_000))
def test_weeks_and_days_are_counted_as_the_calendar_counts_them(base: date, weeks: int, days: int) -> None:
    ordinal = base.toordinal() + 7 * weeks + days
    if not 1 <= ordinal <= date.max.toordinal():
        with pytest.raises(ToolRefused):
            later(base, weeks=weeks, days=days)
        return
    assert day_of(later(base, weeks=weeks, days=days)) == date.fromordinal(ordinal)


@given(DATES, st.integers(-200, 200), st.integers(-5_000, 5_000))
def test_months_and_years_keep_the_day_or_take_the_months_last(base: date, years: int, months: int) -> None:
    count = 12 * base.year + base.month - 1 + 12 * years + months
    if not 12 <= count <= 12 * 9999 + 11:
        with pytest.raises(ToolRefused):
            later(base, years=years, months=months)
        return
    day = day_of(later(base, years=years, months=months))
    days = [each for week in calendar.monthcalendar(count // 12, count % 12 + 1) for each in week]
    assert (day.year, day.month) == (count // 12, count % 12 + 1)
    assert day.day == (base.day if base.day in days else max(days))


@given(DATES, st.integers(-400, 400))
def test_the_weekday_is_the_calendars(base: date, days: int) -> None:
    try:
        result = later(base, days=days)
    except ToolRefused:
        return
    day = day_of(result)
    (week,) = [each for each in calendar.monthcalendar(day.year, day.month) if day.day in each]
    assert result["weekday"] == WEEKDAYS[week.index(day.day)]


@given(st.integers(-60_000_000_000, 250_000_000_000), ZONES)
def test_now_is_the_local_time_of_any_zone(seconds: int, zone: str) -> None:
    told = get_now(zone, 1000 * seconds + 999)
    here = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone(ZoneInfo(zone))
    assert told["now"] == here.strftime("%Y-%m-%dT%H:%M:%S").zfill(19)
    assert told["date"] == told["now"][:10]
    assert told["weekday"] == WEEKDAYS[calendar.weekday(here.year, here.month, here.day)]
    assert told["timezone"] == zone


@given(st.datetimes(datetime(1990, 1, 1), datetime(2037, 1, 1)), st.integers(-10_000, 10_000), ZONES)
def test_hours_pass_as_on_a_clock_that_is_not_set(moment: datetime, hours: int, zone: str) -> None:
    """From a moment that is given with its offset, the result is that many hours away, wherever one lives."""
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    told = later(moment.isoformat(), zone, hours=hours)
    first = moment.astimezone(ZoneInfo(zone))
    if first.fold:
        return  # a local time that comes twice is taken as the first of the two
    then = (moment + timedelta(hours=hours)).astimezone(ZoneInfo(zone))
    assert f"{told['result_date']}T{told['result_time']}" == then.replace(tzinfo=None).isoformat()


@pytest.mark.parametrize(
    ("base", "zone", "offset", "result"),
    [
        pytest.param("2024-01-31", SHANGHAI, {"months": 1}, "2024-02-29", id="the end of a leap year's February"),
        pytest.param("2025-01-31", SHANGHAI, {"months": 1}, "2025-02-28", id="the end of another February"),
        pytest.param("2024-02-29", SHANGHAI, {"years": 1}, "2025-02-28", id="a leap day's anniversary"),
        pytest.param("2025-03-31", SHANGHAI, {"months": -1, "days": 1}, "2025-03-01", id="months before days"),
        pytest.param("2025-12-04", SHANGHAI, {"months": 13}, "2027-01-04", id="over the year"),
        pytest.param("2025-12-04", SHANGHAI, {"hours": 30}, "2025-12-05 06:00:00", id="from the day's beginning"),
        pytest.param("2025-12-04", SHANGHAI, {"hours": -1}, "2025-12-03 23:00:00", id="an hour before the day"),
        pytest.param("2025-12-04T22:30", SHANGHAI, {"hours": 2}, "2025-12-05 00:30:00", id="over midnight"),
        pytest.param("2025-12-04T22:30", SHANGHAI, {}, "2025-12-04 22:30:00", id="a time is kept"),
        pytest.param("2026-03-07T12:00", "America/New_York", {"days": 1}, "2026-03-08 12:00:00", id="a short day"),
        pytest.param("2026-03-07T12:00", "America/New_York", {"hours": 24}, "2026-03-08 13:00:00", id="24 hours of it"),
        pytest.param("2026-03-07T02:30", "America/New_York", {"days": 1}, "2026-03-08 03:30:00", id="left out"),
        pytest.param("2025-12-04T22:30:00Z", SHANGHAI, {}, "2025-12-05 06:30:00", id="a moment of elsewhere"),
    ],
)
def test_the_edges_of_months_and_days(base: str, zone: str, offset: dict[str, int], result: str) -> None:
    told = later(base, zone, **offset)
    assert f"{told['result_date']} {told.get('result_time', '')}".strip() == result
