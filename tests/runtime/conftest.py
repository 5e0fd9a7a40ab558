"""A kitchen in a runtime, over every store."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.errors import StoreUnavailable
from engine.kernel import Command, StreamKey, Tenant, plain
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun
from engine.runtime.runtime import Receipt, Runtime
from engine.store.port import Commit, Store, Stream
from tests.store.conftest import STORES

from .toy_protocol import EFFECTS, KITCHEN, Kitchen, Order, Serve

NOON = 1_800_000_000_000
KEY = StreamKey(Tenant("T_ONE"), "bistro")


@dataclass
class Cookery:
    """Pays the effects as a script says: every dish succeeds unless told otherwise."""

    clock: JumpingClock
    cooked: list[str] = field(default_factory=list)
    fails: dict[str, int] = field(default_factory=dict)
    """Dish -> how many more times it burns; -1: always."""
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    """Dish -> what it waits for."""

    waiting: Callable[[], AbstractContextManager[None]] = nullcontext
    """What it waits in."""

    started: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, run: EffectRun) -> Command:
        self.started.set()
        dish: str = plain(run.effect)["dish"]
        self.cooked.append(dish)
        if dish in self.gates:
            with self.waiting():
                await self.gates[dish].wait()
        if self.fails.get(dish, 0):
            self.fails[dish] -= 1
            raise OSError("smoke")
        return Serve(command_id=run.command_id, at=self.clock.now(), dish=dish)


def nothing(_: str) -> bool:
    return False


class Unreliable:
    """A store that refuses to commit while told to: around a real one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.refusing = False
        self.unreadable = False
        self.committed: set[str] = set()
        """Streams of which something was kept."""
        self.refuses: Callable[[str], bool] = nothing
        """Whether the commits of a stream are refused."""
        self.loses_reply = False
        """The next commit is kept, but its caller is told otherwise."""

    async def load(self, key: StreamKey) -> Stream | None:
        if self.unreadable:
            raise StoreUnavailable("The disk does not answer.")
        return await self._store.load(key)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        if self.refusing or self.refuses(commit.key.stream):
            raise StoreUnavailable("The disk is full; make room.")
        await self._store.commit(commit, urgent=urgent)
        self.committed.add(commit.key.stream)
        if self.loses_reply:
            self.loses_reply = False
            raise StoreUnavailable("The connection broke after the commit.")


async def come_true(condition: Callable[[], bool]) -> None:
    """Let the others have their turns until it is so."""
    for _ in range(10_000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it did not come true")


@dataclass
class Harness:
    """The process: everything in it can be ended and begun again on the same store."""

    store: Unreliable
    clock: JumpingClock
    cookery: Cookery
    runtime: Runtime
    _ids: int = 0

    async def order(self, dish: str, guest: str = "ann", key: StreamKey = KEY, **fields: Any) -> Receipt:
        self._ids += 1
        command = Order(
            command_id=fields.pop("command_id", f"o{self._ids}"), at=self.clock.now(), guest=guest, dish=dish, **fields
        )
        return await self.runtime.handle(key, "kitchen", command)

    async def does(self, command: type[Command], key: StreamKey = KEY, **fields: Any) -> Receipt:
        self._ids += 1
        return await self.runtime.handle(
            key, "kitchen", command(command_id=f"x{self._ids}", at=self.clock.now(), **fields)
        )

    async def kitchen(self, key: StreamKey = KEY) -> Kitchen:
        state, _ = await self.runtime.read(key)
        assert isinstance(state, Kitchen)
        return state

    async def book(self, key: StreamKey = KEY) -> list[str]:
        """What the waiters' book says of each order: ``ann: soup``, with the refusal where there was one."""
        lines = [json.loads(line) for line in (await self.store.records(key.tenant, "book", f"{key.stream}/")).values()]
        return [f"{line['guest']}: {line['dish']} {line['refused']}".strip() for line in lines]

    async def rest(self) -> Kitchen:
        """Until nothing can happen without the clock."""
        await self.runtime.activity.idle()
        return await self.kitchen()

    async def until(self, key: StreamKey, wanted: Callable[[Kitchen], bool]) -> None:
        """At the latest when nothing happens any more for a minute."""
        changed = asyncio.Event()
        self.runtime.observers.watch(lambda _: changed.set())
        async with asyncio.timeout(60):
            while not wanted(await self.kitchen(key)):
                await changed.wait()
                changed.clear()

    async def jump(self, seconds: float) -> None:
        self.clock.jump(self.clock.now() + round(seconds * 1000))
        await self.runtime.sweep()
        await self.runtime.activity.idle()

    async def restart(self) -> None:
        await self.runtime.close()
        self.runtime = _runtime(self.store, self.clock, self.cookery)
        await self.runtime.start()


def _runtime(store: Unreliable, clock: JumpingClock, cookery: Cookery) -> Runtime:
    return in_process(store, clock, [KITCHEN], {each.kind: cookery for each in EFFECTS}, EFFECTS)


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Harness]:
    await store.open()
    try:
        clock, unreliable = JumpingClock(NOON), Unreliable(store)
        cookery = Cookery(clock)
        harness = Harness(unreliable, clock, cookery, _runtime(unreliable, clock, cookery))
        await harness.runtime.start()
        try:
            yield harness
        finally:
            await harness.runtime.close()
    finally:
        await store.close()


@pytest.fixture(params=STORES)
async def harness(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Harness]:
    async with opened(STORES[request.param](tmp_path)) as harness:
        yield harness
