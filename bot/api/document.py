"""The OpenAPI 3.1 document, generated from the routes and their pydantic models."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from bot.api.context import IDEMPOTENCY_KEY
from bot.api.problems import CONTENT_TYPE, TITLES, title_of
from bot.api.route import DONE, EVENT_STREAM, PLAIN, OpenRoute, Route
from bot.api.routes import OPEN
from bot.api.schemas import Problem
from engine.errors import ModelError, NotAllowed, Refusal
from engine.runtime.streams import Envelope

PATH: Final = "/api/v1/openapi.json"
TEMPLATE: Final = "#/components/schemas/{model}"
EVERYWHERE: Final = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
WITH_BODY: Final = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
HEADERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "Idempotency-Key": (
        "Names this call: sent again with the same key, it is done once.",
        {"type": "string", "pattern": f"^{IDEMPOTENCY_KEY.pattern}$"},
    ),
    "Last-Event-ID": ("The last event that arrived: what follows it is sent.", {"type": "string"}),
}

SECONDS: Final = {"description": "Seconds after which it may work.", "schema": {"type": "integer", "minimum": 1}}
WITH_REFUSAL: Final[Mapping[int, Mapping[str, Any]]] = {
    HTTPStatus.UNAUTHORIZED: {
        "WWW-Authenticate": {"description": "What is missing.", "required": True, "schema": {"type": "string"}},
    },
    HTTPStatus.TOO_MANY_REQUESTS: {"Retry-After": {**SECONDS, "required": True}},
    HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": SECONDS},
}
"""Headers, by status."""

Mode = Literal["validation", "serialization"]
Schemas = Mapping[tuple[type[BaseModel], Mode], dict[str, Any]]


def document(routes: Sequence[Route]) -> dict[str, Any]:
    taken: list[type[BaseModel]] = [each for route in routes for each in (route.body, route.query) if each]
    given: list[type[BaseModel]] = [
        Problem,
        Envelope,
        *(each.returns for each in OPEN),
        *(each for route in routes for each in (*route.returns, *([route.rejection] if route.rejection else ()))),
        *(route.lines for route in routes if route.lines),
    ]
    wanted: list[tuple[type[BaseModel], Mode]] = [(each, "validation") for each in taken]
    wanted += [(each, "serialization") for each in given]
    found, definitions = models_json_schema(wanted, ref_template=TEMPLATE)
    schemas: Schemas = {each: found[each] for each in wanted}
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    for open_ in OPEN:
        paths[open_.path]["get"] = _open(open_, schemas)
    for route in routes:
        paths[route.path][route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ToWow",
            "version": _version(),
            "description": "Let a group agree, by program: ask, follow what happens, vote, keep profiles.",
        },
        "paths": dict(paths),
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _version() -> str:
    try:
        return version("towow")
    except PackageNotFoundError:
        return "0"


def _open(route: OpenRoute, schemas: Schemas) -> dict[str, Any]:
    content = {"application/json": {"schema": schemas[route.returns, "serialization"]}}
    statuses = (200, 503) if route.may_be_unavailable else (200,)
    return {
        "summary": route.summary,
        "operationId": route.handler.__name__,
        "security": [],
        "responses": {str(each): {"description": HTTPStatus(each).phrase, "content": content} for each in statuses},
    }


def _operation(route: Route, schemas: Schemas) -> dict[str, Any]:
    told: dict[str, Any] = {
        "summary": route.summary,
        "description": f"Needs a token with the scope `{route.scope}`.",
        "operationId": route.handler.__name__,
        "security": [{"token": []}],
        "parameters": list(_parameters(route, schemas)),
        "responses": {**_answers(route, schemas), **_refusals(route, schemas)},
    }
    if route.body:
        schema = schemas[route.body, "validation"]
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return told


def _parameters(route: Route, schemas: Schemas) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"\{(\w+)\}", route.path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    if route.query:
        for name, schema in route.query.model_json_schema()["properties"].items():
            yield {"name": name, "in": "query", "schema": schema}
    streams = route.media == EVENT_STREAM or route.may_stream
    headers = ["Idempotency-Key"] * route.is_repeatable + ["Last-Event-ID"] * streams
    for name in headers:
        description, schema = HEADERS[name]
        yield {"name": name, "in": "header", "description": description, "schema": schema}


def _answers(route: Route, schemas: Schemas) -> dict[str, Any]:
    """Return the answers to calls that are not refused, by status."""
    answers = {str(route.status): _answer(route, schemas)}
    if route.may_stream:
        answers["200"] = _stream(route, schemas)
    if route.rejection:
        content = {"application/json": {"schema": schemas[route.rejection, "serialization"]}}
        answers["422"] = {"description": "It is none of what may be sent, and nothing has moved", "content": content}
    return answers


def _answer(route: Route, schemas: Schemas) -> dict[str, Any]:
    if route.media == EVENT_STREAM:
        return _stream(route, schemas)
    if route.files:
        content = {media: {"schema": {} if media.endswith("json") else {"type": "string"}} for media in route.files}
        return {"description": "The file", "content": content}
    if route.media == PLAIN:
        return {"description": "Prometheus' text format", "content": {route.media: {"schema": {"type": "string"}}}}
    kinds = [schemas[each, "serialization"] for each in route.returns]
    schema = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {"description": HTTPStatus(route.status).phrase, "content": {route.media: {"schema": schema}}}


def _stream(route: Route, schemas: Schemas) -> dict[str, Any]:
    types = ", ".join(f"`{each}`" for each in route.event_types)
    said = f"Events as they happen, without end; the schema is that of one. There are {types}."
    if route.lines:
        when = "Where `Accept` asks for them: " if route.may_stream else ""
        said = f"{when}Events as they happen; the schema is that of one. The last one's data is `{DONE}`."
    return {"description": said, "content": {EVENT_STREAM: {"schema": _event_schema(route.lines, schemas)}}}


def _event_schema(lines: type[BaseModel] | None, schemas: Schemas) -> dict[str, Any]:
    """Return the schema of one server-sent event, its fields named as in OpenAPI 3.2."""
    schema = {"contentMediaType": "application/json", "contentSchema": schemas[lines or Envelope, "serialization"]}
    place: dict[str, Any]
    data: dict[str, Any]
    if lines is None:
        place = {"type": "string", "pattern": "^[0-9]+$", "description": "Its place in the global order."}
        data = {"type": "string", "description": "Its envelope.", **schema}
    else:
        place = {"type": "string", "description": "By which `Last-Event-ID` names it."}
        data = {"type": "string", "anyOf": [{"const": DONE}, schema]}
    return {"type": "object", "required": ["id", "data"], "properties": {"id": place, "data": data}}


def _refusals(route: Route, schemas: Schemas) -> dict[str, Any]:
    """Return the answers to refused calls, by status, each with the codes it can have."""
    codes: dict[int, list[str]] = defaultdict(list)
    refuses: list[type[Refusal | ModelError]] = [*route.refusals, NotAllowed]
    for refusal in refuses:
        codes[refusal.http_status].append(f"{refusal.code}: {title_of(refusal.code, refusal.http_status)}")
    if route.body or route.query or route.is_repeatable:
        codes[HTTPStatus.BAD_REQUEST].append(f"E001: {TITLES['E001']}")
    for status in (*EVERYWHERE, *(WITH_BODY if route.body else ())):
        codes[status].append(HTTPStatus(status).phrase)
    content = {CONTENT_TYPE: {"schema": schemas[Problem, "serialization"]}}
    return {
        str(int(status)): {
            "description": "; ".join(dict.fromkeys(said)),
            "headers": WITH_REFUSAL.get(status, {}),
            "content": content,
        }
        for status, said in sorted(codes.items())
    }
