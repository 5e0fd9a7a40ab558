"""How jobs are taken where several processes share a database, as the environment says it."""

from collections.abc import Mapping
from typing import Final

from bot.environment import seconds
from engine.runtime.pace import PACE, Pace

LAST: Final = "TOWOW_JOBS_LAST"
LISTEN: Final = "TOWOW_JOBS_LISTEN"
YES, NO = "yes", "no"
LEAST: Final = 5
"""Seconds: a process that is busy for a moment is not taken for gone."""


def jobs_pace(environ: Mapping[str, str], faults: list[str]) -> Pace:
    lasts = seconds(environ, LAST, PACE.lasts / 1000, faults)
    if 0 < lasts < LEAST:
        faults.append(f"{LAST} is {lasts:g}; it is at least {LEAST} seconds, or a process that is busy counts as gone")
    listen = environ.get(LISTEN) or NO
    if listen not in (YES, NO):
        faults.append(f"{LISTEN} is {listen!r}; it can be {YES} or {NO}")
    return PACE._replace(lasts=round(lasts * 1000), listen=listen == YES)
