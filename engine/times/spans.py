"""A stretch of time, from its start to just before its end."""

from datetime import datetime
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of time; both ends are aware and in UTC, and the end is not part of it."""

    start: datetime
    end: datetime
