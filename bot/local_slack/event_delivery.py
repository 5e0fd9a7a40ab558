"""Delivers events to the app and retries until it acknowledges them, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from .activity import Activity
from .model import Json, PendingEvent
from .sockets import Sockets
from .table import Table

REDELIVERY_DELAYS = (0.0, 60.0, 300.0)
"""Seconds before each of Slack's retries."""


class Delivery:
    def __init__(
        self, pending: Table[PendingEvent], sockets: Sockets, activity: Activity, delays: Sequence[float]
    ) -> None:
        self._pending = pending
        self._sockets = sockets
        self._activity = activity
        self._delays = tuple(delays)
        self._tasks: set[asyncio.Task[None]] = set()
        self.lost: list[Json] = []  # given up after the last retry

    def enqueue(self, event: PendingEvent) -> None:
        """Store this event and start to deliver it; returns at once."""
        self._pending.put(event)
        self._start(event)

    def resume(self) -> None:
        """Start to deliver what was pending before a restart."""
        for event in self._pending:
            self._start(event)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, event: PendingEvent) -> None:
        task = asyncio.create_task(self._deliver(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, event: PendingEvent) -> None:
        with self._activity.busy():
            for attempt, delay in enumerate((0.0, *self._delays)):
                if delay:
                    await asyncio.sleep(delay)
                await self._sockets.wait_for_connection()
                reason = "timeout" if attempt else ""
                ack = await self._sockets.send("events_api", event.payload, attempt=attempt, reason=reason)
                if ack.in_time:
                    break
            else:
                self.lost.append(event.payload)
            self._pending.drop(event.id)
