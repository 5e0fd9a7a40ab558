"""Liveness, readiness and metrics."""

import asyncio
import contextlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, Literal

from aiohttp import web

from bot.api.context import ApiContext, Call
from bot.api.metrics import CONTENT_TYPE
from bot.api.schemas import Health, Readiness
from engine.errors import StoreError
from engine.store.health import Trouble

PATIENCE: Final = 2.0
"""Seconds that the store has to answer."""


async def healthz(_: ApiContext) -> web.Response:
    return _json(HTTPStatus.OK, Health())


async def readyz(context: ApiContext) -> web.Response:
    slack = await context.is_connected()
    store = await _answers(context)
    health = context.store.health
    is_ready = store and slack and not context.is_draining
    status: Literal["ready", "not ready", "draining"] = (
        "draining" if context.is_draining else "ready" if is_ready else "not ready"
    )
    trouble = None if store else Trouble.DAMAGED if health.is_damaged else health.unwritten
    told = Readiness(status=status, store=store, slack=slack, trouble=trouble)
    return _json(HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE, told)


async def _answers(context: ApiContext) -> bool:
    """Return whether the store can be read, and written: that is tried where it could not be written last."""
    try:
        async with asyncio.timeout(PATIENCE):
            await context.store.next_due()
            if context.store.health.unwritten is not None:
                await context.store.touch()
    except (StoreError, TimeoutError):
        return False
    return not context.store.health.is_damaged


async def metrics(call: Call) -> web.Response:
    """Tell all metrics, also while the store does not answer: then they say so."""
    rows: Mapping[str, int] | None = None
    with contextlib.suppress(StoreError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            rows = await call.context.store.counts()
            if call.context.store.health.unwritten is not None:
                await call.context.store.touch()
    health, is_connected = call.context.store.health, await call.context.is_connected()
    told = call.context.meter.exposition(rows, health, is_connected=is_connected)
    return web.Response(body=told, headers={"Content-Type": CONTENT_TYPE})


def _json(status: int, told: Health | Readiness) -> web.Response:
    return web.Response(
        status=status, body=told.model_dump_json(exclude_none=True).encode(), content_type="application/json"
    )
