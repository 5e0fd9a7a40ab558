"""CPU of a call to a model: of the official SDK with either of its HTTP clients, of ours, and of bytes on a connection.

Keys, each in milliseconds of CPU of this process, by size: a ``short`` answer of a twin, a ``long`` plan (streamed):

| key | what |
| --- | --- |
| ``call_ms_connection`` | one POST by `aiohttp`, and its body read |
| ``call_ms_httpx2`` | the SDK as it comes: ``messages.create``, or ``messages.stream`` |
| ``call_ms_aiohttp`` | the same with the SDK's `DefaultAioHttpClient` |
| ``call_ms_message`` | `engine.llm.messages_api`, which has that client and reads what comes itself |
| ``call_ms_question`` | `engine.llm.claude`: wording, turn, breaker, call, checked answer, row in the ledger |

The API is another process on localhost, which says the same each time, so only the asking is counted.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median
from typing import Any, Final

from aiohttp import ClientSession
from anthropic import AsyncAnthropic, DefaultAioHttpClient
from anthropic.types import Message
from rich.console import Console
from rich.table import Table

from benchmarks.cost import Figures
from engine.kernel import ModelAnswer
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.llm.messages_api import LONG, MessagesApi, Request, user
from engine.llm.schema import answer_schema
from engine.runtime.clock import WallClock
from tests.anthropic_server import KEY
from tests.anthropic_server.streaming import events
from tests.llm.prompt_cases import PromptCase, case_for
from tests.negotiation.prompts import PROMPTS

ASKED: Final[Mapping[str, PromptCase]] = {"short": case_for("respond"), "long": case_for("aggregate")}
WAYS: Final = ("connection", "httpx2", "aiohttp", "message", "question")
CALLS: Final = 200
"""Each time."""
AT_ONCE: Final = 10
TIMES: Final = 5
"""The ways take turns so often; the median counts."""
SECONDS: Final = 10.0
"""For a call."""

Call = Callable[[], Awaitable[object]]


async def measure() -> Figures:
    found: dict[str, dict[str, float]] = {f"call_ms_{way}": {} for way in WAYS}
    async with served() as url, AsyncExitStack() as stack:
        for size, asked in ASKED.items():
            ways = await ways_to_ask(asked, url, stack)
            taken: dict[str, list[float]] = {way: [] for way in WAYS}
            for turn in range(TIMES + 1):
                for way, call in ways.items():
                    cpu = await _cpu_ms(call)
                    if turn:  # the first one loads what is loaded once
                        taken[way].append(cpu)
            for way, each in taken.items():
                found[f"call_ms_{way}"][size] = round(median(each), 2)
    return found


def tell(found: Figures, console: Console) -> None:
    table = Table("CPU of a call, ms", *ASKED, title=f"{AT_ONCE} calls at once")
    for way in WAYS:
        table.add_row(way, *(f"{found[f'call_ms_{way}'][size]:.2f}" for size in ASKED))
    console.print(table)


async def _cpu_ms(call: Call) -> float:
    began = time.process_time()
    for _ in range(CALLS // AT_ONCE):
        await asyncio.gather(*(call() for _ in range(AT_ONCE)))
    return (time.process_time() - began) * 1000 / CALLS


async def ways_to_ask(asked: PromptCase, url: str, stack: AsyncExitStack) -> dict[str, Call]:
    """Return one call in each way; what they need is closed with the stack."""
    question = asked.question
    prompt = question.prompt
    returns: type[ModelAnswer] = question.returns
    schema = answer_schema(returns)
    parts = prompt.render_parts(question.given, "0" * 16, question.language)
    session = await stack.enter_async_context(ClientSession())
    plain = await stack.enter_async_context(AsyncAnthropic(api_key=KEY, base_url=url, max_retries=0))
    client = DefaultAioHttpClient()
    fast = await stack.enter_async_context(AsyncAnthropic(api_key=KEY, base_url=url, max_retries=0, http_client=client))
    api = MessagesApi(KEY, url)
    stack.push_async_callback(api.close)
    claude = ClaudeModel(KEY, PROMPTS.values(), MemoryLedger(), WallClock(), base_url=url)
    stack.push_async_callback(claude.close)
    body: dict[str, Any] = {
        "model": prompt.model,
        "max_tokens": prompt.max_tokens,
        "messages": [user(*parts)],
        "output_config": {"effort": prompt.effort, "format": {"type": "json_schema", "schema": dict(schema)}},
    }
    is_long = prompt.max_tokens >= LONG
    headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
    request = Request(prompt.model, prompt.max_tokens, prompt.effort, schema, [user(*parts)])

    async def connection() -> None:
        async with session.post(f"{url}/v1/messages", json={**body, "stream": is_long}, headers=headers) as response:
            await response.read()

    async def sdk(client: AsyncAnthropic) -> Message:
        if not is_long:
            created: Message = await client.messages.create(**body)
            return created
        async with client.messages.stream(**body) as stream:
            return await stream.get_final_message()

    return {
        "connection": connection,
        "httpx2": lambda: sdk(plain),
        "aiohttp": lambda: sdk(fast),
        "message": lambda: api.send(request, SECONDS),
        "question": lambda: claude.answer(question),
    }


# ── the API, in another process ───────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def served() -> AsyncIterator[str]:
    """Yield the URL of a process that answers while the block runs."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.calls", stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    try:
        yield (await server.stdout.readline()).decode().strip()
    finally:
        server.terminate()
        await server.wait()


class Canned(asyncio.Protocol):
    """Answers each request on a connection with the good answer to what it asks, and looks at nothing else of it."""

    def __init__(self) -> None:
        self._received = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, rest = self._received.partition(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
        )
        if found and len(rest) >= length and self._transport is not None:
            self._received = rest[length:]
            is_long = json.loads(rest[:length]).get("stream")
            self._transport.write(LONG_ANSWER if is_long else SHORT_ANSWER)


def _answer(size: str) -> bytes:
    said = json.dumps(ASKED[size].good, ensure_ascii=False)
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-5-5",
        "content": [{"type": "text", "text": said}], "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1_500, "output_tokens": len(said) // 4},
    }  # fmt: skip
    is_long = size == "long"
    body = b"".join(events(message)) if is_long else json.dumps(message).encode()
    kind = "text/event-stream" if is_long else "application/json"
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nrequest-id: req_1\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


SHORT_ANSWER, LONG_ANSWER = (_answer(size) for size in ("short", "long"))


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Canned, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
