"""Records every call to a model: its purpose, cost, duration and outcome."""

import asyncio
import logging
import secrets
from collections import defaultdict
from decimal import Decimal
from enum import StrEnum
from itertools import count
from typing import Final, Protocol

from pydantic import BaseModel, ConfigDict

from engine.errors import StoreError
from engine.kernel import Millis, Tenant
from engine.llm.spending import Entry, Spending
from engine.store.port import Store

log = logging.getLogger(__name__)

KIND: Final = "llm_call"
"""Names the calls among the store's records."""

NO_TENANT: Final = Tenant("")
"""The tenant of calls that name none."""


class Outcome(StrEnum):
    """How one call ended."""

    ANSWERED = "answered"
    TOOL_USE = "tool_use"
    """It called tools first; ``detail`` names them."""
    INVALID = "invalid"
    """It answered, but not in the form that was asked for."""
    STOPPED = "stopped"
    """It ended early; ``detail`` is the stop reason."""
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """The API said no; ``status`` and ``detail`` say which."""
    GARBLED = "garbled"
    """What answered was not the API, or the answer is incomplete."""
    CANCELLED = "cancelled"
    """Nobody waited for it any more."""


class FailureCause(StrEnum):
    """What a call has failed for."""

    KEY = "key"
    """The key is not taken, or no more may be spent with it."""
    RATE = "rate"
    SERVER = "server"
    TIMEOUT = "timeout"
    NETWORK = "network"
    REFUSED = "refused"
    """This call was not taken, or what answered is no Messages API."""


class Call(BaseModel):
    """One row: one HTTP call, whether it was answered or not."""

    model_config = ConfigDict(frozen=True)

    at: Millis
    """When it was sent."""
    tenant: Tenant = NO_TENANT
    stream: str = ""
    """The negotiation it was for, if one is known."""
    charged_to: str = ""
    """The stream whose budget pays; empty: the one that it was for."""
    prompt: str
    content_hash: str
    model: str
    """The model that answered; without an answer, the model that was asked."""
    attempt: int
    """The number of this call within its question, from 1, repairs included."""
    is_repair: bool = False
    """Whether the model was shown its first answer and what was wrong with it."""
    outcome: Outcome
    detail: str = ""
    status: int | None = None
    """HTTP."""
    request_id: str = ""
    latency_ms: int
    input_tokens: int = 0
    output_tokens: int = 0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    cost_usd: Decimal | None = None
    """None where the model has no price in our table. 0 where nothing came back: what the API bills for a call that
    was given up is not known here."""

    @property
    def tokens(self) -> dict[str, int]:
        """By what they cost: ``input``, ``cache_write``, ``cache_read``, ``output``."""
        return {
            "input": self.input_tokens,
            "cache_write": self.cache_write_tokens,
            "cache_read": self.cache_read_tokens,
            "output": self.output_tokens,
        }

    @property
    def entry(self) -> Entry:
        spent = Spending(
            1,
            self.input_tokens,
            self.cache_write_tokens,
            self.cache_read_tokens,
            self.output_tokens,
            self.cost_usd or Decimal(),
            int(self.cost_usd is None),
        )
        paid_by = self.charged_to or self.stream
        return Entry(self.at, self.tenant, self.stream, paid_by, self.prompt, self.model, spent)


def key_at(at: Millis) -> str:
    """Return how keys of rows of this time begin: they sort by it."""
    return f"{at:013d}"


class Ledger(Protocol):
    def record(self, call: Call) -> None:
        """Keep this call. Neither waits nor fails: an answer must not depend on its bookkeeping."""


class MemoryLedger:
    """Keeps calls in a list."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def record(self, call: Call) -> None:
        self.calls.append(call)


class StoreLedger:
    """Writes calls to the store in the background, as many at once as have gathered.

    Calls that the store refuses wait for the next call, or for `close`. A kill loses the calls of the last few
    milliseconds, and nothing else.

    Args:
        most_waiting: how many calls may wait; further ones are dropped, and the log says so.
    """

    def __init__(self, store: Store, most_waiting: int = 10_000) -> None:
        self._store = store
        self._most_waiting = most_waiting
        self._numbers = count(1)
        self._waiting: dict[str, Call] = {}
        self._writer: asyncio.Task[None] | None = None

    def record(self, call: Call) -> None:
        if len(self._waiting) >= self._most_waiting:
            log.error("the ledger has no room for a call of %s", call.prompt)
            return
        # Sorts by arrival within a millisecond; the random part keeps the keys of two processes apart.
        self._waiting[f"{key_at(call.at)}-{next(self._numbers):08d}-{secrets.token_hex(4)}"] = call
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write what is left; to be called before the store is closed."""
        if self._writer is not None:
            await self._writer
        if self._waiting:
            await self._write()
        if self._waiting:
            log.error("the ledger loses %d calls", len(self._waiting))

    async def _write(self) -> None:
        while self._waiting:
            rows = dict(self._waiting)
            by_tenant: dict[Tenant, dict[str, str | None]] = defaultdict(dict)
            for key, call in rows.items():
                by_tenant[call.tenant][key] = call.model_dump_json()
            try:
                for tenant, records in by_tenant.items():
                    await self._store.put_records(tenant, KIND, records)
            except StoreError as error:
                log.error("%d calls are not in the ledger yet; they go with the next one: %s", len(rows), error)
                return
            except Exception:
                log.exception("%d calls are not in the ledger yet; they go with the next one", len(rows))
                return
            for key in rows:
                del self._waiting[key]
