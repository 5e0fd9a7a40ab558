"""Makes one HTTP call of the Messages API through the official SDK, and tells what its failures mean."""

import asyncio
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, cast

import httpx2
from anthropic import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    AsyncAPIResponse,
    DefaultAioHttpClient,
    Omit,
    omit,
)
from anthropic.types import MessageParam, OutputConfigParam, TextBlockParam, ToolParam, ToolResultBlockParam
from pydantic import BaseModel, ConfigDict
from pydantic_core import from_json

from engine.errors import ModelError, ModelTimeout, ModelUnavailable
from engine.llm.address import PUBLIC_URL
from engine.llm.dialect import Dialect, Feature
from engine.llm.ledger import FailureCause, Outcome
from engine.llm.schema import Schema, can_be_strict, tool_schema
from engine.llm.spending import Tokens
from engine.llm.streamed import STALLED, StreamedMessage, StreamError, follow, is_stream
from engine.llm.tools import Tool
from engine.proxies import proxy_for

_NO_KEY: Final[Any] = {"X-Api-Key": Omit(), "Authorization": Omit()}
"""The SDK wants to be told that there is no key on purpose."""


TOO_MANY: Final = 429

OWN_MISTAKES: Final = frozenset({400, 404, 413, 422})
"""Statuses that say our request was wrong: only their messages are logged in full."""

LONGEST_MESSAGE: Final = 300
"""Characters of the API's words that go into the log."""

UNTRUSTED: Final = "certificate"
"""What a failure is about where it is the certificate of who answers."""

LONG: Final = 2_000
"""Tokens: an answer that may be as long is streamed, so that it is seen whether more of it comes."""

Effort = Literal["low", "medium", "high", "xhigh", "max"]


@dataclass(frozen=True, slots=True)
class Request:
    model: str
    max_tokens: int
    effort: str
    schema: Schema
    messages: Sequence[MessageParam]
    tools: Sequence[Tool[Any]] = ()
    may_call: bool = True
    """Whether the model may still call a tool; the API wants to see the tools whose calls are in the messages."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool, as the model wrote it."""

    id: str
    name: str
    input: Any


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    model: str
    stop_reason: str
    tokens: Tokens
    request_id: str
    headers: Mapping[str, str] = field(default_factory=dict)
    tool_uses: Sequence[ToolUse] = ()
    turn: MessageParam | None = None
    """The whole reply as a turn of the conversation, where it calls tools. The API wants it back unchanged."""


NOTHING: Final = Tokens()


class CallFailed(Exception):
    """One call failed, so that there is nothing to read."""

    def __init__(
        self,
        message: str,
        outcome: Outcome,
        *,
        status: int | None = None,
        detail: str = "",
        request_id: str = "",
        is_retryable: bool = False,
        retry_after: float = 0.0,
        headers: Mapping[str, str] = MappingProxyType({}),
        spent: Tokens = NOTHING,
        said: str = "",
    ) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.status = status
        self.detail = detail
        self.request_id = request_id
        self.is_retryable = is_retryable
        """Whether the same call may be answered a little later."""
        self.retry_after = retry_after
        """Seconds that the API asks to wait."""
        self.headers = headers
        self.spent = spent
        """What was counted before it failed."""
        self.said = said
        """The server's own words. They may quote the question, so they are shown to nobody."""

    @property
    def is_too_fast(self) -> bool:
        """Whether the API is well, and asks for a slower pace. A spending limit is a 429 too, and does not pass."""
        return self.status == TOO_MANY and self.is_retryable

    @property
    def is_outage(self) -> bool:
        """Whether the API itself is in trouble, and not this one question. An API that asks for a slower pace (429) is
        well.
        """
        refused = (self.status or 0) >= 500
        return self.outcome in (Outcome.TIMEOUT, Outcome.UNREACHABLE) or (self.outcome is Outcome.REFUSED and refused)

    @property
    def cause(self) -> FailureCause:
        """For whoever has to do something about it."""
        match self.outcome, self.status:
            case Outcome.REFUSED, 401 | 402 | 403:
                return FailureCause.KEY
            case Outcome.REFUSED, 429:
                return FailureCause.RATE if self.is_retryable else FailureCause.KEY
            case Outcome.REFUSED, status if (status or 0) >= 500:
                return FailureCause.SERVER
            case Outcome.TIMEOUT, _:
                return FailureCause.TIMEOUT
            case Outcome.UNREACHABLE, _:
                return FailureCause.NETWORK
            case _:
                return FailureCause.REFUSED

    def as_model_error(self) -> ModelError:
        return (ModelTimeout if self.outcome is Outcome.TIMEOUT else ModelUnavailable)(str(self))


class MessagesApi:
    """A client of the Messages API. It retries nothing, and reads nothing from the environment.

    Args:
        api_key: empty where the server wants none.
        base_url: of any server that speaks this API; Anthropic's own when left out.
        stalled: seconds in which something more has to come of an answer that is streamed.
    """

    def __init__(self, api_key: str, base_url: str | None, stalled: float = STALLED) -> None:
        self._stalled = stalled
        self.dialect = Dialect(api_key, base_url)
        self._client = AsyncAnthropic(
            api_key=api_key or None,
            base_url=base_url or PUBLIC_URL,
            max_retries=0,
            http_client=DefaultAioHttpClient(verify=certificates(), proxy=proxy_for(base_url or PUBLIC_URL)),
            default_headers=None if api_key else _NO_KEY,
        )

    async def close(self) -> None:
        await self._client.close()

    async def send(
        self, request: Request, seconds: float, longest: float = 0.0, begins: Callable[[], None] | None = None
    ) -> Reply:
        """Send a question; without what the server does not know, once it has said so.

        Args:
            seconds: for the whole call; where the answer may be long, until it begins.
            longest: seconds for the whole call where the answer may be long, and more of it comes all the time.
            begins: is told once the answer begins, which is streamed for that.

        Raises:
            CallFailed: nothing came, or something that is no message.
        """
        while True:
            sent = _features(request, is_followed=begins is not None) - self.dialect.left_out
            try:
                reply = await self._send(request, seconds, longest, sent, begins)
            except CallFailed as failure:
                if not self.dialect.can_retry(failure.status, failure.said, sent):
                    raise
            else:
                self.dialect.taken()
                return reply

    async def _send(
        self,
        request: Request,
        seconds: float,
        longest: float,
        sent: frozenset[Feature],
        begins: Callable[[], None] | None,
    ) -> Reply:
        """Send one request, and return its reply."""
        streamed, request_id, status = StreamedMessage(), "", None
        try:
            async with asyncio.timeout(seconds) as limit:
                ends = asyncio.get_running_loop().time() + max(seconds, longest)
                raw = await self._ask(request, seconds, sent)
                request_id, status = raw.request_id or "", raw.status_code
                async with aclosing(raw.http_response) as response:
                    if is_stream(response):
                        await follow(response, streamed, limit, ends, min(seconds, self._stalled), begins)
                        message = streamed.message()
                    else:
                        message = from_json(await response.aread())
                reply = _reply(message, request_id)
        except (TimeoutError, APITimeoutError, httpx2.TimeoutException) as error:
            late = "stopped in the middle of its answer" if streamed.usage else f"gave no answer within {seconds:g} s"
            raise CallFailed(
                f"{request.model} {late}.", Outcome.TIMEOUT, is_retryable=True, spent=_tokens(streamed.usage)
            ) from error
        except (APIConnectionError, httpx2.HTTPError) as error:
            untrusted = _is_untrusted(error)
            why = ": its certificate cannot be verified; see SSL_CERT_FILE." if untrusted else "."
            raise CallFailed(
                f"{request.model} cannot be reached{why}",
                Outcome.UNREACHABLE,
                detail=UNTRUSTED if untrusted else "",
                is_retryable=not untrusted,
                spent=_tokens(streamed.usage),
            ) from error
        except APIStatusError as error:
            raise _refused(request.model, error) from error
        except StreamError as error:
            raise _broken_off(request.model, error, request_id, _tokens(streamed.usage)) from error
        except ValueError as error:
            raise CallFailed(
                "What answered was not the Messages API, or not all of it arrived.",
                Outcome.GARBLED,
                status=status,
                request_id=request_id,
                is_retryable=True,
                spent=_tokens(streamed.usage),
            ) from error
        return replace(reply, headers=raw.headers)

    async def _ask(self, request: Request, seconds: float, sent: frozenset[Feature]) -> AsyncAPIResponse[Any]:
        output: OutputConfigParam = {}
        if Feature.SCHEMA in sent:
            output["format"] = {"type": "json_schema", "schema": dict(request.schema)}
            if Feature.EFFORT in sent:
                output["effort"] = cast(Effort, request.effort)
        has_tools = Feature.TOOLS in sent
        return await self._client.messages.with_raw_response.create(
            model=request.model,
            max_tokens=request.max_tokens,
            messages=self.dialect.said(request.messages, request.schema),
            output_config=output or omit,
            tools=_tools(request) if has_tools else omit,
            tool_choice=omit if request.may_call or not has_tools else {"type": "none"},
            timeout=seconds,
            stream=Feature.STREAM in sent,
        )


def _features(request: Request, *, is_followed: bool) -> frozenset[Feature]:
    """Return the parts of a request that not every server knows."""
    found = {Feature.EFFORT, Feature.CACHE, Feature.SCHEMA}
    if request.tools:
        found.add(Feature.TOOLS)
    if is_followed or request.max_tokens >= LONG:
        found.add(Feature.STREAM)
    return frozenset(found)


@cache
def certificates() -> ssl.SSLContext:
    """The SDK's own certificates, but read once in a process instead of once for every client."""
    return httpx2.create_ssl_context()


def _is_untrusted(error: BaseException | None) -> bool:
    """Whether nothing is sent because of the certificate of who answers, which does not pass by itself."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _refused(model: str, error: APIStatusError) -> CallFailed:
    # A proxy before the API may send errors of its own form: nothing here need be a text.
    kind, status = str(error.type or ""), error.status_code
    words = str(error.api_message or "") if status in OWN_MISTAKES else ""
    about = ", ".join(filter(None, (kind, error.request_id, " ".join(words.split())[:LONGEST_MESSAGE])))
    headers = error.response.headers
    return CallFailed(
        f"The API said {status} to a question for {model} ({about}).",
        Outcome.REFUSED,
        status=status,
        detail=kind,
        request_id=error.request_id or "",
        is_retryable=(status == TOO_MANY or status >= 500) and headers.get("x-should-retry") != "false",
        retry_after=_seconds(headers),
        headers=headers,
        said=str(error.body or error.api_message or ""),
    )


def _broken_off(model: str, error: StreamError, request_id: str, spent: Tokens) -> CallFailed:
    """Return an error that came within a stream as the one that it would have been instead of it."""
    about = ", ".join(filter(None, (error.kind, request_id)))
    return CallFailed(
        f"The API said {error.status} in the middle of an answer of {model} ({about}).",
        Outcome.REFUSED,
        status=error.status,
        detail=error.kind,
        request_id=request_id,
        is_retryable=error.status == TOO_MANY or error.status >= 500,
        spent=spent,
    )


def _seconds(headers: Mapping[str, str]) -> float:
    """What ``retry-after`` asks for; 0 where it says nothing that makes sense."""
    said = headers.get("retry-after", "")
    try:
        seconds = float(said or 0)
    except ValueError:
        seconds = _until(said, headers.get("date", ""))
    return seconds if seconds > 0 else 0.0


def _until(said: str, now: str) -> float:
    """Return the seconds until a date of HTTP, by the clock of whoever says it; 0 where it is none."""
    try:
        then = parsedate_to_datetime(said)
        return (then - (parsedate_to_datetime(now) if now else datetime.now(then.tzinfo))).total_seconds()
    except (ValueError, TypeError):
        return 0.0


def _tools(request: Request) -> list[ToolParam]:
    schemas = [tool_schema(each.takes) for each in request.tools]
    strict = can_be_strict(request.schema, schemas)
    return [
        {"name": each.name, "description": each.description, "input_schema": dict(schema), "strict": strict}
        for each, schema in zip(request.tools, schemas, strict=True)
    ]


class _Block(BaseModel):
    model_config = ConfigDict(extra="allow")

    type: str
    text: str = ""
    id: str = ""
    name: str = ""
    input: Any = None


class _Usage(BaseModel):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None

    @property
    def tokens(self) -> Tokens:
        return Tokens(
            input=self.input_tokens or 0,
            output=self.output_tokens or 0,
            cache_write=self.cache_creation_input_tokens or 0,
            cache_read=self.cache_read_input_tokens or 0,
        )


class _Message(BaseModel):
    """The fields of a message that are read here. The SDK's own class accepts anything as a message."""

    type: Literal["message"]
    model: str
    content: tuple[_Block, ...]
    stop_reason: str | None
    usage: _Usage | None = None


def _reply(body: Any, request_id: str) -> Reply:
    """Read the body of an answer."""
    message = _Message.model_validate(body)
    uses = [ToolUse(each.id, each.name, each.input) for each in message.content if each.type == "tool_use"]
    return Reply(
        text="".join(block.text for block in message.content if block.type == "text").strip(),
        model=message.model,
        stop_reason=message.stop_reason or "",
        tokens=message.usage.tokens if message.usage else NOTHING,
        request_id=request_id,
        tool_uses=uses,
        turn=_turn(message) if uses else None,
    )


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    """Return what had been counted when a stream ended before its message did."""
    try:
        return _Usage.model_validate(usage).tokens
    except ValueError:
        return Tokens()


def _turn(message: _Message) -> MessageParam:
    # The API refuses texts without a word, also its own.
    kept = [each for each in message.content if each.type != "text" or each.text.strip()]
    return cast(MessageParam, {"role": "assistant", "content": [each.model_dump(exclude_unset=True) for each in kept]})


def user(*parts: str) -> MessageParam:
    """Return a user's message. Each part is a block of its own; the provider caches what ends with one but the last."""
    blocks: list[TextBlockParam] = [{"type": "text", "text": part} for part in parts if part.strip()]
    for each in blocks[:-1]:
        each["cache_control"] = {"type": "ephemeral"}
    return {"role": "user", "content": blocks}


def assistant(text: str) -> MessageParam:
    return {"role": "assistant", "content": [{"type": "text", "text": text or "(nothing)"}]}


def tool_results(results: Sequence[ToolResultBlockParam]) -> MessageParam:
    """The user's message after a reply that calls tools: one result for each call, and nothing else."""
    return {"role": "user", "content": list(results)}


def cached_up_to_here(results: MessageParam) -> MessageParam:
    """Return the same results of tools; with them ends what the provider keeps for the conversation's next call."""
    *before, last = cast(Sequence[ToolResultBlockParam], results["content"])
    return tool_results([*before, {**last, "cache_control": {"type": "ephemeral"}}])


def tool_result(use: ToolUse, told: str, ok: bool) -> ToolResultBlockParam:
    result: ToolResultBlockParam = {"type": "tool_result", "tool_use_id": use.id, "content": told}
    return result if ok else {**result, "is_error": True}
