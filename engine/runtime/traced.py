"""The runtime where traces are collected: a span for each command, each commit and each effect.

What led to an effect lies beside it in its row, so that its trace goes on in whichever process runs it, and after a
restart. What led to what a stream shows lies in a record beside the stream.
"""

from collections.abc import Awaitable, Sequence
from typing import Any, Final

from engine.errors import Refusal
from engine.kernel import StreamKey
from engine.runtime.outbox import AroundEffect
from engine.runtime.runtime import Item, Receipt, Runtime
from engine.runtime.streams import Batch, traceparent_of
from engine.runtime.tracing import Role, Tracing, about
from engine.store.port import PendingEffect

COMMITTED: Final = "committed"
DUPLICATE: Final = "duplicate"


class TracedRuntime(Runtime):
    def __init__(self, *args: Any, tracing: Tracing, **more: Any) -> None:
        super().__init__(*args, **more)
        self._tracing = tracing

    def _post(self, key: StreamKey, item: Item) -> None:
        kind = type(item.command).__name__
        told = about(key) | {"towow.command": kind}
        item.span = self._tracing.start(f"command {kind}", Role.INTERNAL, told, self._tracing.current)
        super()._post(key, item)

    async def _handle_batch(self, key: StreamKey, items: Sequence[Item]) -> None:
        causes = [item.span.traceparent for item in sorted(items, key=_is_patient) if item.span is not None]
        parent, links = causes[0] if causes else "", causes[1:]
        told = about(key) | {"towow.commands": len(items)}
        with self._tracing.span("commit", Role.INTERNAL, told, parent=parent, links=links):
            await super()._handle_batch(key, items)

    def _decide(self, batch: Batch, item: Item) -> Receipt | Exception:
        batch.traceparent = item.span.traceparent if item.span is not None else ""
        return super()._decide(batch, item)

    async def _answer(self, item: Item, answer: Receipt | Exception) -> None:
        if item.span is not None:
            _end(item, answer)
        await super()._answer(item, answer)


def traced_effects(tracing: Tracing) -> AroundEffect:
    async def run(pending: PendingEffect, attempts: Awaitable[bool]) -> bool:
        told = about(pending.key) | {"towow.effect": pending.kind, "towow.attempts": pending.attempts}
        parent = traceparent_of(pending)
        with tracing.span(f"effect {pending.kind}", Role.CONSUMER, told, parent=parent) as span:
            if not (is_delivered := await attempts):
                span.end("void")
            return is_delivered

    return run


def _is_patient(item: Item) -> bool:
    return not item.is_urgent


def _end(item: Item, answer: Receipt | Exception) -> None:
    assert item.span is not None  # noqa: S101 - looked at by the caller
    if isinstance(answer, Receipt):
        happened = ",".join(event.event_type for event in answer.events)
        item.span.note({"towow.version": answer.version, "towow.events": happened})
        item.span.end(DUPLICATE if answer.duplicate else COMMITTED)
    else:
        item.span.end(type(answer).__name__, is_fault=not isinstance(answer, Refusal))
