"""Who has to wait before it begins: for its ticket, for its role, and for its minute; and who has no need to."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.kernel import RunWorker
from engine.runtime.clock import JumpingClock
from engine.runtime.ports import EffectRun
from engine.workers.port import WorkOrder, WorkOutcome
from engine.workers.registry import WorkersAccess
from engine.workers.workers import Workers

from .scripts import script
from .test_workers import KEY, Answered, Port, order, registry

NOW = 1_800_000_000_000
WAITS = """
def note(what):
    with open({told!r} + ".log", "a") as log:
        log.write(what + order["ticket"] + " ")

note("+")
told = os.open({told!r}, os.O_WRONLY)
os.write(told, order["ticket"].encode())
open({gate!r} + order["ticket"]).read()
note("-")
open("plan.md", "w").write("# A plan")
completed()
"""


class EachTicket(Port):
    def order(self, state: Any, effect: RunWorker, *, at: int) -> WorkOrder:
        envelope = {"session_id": "deliver-1", "ticket": effect.about}
        return replace(order(), ticket=effect.about, envelope=envelope)


class Office:
    """Workers whose attempts say when they begin, and end when they are let."""

    def __init__(self, folder: Path, **role: Any) -> None:
        told, self._gate = folder / "told", folder / "gate-"
        os.mkfifo(told)
        self._log = folder / "told.log"
        self._told = os.open(told, os.O_RDWR)
        self.clock = JumpingClock(NOW)
        command = script(folder, WAITS.format(told=str(told), gate=str(self._gate)))
        access = WorkersAccess(folder / "sessions", registry(folder, command, role=role))
        self.workers = Workers(access, {"toy": EachTicket()}, self.clock)

    def begin(self, ticket: str) -> "asyncio.Task[WorkOutcome]":
        gate = Path(f"{self._gate}{ticket}")
        if not gate.exists():
            os.mkfifo(gate)
        return asyncio.create_task(self._attempt(ticket))

    def log(self) -> list[str]:
        """Who has begun (+) and ended (-), in their order."""
        return self._log.read_text().split()

    async def begun(self) -> str:
        """The ticket whose attempt begins next."""
        return (await asyncio.to_thread(os.read, self._told, 3)).decode()

    async def let(self, ticket: str) -> None:
        """Let the attempt end that has begun."""
        await asyncio.to_thread(Path(f"{self._gate}{ticket}").write_text, "go on")

    async def nobody_begins(self) -> None:
        """Whoever could begin has had its chance, and nobody has told of it."""
        while self.clock.next_wake is None:  # noqa: ASYNC110 - a clock has no event for it
            await asyncio.sleep(0)
        os.set_blocking(self._told, False)
        with pytest.raises(BlockingIOError):
            os.read(self._told, 3)
        os.set_blocking(self._told, True)

    def close(self) -> None:
        os.close(self._told)

    async def _attempt(self, ticket: str) -> WorkOutcome:
        effect = RunWorker(name="work-1", scope="s", about=ticket)
        answered = await self.workers.runners[RunWorker.kind](EffectRun(KEY, "toy", effect, "c1", None))
        assert isinstance(answered, Answered)
        return answered.outcome


@pytest.fixture
def offices(tmp_path: Path) -> Iterator[Any]:
    made: list[Office] = []

    def make(**role: Any) -> Office:
        made.append(Office(tmp_path, **role))
        return made[-1]

    yield make
    for each in made:
        each.close()


async def test_two_tickets_are_worked_on_at_once(offices: Any) -> None:
    office = offices()
    attempts = [office.begin("T-1"), office.begin("T-2")]
    assert {await office.begun(), await office.begun()} == {"T-1", "T-2"}
    await office.let("T-1")
    await office.let("T-2")
    assert [(await each).failure for each in attempts] == [None, None]


@pytest.mark.parametrize(
    ("second", "role"),
    [
        pytest.param("T-1", {}, id="a ticket has one process"),
        pytest.param("T-2", {"supports_multiple_instances": False}, id="a role that may be there only once"),
    ],
)
async def test_the_second_begins_when_the_first_has_ended(offices: Any, second: str, role: dict[str, Any]) -> None:
    office = offices(**role)
    attempts = [office.begin("T-1")]
    assert await office.begun() == "T-1"
    attempts.append(office.begin(second))
    reading = asyncio.create_task(office.begun())
    await office.let("T-1")
    assert (await attempts[0]).failure is None
    assert await reading == second
    await office.let(second)
    assert (await attempts[1]).failure is None
    assert office.log() == ["+T-1", "-T-1", f"+{second}", f"-{second}"]


async def test_so_many_begin_a_minute(offices: Any) -> None:
    role = {"metadata": {"protocol": "envelope", "sandbox": "off", "rate_per_minute": 1}}
    office = offices(**role)
    attempts = [office.begin("T-1")]
    assert await office.begun() == "T-1"
    attempts.append(office.begin("T-2"))
    await office.nobody_begins()
    office.clock.jump(NOW + 60_000)
    assert await office.begun() == "T-2"
    await office.let("T-1")
    await office.let("T-2")
    assert [(await each).failure for each in attempts] == [None, None]


async def test_closing_ends_whoever_works_and_whoever_waits(offices: Any) -> None:
    office = offices(supports_multiple_instances=False)
    attempts = [office.begin("T-1"), office.begin("T-2")]
    await office.begun()
    await office.workers.close()
    assert all(each.cancelled() for each in attempts)
