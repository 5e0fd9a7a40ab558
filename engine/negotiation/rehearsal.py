"""Has a demand answered that nobody has made, so that what the first one needs is loaded before it comes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from engine.directory.profile import Profile
from engine.negotiation.answers import Understanding
from engine.negotiation.demand.asks import eligible

MOST: Final = 200
"""Profiles that are compared: each takes a few milliseconds, once."""
ASKED: Final = 2


def rehearse(answerers: Mapping[str, Callable[..., Any]], people: Sequence[Profile], demands: Iterable[str]) -> None:
    """Ask what each demand asks until people offer something. It takes seconds the first time."""
    today = {"date": datetime.now(UTC).date().isoformat(), "time_zone": "UTC"}
    for text in demands:
        demand: Understanding = answerers["understand"](raw_input=text, today=today)
        if people:
            answerers["filter"](demand=demand, profiles=[eligible(each, demand) for each in people[:MOST]])
        for each in people[:ASKED]:
            answerers["respond"](demand=demand, profile=each, today=today)
