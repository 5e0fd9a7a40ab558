"""Says on stderr what a command waits for where a model takes its time, so that no terminal stands still in silence."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bot.demo.demo import CHANNEL, Demo

QUIET: Final = 3.0
"""Seconds after which something is said."""
AGAIN: Final = 15.0
"""Seconds after which it is said again, though nothing has changed."""


@asynccontextmanager
async def telling_what_is_waited_for(demo: Demo, *, asks_a_model: bool) -> AsyncIterator[None]:
    """Say so while it is entered. Without a model nothing waits: the clock jumps."""
    if not asks_a_model:
        yield
        return
    telling = asyncio.create_task(_tell(demo))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.wait([telling])


async def _tell(demo: Demo) -> None:
    loop = asyncio.get_running_loop()
    began, told, told_at = loop.time(), "", 0.0
    while True:
        await asyncio.sleep(QUIET)
        now, said = loop.time(), await _stands(demo)
        if said != told or now - told_at >= AGAIN:
            sys.stderr.write(f"towow: waiting for the model, {now - began:.0f} s: {said}\n")
            sys.stderr.flush()
            told, told_at = said, now


async def _stands(demo: Demo) -> str:
    """Return how the newest thread stands, as our first message in it says."""
    person = demo.person()
    asked = await person.messages(CHANNEL)
    thread = await person.thread(CHANNEL, asked[-1].ts) if asked else []
    return next((each.text for each in thread if each.user == demo.workspace.bot_user_id), "it begins")
