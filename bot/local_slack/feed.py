"""Publishes changes to everyone who listens: pages, terminals and tests that wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from typing import Literal

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
