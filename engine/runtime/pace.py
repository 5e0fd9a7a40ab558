"""How a process takes jobs, where several share a store. It can be read where nothing of PostgreSQL is installed."""

from typing import NamedTuple

from engine.kernel import Millis


class Pace(NamedTuple):
    """How jobs are taken."""

    poll: Millis = 500
    """Between two looks for jobs that others have deferred, or that have come due."""
    lasts: Millis = 30_000
    """For how long a worker counts as there after it said so: others do then what it was doing."""
    most: int = 4_000
    """Jobs done at once. A place costs nothing while its job waits, and most of them do, for a model or for their turn:
    there are more places than one tenant can take."""
    listen: bool = False
    """Whether it is told at once of jobs that others have deferred: not through every connection pooler."""


PACE = Pace()
