"""Spans of calls over HTTP that may change something. What only reads leads to nothing."""

from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.api import slack
from engine.runtime.tracing import Role, Tracing

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def traced_calls(tracing: Tracing) -> Middleware:
    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        resource = request.match_info.route.resource
        if request.method in READING or resource is None or resource.canonical == slack.PATH:
            return await handler(request)  # Bolt tells of what comes from Slack
        told = {"http.request.method": request.method, "http.route": resource.canonical}
        with tracing.span(f"{request.method} {resource.canonical}", Role.SERVER, told, parent="") as span:
            response = await handler(request)
            span.note({"http.response.status_code": response.status})
            span.end(str(response.status), is_fault=response.status >= 500)
            return response

    return answer
