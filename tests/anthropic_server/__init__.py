"""An Anthropic on localhost: what the Messages API takes, refuses and answers, on the wire.

It refuses what the API refuses, so that a request which passes here is one that is worth sending; it answers as it is
told, or, when it is told nothing, with an answer made from the request's own schema.
"""

from .answers import Breaks, Drips, Drops, Fits, Garbled, Refuses, Says, Stalls, Status, Step, Truncated, Uses
from .server import KEY, LocalAnthropic, Received

__all__ = [
    "KEY",
    "Breaks",
    "Drips",
    "Drops",
    "Fits",
    "Garbled",
    "LocalAnthropic",
    "Received",
    "Refuses",
    "Says",
    "Stalls",
    "Status",
    "Step",
    "Truncated",
    "Uses",
]
