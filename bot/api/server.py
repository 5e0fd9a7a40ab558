"""The HTTP server: it checks token, rate and body, calls the route, and answers refusals in one shape."""

import asyncio
import errno
import json
import math
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Set
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from pydantic import BaseModel
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_sdk.web.async_client import AsyncWebClient

from bot.api import document, slack
from bot.api.bodies import Bodies
from bot.api.connections import Connections, connection_of
from bot.api.context import ApiContext, Call, Whose
from bot.api.install.routes import add_install_pages
from bot.api.metrics import Meter
from bot.api.problems import RequestRefused, problem_of
from bot.api.route import EVENT_STREAM, OpenRoute, Route
from bot.api.routes import OPEN, routes_of
from bot.api.story.routes import add_pages
from bot.api.tokens import Token, secret_in, token_of
from bot.api_config import UNUSABLE, ApiAccess
from bot.listeners.services import Services
from bot.posts.slack_calls import Clients, always
from bot.protocol_row import Protocol
from engine.errors import AddressTaken, Misconfigured, NotAllowed
from engine.runtime.clock import Clock, WallClock
from engine.runtime.runtime import Runtime
from engine.runtime.tracing import Role, Tracing

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


LARGEST_BODY: Final = 64 * 1024
"""Bytes."""
BACKLOG: Final = 1_024
"""Connections that may come at once."""
GRACE: Final = 2.0
"""Seconds that pending answers have when the server closes."""
HEALTH: Final = ("/healthz", "/readyz")
"""Paths that are answered however many connections there are."""
UNKNOWN: Final = "unknown"
"""The label of calls without a route, in metrics."""


@dataclass(frozen=True, slots=True)
class ApiServer:
    url: str
    context: ApiContext
    connections: Connections
    bodies: Bodies


@asynccontextmanager
async def serving(
    access: ApiAccess,
    runtime: Runtime,
    services: Services,
    slack: AsyncWebClient | Clients,
    whose: Whose,
    is_connected: Callable[[], Awaitable[bool]],
    meter: Meter,
    protocols: Sequence[Protocol],
    clock: Clock | None = None,
    bolt: AsyncApp | None = None,
    tracing: Tracing | None = None,
    install: AsyncOAuthFlow | None = None,
) -> AsyncIterator[ApiServer]:
    """
    Args:
        slack: the client, or what returns a tenant's.
        install: lets us into workspaces; None where there is one.
        clock: the time of connections and rates; the machine's, whatever streams go by.
        bolt: what Slack may call, where its signing secret is known.
        protocols: whose routes are served, and whose events are told.
        tracing: tells of calls, where traces are collected.

    Raises:
        AddressTaken, Misconfigured: its address cannot be used.
    """
    clock = clock or WallClock()
    context = ApiContext(
        services, always(slack) if isinstance(slack, AsyncWebClient) else slack, whose, is_connected, meter, clock,
        protocols, per_minute=access.per_minute, patience=access.patience, has_many=install is not None,
    )  # fmt: skip
    runtime.observers.watch(context.notice)
    runtime.observers.hear(context.notice)
    connections, bodies = Connections(access.connections), Bodies(access.body_seconds)
    runner = web.AppRunner(
        application(context, access, bodies, routes_of(protocols), protocols, bolt, tracing, install),
        handler_cancellation=True,
        shutdown_timeout=GRACE,
    )
    background = [asyncio.create_task(work) for work in (context.serve(), context.readers.look_after_all())]
    await runner.setup()
    listening: asyncio.Server | None = None
    try:
        listening = await _listening(runner, access, connections)
        yield ApiServer(_url(listening, access), context, connections, bodies)
    finally:
        context.readers.close()
        if listening is not None:
            listening.close()
        await runner.cleanup()
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await context.close()


async def _listening(runner: web.AppRunner, access: ApiAccess, connections: Connections) -> asyncio.Server:
    """Listen at the address that the settings name."""
    assert runner.server is not None  # noqa: S101 - it was set up
    try:
        return await asyncio.get_running_loop().create_server(
            connections.protocol(runner.server), access.host, access.port, backlog=BACKLOG
        )
    except OSError as error:
        why = UNUSABLE.get(error.errno or 0, "no address of this machine")
        kind = AddressTaken if error.errno == errno.EADDRINUSE else Misconfigured
        raise kind([f"TOWOW_API_HOST and TOWOW_API_PORT are {access.host}:{access.port}, which is {why}"]) from error


def _url(listening: asyncio.Server, access: ApiAccess) -> str:
    host = f"[{access.host}]" if ":" in access.host else access.host
    return f"http://{host}:{listening.sockets[0].getsockname()[1]}"


def application(
    context: ApiContext,
    access: ApiAccess,
    bodies: Bodies,
    routes: Sequence[Route],
    protocols: Sequence[Protocol],
    bolt: AsyncApp | None = None,
    tracing: Tracing | None = None,
    install: AsyncOAuthFlow | None = None,
) -> web.Application:
    cors = Cors(access.origins)
    outermost = [traced_calls(tracing)] if tracing else []
    app = web.Application(middlewares=[*outermost, _one_shape(context), cors.preflight()])
    app.on_response_prepare.append(cors.allow)
    for open_ in OPEN:
        app.router.add_route(open_.method, open_.path, _opened(open_, context))
    for route in routes:
        app.router.add_route(
            route.method, _matched(route.path, routes), _guarded(route, context, access.tokens, bodies)
        )
    app.router.add_route("GET", document.PATH, _document(routes))
    if context.services.links is not None:
        add_pages(app, context, context.services.links, protocols)
    if install is not None:
        add_install_pages(app, install)
    if bolt is not None and access.signing_secret:
        app.router.add_route("POST", slack.PATH, slack.slack_events(bolt, access.signing_secret, bodies))
    return app


def _matched(path: str, routes: Sequence[Route]) -> str:
    """Exclude sibling paths from a path's parameter: in OpenAPI a concrete path comes before a template."""
    above, _, last = path.rpartition("/")
    if not last.startswith("{"):
        return path
    siblings = [each.path.removeprefix(f"{above}/") for each in routes if each.path.rpartition("/")[0] == above]
    taken = "".join(f"(?!{re.escape(each)}$)" for each in siblings if each != last)
    return f"{above}/{{{last[1:-1]}:{taken}[^/]+}}"


def _one_shape(context: ApiContext) -> Middleware:
    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        resource = request.match_info.route.resource
        route, started = resource.canonical if resource else UNKNOWN, time.perf_counter()
        connection = connection_of(request)
        with connection.answering(",".join(request.headers.getall("X-Forwarded-For", ()))) as may_ask:
            try:
                if not may_ask and request.path not in HEALTH:
                    raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE, "Too many ask just now.", {"Retry-After": "5"})
                response = await handler(request)
            except Exception as error:  # noqa: BLE001 - `problem_of` logs what is ours; callers are never shown it
                response = problem_of(error, f"{request.method} {route}")
        if connection.is_spare:
            response.force_close()
        if context.is_draining:
            response.force_close()  # the next call goes to whoever is there then
        seconds = time.perf_counter() - started
        context.meter.count_answer(route, response.status, None if response.content_type == EVENT_STREAM else seconds)
        return response

    return answer


def _opened(route: OpenRoute, context: ApiContext) -> Handler:
    async def handle(_: web.Request) -> web.StreamResponse:
        return await route.handler(context)

    return handle


def _guarded(route: Route, context: ApiContext, tokens: tuple[Token, ...], bodies: Bodies) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        token = _caller(request, tokens, context)
        connection_of(request).know()
        if wait := context.rates.wait(token.name):
            context.meter.limited.labels(token.name).inc()
            raise RequestRefused(
                HTTPStatus.TOO_MANY_REQUESTS, "That was too often; the Retry-After header says when it works again.",
                {"Retry-After": str(math.ceil(wait))},
            )  # fmt: skip
        if route.scope not in token.scopes:
            raise NotAllowed(f"This token may not do that; it takes one with the scope {route.scope}.")
        query = route.query.model_validate(dict(request.query)) if route.query else None
        body = await _body(request, route.body, bodies) if route.body else None
        told = await route.handler(Call(request, context, token, await context.workspace(token.team), body, query))
        return _answer(told, route.status) if isinstance(told, BaseModel) else told

    return handle


def _caller(request: web.Request, tokens: tuple[Token, ...], context: ApiContext) -> Token:
    """Return the token that the request carries."""
    secret = secret_in(request.headers)
    token = token_of(tokens, secret) if secret else None
    if token is None:
        if secret:
            context.wrong_tokens.note(connection_of(request).client)
        why = "It is no token of ours" if secret else "It takes a token"
        challenge = 'Bearer realm="towow", error="invalid_token"' if secret else 'Bearer realm="towow"'
        raise RequestRefused(
            HTTPStatus.UNAUTHORIZED, f"{why}; send one as Authorization: Bearer …", {"WWW-Authenticate": challenge}
        )
    return token


async def _body(request: web.Request, takes: type[BaseModel], bodies: Bodies) -> BaseModel:
    """Return the request's body, checked against what the route takes."""
    if request.content_type != "application/json":
        raise RequestRefused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body has to be application/json.")
    async with bodies.read(request, LARGEST_BODY) as said:
        return takes.model_validate_json(said)


def _answer(told: BaseModel, status: int) -> web.Response:
    response = web.Response(status=status, body=told.model_dump_json().encode(), content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def _document(routes: Sequence[Route]) -> Handler:
    written = cache(lambda: json.dumps(document.document(routes), ensure_ascii=False).encode())

    async def handle(_: web.Request) -> web.Response:
        return web.Response(body=written(), content_type="application/json")

    return handle
