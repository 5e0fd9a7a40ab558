"""What leads to what, for whoever collects traces: the port, and which span is current.

A span is one step that takes time: a command, a commit, an effect, a call. Its ``traceparent`` (W3C Trace Context)
names it, also to other processes. Nothing of this is used unless traces are collected. Nothing that anybody wrote goes
into a span: only names of ours, ids of streams, counts and outcomes.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum, auto
from typing import Final, Protocol

from engine.kernel import StreamKey

About = Mapping[str, str | int]

OK: Final = "ok"
CANCELLED: Final = "cancelled"

_CURRENT: Final[ContextVar[str]] = ContextVar("traceparent", default="")


class Role(Enum):
    """What a step is to others."""

    INTERNAL = auto()
    SERVER = auto()
    """It answers a call."""
    CLIENT = auto()
    """It is a call."""
    CONSUMER = auto()
    """It does what was owed."""


class Span(Protocol):
    traceparent: str

    def note(self, about: About) -> None: ...

    def end(self, outcome: str = OK, *, is_fault: bool = False) -> None:
        """End it, unless it has ended."""


class Tracer(Protocol):
    """Makes spans and sends them to whoever collects them, without anybody waiting for that."""

    def start(
        self, name: str, role: Role, about: About, parent: str, links: Sequence[str] = (), began: int | None = None
    ) -> Span:
        """
        Args:
            parent: the traceparent of what led to it; empty where nothing did.
            links: those of what else led to it.
            began: nanoseconds since 1970, where it has begun before.
        """


class Tracing:
    """Starts spans, and keeps which one is current in a task and in those that it starts."""

    def __init__(self, tracer: Tracer) -> None:
        self.start = tracer.start

    @property
    def current(self) -> str:
        """The traceparent of what is under way; empty where nothing is."""
        return _CURRENT.get()

    @contextmanager
    def span(
        self, name: str, role: Role, about: About, *, parent: str | None = None, links: Sequence[str] = ()
    ) -> Iterator[Span]:
        """Run what is inside as a span.

        Args:
            parent: what led to it; what is current, where that is left out.
        """
        span = self.start(name, role, about, self.current if parent is None else parent, links)
        token = _CURRENT.set(span.traceparent)
        try:
            yield span
        except asyncio.CancelledError:
            span.end(CANCELLED)
            raise
        except BaseException as error:
            span.end(type(error).__name__, is_fault=True)
            raise
        else:
            span.end()
        finally:
            _CURRENT.reset(token)


def about(key: StreamKey) -> dict[str, str | int]:
    return {"towow.team": key.tenant.team_id, "towow.stream": key.stream}
