"""Finds the streams that a thread is about, whatever their protocol."""

import asyncio
from typing import Any, NamedTuple

from bot.listeners.gateway import PATIENCE
from bot.listeners.services import Services
from bot.posts.post_records import streams_in
from engine.errors import UnknownStream
from engine.kernel import StreamKey, Tenant


class ThreadStream(NamedTuple):
    """A stream that is shown in a thread, as it is committed."""

    key: StreamKey
    protocol: str
    state: Any
    """The state of a stream of that protocol."""


async def streams_of_thread(services: Services, tenant: Tenant, channel: str, thread: str) -> list[ThreadStream]:
    """Return the streams that are shown in a thread: the one that began it first, then those that joined it.

    Args:
        channel: where it is, as the signed payload says.
        thread: the ts of the message that begins it; empty for what is said outside of any thread.
    """
    async with asyncio.timeout(PATIENCE):
        keys = await streams_in(services.store, tenant, channel, thread)
        found = []
        for key in keys:
            try:
                committed = await services.gateway.look_up(key)
            except UnknownStream:
                continue  # a store that was restored may know a thread, and not its stream any more
            found.append(ThreadStream(key, committed.protocol, committed.state))
        return found
