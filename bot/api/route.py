"""What the HTTP interface says of one route: the server and the OpenAPI document read the same."""

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

Refusals = tuple[type[Refusal | ModelError], ...]


@dataclass(frozen=True, slots=True)
class Open:
    """For everybody who can reach us: no token, and nothing about anybody."""

    path: str
    does: Callable[[ApiContext], Awaitable[web.Response]]
    summary: str
    gives: type[BaseModel]
    may_be_unavailable: bool = False

    @property
    def method(self) -> str:
        return "GET"


@dataclass(frozen=True, slots=True)
class Route:
    """For whoever carries a token with this scope."""

    method: str
    path: str
    does: Callable[[Call], Awaitable[BaseModel | web.StreamResponse]]
    summary: str
    scope: Scope
    gives: tuple[type[BaseModel], ...] = ()
    """One of these, as JSON; nothing where it is another ``media`` type."""
    takes: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    refuses: Refusals = ()
    status: int = 200
    media: str = "application/json"
    is_repeatable: bool = False
    """Whether an Idempotency-Key makes it one call, however often it is sent."""
    sends: Sequence[str] = ()
    """Types of the events that it sends, where it sends events."""
