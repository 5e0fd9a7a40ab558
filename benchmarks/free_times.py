"""Free times: how long it takes to find when all can who must, of many people with calendars.

| key | what |
| --- | --- |
| ``times_ms_10``, ``_200`` | of so many people the times in twelve weeks, beside the event loop, milliseconds |
| ``times_worst_ms_10``, ``_200`` | the slowest of them |
| ``times_loop_ms_200`` | for how long nobody else had a turn on the loop meanwhile, at the most, milliseconds |

Everybody works on five days of the week, is away for a day and busy once or twice on each; every fifth has to be there.
The figures are medians; of no person is anything remembered from the time before.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from statistics import median
from typing import Final

from rich.console import Console

from benchmarks.cost import Figures
from engine.facts.circumstances import When
from engine.facts.data import WEEKDAYS, Days, Hours
from engine.times.availability import Availability
from engine.times.clocks import Span
from engine.times.feasible import MOST_DAYS, Attendee, FoundTimes, feasible, window_of

SIZES: Final = (10, 200)
SEARCHES: Final = 7
ZONES: Final = ("Europe/Berlin", "America/New_York", "Asia/Shanghai")
FIRST: Final = date(2027, 3, 1)
"""Clocks change in two of the zones within the twelve weeks."""


async def measure() -> Figures:
    found: Figures = {}
    for size in SIZES:
        took, waited = [], []
        for number in range(SEARCHES):
            people = _people(size, number)
            beside = asyncio.create_task(_longest_wait())
            began = time.perf_counter()
            times = await asyncio.to_thread(_search, people)
            took.append((time.perf_counter() - began) * 1000)
            beside.cancel()
            waited.append(await beside)
            assert times.times or times.nearest
        found[f"times_ms_{size}"], found[f"times_worst_ms_{size}"] = median(took), max(took)
        if size == SIZES[-1]:
            found[f"times_loop_ms_{size}"] = max(waited)
    return found


def tell(found: Figures, console: Console) -> None:
    said = ", ".join(f"{found[f'times_ms_{size}']:.0f} ms of {size} people" for size in SIZES)
    console.print(
        f"Free times: twelve weeks take {said}, beside the event loop, which waits for "
        f"{found[f'times_loop_ms_{SIZES[-1]}']:.0f} ms at the most"
    )


def _search(people: Sequence[Attendee]) -> FoundTimes:
    last = FIRST + timedelta(MOST_DAYS - 1)
    when = When(first=FIRST.isoformat(), last=last.isoformat(), time_zone=ZONES[0], exact="span")
    return feasible(window_of(when, 60, ZONES[0]), 60, people, 0, ZONES[0])


async def _longest_wait() -> float:
    """Return for how long nobody had a turn at the most, in milliseconds, once it is cancelled."""
    longest = 0.0
    try:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before - 0.001)
    except asyncio.CancelledError:
        return longest * 1000


def _people(size: int, seed: int) -> list[Attendee]:
    return [_attendee(number, seed) for number in range(size)]


def _attendee(number: int, seed: int) -> Attendee:
    midnight = datetime(FIRST.year, FIRST.month, FIRST.day, tzinfo=UTC)
    busy = []
    for day in range(MOST_DAYS):
        begins = midnight + timedelta(days=day, hours=8 + (7 * number + 3 * day + seed) % 9, minutes=5 * (number % 12))
        busy.append(Span(begins, begins + timedelta(minutes=30 + 15 * ((number + day) % 6))))
    away = (FIRST + timedelta((number + seed) % MOST_DAYS)).isoformat()
    hours = Hours(start=f"{8 + number % 3:02d}:00", end=f"{16 + (number + seed) % 5}:00", time_zone=ZONES[number % 3])
    held = (Days(weekdays=WEEKDAYS[:5]), hours, Days(first=away, last=away, allowed=False))
    return Attendee(f"p{number}", number % 5 == 0, Availability(held, ZONES[number % 3], tuple(busy)))
