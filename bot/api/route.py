"""Routes, as the server and the OpenAPI document read them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from pydantic import BaseModel

from bot.api.context import ApiContext, Call
from bot.api.tokens import Scope
from engine.errors import ModelError, Refusal

PREFIX: Final = "/api/v1"
EVENT_STREAM: Final = "text/event-stream"
PLAIN: Final = "text/plain"
DONE: Final = "[DONE]"
"""What the last event of a stream that ends says."""

Refusals = tuple[type[Refusal | ModelError], ...]


@dataclass(frozen=True, slots=True)
class OpenRoute:
    """A route that takes no token, and tells nothing about anybody."""

    path: str
    handler: Callable[[ApiContext], Awaitable[web.Response]]
    summary: str
    returns: type[BaseModel]
    may_be_unavailable: bool = False

    @property
    def method(self) -> str:
        return "GET"


@dataclass(frozen=True, slots=True)
class Route:
    """A route that takes a token with this scope."""

    method: str
    path: str
    handler: Callable[[Call], Awaitable[BaseModel | web.StreamResponse]]
    summary: str
    scope: Scope
    returns: tuple[type[BaseModel], ...] = ()
    """One of these, as JSON; nothing where it is another ``media`` type."""
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    refusals: Refusals = ()
    status: int = 200
    media: str = "application/json"
    is_repeatable: bool = False
    """Whether an Idempotency-Key makes it one call, however often it is sent."""
    files: Sequence[str] = ()
    """Media types of the file that it sends, where it sends one."""
    event_types: Sequence[str] = ()
    """Types of the events that it sends, where it sends events."""
    lines: type[BaseModel] | None = None
    """What the events are that it sends, where they are no envelopes, and end."""

    rejection: type[BaseModel] | None = None
    """With what it answers 422, as JSON, where what was sent follows a protocol of its own and is none of it."""

    @property
    def may_stream(self) -> bool:
        """Whether it sends events only where ``Accept`` asks for them."""
        return self.lines is not None and self.media != EVENT_STREAM
