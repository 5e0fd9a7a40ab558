"""Which pages of other origins may call from a browser."""

from collections.abc import Set
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

METHODS: Final = "GET, POST, PUT"
HEADERS: Final = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
EXPOSED: Final = "Retry-After"
REMEMBERED: Final = "600"
"""Seconds for which a browser need not ask again."""
ANY: Final = "*"


class Cors:
    """No cookie is ever read, so that a page can do nothing without a token of its own.

    Args:
        origins: as browsers write them, such as ``https://towow.example``; or ``*`` for every page.
    """

    def __init__(self, origins: Set[str]) -> None:
        self._origins = frozenset(origins)

    async def allow(self, request: web.Request, response: web.StreamResponse) -> None:
        """What every answer says of it."""
        response.headers["X-Content-Type-Options"] = "nosniff"
        if not self._origins:
            return
        response.headers["Vary"] = "Origin"
        if self._may(request):
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = EXPOSED

    def preflight(self) -> Middleware:
        """Answers a browser that asks before it calls."""

        @web.middleware
        async def asked(request: web.Request, handler: Handler) -> web.StreamResponse:
            if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
                return await handler(request)
            response = web.Response(status=204)
            if self._may(request):
                response.headers["Access-Control-Allow-Methods"] = METHODS
                response.headers["Access-Control-Allow-Headers"] = HEADERS
                response.headers["Access-Control-Max-Age"] = REMEMBERED
            return response

        return asked

    def _may(self, request: web.Request) -> bool:
        origin = request.headers.get("Origin")
        return origin is not None and (origin in self._origins or ANY in self._origins)
