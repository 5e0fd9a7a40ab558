"""The runtime of several processes that share a store: effects and alarms are jobs in its database."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kernel import Effect, Millis, Rulebook
from engine.runtime.activity import PACE, Activity, Pace, Turns
from engine.runtime.clock import Clock, HeldUp, WallClock, not_at_all
from engine.runtime.jobs import Jobs
from engine.runtime.jobs_outbox import JobsOutbox
from engine.runtime.jobs_timers import JobsTimers
from engine.runtime.outbox import InProcessOutbox
from engine.runtime.ports import EffectRunner, IsAbsent, nobody_is_absent
from engine.runtime.runtime import PATIENCE, Runtime
from engine.runtime.traced import TracedRuntime, traced_effects
from engine.runtime.tracing import Tracing
from engine.store.port import Store


def shared(
    store: Store,
    jobs: Jobs,
    clock: Clock,
    rulebooks: Sequence[Rulebook[Any]],
    runners: Mapping[str, EffectRunner],
    effects: Sequence[type[Effect]],
    *,
    patience: Millis = PATIENCE,
    held_up: HeldUp = not_at_all,
    tracing: Tracing | None = None,
    pace: Pace = PACE,
    pulse: Clock | None = None,
    is_absent: IsAbsent = nobody_is_absent,
    turns: Turns | None = None,
) -> Runtime:
    """
    Args:
        jobs: of the store's database, open; what is committed to the store is deferred there.
        rulebooks: the protocols.
        runners: what runs an effect, by its kind.
        effects: every kind of effect there is.
        patience: for how long an outcome that nobody waits for may wait for others, to be committed with them.
        held_up: for how long a stream's machines have waited for their turn.
        tracing: tells of each step, where traces are collected.
        is_absent: which tenants are gone, perhaps only for a while.
        pulse: by which jobs are looked for; the machine's, also where ``clock`` jumps.
        turns: shared with others who work in the background on this event loop.

    Raises:
        Misconfigured: one of the effects has no runner.
    """
    activity, pulse, turns = Activity(), pulse or WallClock(), turns or Turns()
    around = traced_effects(tracing) if tracing else None
    tasks = InProcessOutbox(store, clock, activity, runners, effects, around, is_absent, turns)
    outbox = JobsOutbox(jobs, store, tasks, activity, pulse, pace, is_absent)
    timers = JobsTimers(jobs, store, clock, activity, pace, pulse)
    parts = (store, clock, rulebooks, outbox, timers, activity, patience, held_up, is_absent, turns)
    return TracedRuntime(*parts, tracing=tracing) if tracing else Runtime(*parts)
