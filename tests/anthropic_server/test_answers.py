"""What the local server answers, seen through the official SDK."""

import asyncio
import json
from json import JSONDecodeError

import jsonschema_rs
import pytest
from anthropic import APIConnectionError, APIStatusError, APITimeoutError, AsyncAnthropic
from anthropic.types import Message, TextBlock, ToolUseBlock

from . import Drops, Fits, Garbled, LocalAnthropic, Refuses, Says, Stalls, Status, Truncated, Uses

SCHEMA = {
    "type": "object",
    "properties": {
        "decision": {"enum": ["yes", "no"]},
        "when": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "tasks": {"type": "array", "items": {"$ref": "#/$defs/Task"}, "minItems": 1},
    },
    "required": ["decision", "when", "tasks"],
    "additionalProperties": False,
    "$defs": {
        "Task": {
            "type": "object",
            "properties": {"hours": {"type": "integer"}, "share": {"type": "number"}, "core": {"type": "boolean"}},
            "required": ["hours", "share", "core"],
            "additionalProperties": False,
        }
    },
}


async def ask(client: AsyncAnthropic, seconds: float = 5.0) -> Message:
    return await client.messages.create(
        model="claude-sonnet-5-5",
        max_tokens=1000,
        messages=[{"role": "user", "content": "What now?"}],
        output_config={"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
        timeout=seconds,
    )


def text_of(message: Message) -> str:
    (block,) = message.content
    assert isinstance(block, TextBlock)
    return block.text


@pytest.mark.parametrize("items", [1, 200])
async def test_told_nothing_else_it_answers_what_fits_the_requests_schema(
    server: LocalAnthropic, client: AsyncAnthropic, items: int
) -> None:
    server.always(Fits(items))
    answer = json.loads(text_of(await ask(client)))
    jsonschema_rs.validate(SCHEMA, answer)
    assert len(answer["tasks"]) == items


async def test_the_script_is_followed_in_order_and_then_what_always_holds(
    server: LocalAnthropic, client: AsyncAnthropic
) -> None:
    server.then(Says("one"), Says({"number": 2})).always(Says("more"))
    assert [text_of(await ask(client)) for _ in range(4)] == ["one", '{"number": 2}', "more", "more"]


async def test_an_answer_can_depend_on_the_request(server: LocalAnthropic, client: AsyncAnthropic) -> None:
    server.always(lambda received: Says(received.body["messages"][0]["content"]))
    assert text_of(await ask(client)) == "What now?"


async def test_every_answer_has_its_own_request_id_and_says_what_it_used(
    server: LocalAnthropic, client: AsyncAnthropic
) -> None:
    server.then(Says("four" * 10), Says("x", usage={"input_tokens": 7, "output_tokens": 9}))
    counted, told = await ask(client), await ask(client)
    assert (counted._request_id, told._request_id) == ("req_000001", "req_000002")
    assert counted.usage.output_tokens == 11
    assert (told.usage.input_tokens, told.usage.output_tokens) == (7, 9)


async def test_a_model_that_stops_early_says_why(server: LocalAnthropic, client: AsyncAnthropic) -> None:
    server.then(Truncated('{"summ'), Refuses())
    cut, refused = await ask(client), await ask(client)
    assert (cut.stop_reason, text_of(cut)) == ("max_tokens", '{"summ')
    assert (refused.stop_reason, refused.content) == ("refusal", [])


async def test_a_model_can_call_tools_before_it_answers(server: LocalAnthropic, client: AsyncAnthropic) -> None:
    server.then(Uses([("look", {"where": "here"}), ("rest", {})], text="Let me see."))
    calling = await ask(client)
    text, look, rest = calling.content
    assert calling.stop_reason == "tool_use"
    assert isinstance(text, TextBlock)
    assert isinstance(look, ToolUseBlock)
    assert isinstance(rest, ToolUseBlock)
    assert (look.name, look.input, rest.name) == ("look", {"where": "here"}, "rest")
    assert look.id != rest.id


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (529, "overloaded_error"),
    ],
)
async def test_an_error_has_the_apis_type_and_headers(
    server: LocalAnthropic, client: AsyncAnthropic, status: int, kind: str
) -> None:
    server.then(Status(status, retry_after="7"))
    with pytest.raises(APIStatusError) as failed:
        await ask(client)
    assert (failed.value.status_code, str(failed.value.type)) == (status, kind)
    assert failed.value.response.headers["retry-after"] == "7"


async def test_a_garbled_body_is_no_message(server: LocalAnthropic, client: AsyncAnthropic) -> None:
    server.then(Garbled(), Garbled("<html>", "text/html"))
    with pytest.raises(JSONDecodeError):
        await ask(client)
    assert not isinstance(await ask(client), Message)


@pytest.mark.parametrize("step", [Drops("before"), Drops("after")])
async def test_a_connection_can_break(server: LocalAnthropic, client: AsyncAnthropic, step: Drops) -> None:
    server.then(step)
    with pytest.raises(APIConnectionError):
        await ask(client)
    assert text_of(await ask(client))


async def test_a_stalled_answer_never_comes_and_holds_up_nobody_else(
    server: LocalAnthropic, client: AsyncAnthropic
) -> None:
    server.then(Stalls())
    with pytest.raises(APITimeoutError):
        await ask(client, seconds=0.05)
    assert text_of(await ask(client))


async def test_an_answer_can_take_its_time_and_holds_up_nobody_else(
    server: LocalAnthropic, client: AsyncAnthropic
) -> None:
    server.then(Says("slow", after=60), Says("fast", after=0.01))
    slow = asyncio.create_task(ask(client, seconds=60))
    await server.received(1)
    assert text_of(await ask(client)) == "fast"
    assert not slow.done()
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
