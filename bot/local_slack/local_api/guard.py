"""Only pages of this machine may talk to the workspace: others could act through a person's browser."""

from __future__ import annotations

from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

OURS = ("127.0.0.1", "localhost")


@web.middleware
async def only_from_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The Host must be this machine (no DNS rebinding); an Origin, if there is one, the same host and port."""
    if urlsplit(f"//{request.host}").hostname not in OURS:
        raise web.HTTPForbidden(
            text=f"The host {request.host} is not this workspace; use http://127.0.0.1 and its port."
        )
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text=f"Pages from {origin} may not use this workspace.")
    return await handler(request)
