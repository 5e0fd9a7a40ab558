"""Slack over HTTP: the same listeners as by Socket Mode. Bolt checks the signature, and its age: at most 300 s."""

import asyncio
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse

PATH: Final = "/slack/events"
"""For events, interactivity and commands."""


def slack_events(app: AsyncApp) -> Handler:
    under_way: set[asyncio.Task[BoltResponse]] = set()

    async def handle(request: web.Request) -> web.StreamResponse:
        dispatched = asyncio.create_task(app.async_dispatch(await to_bolt_request(request)))
        under_way.add(dispatched)
        dispatched.add_done_callback(under_way.discard)
        # Slack hangs up after three seconds; shielded, a listener finishes what it has begun.
        return await to_aiohttp_response(await asyncio.shield(dispatched))

    return handle
