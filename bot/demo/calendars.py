"""Gives five of the demo's people a calendar, as each would give a file of their own in Home."""

import logging
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from bot.demo.demo import Demo
from engine.errors import StoreError
from engine.times.busy import UnreadableCalendar

log = logging.getLogger(__name__)


class Weekly(NamedTuple):
    """What somebody has every week."""

    days: str
    """As `RFC 5545` names them."""
    start: str
    """HHMM."""
    hours: int


class Own(NamedTuple):
    weekly: tuple[Weekly, ...]
    time_zone: str = ""
    """In which their calendar is kept; where they are, without."""


OF_PEOPLE: Final = {
    "U_LIN_XIAO": Own((Weekly("MO,WE,FR", "1000", 1), Weekly("TU", "1400", 3))),
    "U_CHEN_MO": Own((Weekly("MO,TU,WE,TH", "0930", 1), Weekly("TH", "1900", 2))),
    "U_ZHOU_YU": Own((Weekly("TU,TH", "1300", 2), Weekly("SU", "0900", 8))),
    "U_MAYA_PATEL": Own((Weekly("MO,TU,WE,TH,FR", "0900", 2),), "Europe/London"),
    "U_EMMA_CLARKE": Own((Weekly("WE", "1000", 4), Weekly("FR", "1500", 2))),
}
"""By user id; in the evenings and at weekends they are mostly free, as the suggestions want it."""


async def give_calendars(demo: Demo) -> None:
    """Give each their calendar, unless they have one already."""
    calendars = demo.towow.services.calendars
    if calendars is None:
        return
    today = datetime.fromtimestamp(demo.clock.now() / 1000, UTC).date()
    for user, own in OF_PEOPLE.items():
        try:
            if user in demo.names and await calendars.standing(demo.tenant, user) is None:
                await calendars.give_file(demo.tenant, user, exported(own, today))
        except (StoreError, UnreadableCalendar, OSError) as error:
            log.warning("%s has no calendar in this demo: %s", user, error)


def exported(own: Own, today: date) -> bytes:
    """Write a calendar as it is exported."""
    zone = f";TZID={own.time_zone}" if own.time_zone else ""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ToWow//demo//EN"]
    for number, each in enumerate(own.weekly):
        first = today + timedelta(days=(DAYS.index(each.days[:2]) - today.weekday()) % 7)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{number}@demo.towow.example",
            f"DTSTART{zone}:{first:%Y%m%d}T{each.start}00",
            f"DURATION:PT{each.hours}H",
            f"RRULE:FREQ=WEEKLY;BYDAY={each.days}",
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
