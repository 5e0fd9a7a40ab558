"""Remembers what is made of records, for as long as the same ones are asked about."""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar, cast

Make = TypeVar("Make", bound=Callable[..., Any])

LATEST: Final = 256
"""How many values are remembered. The ten questions of a round are composed one after the other, and what people have
said is asked for again in the next step, in which some two hundred negotiations may take turns."""


def remembered(make: Make) -> Make:
    """Make something of a state, or of other records, once, however often it is asked for in a row.

    A record never changes, so the very same object has the same value; an equal one is not looked for. Whatever the
    value depends on is passed by position.
    """
    latest: OrderedDict[tuple[int, ...], tuple[object, Any]] = OrderedDict()

    @wraps(make)
    def made(*records: Any) -> Any:
        same = tuple(map(id, records))
        known = latest.get(same)
        if known is not None:  # the records are kept with it, so no others can have their ids
            return known[1]
        value = make(*records)
        latest[same] = records, value
        if len(latest) > LATEST:
            latest.popitem(last=False)
        return value

    return cast(Make, made)
