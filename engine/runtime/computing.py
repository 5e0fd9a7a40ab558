"""Runs every `Compute`, each in a thread: a function of the protocol's gets the state and returns a command."""

import asyncio
from collections.abc import Callable, Mapping

from engine.kernel import Command, Computation, Compute
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun


class Computing:
    """
    Args:
        functions: by protocol: returns its functions by name, and is called when one of them is run.
    """

    def __init__(self, functions: Mapping[str, Callable[[], Mapping[str, Computation]]], clock: Clock) -> None:
        self._functions = functions
        self._clock = clock

    async def __call__(self, run: EffectRun) -> Command:
        effect = run.effect
        assert isinstance(effect, Compute)  # noqa: S101 - runners are registered by the effect's kind
        functions, at = self._functions[run.protocol], self._clock.now()

        def compute() -> Command:
            return functions()[effect.function](run.state, effect, command_id=run.command_id, at=at)

        return await asyncio.to_thread(compute)
