"""Sends spans to an OpenTelemetry collector, by OTLP over HTTP. The only file that imports OpenTelemetry.

The provider is ours alone: it is not made the global one, since libraries would then tell of what they do, too, and
some tell what a model was asked.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)
from opentelemetry.trace import Span as OtelSpan
from opentelemetry.trace import Tracer as OtelTracer
from requests import Session

from bot.tracing.access import TracesAccess
from engine.proxies import proxy_for
from engine.runtime.tracing import OK, About, Role, Tracing

log = logging.getLogger(__name__)

SCOPE: Final = "towow"
FLUSHED: Final = 2.0
"""Seconds that the last spans have to reach the collector, once everything else has ended."""
ONE_CALL: Final = 5.0
"""Seconds that a call of the collector may take."""
KINDS: Final = {
    Role.INTERNAL: SpanKind.INTERNAL,
    Role.SERVER: SpanKind.SERVER,
    Role.CLIENT: SpanKind.CLIENT,
    Role.CONSUMER: SpanKind.CONSUMER,
}


@asynccontextmanager
async def traced(access: TracesAccess) -> AsyncIterator[Tracing]:
    """Collect traces. On leaving, the last spans are sent."""
    session, proxy = Session(), proxy_for(access.endpoint)
    session.proxies = {"http": proxy, "https": proxy} if proxy else {}
    # Its address and headers are those of the environment.
    exporter = OTLPSpanExporter(timeout=ONE_CALL, session=session)
    provider = TracerProvider(
        resource=Resource.create({"service.name": access.service, "service.version": access.version}),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield Tracing(OtlpTracer(provider.get_tracer(SCOPE)))
    finally:
        await _flushed(provider)


async def _flushed(provider: TracerProvider) -> None:
    """Send what is left, in a thread that nobody waits for where the collector does not answer."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def shut_down() -> None:
        provider.shutdown()
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=shut_down, daemon=True).start()
    try:
        async with asyncio.timeout(FLUSHED):
            await done.wait()
    except TimeoutError:
        log.warning("the last spans did not reach the collector in time")


class OtlpTracer:
    def __init__(self, tracer: OtelTracer) -> None:
        self._tracer = tracer

    def start(
        self, name: str, role: Role, about: About, parent: str, links: Sequence[str] = (), began: int | None = None
    ) -> "OtlpSpan":
        known = _context_of(parent)
        context = set_span_in_context(NonRecordingSpan(known)) if known else None
        others = [Link(each) for each in map(_context_of, links) if each]
        return OtlpSpan(
            self._tracer.start_span(
                name, context, KINDS[role], about, others, began,
                # An exception's text may quote somebody.
                record_exception=False, set_status_on_exception=False,
            )
        )  # fmt: skip


class OtlpSpan:
    def __init__(self, span: OtelSpan) -> None:
        self._span = span
        context = span.get_span_context()
        self.traceparent = f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"

    def note(self, about: About) -> None:
        self._span.set_attributes(about)

    def end(self, outcome: str = OK, *, is_fault: bool = False) -> None:
        if self._span.is_recording():
            self._span.set_attribute("towow.outcome", outcome)
            if is_fault:
                self._span.set_status(Status(StatusCode.ERROR))
            self._span.end()


def _context_of(traceparent: str) -> SpanContext | None:
    """Return what a traceparent of ours names; None for none."""
    if not traceparent:
        return None
    _, trace, span, flags = traceparent.split("-")
    return SpanContext(int(trace, 16), int(span, 16), is_remote=True, trace_flags=TraceFlags(int(flags, 16)))
