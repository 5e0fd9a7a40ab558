"""A change of the role registry or of scheduler_config.json reaches deliveries that go on."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.demo.demo import REQUESTER, Demo, DemoSettings, running_demo
from bot.listeners.delivery.beginning import begin
from bot.listeners.delivery.registry import tell_deliveries
from bot.listeners.services import Services
from bot.listeners.workers_watch import EVERY, WorkersWatch
from bot.protocol_row import policies
from bot.registry import PROTOCOLS
from engine.delivery.commands import StopDelivery
from engine.delivery.planning.briefs import brief_of_goal
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.delivery.terms import Owner, Task, WorkerKind
from engine.directory.profile import Profiles
from engine.kernel import Millis, Place, StreamKey
from engine.runtime.clock import JumpingClock, Monotonic
from engine.workers.registry import WorkersAccess

WRITER = {
    "role_id": "writer",
    "display_name": "Writer",
    "type": "worker",
    "capabilities": ["writing"],
    "metadata": {"protocol": "model"},
}
SCRIPT = {
    "role_id": "script",
    "display_name": "Script",
    "type": "worker",
    "cli_command": ["true"],
    "supports_multiple_instances": False,
    "metadata": {"protocol": "envelope"},
}


@dataclass(frozen=True)
class Files:
    roles: Path
    scheduler: Path

    def say(self, *roles: Mapping[str, object], retries: int = 2) -> None:
        self.roles.write_text(json.dumps({"roles": roles, "checks": {"lint": ["true"]}}), "utf-8")
        self.scheduler.write_text(json.dumps({"retries": retries}), "utf-8")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = Files(tmp_path / "roles.json", tmp_path / "scheduler_config.json")
    files.say(WRITER)
    return files


def settings(files: Files, database: Path | None = None) -> DemoSettings:
    access = WorkersAccess(files.roles.parent / "sessions", files.roles, files.scheduler)
    return DemoSettings(Profiles({}), policies(PROTOCOLS)["balanced"], PROTOCOLS, database, workers=access)


@pytest.fixture
async def demo(files: Files) -> AsyncIterator[Demo]:
    async with running_demo(settings(files)) as demo:
        yield demo


async def deliver(demo: Demo, cause: str = "m1") -> StreamKey:
    """One that waits for somebody."""
    services = demo.towow.services
    brief = brief_of_goal("Book a room", by=REQUESTER, today="2027-01-04", time_zone="UTC")
    task = Task(task_id="t", title="Book a room", owner=Owner(kind=WorkerKind.PERSON, user_id=REQUESTER))
    begun = await begin(services, demo.tenant, cause=cause, by=REQUESTER, brief=brief, place=Place(), tasks=(task,))
    return begun.key


async def state_of(demo: Demo, key: StreamKey) -> Delivery:
    return await demo.towow.services.gateway.read(key, RULEBOOK)


async def roles_of(demo: Demo, key: StreamKey) -> list[str]:
    return [*(await state_of(demo, key)).roles]


async def changes(demo: Demo) -> int:
    events = await demo.towow.store.events(demo.tenant, 0, 500)
    return sum(each.event_type == "towow.delivery.roles_changed" for each in events)


async def test_a_delivery_begins_with_what_the_files_say(demo: Demo) -> None:
    state = await state_of(demo, await deliver(demo))

    [role] = state.roles.values()
    assert (role.role_id, role.kind, role.capabilities, role.checks) == (
        "writer", WorkerKind.MODEL, ("writing",), ("lint",),
    )  # fmt: skip
    assert state.policy.retries == 2


async def test_what_has_changed_reaches_deliveries_that_go_on_and_no_others(demo: Demo, files: Files) -> None:
    services = demo.towow.services
    ended, going_on = await deliver(demo, "m1"), await deliver(demo, "m2")
    stop = StopDelivery(command_id="stop", at=services.now(), by=REQUESTER)
    await services.gateway.send(ended, RULEBOOK, stop)
    await demo.settle()
    watch = WorkersWatch(services, [tell_deliveries], demo.clock)
    await watch.look()
    files.say(WRITER, SCRIPT, retries=5)
    await watch.look()
    await watch.look()

    assert await roles_of(demo, going_on) == ["writer", "script"]
    assert not (await state_of(demo, going_on)).roles["script"].has_instances
    assert (await state_of(demo, going_on)).policy.retries == 5
    assert await roles_of(demo, ended) == ["writer"]
    assert await changes(demo) == 1


async def test_a_fault_changes_nothing_and_is_logged_once(
    demo: Demo, files: Files, caplog: pytest.LogCaptureFixture
) -> None:
    key = await deliver(demo)
    watch = WorkersWatch(demo.towow.services, [tell_deliveries], demo.clock)
    files.roles.write_text("{", "utf-8")
    with caplog.at_level(logging.ERROR, "engine.files"):
        await watch.look()
        await watch.look()

    assert await roles_of(demo, key) == ["writer"]
    assert [each.name for each in caplog.records] == ["engine.files.validated_file"]


async def test_files_are_looked_at_from_time_to_time(demo: Demo, files: Files) -> None:
    key, clock, looked = await deliver(demo), WaitedFor(0), asyncio.Event()

    async def tell(services: Services) -> None:
        await tell_deliveries(services)
        if clock.now():
            looked.set()

    watch = WorkersWatch(demo.towow.services, [tell], clock)
    await watch.start()
    files.say(SCRIPT)
    await clock.waits.wait()
    clock.jump(EVERY)
    await looked.wait()
    await watch.close()

    assert await roles_of(demo, key) == ["script"]


class WaitedFor(JumpingClock):
    """Says when somebody waits for it."""

    def __init__(self, start: Millis) -> None:
        super().__init__(start)
        self.waits = asyncio.Event()

    async def until(self, due: Monotonic) -> None:
        self.waits.set()
        await super().until(due)


async def test_what_has_changed_while_towow_was_stopped_is_told_at_the_start(files: Files, tmp_path: Path) -> None:
    database = tmp_path / "towow.db"
    async with running_demo(settings(files, database)) as demo:
        key = await deliver(demo)
    files.say(SCRIPT)
    async with running_demo(settings(files, database)) as demo:
        assert await roles_of(demo, key) == ["script"]
        assert await changes(demo) == 1
