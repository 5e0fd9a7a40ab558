"""Runs every `Compute`: a function of the protocol's gets the state and returns a command."""

from collections.abc import Mapping
from typing import Any, Protocol

from engine.kernel import Command, Compute, Millis
from engine.llm.threads import without_blocking
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun


class Computation(Protocol):
    """Works something out of a state. Without effects, since it may be done twice; it may run in a thread."""

    def __call__(self, state: Any, effect: Compute, *, command_id: str, at: Millis) -> Command: ...


class Computing:
    """
    Args:
        functions: by protocol, and by the name of the function.
    """

    def __init__(self, functions: Mapping[str, Mapping[str, Computation]], clock: Clock) -> None:
        self._functions = functions
        self._clock = clock

    async def __call__(self, run: EffectRun) -> Command:
        effect = run.effect
        assert isinstance(effect, Compute)  # noqa: S101 - runners are registered by the effect's kind
        function, at = self._functions[run.protocol][effect.function], self._clock.now()
        return await without_blocking(lambda: function(run.state, effect, command_id=run.command_id, at=at))
