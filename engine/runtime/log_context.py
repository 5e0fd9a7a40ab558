"""What is being worked on: whatever is logged meanwhile is about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from engine.kernel import StreamKey

_STREAM: Final[ContextVar[StreamKey | None]] = ContextVar("stream", default=None)


@contextmanager
def about(key: StreamKey) -> Iterator[None]:
    """Tasks that begin inside of it are about the same, until they say otherwise."""
    token = _STREAM.set(key)
    try:
        yield
    finally:
        _STREAM.reset(token)


def work_on(key: StreamKey) -> None:
    """From here on, the task that says so is about this."""
    _STREAM.set(key)


def current_stream() -> StreamKey | None:
    return _STREAM.get()
