"""Kill the process at any commit: what is made is the same, and each attempt that was interrupted is said."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from engine.delivery.commands import AnswerPermission, FinishTicket
from engine.delivery.state import Delivery, Status, TicketStatus
from engine.delivery.terms import PermissionChoice
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from tests.crash.fuse import WHENS, When
from tests.restarting import Fused

from .process import KEY, Process, running
from .scenario import ANN, DIGEST, FOR_AGENT, FOR_WRITER, NOON, REQUESTER, evidence, task

LEAST_COMMITS: Final = {"smooth": 12, "troubled": 9}


@dataclass(frozen=True)
class Run:
    made: dict[str, Any]
    status: Status
    interrupted: int
    has_struck: bool


async def smooth(process: Process) -> None:
    """A risky ticket of an agent, one of a person that waits for it, and one of a model that waits for both."""
    await process.opens(
        task("page", FOR_AGENT, needs_proposal=True),
        task("room", depends_on=("page",)),
        task("text", FOR_WRITER, depends_on=("room",)),
    )
    await process.settles()
    await process.does(FinishTicket(command_id="c-done", at=NOON, by=ANN, ticket_id="T-2", evidence=(evidence(),)))
    await process.settles()


async def troubled(process: Process) -> None:
    """A ticket of an agent that asks leave and waits for it, fails and is tried again, and is blocked and told."""
    await process.opens(task("page", FOR_AGENT))
    await process.settles()
    await process.does(
        AnswerPermission(
            command_id="c-leave", at=NOON, by=REQUESTER, ticket_id="T-1", digest=DIGEST, choice=PermissionChoice.ONCE
        )
    )
    await process.settles()


STORIES: Final = {each.__name__: each for each in (smooth, troubled)}


async def run(store: Store, story: str, nth: int = 0, when: When = "after") -> Run:
    async with running(store, has_troubles=story == "troubled") as process:
        fuse = Fused(process, nth, when)
        await STORIES[story](process)
        assert await process.store.verify(KEY)
        counts = await process.store.counts()
        assert (counts["owed"], counts["alarms"], counts["open_streams"]) == (0, 0, 0)
        state = await process.state()
        _is_told(state, process.script.ran)
        return Run(_made(state), state.status, _interrupted(state), fuse.has_burnt)


def _is_told(state: Delivery, ran: list[str]) -> None:
    """No ticket stays running, no attempt is begun twice, and each that was begun is on record."""
    assert all(each.running is None and each.claim is None for each in state.tickets.values())
    worked = [name for name in ran if name.startswith("work-")]
    assert len(worked) == len(set(worked)), "an attempt was carried out twice, and nobody was told"
    told = {f"work-{name}-{each.number}" for name, ticket in state.tickets.items() for each in ticket.attempts}
    assert set(worked) <= told


def _made(state: Delivery) -> dict[str, Any]:
    """Of each ticket: where it stands, and what was reported and approved, without how often it was interrupted."""
    return {
        name: (each.status, len(each.reports), [made.label for made in each.artifacts])
        for name, each in state.tickets.items()
    }


def _interrupted(state: Delivery) -> int:
    found = [each for ticket in state.tickets.values() for each in ticket.attempts if each.outcome == "interrupted"]
    assert len(found) == sum(each.interruptions for each in state.tickets.values())
    return len(found)


STORES: Final[dict[str, Callable[[Path], Store]]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(folder / "towow.db"),
}


@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize("name", STORES)
@pytest.mark.parametrize("story", STORIES)
async def test_killed_at_each_commit(story: str, name: str, when: When, tmp_path: Path) -> None:
    async def tried(nth: int) -> Run:
        folder = tmp_path / str(nth)
        folder.mkdir()
        return await run(STORES[name](folder), story, nth, when)

    expected = await tried(0)
    assert (expected.status, expected.interrupted) == (Status.COMPLETED, 0)
    assert {each[0] for each in expected.made.values()} == {TicketStatus.DONE}
    interrupted = 0
    for struck in itertools.count():
        found = await tried(struck + 1)
        if not found.has_struck:
            break
        assert (found.made, found.status) == (expected.made, expected.status), f"killed {when} commit {struck + 1}"
        assert found.interrupted <= 1
        interrupted += found.interrupted
    assert struck >= LEAST_COMMITS[story]
    assert interrupted, "no commit at all struck while a worker was at work"
