"""Puts a streamed message together, so that it is read as though it had come at once.

Source of the events: Anthropic, "Streaming messages".
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

import httpx2
from anthropic import AsyncStream
from pydantic_core import from_json

STALLED: Final = 20.0
"""Seconds in which nothing comes of a message that has begun. The API sends something every few seconds."""

END: Final = 0.5
"""Seconds in which a stream ends after its message has."""

STATUSES: Final[Mapping[str, int]] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""What an error that comes within a stream would have been, had it come instead of it."""

GROWING: Final[Mapping[str, str]] = {"text_delta": "text", "thinking_delta": "thinking"}
"""Which field of a block a delta makes longer; both have the same name."""


class StreamError(Exception):
    """The API has ended a stream with an error."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = STATUSES.get(kind, 500)


class StreamedMessage:
    """A message of which more and more is there."""

    def __init__(self) -> None:
        self.is_whole = False
        """Whether the API has said that nothing more comes: a stream that was cut off ends like any other."""
        self._message: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._blocks: list[dict[str, Any]] = []
        self._said: list[list[str]] = []
        """What is to be joined, for each block."""

    def take(self, data: str) -> None:
        """Take the data of one event. What is not known is left out, as the API asks for."""
        try:
            self._take(from_json(data))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ValueError("no event of a message") from error

    def message(self) -> Mapping[str, Any]:
        """Return the message as it is by now."""
        content = [_joined(block, "".join(said)) for block, said in zip(self._blocks, self._said, strict=True)]
        return {**self._message, "content": content, "usage": self._usage}

    @property
    def has_begun(self) -> bool:
        return bool(self._message)

    @property
    def usage(self) -> Mapping[str, Any]:
        """What has been counted; empty before the message has begun."""
        return self._usage

    def _take(self, event: Any) -> None:
        match event["type"]:
            case "message_start":
                self._message = event["message"]
                self._usage = dict(self._message.get("usage") or {})
            case "content_block_start":
                self._blocks.append(event["content_block"])
                self._said.append([])
            case "content_block_delta":
                self._grow(event["index"], event["delta"])
            case "message_delta":
                self._message |= event["delta"]
                self._usage |= {name: count for name, count in (event.get("usage") or {}).items() if count is not None}
            case "message_stop":
                self.is_whole = True
            case "error":
                raise StreamError(str(event["error"]["type"]), str(event["error"]["message"]))

    def _grow(self, index: int, delta: Mapping[str, Any]) -> None:
        kind = delta["type"]
        if kind in GROWING:
            self._said[index].append(delta[GROWING[kind]])
        elif kind == "input_json_delta":
            self._said[index].append(delta["partial_json"])
        elif kind == "signature_delta":
            self._blocks[index]["signature"] = delta["signature"]


def _joined(block: Mapping[str, Any], said: str) -> Mapping[str, Any]:
    match block["type"]:
        case "text" | "thinking" as name:
            return {**block, name: block.get(name, "") + said}
        case "tool_use" if said:
            return {**block, "input": from_json(said)}
        case _:
            return block


def is_stream(response: httpx2.Response) -> bool:
    """Return whether it is streamed: what stands in for the API may not do so, though it was asked to."""
    return str(response.headers.get("content-type", "")).startswith("text/event-stream")


async def _read_out(events: AsyncIterator[object]) -> None:
    """Read what is left, so that the connection can be used again; whoever does not end it loses it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(END):
            async for _ in events:
                pass


async def follow(
    response: httpx2.Response,
    message: StreamedMessage,
    limit: asyncio.Timeout,
    ends: float,
    stalled: float,
    begins: Callable[[], None] | None = None,
) -> None:
    """Take a message as it comes, until it is whole.

    Args:
        limit: is moved on as long as something comes.
        ends: when it has to be whole, by the loop's time.
        stalled: seconds in which something more has to come.
        begins: is told once it has begun.

    Raises:
        StreamError
        ValueError: it is no message, or ends before it is whole.
    """
    loop = asyncio.get_running_loop()
    events = AsyncStream.raw_events(response)
    async for event in events:
        limit.reschedule(min(ends, loop.time() + stalled))
        if event.data:
            message.take(event.data)
        if begins is not None and message.has_begun:
            begins()
            begins = None
        if message.is_whole:
            limit.reschedule(None)
            return await _read_out(events)
    raise ValueError("it ended before it was whole")
