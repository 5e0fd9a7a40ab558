"""Has a demand answered that nobody has made, so that what the first one needs is loaded before it comes."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from engine.directory.profile import Profile
from engine.negotiation.answers import Understanding
from engine.negotiation.demand.asks import eligible

DEMANDS: Final = (
    "We need a photographer and catering for 30 people in Berlin next Friday at 18:00, for 500 euros at most.",
    "下周五晚上六点在上海办一场三十人的活动，需要摄影师和餐饮，预算五千元以内。",
)
"""Each has a day, an hour, a number, a place and a sum."""
MOST: Final = 200
"""Profiles that are compared: each takes a few milliseconds, once."""
ASKED: Final = 2


def rehearse(answerers: Mapping[str, Callable[..., Any]], people: Sequence[Profile]) -> None:
    """Ask what a demand asks until people offer something. It takes seconds the first time."""
    today = {"date": datetime.now(UTC).date().isoformat(), "time_zone": "UTC"}
    for text in DEMANDS:
        demand: Understanding = answerers["understand"](raw_input=text, today=today)
        if people:
            answerers["filter"](demand=demand, profiles=[eligible(each, demand) for each in people[:MOST]])
        for each in people[:ASKED]:
            answerers["respond"](demand=demand, profile=each, today=today)
