"""Processes that share a store and a workspace, in one event loop. Each can be stopped wherever it meets the store."""

import asyncio
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from bot.posts import Posts
from engine.errors import StoreUnavailable, UnknownStream
from engine.kernel import StreamKey
from engine.llm.port import Pause
from engine.runtime.activity import Activity
from engine.runtime.membership import LASTS, Membership
from engine.runtime.streams import Committed
from tests.posts.driver import PRESENTERS, Driver

WHILE: Final = LASTS // 1_000 + 20
"""Seconds after which others have gone on with what a process held."""


class Gate:
    """What every call to the store passes twice: before it, and with its result."""

    def __init__(self) -> None:
        self.passed = 0
        self.stop_at = 0
        """At which pass the process stops; 0 for none."""
        self.stopped = asyncio.Event()
        self.is_cut_off = False
        """Whether it cannot reach the store, and so hears that it is unavailable."""
        self._open = asyncio.Event()
        self._open.set()

    async def step(self) -> None:
        self.passed += 1
        if self.passed == self.stop_at:
            self.stop()
        await self._open.wait()
        if self.is_cut_off:
            raise StoreUnavailable("The store cannot be reached.")

    def stop(self) -> None:
        self.stopped.set()
        self._open.clear()

    def go_on(self) -> None:
        self.stopped.clear()
        self._open.set()


class Gated:
    """Something whose methods are called through a gate."""

    def __init__(self, real: Any, gate: Gate) -> None:
        self._real = real
        self._gate = gate

    @property
    def sharing(self) -> Any:
        return Gated(self._real.sharing, self._gate)

    def __getattr__(self, name: str) -> Any:
        method: Callable[..., Any] = getattr(self._real, name)

        @wraps(method)
        async def called(*args: Any, **named: Any) -> Any:
            await self._gate.step()
            result = await method(*args, **named)
            await self._gate.step()
            return result

        return called


class Process:
    """One of them."""

    def __init__(self, driver: Driver) -> None:
        self.gate = Gate()
        self._driver = driver
        store: Any = Gated(driver.store, self.gate)
        self.activity = Activity()
        self.paused: dict[StreamKey, Pause] = {}
        """Streams that wait for the model that it asks."""
        self.membership = Membership(store.sharing, driver.clock, self.activity)
        self.posts = Posts(
            store,
            PRESENTERS,
            self.read,
            driver.report,
            driver.client(),
            driver.clock,
            rates=driver.rates,
            choices=driver.chosen,
            home=driver.draw_home,
            paused=self.paused.get,
            activity=self.activity,
            membership=self.membership,
        )

    async def read(self, key: StreamKey) -> Committed:
        if key not in self._driver.stories:
            raise UnknownStream(f"There is nothing called {key.stream} here.")
        return await self._driver.read(key)

    async def start(self) -> None:
        self.membership.follow(self.posts.hear)
        await self.membership.start()
        await self.posts.start()

    async def close(self) -> None:
        self.gate.stop_at = 0
        self.gate.go_on()
        self.gate.is_cut_off = False
        await self.posts.close()
        await self.membership.close()

    async def kill(self) -> None:
        """End it without its saying so: whatever it holds stays held until its time is over."""
        self.gate.stop()
        for task in [*self.posts._tasks, self.membership._staying]:
            assert task is not None
            task.cancel()
        await asyncio.sleep(0)

    async def rests(self) -> None:
        """Return once it has nothing to do now, or was stopped."""
        ends = asyncio.create_task(self.posts.idle()), asyncio.create_task(self.gate.stopped.wait())
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for each in ends:
            each.cancel()
        await asyncio.gather(*ends, return_exceptions=True)


class Town:
    """Some processes, with one clock."""

    def __init__(self, driver: Driver, count: int = 2) -> None:
        self.driver = driver
        self.processes = [Process(driver) for _ in range(count)]

    async def __aenter__(self) -> "Town":
        for each in self.processes:
            await each.start()
        await self.rest()
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(each.close() for each in self.processes))

    async def rest(self) -> None:
        for _ in range(3):
            for each in self.processes:
                await each.rests()

    async def passes(self, seconds: int) -> None:
        """Let so much time pass, in which everybody who is not stopped says again and again that they are there."""
        for _ in range(seconds):
            self.driver.clock.jump(self.driver.clock.now() + 1_000)
            for _ in range(30):
                await asyncio.sleep(0)
            await self.rest()
