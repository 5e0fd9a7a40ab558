"""Metrics for Prometheus: those of seed 000, section 9.2, and more under ``towow_``."""

import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol, TypeVar, runtime_checkable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector
from pydantic_core import from_json

from bot.descriptions import Descriptions, Ending, Fields
from bot.slack.client import Cause
from engine.errors import ModelError
from engine.llm.breaker import CircuitBreaker
from engine.llm.budget import Budget, Scope
from engine.llm.ledger import FailureCause
from engine.llm.pacing import Pace
from engine.llm.port import Answer, Model, Question, Returns
from engine.store.health import StoreHealth, Trouble
from engine.store.port import StoredEvent

AnyCause = TypeVar("AnyCause", bound=StrEnum)

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
REMEMBERED: Final = 1_000
"""Calls of models, of which the 95th percentile is taken."""


@runtime_checkable
class _Guarded(Protocol):
    """A model whose calls wait for their turn, and are suspended where its API does not answer."""

    breaker: CircuitBreaker
    pace: Pace
    budget: Budget
    tokens: Mapping[tuple[str, str], int]
    """By prompt and kind."""
    failures: Mapping[FailureCause, int]


class Meter:
    """Everything is counted since this process started, as Prometheus expects.

    Args:
        descriptions: of the protocols whose events are counted.
    """

    def __init__(self, descriptions: Sequence[Descriptions]) -> None:
        self._registry = CollectorRegistry()
        self._latencies: deque[float] = deque(maxlen=REMEMBERED)
        self._calls = self._answers = 0
        self._llm_calls = self._counter(
            "llm_call", "Questions to a model, by prompt and what became of them", "prompt", "outcome"
        )
        self._gauge("llm_call_success_rate", "Of all questions to a model, the part that was answered").set_function(
            lambda: _share(self._answers, self._calls)
        )
        self._gauge("llm_call_latency_p95", "Seconds, of the last 1,000 questions to a model").set_function(self._p95)
        self._suspended = self._gauge("circuit_breaker_open", "1 while calls to the model are suspended, else 0")
        self._openings = self._gauge("towow_circuit_breaker_openings", "How often calls to the model were suspended")
        self._waiting = self._gauge(
            "towow_llm_waiting", "Questions that wait for their turn, or until calls to the model are made again"
        )
        self._under_way = self._gauge("towow_llm_under_way", "Calls to the model that are made just now")
        self._pause = self._gauge(
            "towow_llm_pause_seconds", "Until about when all that waits for the model is asked; 0 where nothing waits"
        )
        self._counted = _CountedElsewhere()
        self._registry.register(self._counted)
        self._spent = self._gauge(
            "towow_llm_spent_today_usd", "What calls of this day (UTC) have cost, where there is a budget for the day"
        )
        self.readers = self._gauge("sse_active_connections", "Who reads events just now")
        self.dropped = self._counter("towow_sse_dropped", "Readers that were cut off because they read too slowly")
        self.sent = self._counter("towow_sse_events", "Events sent, once for each reader")
        counted = [each for each in descriptions if each.public_payload is not None]
        self._endings: dict[str, _Endings] = {}
        self._resumptions: dict[str, Counter] = {}
        for each in counted:
            self._endings |= dict.fromkeys(each.endings, self._endings_of(each)) if each.endings else {}
            if goes_on := [name for name, told in each.by_type.items() if told.resumes]:
                resumed = self._counter(f"towow_{each.plural}_resumed", "Of those that have ended, those that go on")
                self._resumptions |= dict.fromkeys(goes_on, resumed)
        plurals = " and ".join(each.plural for each in counted)
        self._events = self._counter("towow_events", f"Events of {plurals}, by type", "event_type")
        self.limited = self._counter("towow_http_rate_limited", "Calls refused for their rate, by token", "token")
        self.wrong_tokens = self._counter("towow_http_wrong_tokens", "Calls with a token that nobody has")
        self._requests = self._counter("towow_http_requests", "Calls, by route and status", "route", "status")
        self._seconds = Histogram(
            "towow_http_seconds", "Seconds to an answer, by route", ["route"], registry=self._registry
        )
        self._llm_seconds = Histogram(
            "towow_llm_seconds", "Seconds of a question to a model", ["prompt"], registry=self._registry,
            buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60),
        )  # fmt: skip
        self._store_answers = self._gauge(
            "towow_store_answers", "1 while the database can be read, and was written when that was tried last, else 0"
        )
        self._free = self._gauge("towow_disk_free_bytes", "Bytes that are left on the disk of a database file")
        self._free.set(math.nan)
        self._connected = self._gauge("towow_slack_connected", "1 while Slack reaches us, else 0")
        self._rows = self._gauge("towow_store_rows", "What is stored, and what is owed", "kind")

    def model(self, model: Model) -> Model:
        """Return the same model, with each question to it counted."""
        if isinstance(model, _Guarded):
            breaker, pace = model.breaker, model.pace
            self._waiting.set_function(lambda: breaker.waiting + pace.waiting)
            self._suspended.set_function(lambda: breaker.is_open)
            self._openings.set_function(lambda: breaker.times_opened)
            self._under_way.set_function(lambda: pace.under_way)
            self._pause.set_function(lambda: max(breaker.seconds_left, pace.seconds_expected))
            self._counted.tokens = model.tokens
            self._counted.refused = model.budget.refused
            self._counted.of_model = model.failures
            self._spent.set_function(lambda: float(model.budget.spent_today()))
        return _Counted(model, self)

    def slack(self, failures: Mapping[Cause, int]) -> None:
        """Tell also what calls to Slack have failed for."""
        self._counted.of_slack = failures

    def count_question(self, prompt: str, outcome: str, seconds: float) -> None:
        self._calls += 1
        self._answers += outcome == "answered"
        self._latencies.append(seconds)
        self._llm_calls.labels(prompt, outcome).inc()
        self._llm_seconds.labels(prompt).observe(seconds)

    def count_event(self, stored: StoredEvent) -> None:
        """Count an event that has just happened."""
        self._events.labels(stored.event_type).inc()
        if (endings := self._endings.get(stored.event_type)) is not None:
            endings.count(stored)
        if (resumed := self._resumptions.get(stored.event_type)) is not None:
            resumed.inc()

    def _endings_of(self, described: Descriptions) -> "_Endings":
        ended = self._counter(f"towow_{described.plural}_ended", "By outcome", "outcome")
        endings = _Endings(described.endings, ended)
        self._gauge(f"{described.protocol}_success_rate", described.success).set_function(endings.success_rate)
        return endings

    def count_answer(self, route: str, status: int, seconds: float | None = None) -> None:
        self._requests.labels(route, str(status)).inc()
        if seconds is not None:
            self._seconds.labels(route).observe(seconds)

    def exposition(
        self, rows: Mapping[str, int] | None, health: StoreHealth | None = None, *, is_connected: bool = True
    ) -> bytes:
        """Return all metrics in Prometheus' text format.

        Args:
            rows: how much is stored, by kind; None while the store does not answer.
            health: the store's.
            is_connected: whether Slack reaches us.
        """
        is_well = health is None or (health.unwritten is None and not health.is_damaged)
        self._store_answers.set(rows is not None and is_well)
        self._connected.set(is_connected)
        if health is not None:
            self._counted.of_store = health.failures
            if health.free is not None:
                with contextlib.suppress(OSError):
                    self._free.set(health.free())
        self._rows.clear()
        for kind, count in (rows or {}).items():
            self._rows.labels(kind).set(count)
        return generate_latest(self._registry)

    def _p95(self) -> float:
        ordered = sorted(self._latencies)
        return ordered[math.ceil(0.95 * len(ordered)) - 1] if ordered else math.nan

    def _gauge(self, name: str, help_: str, *labels: str) -> Gauge:
        return Gauge(name, help_, labels, registry=self._registry)

    def _counter(self, name: str, help_: str, *labels: str) -> Counter:
        """Make a counter. The library adds _total to its name."""
        return Counter(name, help_, labels, registry=self._registry)


class _CountedElsewhere(Collector):
    """Tells what others have counted: each cause from the beginning, since an alert rings for what is added to it."""

    tokens: Mapping[tuple[str, str], int] = MappingProxyType({})
    """By prompt and kind."""
    refused: Mapping[Scope, int] = MappingProxyType({})
    """Calls, by whose budget was spent."""
    of_model: Mapping[FailureCause, int] = MappingProxyType(dict.fromkeys(FailureCause, 0))
    of_slack: Mapping[Cause, int] = MappingProxyType(dict.fromkeys(Cause, 0))
    of_store: Mapping[Trouble, int] = MappingProxyType(dict.fromkeys(Trouble, 0))

    def collect(self) -> Iterator[Metric]:
        told = CounterMetricFamily(
            "towow_llm_tokens", "Tokens of calls to the model, by prompt and kind", labels=("prompt", "kind")
        )
        for labels, count in self.tokens.items():
            told.add_metric(labels, count)
        yield told
        refused = CounterMetricFamily(
            "towow_llm_over_budget",
            "Calls to the model that were not made, by whose budget is spent",
            labels=("scope",),
        )
        for scope in Scope:
            refused.add_metric((scope,), self.refused.get(scope, 0))
        yield refused
        yield _by_cause("towow_llm_failures", "Calls to the model that failed, by what for", self.of_model)
        yield _by_cause("towow_slack_failures", "Calls to Slack that failed, by what for", self.of_slack)
        yield _by_cause("towow_store_failures", "Reads and writes that failed, by what for", self.of_store)


def _by_cause(name: str, help_: str, counts: Mapping[AnyCause, int]) -> Metric:
    told = CounterMetricFamily(name, help_, labels=("cause",))
    for cause, count in counts.items():
        told.add_metric((cause.value,), count)
    return told


class _Endings:
    """How the streams of one protocol have ended."""

    def __init__(self, endings: Mapping[str, Callable[[Fields], Ending]], counter: Counter) -> None:
        self._endings = endings
        self._counter = counter
        self._ended = self._succeeded = 0

    def count(self, stored: StoredEvent) -> None:
        ending = self._endings[stored.event_type](from_json(stored.public))
        self._counter.labels(ending.outcome).inc()
        if ending.is_success is not None:
            self._ended += 1
            self._succeeded += ending.is_success

    def success_rate(self) -> float:
        return _share(self._succeeded, self._ended)


class _Counted:
    def __init__(self, model: Model, meter: Meter) -> None:
        self._model = model
        self._meter = meter

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        started, outcome = time.perf_counter(), "cancelled"
        try:
            answer = await self._model.answer(question)
            outcome = "answered"
        except ModelError as error:
            outcome = error.code
            raise
        finally:
            self._meter.count_question(question.prompt.name, outcome, time.perf_counter() - started)
        return answer


def _share(part: int, whole: int) -> float:
    """Return NaN while there is nothing: no alert fires for it."""
    return part / whole if whole else math.nan
