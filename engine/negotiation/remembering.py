"""Remembers what is made of a state, for as long as the same state is asked about."""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

from engine.negotiation.state import Negotiation

Value = TypeVar("Value")

STATES: Final = 16
"""Of how many states it is remembered; the ten questions of a round are composed one after the other."""


def once_a_state(make: Callable[[Negotiation], Value]) -> Callable[[Negotiation], Value]:
    """Make something of a state once, however often it is asked for in a row.

    A state never changes, so the very same object has the same value; an equal one is not looked for.
    """
    latest: OrderedDict[int, tuple[Negotiation, Value]] = OrderedDict()

    @wraps(make)
    def made(state: Negotiation) -> Value:
        known = latest.get(id(state))
        if known is not None:  # the state is kept with it, so no other one can have its id
            return known[1]
        value = make(state)
        latest[id(state)] = state, value
        if len(latest) > STATES:
            latest.popitem(last=False)
        return value

    return made
