"""As much of OpenAI's Responses API as an agent needs to end its turns, on a port of this machine."""

import json
from collections.abc import Callable, Mapping
from itertools import count
from types import TracebackType
from typing import Any, Final, Self

from aiohttp import web

KEY: Final = "sk-local-000000000000"
LARGEST_BODY: Final = 32 * 1024 * 1024
"""Bytes."""
Item = Mapping[str, Any]
Answering = Callable[[Mapping[str, Any]], Item]
"""Takes a request's body, and returns the one item of the answer."""


def says(text: str) -> Item:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "role": "assistant", "status": "completed", "content": content}


class LocalResponses:
    """Served on 127.0.0.1 while the ``async with`` block runs; every answer is streamed, as agents want it."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._numbers = count(1)
        self.requests: list[Mapping[str, Any]] = []
        self.faults: list[str] = []
        """What was asked that is no request for an answer, and what had another key."""
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=LARGEST_BODY)
        app.router.add_post("/v1/responses", self._answer)
        app.router.add_route("*", "/{rest:.*}", self._other)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._runner.cleanup()

    async def _other(self, request: web.Request) -> web.Response:
        self.faults.append(f"{request.method} {request.path}")
        return web.json_response({"error": {"message": "There is nothing here.", "type": "not_found"}}, status=404)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            self.faults.append("another key")
            return web.json_response({"error": {"message": "Wrong key.", "type": "invalid_api_key"}}, status=401)
        body = await request.json()
        self.requests.append(body)
        number = next(self._numbers)
        item = {"id": f"item_{number}", **self._answering(body)}
        response = {"id": f"resp_{number}", "object": "response", "model": body["model"], "output": []}
        counted = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 40}, "output_tokens": 20}
        usage = {**counted, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120}
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(request)
        for kind, data in (
            ("response.created", {"response": {**response, "status": "in_progress"}}),
            ("response.output_item.added", {"output_index": 0, "item": item}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": {**response, "status": "completed", "output": [item], "usage": usage}}),
        ):
            await stream.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode())
        await stream.write_eof()
        return stream
