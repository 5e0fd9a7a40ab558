"""How jobs are taken where several processes share a database, as the environment says it."""

from collections.abc import Mapping
from typing import Final

from bot.environment import seconds
from engine.runtime.activity import PACE, Pace

LAST: Final = "TOWOW_JOBS_LAST"
LISTEN: Final = "TOWOW_JOBS_LISTEN"
YES, NO = "yes", "no"
LEAST: Final = 5
"""Seconds: a process that is busy for a moment is not taken for gone."""


JOBS_OF_EACH: Final = 4
"""Places in a process for each demand that a workspace may have under way, which seldom takes more than one of them."""


def jobs_pace(environ: Mapping[str, str], most_open: int, faults: list[str]) -> Pace:
    """
    Args:
        most_open: demands of one workspace that may be under way: their jobs, most of which wait for a model or for
            their turn, leave places for those of others.
    """
    lasts = seconds(environ, LAST, PACE.lasts / 1000, faults)
    if 0 < lasts < LEAST:
        faults.append(f"{LAST} is {lasts:g}; it is at least {LEAST} seconds, or a process that is busy counts as gone")
    listen = environ.get(LISTEN) or NO
    if listen not in (YES, NO):
        faults.append(f"{LISTEN} is {listen!r}; it can be {YES} or {NO}")
    return PACE._replace(lasts=round(lasts * 1000), listen=listen == YES, most=most_open * JOBS_OF_EACH)
