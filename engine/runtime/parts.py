"""Ends what a process is made of, the last part first, all of them by one deadline."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar

from engine.errors import Refusal, StoreError
from engine.kernel import Command, CommandDelivered, FindRecords, Rulebook, SendCommand, StreamKey
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun, EffectRunner
from engine.store.port import Store

log = logging.getLogger(__name__)

LONGEST: Final = 7.0
"""Seconds in which all parts are to have ended. It takes one as a rule, and more on a busy machine."""
FOR_THE_STORE: Final = 1.5
"""Seconds of these that are left to what is being written, however long somebody outside does not answer."""
MOMENT: Final = 0.1
"""Seconds that a part has to hear that its time is over."""

Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")


class Deadline:
    """
    Args:
        seconds: from the beginning of the end.
        now: seconds that only grow.
    """

    def __init__(self, seconds: float = LONGEST, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._at: float | None = None

    def begin(self) -> None:
        """Count from now on, unless the end has begun already."""
        if self._at is None:
            self._at = self._now() + self._seconds

    def left(self, kept: float = 0.0) -> float:
        """Return the seconds that are left until ``kept`` seconds before the deadline."""
        until = self._seconds if self._at is None else self._at - self._now()
        return max(0.0, until - kept)


class Parts(AsyncExitStack):
    """A stack whose parts are left behind where they do not end in time: what is durable goes on in the next process.

    Each part is ended in a task of its own, and always begun with, however late it is.
    """

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline
        self._kept = 0.0

    def keep(self, seconds: float) -> None:
        """Have the parts that come from now on end so much sooner, for the sake of those that were there before."""
        self._kept = seconds

    async def enter_async_context(self, cm: AbstractAsyncContextManager[Value, bool | None]) -> Value:
        return await super().enter_async_context(_InTime(cm, self._deadline, self._kept))

    def push_async_callback(
        self,
        callback: Callable[Arguments, Awaitable[Any]],
        /,
        *args: Arguments.args,
        **kwds: Arguments.kwargs,
    ) -> Callable[Arguments, Awaitable[Any]]:
        kept = self._kept

        async def called() -> None:
            await callback(*args, **kwds)

        async def ended() -> None:
            await _ended(called(), callback.__qualname__, self._deadline, kept)

        super().push_async_callback(ended)
        return callback

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._deadline.begin()
        return bool(await super().__aexit__(kind, error, trace))


class _InTime(AbstractAsyncContextManager[Value, bool | None]):
    """A context that is left in time."""

    def __init__(
        self, context: AbstractAsyncContextManager[Value, bool | None], deadline: Deadline, kept: float
    ) -> None:
        self._context = context
        self._deadline = deadline
        self._kept = kept

    async def __aenter__(self) -> Value:
        return await self._context.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        async def left() -> bool | None:
            return await self._context.__aexit__(kind, error, trace)

        name = getattr(getattr(self._context, "gen", self._context), "__qualname__", type(self._context).__qualname__)
        return await _ended(left(), name, self._deadline, self._kept)


async def _ended(ending: Coroutine[Any, Any, bool | None], name: str, deadline: Deadline, kept: float) -> bool | None:
    """Return what came of it; False where it was left behind.

    Raises:
        Exception: what it has raised.
    """
    task = asyncio.create_task(ending, name=f"end of {name}")
    await asyncio.sleep(0)  # its first step is taken in any case
    done, _ = await asyncio.wait({task}, timeout=deadline.left(kept))
    if not done:
        log.warning("%s did not end in time, and is left behind; what is on disk goes on at the next start", name)
        task.cancel()
        await asyncio.wait({task}, timeout=MOMENT)
        task.add_done_callback(_ignored)
        return False
    return await task


def _ignored(task: "asyncio.Task[bool | None]") -> None:
    """Retrieve the exception of a part that was left behind, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()


HandTo = Callable[[StreamKey, str, Command], Awaitable[None]]
"""Hands a command to a stream of a protocol."""


def own_runners(
    store: Store,
    clock: Clock,
    rulebooks: Mapping[str, Rulebook[Any]],
    hand_to: HandTo,
    pause: Callable[[], Awaitable[None]],
) -> Mapping[str, EffectRunner]:
    """
    Args:
        rulebooks: by protocol.
        pause: waits until the store may answer again.
    """

    async def send_command(run: EffectRun) -> Command:
        """Hand one stream's command to another. However often it is handed over, it is one command there."""
        effect = run.effect
        assert isinstance(effect, SendCommand)  # noqa: S101 - runners are registered by the effect's kind
        command_id = f"{run.key.stream}:{run.command_id}"
        command = rulebooks[run.protocol].compose_command(run.state, effect, command_id=command_id, at=clock.now())
        refused = ""
        while True:
            try:
                await hand_to(StreamKey(run.key.tenant, effect.to), effect.protocol, command)
            except Refusal as refusal:
                refused = type(refusal).__name__
            except StoreError as error:
                log.warning("%s of %s waits for the store: %s", effect.name, run.key.stream, error)
                await pause()
                continue
            return CommandDelivered(command_id=run.command_id, at=clock.now(), name=effect.name, refused=refused)

    async def find_records(run: EffectRun) -> Command:
        """Find what a stream looks for, as it is committed now."""
        effect, search = run.effect, rulebooks[run.protocol].search
        assert isinstance(effect, FindRecords)  # noqa: S101 - runners are registered by the effect's kind
        assert search is not None  # noqa: S101 - only a protocol that has one owes the effect
        ranges = search.ranges(run.state, effect)
        records = await store.records_in(run.key.tenant, ranges) if ranges else {}
        return search.found(run.state, effect, records, command_id=run.command_id, at=clock.now())

    return {SendCommand.kind: send_command, FindRecords.kind: find_records}
