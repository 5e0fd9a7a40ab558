"""Five of the demo's people have calendars, one of them kept in another zone."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

import pytest

from bot.demo.calendars import OF_PEOPLE, Own, Weekly, exported, give_calendars
from bot.demo.demo import DemoSettings, running_demo
from bot.demo.page import colleagues
from bot.registry import PROTOCOLS
from engine.negotiation.policy import PRESETS
from engine.times.busy import read_export
from engine.times.spans import Span
from tests.profiles.people import shipped

MONDAY: Final = date(2026, 11, 30)
WEEK: Final = Span(datetime(2026, 11, 30, tzinfo=UTC), datetime(2026, 12, 7, tzinfo=UTC))


async def test_five_have_a_calendar_and_keep_what_they_have_given_themselves() -> None:
    profiles, people = colleagues(shipped())
    async with running_demo(DemoSettings(profiles, PRESETS["balanced"], PROTOCOLS), people) as demo:
        calendars = demo.towow.services.calendars
        assert calendars is not None
        own = exported(Own((Weekly("SA", "1000", 5),)), MONDAY)
        await calendars.give_file(demo.tenant, "U_LIN_XIAO", own)
        before = await calendars.known(demo.tenant, ["U_LIN_XIAO"])

        await give_calendars(demo)

        assert (await calendars.known(demo.tenant, OF_PEOPLE)).keys() == OF_PEOPLE.keys()
        assert await calendars.known(demo.tenant, ["U_LIN_XIAO"]) == before
        assert len(OF_PEOPLE) == 5


@pytest.mark.parametrize("user", OF_PEOPLE)
def test_each_is_busy_for_as_long_as_the_calendar_says(user: str) -> None:
    own = OF_PEOPLE[user]
    found = read_export(exported(own, MONDAY), WEEK, "Europe/Berlin").busy
    hours = timedelta(seconds=sum(end - start for start, end in found))
    assert hours == timedelta(hours=sum(len(each.days.split(",")) * each.hours for each in own.weekly))


def test_one_calendar_is_kept_in_another_zone() -> None:
    assert [each.time_zone for each in OF_PEOPLE.values() if each.time_zone] == ["Europe/London"]
    ((start, _), *_) = read_export(exported(OF_PEOPLE["U_MAYA_PATEL"], MONDAY), WEEK, "Asia/Shanghai").busy
    assert datetime.fromtimestamp(start, UTC) == datetime(2026, 11, 30, 9, tzinfo=UTC)
