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

PATIENCE: Final = 2.0
"""Seconds that the store has to answer."""


async def healthz(_: ApiContext) -> web.Response:
    return _json(HTTPStatus.OK, Health())


async def readyz(context: ApiContext) -> web.Response:
    store, slack = await _answers(context), await context.is_connected()
    is_ready = store and slack and not context.is_draining
    status: Literal["ready", "not ready", "draining"] = (
        "draining" if context.is_draining else "ready" if is_ready else "not ready"
    )
    told = Readiness(status=status, store=store, slack=slack)
    return _json(HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE, told)


async def _answers(context: ApiContext) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            await context.store.next_due()
    except (StoreError, TimeoutError):
        return False
    return True


async def metrics(call: Call) -> web.Response:
    """Tell all metrics, also while the store does not answer: then they say so."""
    rows: Mapping[str, int] | None = None
    with contextlib.suppress(StoreError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            rows = await call.context.store.counts()
    return web.Response(body=call.context.meter.exposition(rows), headers={"Content-Type": CONTENT_TYPE})


def _json(status: int, told: Health | Readiness) -> web.Response:
    return web.Response(status=status, body=told.model_dump_json().encode(), content_type="application/json")
