"""The server on a port of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import count
from types import TracebackType
from typing import Any, Final, Self

from aiohttp import web

from .answers import Breaks, Drips, Drops, Fits, Garbled, Refuses, Says, Stalls, Status, Step, Uses
from .prompt_cache import Counted, PromptCache, tokens_of
from .refusals import TYPES, Refusal, check_key, check_request
from .schemas import example
from .streaming import error, events, ping

KEY: Final = "sk-ant-local-000000000000"
LARGEST_BODY: Final = 32 * 1024 * 1024
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Received:
    """A request, whatever became of it."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    request_id: str
    refusal: Refusal | None

    @property
    def schema(self) -> Mapping[str, Any]:
        schema: Mapping[str, Any] = self.body["output_config"]["format"]["schema"]
        return schema

    def said(self, position: int = 0) -> str:
        """The text of a message, whoever's it is."""
        return "".join(block.get("text", "") for block in self.body["messages"][position]["content"])

    @property
    def tool_results(self) -> list[Mapping[str, Any]]:
        """What came of the calls of the last answer, in the order in which they were told."""
        return [block for block in self.body["messages"][-1]["content"] if block["type"] == "tool_result"]


Answering = Callable[[Received], Step]


class LocalAnthropic:
    """Served on 127.0.0.1 while the ``async with`` block runs.

    Every valid request takes the next step of the script (`then`), or else the answer that always holds (`always`).
    """

    """
    Args:
        key: that is wanted; empty: none is.
        lacks: fields that this server does not know, wherever they stand in a request.
        names: whether it says which field it does not know.
    """

    def __init__(
        self,
        key: str = KEY,
        largest_body: int = LARGEST_BODY,
        *,
        lacks: Collection[str] = (),
        names: bool = True,
    ) -> None:
        self.requests: list[Received] = []
        self.stalled = 0
        """Requests of which no more is answered."""
        self._key = key
        self._lacks = lacks
        self._names = names
        self._largest_body = largest_body
        self._numbers = count(1)
        self._script: deque[Step] = deque()
        self._always: Answering = lambda _: Fits()
        self._cache = PromptCache()
        self._arrived = asyncio.Condition()
        self._closing = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=self._largest_body)
        application.add_routes([web.post("/v1/messages", self._messages), web.get("/v1/models", self._models)])
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._runner is not None:
            await self._runner.cleanup()

    def then(self, *steps: Step) -> Self:
        self._script.extend(steps)
        return self

    def always(self, answering: Answering | Step) -> Self:
        self._always = answering if callable(answering) else lambda _: answering
        return self

    async def received(self, number: int) -> Received:
        """The request of that number, from 1, once it is here."""
        async with asyncio.timeout(60), self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= number)
        return self.requests[number - 1]

    async def _models(self, request: web.Request) -> web.StreamResponse:
        """What there is does not matter here; whether the key is taken does."""
        try:
            check_key(request.headers, self._key)
        except Refusal as refusal:
            return _json(refusal.status, refusal.body("req_models"), "req_models")
        return _json(200, {"data": [], "has_more": False, "first_id": None, "last_id": None}, "req_models")

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        received = await self._receive(request)
        async with self._arrived:
            self.requests.append(received)
            self._arrived.notify_all()
        if received.refusal is not None:
            return _json(received.refusal.status, received.refusal.body(received.request_id), received.request_id)
        counted = self._cache.counted(received.body)
        step = self._script.popleft() if self._script else self._always(received)
        if step.after:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), step.after)
        is_streamed = bool(received.body.get("stream"))
        match step:
            case Stalls(when="before"):
                await self._stall()
                return web.Response(status=503)
            case Drops(when="after") | Stalls() | Breaks() if is_streamed:
                return await self._break_off(request, _message(Fits(), received, counted), step)
            case Breaks():
                status = next(status for status, kind in TYPES.items() if kind == step.kind)
                return _status(Status(status), received.request_id)
            case Stalls():
                return await _half(request, _message(Fits(), received, counted), self._stall)
            case Drips():
                return await self._drip(request, step, ping() if is_streamed else b" ")
            case Drops(when="before"):
                return _cut(request)
            case Drops():
                return await _half(request, _message(Fits(), received, counted))
            case Status():
                return _status(step, received.request_id)
            case Garbled():
                return web.Response(
                    text=step.body,
                    status=step.status,
                    content_type=step.content_type,
                    headers={"request-id": received.request_id},
                )
            case _:
                self._cache.keep(received.body)
                message = _message(step, received, counted)
                if is_streamed:
                    every = step.every if isinstance(step, Says) else 0.0
                    return await _stream(request, message, received.request_id, every)
                return _json(200, message, received.request_id)

    async def _break_off(
        self, request: web.Request, message: Mapping[str, Any], step: Drops | Stalls | Breaks
    ) -> web.StreamResponse:
        """Stream the first half, and then what the step says."""
        told = [*events(message)]
        response = web.StreamResponse(headers={"content-type": "text/event-stream", "request-id": message["id"]})
        await response.prepare(request)
        for event in told[: len(told) // 2]:
            await response.write(event)
        match step:
            case Breaks():
                await response.write(error(step.kind))
            case Stalls():
                await self._stall()
            case Drops():
                return _cut(request)
        return response

    def _check_known(self, body: Any) -> None:
        """
        Raises:
            Refusal: there is a field that this server does not know.
        """
        for name in self._lacks:
            if name in names_in(body):
                raise Refusal(400, f"{name}: unknown field" if self._names else "this request cannot be read")

    async def _stall(self) -> None:
        self.stalled += 1
        await self._closing.wait()

    async def _drip(self, request: web.Request, step: Drips, drop: bytes) -> web.StreamResponse:
        kind = "application/json" if drop == b" " else "text/event-stream"
        response = web.StreamResponse(headers={"content-type": kind})
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):  # nobody listens any more
            while not self._closing.is_set():
                await response.write(drop)
                await asyncio.sleep(step.every)
        return response

    async def _receive(self, request: web.Request) -> Received:
        request_id = f"req_{next(self._numbers):06d}"
        body: Any = None
        refusal: Refusal | None = None
        try:
            body = json.loads(await request.text())
            check_request(request.headers, body, self._key)
            self._check_known(body)
        except web.HTTPRequestEntityTooLarge:
            refusal = Refusal(413, "Request exceeds the maximum size")
        except ValueError:
            refusal = Refusal(400, "The request body is not valid JSON.")
        except Refusal as error:
            refusal = error
        return Received(body if isinstance(body, dict) else {}, dict(request.headers), request_id, refusal)


def names_in(value: Any) -> set[str]:
    """Return the names of all fields that are set, however deep they are; of a schema only its own."""
    match value:
        case dict():
            inside = [names_in(each) for name, each in value.items() if name not in ("schema", "input_schema")]
            return {name for name, each in value.items() if each}.union(*inside)
        case list():
            return set().union(*map(names_in, value))
        case _:
            return set()


def _message(step: Says | Fits | Uses | Refuses, received: Received, counted: Counted) -> dict[str, Any]:
    match step:
        case Uses():
            text, stop_reason = step.text, step.stop_reason
        case Says():
            text, stop_reason = step.text, step.stop_reason
        case Fits():
            text, stop_reason = json.dumps(example(received.schema, step.items)), "end_turn"
        case Refuses():
            text, stop_reason = "", "refusal"
    usage = {
        "input_tokens": counted.input,
        "output_tokens": tokens_of(text) + 1,
        "cache_creation_input_tokens": counted.written,
        "cache_read_input_tokens": counted.read,
    }
    return {
        "id": received.request_id.replace("req", "msg"),
        "type": "message",
        "role": "assistant",
        "model": (step.model if isinstance(step, Says) else None) or received.body["model"],
        "content": [*_thinking(step), *([{"type": "text", "text": text}] if text else []), *_uses(step, received)],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": dict(step.usage) if isinstance(step, Says) and step.usage is not None else usage,
    }


def _uses(step: Says | Fits | Uses | Refuses, received: Received) -> list[dict[str, Any]]:
    calls = step.calls if isinstance(step, Uses) else ()
    ids = received.request_id.replace("req", "toolu")
    return [
        {"type": "tool_use", "id": f"{ids}_{number}", "name": name, "input": said, "caller": {"type": "direct"}}
        for number, (name, said) in enumerate(calls)
    ]


def _thinking(step: Says | Fits | Uses | Refuses) -> list[dict[str, str]]:
    if isinstance(step, Says | Uses) and step.thinking:
        return [{"type": "thinking", "thinking": step.thinking, "signature": "local"}]
    return []


def _status(step: Status, request_id: str) -> web.Response:
    headers = {"retry-after": step.retry_after, "x-should-retry": step.should_retry}
    response = _json(step.status, Refusal(step.status, step.message).body(request_id), request_id)
    response.headers.update({name: value for name, value in headers.items() if value is not None})
    return response


def _json(status: int, body: Mapping[str, Any], request_id: str) -> web.Response:
    return web.json_response(body, status=status, headers={"request-id": request_id})


async def _stream(
    request: web.Request, message: Mapping[str, Any], request_id: str, every: float
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"content-type": "text/event-stream", "request-id": request_id})
    with contextlib.suppress(ConnectionError):  # nobody listens any more
        await response.prepare(request)
        for event in events(message):
            await response.write(event)
            await asyncio.sleep(every)
        await response.write_eof()
    return response


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _half(
    request: web.Request, message: Mapping[str, Any], then: Callable[[], Awaitable[object]] | None = None
) -> web.StreamResponse:
    """The head and half of the body; then the connection is gone, at once or later."""
    whole = json.dumps(message).encode()
    response = web.StreamResponse(headers={"content-type": "application/json", "content-length": str(len(whole))})
    await response.prepare(request)
    await response.write(whole[: len(whole) // 2])
    if then is not None:
        await then()
    _cut(request)
    return response
