"""What is streamed is what would have been answered at once."""

from typing import Any

import pytest
from anthropic import AsyncAnthropic, BadRequestError

from . import LocalAnthropic, Says, Step, Uses

ASKED: dict[str, Any] = {
    "model": "claude-sonnet-4-6",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "Hello"}],
}
LOOK: Any = {"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {}}}


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(
            Says("A text that is longer than one piece of the stream is, by far: 你好", thinking="Well"), id="text"
        ),
        pytest.param(Uses([("look", {"where": "here" * 20}), ("look", {})], text="Let me see"), id="calls"),
        pytest.param(Says("short", stop_reason="max_tokens"), id="cut off"),
    ],
)
async def test_a_stream_tells_the_same_message(server: LocalAnthropic, client: AsyncAnthropic, step: Step) -> None:
    server.then(step, step)
    whole = await client.messages.create(**ASKED, tools=[LOOK])
    async with client.messages.stream(**ASKED, tools=[LOOK]) as stream:
        streamed = await stream.get_final_message()
    assert streamed.stop_reason == whole.stop_reason
    assert _told(streamed.to_dict()) == _told(whole.to_dict())


def _told(message: dict[str, object]) -> object:
    content = message["content"]
    assert isinstance(content, list)
    return [
        {name: each[name] for name in each if name in ("type", "text", "thinking", "name", "input")} for each in content
    ]


async def test_a_field_of_a_beta_is_taken_from_whoever_names_the_beta(
    server: LocalAnthropic, client: AsyncAnthropic
) -> None:
    server.always(Says("taken"))
    more: Any = {"context_management": {"edits": []}}
    with pytest.raises(BadRequestError, match="context_management: Extra inputs"):
        await client.messages.create(**ASKED, extra_body=more)
    named = {"anthropic-beta": "interleaved-thinking-2025-05-14,context-management-2025-06-27"}
    assert (await client.messages.create(**ASKED, extra_body=more, extra_headers=named)).stop_reason == "end_turn"
