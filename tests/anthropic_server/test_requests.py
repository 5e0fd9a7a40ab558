"""What the API refuses, the local server refuses: seen through the official SDK."""

from collections.abc import Mapping
from typing import Any

import pytest
from anthropic import AsyncAnthropic, AuthenticationError, BadRequestError, NotFoundError, RequestTooLargeError
from anthropic.types import Message

from . import KEY, LocalAnthropic, Says

HELLO = {"role": "user", "content": "Hello"}
VALID: Mapping[str, Any] = {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": [HELLO]}


def shaped(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"format": {"type": "json_schema", "schema": schema}}


def thing(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
MARKED = {"type": "text", "text": "Hello", "cache_control": {"type": "ephemeral"}}
NULLABLE = {"anyOf": [TEXT, {"type": "null"}]}


async def send(client: AsyncAnthropic, changes: Mapping[str, Any]) -> Message:
    body = {name: value for name, value in {**VALID, **changes}.items() if value is not None}
    return await client.post("/v1/messages", body=body, cast_to=Message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"temperature": 0.3}, "`temperature` is not supported", id="a temperature"),
        pytest.param({"top_p": 0.9}, "`top_p` is not supported", id="top_p"),
        pytest.param({"top_k": 5}, "`top_k` is not supported", id="top_k"),
        pytest.param({"output_format": {}}, "output_format: Extra inputs", id="a field there is not"),
        pytest.param({"tool_choice": {"type": "any"}}, "cannot be forced", id="some tool forced"),
        pytest.param({"tool_choice": {"type": "tool", "name": "x"}}, "cannot be forced", id="one tool forced"),
        pytest.param({"model": None}, "model: Field required", id="no model"),
        pytest.param({"max_tokens": None}, "max_tokens: Field required", id="no max_tokens"),
        pytest.param({"max_tokens": 0}, "positive integer", id="no tokens at all"),
        pytest.param({"messages": []}, "at least one message", id="no messages"),
        pytest.param({"messages": [HELLO, HELLO]}, "roles must alternate", id="the user twice"),
        pytest.param({"messages": [{**HELLO, "role": "assistant"}]}, "roles must alternate", id="not the user first"),
        pytest.param({"messages": [HELLO, {**HELLO, "role": "assistant"}]}, "prefilled", id="a prefilled answer"),
        pytest.param({"messages": [{**HELLO, "content": []}]}, "must not be empty", id="no content"),
        pytest.param({"messages": [{**HELLO, "content": " \n"}]}, "non-whitespace", id="only blanks"),
        pytest.param({"messages": [{**HELLO, "content": [MARKED] * 5}]}, "Found 5", id="five marks for the cache"),
        pytest.param(
            {"messages": [{**HELLO, "content": [{**MARKED, "cache_control": {"type": "kept"}}]}]},
            "should be 'ephemeral'",
            id="an unknown mark",
        ),
        pytest.param({"output_config": {"effort": "some"}}, "effort: 'some' is none of", id="an unknown effort"),
        pytest.param({"output_config": {"schema": {}}}, "output_config: Extra inputs", id="a misplaced schema"),
    ],
)
async def test_a_request_the_api_would_not_take_is_refused(
    client: AsyncAnthropic, changes: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(BadRequestError, match=message) as refused:
        await send(client, changes)
    assert refused.value.type == "invalid_request_error"
    assert refused.value.request_id == "req_000001"


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        pytest.param({"type": "array", "items": TEXT}, "root must be an object", id="a list"),
        pytest.param({**thing(a=TEXT), "additionalProperties": True}, "explicitly set to false", id="an open object"),
        pytest.param({"type": "object", "properties": {}}, "explicitly set to false", id="an object left open"),
        pytest.param(thing(a={**TEXT, "minLength": 1}), "'minLength' is not supported", id="minLength"),
        pytest.param(thing(a={"type": "integer", "maximum": 100}), "'maximum' is not supported", id="maximum"),
        pytest.param(thing(a={"type": "array", "items": TEXT, "maxItems": 3}), "'maxItems' is not", id="maxItems"),
        pytest.param(thing(a={"type": "array", "items": TEXT, "minItems": 2}), "other than 0 or 1", id="minItems"),
        pytest.param(thing(a={**TEXT, "format": "slack-id"}), "'slack-id' is not supported", id="an unknown format"),
        pytest.param(thing(a={}), "must have a type", id="anything at all"),
        pytest.param(thing(a={"$ref": "#/$defs/No"}), "refers to nothing", id="a reference to nothing"),
        pytest.param(
            {**thing(a={"$ref": "#/$defs/A"}), "$defs": {"A": thing(b={"$ref": "#/$defs/A"})}},
            "Recursive schemas",
            id="recursion",
        ),
        pytest.param(
            {**thing(**{f"f{number}": TEXT for number in range(25)}), "required": []},
            r"\(25\)",
            id="25 optional fields",
        ),
        pytest.param(thing(**{f"f{number}": NULLABLE for number in range(17)}), r"\(17\)", id="17 unions"),
    ],
)
async def test_a_schema_the_api_would_not_take_is_refused(
    client: AsyncAnthropic, schema: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(BadRequestError, match=message):
        await send(client, {"output_config": shaped(schema)})


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(
            {**thing(**{f"f{number}": TEXT for number in range(24)}), "required": []}, id="24 optional fields"
        ),
        pytest.param(thing(**{f"f{number}": NULLABLE for number in range(16)}), id="16 unions"),
        pytest.param(thing(a={"type": "array", "items": TEXT, "minItems": 1}), id="at least one"),
        pytest.param(
            {**thing(a={"$ref": "#/$defs/A"}, b={"$ref": "#/$defs/A"}), "$defs": {"A": thing(c=TEXT)}},
            id="the same twice",
        ),
    ],
)
async def test_a_schema_at_the_limit_is_taken(client: AsyncAnthropic, schema: Mapping[str, Any]) -> None:
    assert (await send(client, {"output_config": shaped(schema)})).stop_reason == "end_turn"


def tool(name: str = "look", schema: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Looks.", "input_schema": schema or thing(where=TEXT), **more}


LOOK = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"where": "here"}}
SEEN = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "nothing"}
WORD = {"type": "text", "text": "Well"}


def turns(*contents: Any) -> list[dict[str, Any]]:
    """The first message, then the assistant and the user in turn."""
    roles = ("assistant", "user")
    return [HELLO, *({"role": roles[at % 2], "content": [*said]} for at, said in enumerate(contents))]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"tools": [tool("look around")]}, "name: String should match pattern", id="a name with a blank"),
        pytest.param({"tools": [tool("x" * 65)]}, "name: String should match pattern", id="a long name"),
        pytest.param({"tools": [tool(), tool()]}, "names must be unique", id="the same name twice"),
        pytest.param({"tools": [{"name": "look"}]}, "input_schema: Field required", id="no schema"),
        pytest.param({"tools": [tool(schema=TEXT)]}, "type: Input should be 'object'", id="a text as its input"),
        pytest.param({"tools": [tool(run="now")]}, "Extra inputs are not permitted", id="a field there is not"),
        pytest.param(
            {"tools": [tool(schema={"type": "object", "properties": {}}, strict=True)]},
            "explicitly set to false",
            id="a strict tool with an open schema",
        ),
        pytest.param(
            {"tools": [tool(f"t{at}", strict=True) for at in range(21)]}, r"strict tools \(21\)", id="21 tools"
        ),
        pytest.param(
            {
                "tools": [tool(schema=thing(**{f"f{at}": NULLABLE for at in range(9)}), strict=True)],
                "output_config": shaped(thing(**{f"f{at}": NULLABLE for at in range(8)})),
            },
            r"union types \(17\)",
            id="too many unions together",
        ),
        pytest.param({"tool_choice": {"type": "none"}}, "while providing tools", id="a choice without tools"),
        pytest.param({"messages": turns([LOOK], [SEEN])}, "must define tools", id="calls without tools"),
        pytest.param({"tools": [tool()], "messages": turns([LOOK], [WORD])}, "without `tool_result`", id="no result"),
        pytest.param(
            {"tools": [tool()], "messages": turns([WORD], [SEEN])}, "unexpected `tool_use_id`", id="a result of nothing"
        ),
        pytest.param(
            {"tools": [tool()], "messages": turns([LOOK], [SEEN, SEEN])}, "a single result", id="the same result twice"
        ),
        pytest.param({"tools": [tool()], "messages": turns([LOOK], [WORD, SEEN])}, "come first", id="words before it"),
        pytest.param({"tools": [tool()], "messages": turns([SEEN], [LOOK])}, "cannot say a block", id="turned around"),
        pytest.param(
            {"tools": [tool()], "messages": turns([{**LOOK, "input": "here"}], [SEEN])},
            "a valid dictionary",
            id="a text as an input",
        ),
        pytest.param(
            {"tools": [tool()], "messages": turns([LOOK], [{**SEEN, "error": True}])}, "Extra inputs", id="an error"
        ),
        pytest.param(
            {"tools": [tool()], "messages": turns([LOOK], [{**SEEN, "content": " "}])}, "non-whitespace", id="blanks"
        ),
    ],
)
async def test_tools_the_api_would_not_take_are_refused(
    client: AsyncAnthropic, changes: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(BadRequestError, match=message):
        await send(client, {"output_config": shaped(thing(a=TEXT)), **changes})


async def test_a_conversation_with_tools_is_taken(client: AsyncAnthropic) -> None:
    tools = [tool(strict=True), tool("rest", {"type": "object", "properties": {}})]
    thought = {"type": "thinking", "thinking": "Well", "signature": "local"}
    messages = turns([thought, WORD, LOOK], [{**SEEN, "is_error": True}, WORD])
    changes = {"tools": tools, "messages": messages, "tool_choice": {"type": "none"}}
    assert (await send(client, {"output_config": shaped(thing(a=TEXT)), **changes})).stop_reason == "end_turn"


async def test_a_model_nobody_knows_is_not_found(client: AsyncAnthropic) -> None:
    with pytest.raises(NotFoundError, match="claude-haiku-55"):
        await send(client, {"model": "claude-haiku-55"})


async def test_another_key_is_no_key(server: LocalAnthropic, client: AsyncAnthropic) -> None:
    with pytest.raises(AuthenticationError):
        await send(client.with_options(api_key="sk-ant-other"), {})
    assert server.requests[0].refusal is not None


async def test_a_body_that_is_too_large_is_said_to_be() -> None:
    async with (
        LocalAnthropic(largest_body=1000) as server,
        AsyncAnthropic(api_key=KEY, base_url=server.url, max_retries=0) as client,
    ):
        with pytest.raises(RequestTooLargeError):
            await send(client, {"messages": [{**HELLO, "content": "x" * 1000}]})


async def test_what_is_refused_uses_up_no_step_of_the_script(server: LocalAnthropic, client: AsyncAnthropic) -> None:
    server.then(Says("the first step"))
    with pytest.raises(BadRequestError):
        await send(client, {"temperature": 1})
    assert "the first step" in (await send(client, {})).model_dump_json()
