"""The runtime of one process: effects run in its tasks, and APScheduler rings its near alarms."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kernel import Effect, Millis, Rulebook
from engine.runtime.activity import Activity, Turns
from engine.runtime.clock import Clock, HeldUp, not_at_all
from engine.runtime.outbox import InProcessOutbox
from engine.runtime.ports import EffectRunner, IsAbsent, nobody_is_absent
from engine.runtime.runtime import PATIENCE, Runtime
from engine.runtime.timers import InProcessTimers
from engine.runtime.traced import TracedRuntime, traced_effects
from engine.runtime.tracing import Tracing
from engine.store.port import Store


def in_process(
    store: Store,
    clock: Clock,
    rulebooks: Sequence[Rulebook[Any]],
    runners: Mapping[str, EffectRunner],
    effects: Sequence[type[Effect]],
    *,
    patience: Millis = PATIENCE,
    held_up: HeldUp = not_at_all,
    tracing: Tracing | None = None,
    is_absent: IsAbsent = nobody_is_absent,
    turns: Turns | None = None,
) -> Runtime:
    """
    Args:
        rulebooks: the protocols.
        runners: what runs an effect, by its kind.
        effects: every kind of effect there is.
        patience: for how long an outcome that nobody waits for may wait for others, to be committed with them.
        held_up: for how long a stream's machines have waited for their turn.
        tracing: tells of each step, where traces are collected.
        is_absent: which tenants are gone, perhaps only for a while; `Runtime.absence_changed` is called where that
            changes.
        turns: shared with others who work in the background on this event loop.

    Raises:
        Misconfigured: one of the effects has no runner.
    """
    activity, turns = Activity(), turns or Turns()
    around = traced_effects(tracing) if tracing else None
    outbox = InProcessOutbox(store, clock, activity, runners, effects, around, is_absent, turns)
    timers = InProcessTimers(store, clock)
    parts = (store, clock, rulebooks, outbox, timers, activity, patience, held_up, is_absent, turns)
    return TracedRuntime(*parts, tracing=tracing) if tracing else Runtime(*parts)
