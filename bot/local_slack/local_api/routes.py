"""The paths of the local API, and how its answers and refusals look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Handler
from pydantic import TypeAdapter, ValidationError

from ..refusals import NotPossible, Refusal
from ..workspace import Workspace
from . import admin, panel, people
from .overview import overview
from .page import page_routes
from .people import Answer
from .stream import stream

ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


def local_routes(workspace: Workspace) -> list[web.RouteDef]:
    person = "/local/users/{user}"
    acts, views, orders = (f"{{{name}:{'|'.join(known)}}}" for name, known in _known())
    return [
        *page_routes(workspace.page_token),
        web.get("/local/overview", _json(workspace, overview)),
        web.get("/local/panel", _json(workspace, panel.show)),
        web.post("/local/panel/skip", _json(workspace, panel.skip)),
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
