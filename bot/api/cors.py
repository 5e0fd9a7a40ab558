"""Cross-origin requests: which web pages may call from a browser."""

from collections.abc import Set
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

METHODS: Final = "GET, POST, PUT"
HEADERS: Final = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
EXPOSED: Final = "Retry-After"
REMEMBERED: Final = "600"
"""Seconds for which a browser remembers the answer to its preflight request."""
ANY: Final = "*"


class Cors:
    """No cookie is ever read, so that a page can do nothing without a token of its own.

    Args:
        origins: as browsers write them, such as ``https://towow.example``; or ``*`` for every page.
    """

    def __init__(self, origins: Set[str]) -> None:
        self._origins = frozenset(origins)

    async def allow(self, request: web.Request, response: web.StreamResponse) -> None:
        """Add the headers by which a browser lets the page read the answer."""
        response.headers["X-Content-Type-Options"] = "nosniff"
        if not self._origins:
            return
        response.headers["Vary"] = "Origin"
        if self._may(request):
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = EXPOSED

    def preflight(self) -> Middleware:
        """Return what answers preflight requests."""

        @web.middleware
        async def checked(request: web.Request, handler: Handler) -> web.StreamResponse:
            if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
                return await handler(request)
            response = web.Response(status=204)
            if self._may(request):
                response.headers["Access-Control-Allow-Methods"] = METHODS
                response.headers["Access-Control-Allow-Headers"] = HEADERS
                response.headers["Access-Control-Max-Age"] = REMEMBERED
            return response

        return checked

    def _may(self, request: web.Request) -> bool:
        origin = request.headers.get("Origin")
        return origin is not None and (origin in self._origins or ANY in self._origins)
