"""Spans of calls to Slack, and of what comes from Slack. What anybody wrote is in none, nor is any address."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from bot.slack.app_by_name import AppByName
from engine.errors import StoreError
from engine.kernel import StreamKey
from engine.runtime.streams import Committed
from engine.runtime.tracing import Role, Tracing, about
from engine.store.port import TRACES, Store

Read = Callable[[StreamKey], Awaitable[Committed]]

MOST_SHOWN: Final = 1_024
"""Streams of which it is known what led to what they show."""
NAME: Final = re.compile(r"[A-Za-z0-9_.:/-]{1,60}")
METHOD: Final = re.compile(r"/([a-zA-Z]+(?:\.[a-zA-Z]+)+)$")
"""At the end of the address of a method. All other addresses are secret: they let whoever has them post."""
WHY: Final = re.compile(rb'"error": ?"([a-z_]{1,60})"')

_SHOWN: Final[ContextVar[StreamKey | None]] = ContextVar("shown", default=None)


class ShownStreams:
    """Knows the trace that led to each stream's posts. The process that committed it wrote it beside the stream."""

    def __init__(self, store: Store, tracing: Tracing) -> None:
        self._store = store
        self._tracing = tracing
        self._causes: dict[StreamKey, str] = {}

    def reading(self, read: Read) -> Read:
        """Read a stream in order to show it: calls to Slack from that task, and from those it starts, are for that."""

        async def read_to_show(key: StreamKey) -> Committed:
            found = await read(key)
            _SHOWN.set(key)
            cause = await self._cause(key)
            self._causes.pop(key, None)  # without an await in between: others may be calling for it
            self._causes[key] = cause
            while len(self._causes) > MOST_SHOWN:
                del self._causes[next(iter(self._causes))]
            return found

        return read_to_show

    def cause(self) -> str:
        """Return what led to the call that is being made."""
        key = _SHOWN.get()
        return self._tracing.current if key is None else self._causes.get(key, "")

    async def _cause(self, key: StreamKey) -> str:
        try:
            found = await self._store.records(key.tenant, TRACES, key.stream)
        except StoreError:
            return self._causes.get(key, "")
        return str(json.loads(found.get(key.stream, '""')))


def traced_calls(tracing: Tracing, cause: Callable[[], str]) -> aiohttp.TraceConfig:
    """Return what tells of every call that is made through a session.

    Args:
        cause: says what led to the call that is being made.
    """
    config = aiohttp.TraceConfig()

    async def began(_: Any, call: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        found = METHOD.search(params.url.path)
        name, key = found.group(1) if found else "response_url", _SHOWN.get()
        call.span = tracing.start(f"slack {name}", Role.CLIENT, about(key) if key else {}, cause())

    async def answered(_: Any, call: SimpleNamespace, params: aiohttp.TraceResponseChunkReceivedParams) -> None:
        refused = b'"ok":false' in params.chunk.replace(b" ", b"")[:4_096]
        why = WHY.search(params.chunk) if refused else None
        call.span.end(why.group(1).decode() if why else "refused" if refused else "ok", is_fault=refused)

    async def arrived(_: Any, call: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        call.span.note({"http.response.status_code": params.response.status})
        if params.response.status >= 400:
            call.span.end(str(params.response.status), is_fault=True)

    async def failed(_: Any, call: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams) -> None:
        call.span.end(type(params.exception).__name__, is_fault=True)

    config.on_request_start.append(began)
    config.on_response_chunk_received.append(answered)
    config.on_request_end.append(arrived)
    config.on_request_exception.append(failed)
    return config


class TracedApp(AppByName):
    """A Bolt app with a span for each payload, until its listener has answered."""

    def __init__(self, *, tracing: Tracing, **more: Any) -> None:
        super().__init__(**more)
        self._tracing = tracing

    async def async_dispatch(self, req: AsyncBoltRequest) -> BoltResponse:
        kind, used = what_is_used(req.body)
        told = {"towow.payload": kind, "towow.used": used}
        with self._tracing.span(f"slack {kind}", Role.SERVER, told, parent="") as span:
            response = await super().async_dispatch(req)
            span.note({"http.response.status_code": response.status})
            span.end(is_fault=response.status >= 500)
            return response


def what_is_used(body: Mapping[str, Any]) -> tuple[str, str]:
    """Return the kind of a payload, and the name of what was used: of ours, or of Slack."""
    event, view, actions = body.get("event"), body.get("view"), body.get("actions")
    first = actions[0] if isinstance(actions, list) and actions else None
    kind = str(body.get("type") or ("command" if body.get("command") else "payload"))
    named = (first, "action_id"), (view, "callback_id"), (event, "type"), (body, "callback_id"), (body, "command")
    used = next((str(each[name]) for each, name in named if isinstance(each, dict) and each.get(name)), "")
    return _name(kind), _name(used)


def _name(said: str) -> str:
    return said if NAME.fullmatch(said) else "other"
