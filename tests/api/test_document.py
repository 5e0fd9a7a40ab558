"""The OpenAPI document is true: of every route, and for whatever somebody makes of it."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

import hypothesis.strategies as st
from hypothesis import example, given, settings

from bot.api.bodies import Bodies
from bot.api.routes import OPEN
from bot.api.server import application
from bot.api_config import ApiAccess
from bot.registry import PROTOCOLS
from engine.negotiation.events import EVENTS
from engine.store.memory import MemoryStore
from tests.examples import examples

from .api_harness import HERE, YOU, ApiHarness, standing, token
from .contract import DOCUMENT, ROUTES

STREAMS: Final = "/stream"
ANYBODY: Final = token("anybody", user=YOU)
"""With every scope there is."""

Schema = Mapping[str, Any]


async def test_it_is_served_as_it_is(harness: ApiHarness) -> None:
    answer = await harness.as_("").get("/api/v1/openapi.json")

    assert (answer.status, answer.body) == (200, DOCUMENT)
    assert answer.body["openapi"] == "3.1.0"


PAGES = {("GET", "/n/{stream}"), ("GET", "/n/{stream}/events"), ("GET", "/n/assets/{name}")}
"""What browsers are shown, which is no interface of programs."""


async def test_it_names_what_is_served_and_nothing_else(harness: ApiHarness) -> None:
    served = {
        (route.method, route.resource.canonical)
        for route in application(harness.server.context, ApiAccess(()), Bodies(1.0), ROUTES, PROTOCOLS).router.routes()
        if route.resource is not None
    }

    told = {(method.upper(), path) for path, operations in DOCUMENT["paths"].items() for method in operations}
    assert served - told == {("GET", "/api/v1/openapi.json"), *PAGES}
    assert told - served == set()
    assert len(told) == len(ROUTES) + len(OPEN)


def test_every_reference_leads_somewhere() -> None:
    names = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(DOCUMENT)))

    assert names <= DOCUMENT["components"]["schemas"].keys()


def test_every_event_is_named() -> None:
    said = DOCUMENT["paths"]["/api/v1/events/negotiations/{demand_id}/stream"]["get"]["responses"]["200"]["description"]

    assert all(f"`{each}`" in said for each in EVENTS)


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [each["operationId"] for operations in DOCUMENT["paths"].values() for each in operations.values()]

    assert len(names) == len(set(names))


# ── whatever somebody sends ───────────────────────────────────────────────────────────────────────────────────────

TEXT: Final = st.text(max_size=40)
JUNK: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


def like(schema: Schema) -> st.SearchStrategy[Any]:
    """Mostly what the schema asks for, and sometimes anything at all."""
    return st.one_of(*[_as_asked(schema)] * 4, JUNK)


def _as_asked(schema: Schema) -> st.SearchStrategy[Any]:
    match schema:
        case {"$ref": str(ref)}:
            return like(DOCUMENT["components"]["schemas"][ref.rpartition("/")[2]])
        case {"anyOf": list(kinds)}:
            return st.one_of([like(each) for each in kinds])
        case {"enum": list(values)}:
            return st.sampled_from(values)
        case {"const": value}:
            return st.just(value)
        case {"type": "string", "pattern": str(pattern)}:
            return st.from_regex(pattern)
        case {"type": "string"}:
            least = schema.get("minLength", 0)
            return st.text(min_size=least, max_size=max(least, 60))
        case {"type": "integer"}:
            return st.integers(schema.get("minimum", -5), schema.get("maximum", 9_999))
        case {"type": "number"}:
            return st.floats(allow_nan=False)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "array"}:
            return st.lists(like(schema.get("items", {})), min_size=schema.get("minItems", 0), max_size=3)
        case {"type": "object", "properties": dict(fields)}:
            needed = {name: like(fields[name]) for name in schema.get("required", ())}
            others = {name: like(each) for name, each in fields.items() if name not in needed}
            return st.fixed_dictionaries(needed, optional=others)
        case {"type": "object"}:
            return st.dictionaries(TEXT, like(schema.get("additionalProperties") or {}), max_size=3)
    return JUNK


Sent = tuple[str, str, bytes | None, dict[str, str]]


def calls() -> st.SearchStrategy[Sent]:
    return st.sampled_from(list(_operations())).flatmap(lambda each: _call(*each))


def _operations() -> Iterator[tuple[str, str, Schema]]:
    for path, operations in DOCUMENT["paths"].items():
        for method, told in operations.items():
            if not path.endswith(STREAMS):
                yield method.upper(), path, told


def _call(method: str, path: str, told: Schema) -> st.SearchStrategy[Sent]:
    ids = st.sampled_from(
        ["d-aaaabbbb", "collab-aaaabbbb", "d-zzzzzzzz", "plan-zzzzzzzz", "user_agent_aya", "directory"]
    ) | st.text(min_size=1, max_size=20)
    query = {each["name"]: like(each["schema"]) for each in told.get("parameters", ()) if each["in"] == "query"}
    key = st.sampled_from([{}, {"Idempotency-Key": "k"}, {"Idempotency-Key": "schlüssel"}])
    content = told.get("requestBody", {}).get("content", {}).get("application/json")
    body = (like(content["schema"]).map(_written) | st.binary(max_size=20)) if content else st.none()

    def sent(parts: tuple[str, dict[str, Any], dict[str, str], bytes | None]) -> Sent:
        name, asked, headers, said = parts
        filled = re.sub(r"\{\w+\}", lambda _: quote(name, safe=""), path)
        return method, f"{filled}?{urlencode(asked, errors='replace')}" if asked else filled, said, headers

    return st.tuples(ids, st.fixed_dictionaries({}, optional=query), key, body).map(sent)


def _written(value: Any) -> bytes:
    return json.dumps(value).encode()


@settings(max_examples=examples(13), deadline=None)
@given(st.lists(calls(), min_size=1, max_size=25))
@example([("POST", "/api/v1/demand/submit", b'{"raw_input": "0", "slack_channel": "C0"}', {})])
async def test_whatever_is_sent_is_answered_as_promised_and_a_refusal_changes_nothing(sent: list[Sent]) -> None:
    """Every answer is held against the document by `check_answer`."""
    async with standing(MemoryStore(), tokens=[ANYBODY]) as it:
        await it.begins()
        anybody = it.as_("anybody")
        await anybody.get("/api/v1/admin/profiles")  # the directory is filled when it is first looked into
        for method, path, body, headers in sent:
            await it.runtime.activity.idle()
            before = await it.store.events(HERE, 0, 100_000)

            answer = await anybody.calls(
                method, path, data=body, headers={"Content-Type": "application/json", **headers}
            )

            # Slack is out of reach here, so what names a channel cannot be begun just now.
            assert answer.status < 500 or (answer.status == 503 and b"slack_channel" in (body or b"")), (
                method,
                path,
                body,
                answer,
            )
            if answer.status >= 400:
                assert await it.store.events(HERE, 0, 100_000) == before, (method, path, body, answer)
