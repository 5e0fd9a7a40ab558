"""One stream of a protocol in a runtime whose process may end at any commit, and begins again on the same store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from engine.errors import Refusal, StoreError
from engine.kernel import Command, StreamKey, Tenant
from engine.runtime.clock import JumpingClock
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from tests.crash.fuse import When
from tests.given import NOON
from tests.runtime.conftest import Unreliable


def key_of(stream: str) -> StreamKey:
    return StreamKey(Tenant("T_ONE"), stream)


@dataclass
class Restarting:
    """The process: everything in it can be ended and begun again on the same store."""

    protocol: ClassVar[str]
    key: ClassVar[StreamKey]
    store: Unreliable
    clock: JumpingClock
    script: Any
    """Whoever answers."""
    runtime: Runtime = field(init=False)

    def __post_init__(self) -> None:
        self.runtime = self.made()

    def made(self) -> Runtime:
        raise NotImplementedError

    async def does(self, command: Command) -> None:
        """Until it is taken, whoever dies meanwhile; a refusal is the answer, too."""
        while True:
            try:
                await self.runtime.handle(self.key, self.protocol, command)
            except StoreError:
                await self.restart()
            except Refusal:
                return
            else:
                return

    async def rests(self) -> None:
        await self.runtime.activity.idle()

    async def settles(self) -> None:
        await self.rests()
        if isinstance(self.store.refuses, Fused) and self.store.refuses.has_burnt:
            await self.restart()
            await self.rests()

    async def restart(self) -> None:
        await self.runtime.close()
        self.store.refuses = lambda _: False
        self.runtime = self.made()
        await self.runtime.start()


class Fused:
    """Counts the commits; from the chosen one on, nothing is kept until the process begins anew.

    ``before``: nothing of the chosen one is kept. ``after``: all of it is, and whoever waits for it is told otherwise.
    """

    def __init__(self, process: Restarting, nth: int, when: When) -> None:
        self.commits, self.has_burnt = 0, False
        self._process, self._nth, self._when = process, nth, when
        process.store.refuses = self

    def __call__(self, stream: str) -> bool:
        self.commits += 1
        if not self._nth or self.commits < self._nth:
            return False
        if self._when == "after" and not self.has_burnt:
            self.has_burnt = self._process.store.loses_reply = True
            return False
        self.has_burnt = True
        return True


P = TypeVar("P", bound=Restarting)


@asynccontextmanager
async def running(kind: type[P], store: Store, script: Any) -> AsyncIterator[P]:
    await store.open()
    try:
        process = kind(Unreliable(store), JumpingClock(NOON), script)
        await process.runtime.start()
        try:
            yield process
        finally:
            await process.runtime.close()
    finally:
        await store.close()
