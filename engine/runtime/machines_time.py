"""The time that machines are given: it does not pass while they wait for their turn to be asked."""

from collections.abc import Callable
from typing import Final

from engine.kernel import Millis, StreamKey
from engine.runtime.streams import Loaded
from engine.store.port import Alarm

HeldUp = Callable[[StreamKey], Millis]
"""For how long a stream's machines have waited for their turn, altogether."""

LONGEST: Final[Millis] = 1_800_000
"""Of what is given on top."""


def not_at_all(_: StreamKey) -> Millis:
    return 0


def over_at(key: StreamKey, due: Millis, held_up: HeldUp) -> Millis:
    """Return when the time of a stream's machines is over that was to end at ``due``."""
    return due + min(held_up(key), LONGEST)


def held_until(alarm: Alarm, loaded: Loaded, held_up: HeldUp) -> Millis:
    """Return when an alarm rings: when it is due, or later where it ends the time of machines alone."""
    ends_theirs = loaded.rulebook.ends_machines_time(loaded.state, alarm.name)
    return over_at(alarm.key, alarm.due, held_up) if ends_theirs else alarm.due
