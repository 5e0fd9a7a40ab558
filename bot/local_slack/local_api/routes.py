"""The paths of the local API, who may use them, and how its answers and refusals look."""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from pydantic import TypeAdapter, ValidationError

from ..feed import Change, VisibleChange
from ..limits import NotPossible, Refusal
from ..modals import home_id
from ..model import User
from ..visibility import as_seen_by
from ..workspace import Workspace
from . import admin, page, people
from .page import overview, page_routes
from .people import Answer

RETRY = 500  # milliseconds after which a page that lost its feed asks again


async def stream(workspace: Workspace, request: web.Request) -> web.StreamResponse:
    user = workspace.member(request.match_info["user"])
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    with workspace.feed.listen() as changes:
        await response.prepare(request)
        # A listener that leaves is not an error: its connection is found closed at the next change.
        with contextlib.suppress(ConnectionResetError):
            await response.write(f"retry: {RETRY}\n: listening\n\n".encode())
            async for change in changes:
                seen = as_seen_by_person(workspace, user, change)
                if seen is not None:
                    await response.write(f"data: {seen.model_dump_json()}\n\n".encode())
    return response


def as_seen_by_person(workspace: Workspace, user: User, change: Change) -> VisibleChange | None:
    """The change with what is there now; None if it does not concern this person."""
    if change.kind in ("modal", "home"):
        if change.user != user.id:
            return None
        view = workspace.modals.get(change.view_id)
        if change.kind == "home":
            view = workspace.homes.get(home_id(user.id))
        return VisibleChange(**change.model_dump(), view=view)
    if change.kind == "read":
        return VisibleChange(**change.model_dump()) if change.user == user.id else None
    if change.kind == "user":
        return VisibleChange(**change.model_dump(), member=workspace.users.get(change.user))
    channel = workspace.channels.get(change.channel)
    if channel is not None and not workspace.can_see(user.id, channel):
        return None
    if change.kind != "message" or change.channel is None:
        return VisibleChange(**change.model_dump())
    stored = workspace.messages.get(f"{change.channel}/{change.ts}")
    if stored is None or stored.visible_to not in (None, user.id):
        return None
    message = workspace.messages.root(change.channel, change.ts)
    return VisibleChange(**change.model_dump(), message=message and as_seen_by(message, user))


OURS = ("127.0.0.1", "localhost")
TOKEN_HEADER = "X-Local-Token"  # noqa: S105 - its name
READING = ("GET", "HEAD")
NO_PAGE_ELSEWHERE = ("none", "same-origin")  # what a browser says where no other page had a hand in it


def guarded(token: str, pages: Collection[str] = ("/",)) -> Middleware:
    """
    Args:
        token: what every change under /local/ takes.
        pages: the paths that a link may lead to from elsewhere.
    """

    @web.middleware
    async def only_from_here(request: web.Request, handler: Handler) -> web.StreamResponse:
        _check_host(request)
        _check_origin(request, pages)
        if request.path.startswith("/local/") and request.method not in READING:
            given = request.headers.get(TOKEN_HEADER, "")
            if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), token.encode()):
                refusal = "This page is of an earlier start of the workspace; load it again."
                return web.json_response({"error": refusal}, status=403)
        return await handler(request)

    return only_from_here


def _check_host(request: web.Request) -> None:
    """The Host must be this machine: a name of somebody else's that leads here is theirs (DNS rebinding)."""
    try:
        host = urlsplit(f"//{request.host}").hostname
    except ValueError:
        host = None
    if host not in OURS:
        raise web.HTTPForbidden(
            text=f"The host {ascii(request.host)[:100]} is not this workspace; use http://127.0.0.1 and its port."
        )


def _check_origin(request: web.Request, pages: Collection[str]) -> None:
    """An Origin must be the same host and port. Where a browser sends none, it says in another header where it is."""
    origins = request.headers.getall("Origin", [])
    if any(origin != f"{request.scheme}://{request.host}" for origin in origins):
        raise web.HTTPForbidden(text="Pages from elsewhere may not use this workspace.")
    site = request.headers.get("Sec-Fetch-Site", "none").lower()
    follows_link = (
        request.method == "GET" and request.path in pages and request.headers.get("Sec-Fetch-Dest") == "document"
    )
    if site not in NO_PAGE_ELSEWHERE and not follows_link:
        raise web.HTTPForbidden(text="Pages from elsewhere may not use this workspace.")


ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


def local_routes(workspace: Workspace) -> list[web.RouteDef]:
    person = "/local/users/{user}"
    acts, views, orders = (f"{{{name}:{'|'.join(known)}}}" for name, known in _known())
    return [
        *page_routes(workspace.page_token),
        web.get("/local/overview", _json(workspace, overview)),
        web.get("/local/panel", _json(workspace, page.show)),
        web.post("/local/panel/skip", _json(workspace, page.skip)),
        web.get(f"{person}/feed", _raw(workspace, stream)),
        web.get(f"{person}/files/{{file}}", _raw(workspace, people.download)),
        web.post(f"{person}/upload", _raw(workspace, people.receive)),
        web.post(f"{person}/{acts}", _json(workspace, people.perform)),
        web.get(f"{person}/{views}", _json(workspace, people.show)),
        web.post(f"/local/admin/{orders}", _json(workspace, admin.perform)),
    ]


def _known() -> list[tuple[str, list[str]]]:
    return [("act", list(people.ACTIONS)), ("view", list(people.VIEWS)), ("order", list(admin.ACTIONS))]


def _json(workspace: Workspace, answer: Callable[[Workspace, web.Request], Awaitable[Answer]]) -> Handler:
    async def handle(workspace: Workspace, request: web.Request) -> web.Response:
        if request.method == "POST" and request.content_type != "application/json":
            raise NotPossible("The local API takes JSON; set Content-Type: application/json.")
        body = ANSWER.dump_json(await answer(workspace, request), serialize_as_any=True)
        return web.Response(body=body, content_type="application/json")

    return _raw(workspace, handle)


def _raw(workspace: Workspace, answer: Callable[[Workspace, web.Request], Awaitable[web.StreamResponse]]) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await answer(workspace, request)
        except TimeoutError:
            return web.json_response({"error": "It did not happen in the time given."}, status=408)
        except (NotPossible, Refusal, ValidationError, KeyError) as refusal:
            return web.json_response({"error": _sentence(refusal)}, status=409)

    return handle


def _sentence(refusal: Exception) -> str:
    match refusal:
        case NotPossible():
            return refusal.reason
        case Refusal():
            return f"Slack refuses this: {'; '.join([refusal.code, *refusal.details])}."
        case KeyError():
            return f"The parameter {refusal} is missing."
        case _:
            return str(refusal)
