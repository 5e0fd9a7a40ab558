"""Publishes changes to everyone who listens, and what can be shown beside the conversations."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, Protocol

from pydantic import BaseModel

from .model import Message, User, View

ChangeKind = Literal[
    "message", "modal", "home", "channel", "user", "file", "read", "session", "prompts", "panel", "ping"
]


class Change(BaseModel):
    """What changed, not how: a listener then reads what its user sees now."""

    kind: ChangeKind
    channel: str | None = None
    ts: str | None = None
    user: str | None = None  # whose modal, Home or read mark
    view_id: str | None = None


class VisibleChange(Change):
    """A change with what this user sees there now; None where it is gone or was never visible to them."""

    message: Message | None = None
    view: View | None = None
    member: User | None = None


class Feed:
    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[Change | None]] = set()

    def publish(self, change: Change) -> None:
        for listener in self._listeners:
            listener.put_nowait(change)

    def close(self) -> None:
        """Every listener's stream ends."""
        for listener in self._listeners:
            listener.put_nowait(None)

    @contextmanager
    def listen(self) -> Iterator[AsyncGenerator[Change, None]]:
        """Changes from this moment on."""
        queue: asyncio.Queue[Change | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield _drain(queue)
        finally:
            self._listeners.discard(queue)


async def _drain(queue: asyncio.Queue[Change | None]) -> AsyncGenerator[Change, None]:
    while (change := await queue.get()) is not None:
        yield change


class Wait(BaseModel):
    """What happens next without anybody's doing, and when: seconds since 1970 by the workspace's clock."""

    what: str
    due: float | None = None


class PanelEntry(BaseModel):
    """Something that happened. Everybody can see it, so it must not contain private text."""

    position: int  # rises from entry to entry, from 1
    at: float  # seconds since 1970
    name: str
    who: str = ""
    text: str = ""


class Panel(Protocol):
    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever there is something else to show."""

    async def wait(self, language: str = "en") -> Wait:
        """What happens next, in the language of whoever reads it, where the panel speaks that."""

    async def entries(self, after: int, most: int) -> Sequence[PanelEntry]:
        """The newest entries beyond this position, at most so many, newest first."""

    async def skip(self, due: float) -> None:
        """Advance the clock to this time, but never beyond what is due next, and let that happen."""
