"""What a process commits to PostgreSQL it does itself, by jobs that are its own from the beginning."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import psycopg
import pytest

from engine.runtime.clock import JumpingClock
from engine.runtime.job import ALARMS, EFFECTS
from engine.store.port import Commit

from .conftest import KEY, NOON
from .processes import LASTS, Process, Town, comes_true, order, town
from .toy_protocol import CallOff, CloseAt


@pytest.fixture
async def several(postgres_url: str) -> AsyncIterator[Town]:
    async with town(postgres_url, JumpingClock(NOON)) as found:
        yield found


def states(several: Town) -> list[str]:
    """Of the jobs of effects there are."""
    found = several.tells("SELECT status::text FROM procrastinate_jobs WHERE queue_name = %s ORDER BY id", EFFECTS)
    return [state for (state,) in found]


async def cooks(several: Town, process: Process, dish: str) -> None:
    several.gates[dish] = asyncio.Event()
    await process.handle(order(dish))
    await comes_true(lambda: dish in several.cooked)


async def test_a_job_is_under_way_where_it_was_committed_and_goes_with_what_pays_it(several: Town) -> None:
    first = await several.begins()
    await cooks(several, first, "soup")
    assert states(several) == ["doing"]
    assert several.tells("SELECT count(*) FROM procrastinate_events") == [(0,)]  # nothing was done to it since

    several.gates.pop("soup").set()
    await comes_true(lambda: several.jobs_left() == [])
    assert (await first.kitchen()).served == ("soup",)


async def test_a_job_of_which_something_is_left_stays(several: Town) -> None:
    first = await several.begins()
    await cooks(several, first, "soup")
    several.gates["pie"] = asyncio.Event()
    await asyncio.gather(first.handle(order("pie")), first.handle(order("cake")))
    await comes_true(lambda: (len(several.cooked)) == 3)
    for dish, left in (("pie", ["doing"]), ("soup", [])):
        several.gates.pop(dish).set()
        await comes_true(lambda left=left: states(several) == left)  # type: ignore[misc]

    await first.runtime.activity.idle()
    assert sorted((await first.kitchen()).served) == ["cake", "pie", "soup"]


async def test_what_is_voided_where_it_is_done_leaves_no_job(several: Town) -> None:
    first = await several.begins()
    await cooks(several, first, "soup")
    await first.handle(CallOff(command_id="off", at=NOON))

    assert several.jobs_left() == []


async def test_what_another_process_voids_leaves_no_job_in_the_end(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    await cooks(several, first, "soup")
    await second.handle(CallOff(command_id="off", at=NOON))
    several.gates.pop("soup").set()
    await several.rests()

    assert (await first.kitchen()).served == ()
    assert several.jobs_left() == []


async def test_a_process_that_has_not_said_in_time_that_it_is_there_gets_no_job(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    first.jobs_line.cut()  # it commits, and cannot say that it is there
    several.gates["soup"] = asyncio.Event()
    several.tells(
        "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 day' WHERE id = ANY(%s)",
        first.jobs_line.workers,
    )
    await first.handle(order("soup"))
    assert states(several) == ["todo"]

    several.gates.pop("soup")
    await second.looks(LASTS // 3)
    assert (await second.kitchen()).served == ("soup",)
    first.jobs_line.mend()
    await several.rests()
    assert several.cooked == ["soup"]


async def test_a_commit_of_unknown_outcome_is_followed_up(several: Town) -> None:
    """The line breaks after the server has committed, and before it says so."""
    first = await several.begins()
    defer = first.jobs.defer
    broken: list[str] = []

    async def deferred(connection: Any, commits: Sequence[Commit]) -> Callable[[], Awaitable[None]]:
        kept = await defer(connection, commits)

        async def broke() -> None:
            if broken:
                await kept()
                return
            broken.append(commits[0].key.stream)
            await connection.close()
            raise psycopg.OperationalError("the line is broken")

        return broke

    first.store.on_commit = deferred
    receipt = await first.handle(order("soup"))
    assert receipt.duplicate
    await several.rests()

    assert broken == [KEY.stream]
    assert (await first.kitchen()).served == ("soup",)
    assert several.cooked == ["soup"]
    assert several.jobs_left() == []


async def test_the_job_of_an_alarm_moves_with_it(several: Town) -> None:
    first = await several.begins()
    await first.handle(CloseAt(command_id="close", at=NOON, due=NOON + 60_000))
    before = several.tells("SELECT id FROM procrastinate_jobs")
    await first.handle(CloseAt(command_id="later", at=NOON, due=NOON + 120_000))

    assert several.tells("SELECT id FROM procrastinate_jobs") == before
    assert several.tells("SELECT args->>'due' FROM procrastinate_jobs") == [(str(NOON + 120_000),)]


async def test_an_alarm_that_is_rung_by_a_sweep_leaves_no_job(several: Town) -> None:
    first = await several.begins()
    await first.handle(CloseAt(command_id="close", at=NOON, due=NOON + 60_000))
    assert several.jobs_left() == [ALARMS]
    several.clock.jump(NOON + 60_000)
    await first.runtime.sweep()

    assert (await first.kitchen()).closed
    assert several.jobs_left() == []


async def test_what_is_due_is_found_among_many_alarms_that_are_to_come(several: Town) -> None:
    await several.begins()
    several.tells(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, scheduled_at)"
        " SELECT 'towow_alarms', 'towow_alarms', now() + interval '1 day' FROM generate_series(1, 2000)"
    )
    several.tells("ANALYZE procrastinate_jobs")
    ((plan,),) = several.tells(
        "EXPLAIN (FORMAT JSON) SELECT id FROM procrastinate_jobs"
        " WHERE status = 'todo' AND queue_name = %s AND coalesce(scheduled_at, '-infinity'::timestamptz) <= now()"
        " ORDER BY coalesce(scheduled_at, '-infinity'::timestamptz), id LIMIT 100 FOR UPDATE SKIP LOCKED",
        ALARMS,
    )
    assert "'Index Name': 'towow_jobs_due'" in str(plan)
    assert "Sort" not in str(plan)
