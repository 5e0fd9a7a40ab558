"""Effects and alarms as jobs in PostgreSQL: any process may do them, and what one of them left is done by another."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from engine.runtime.clock import JumpingClock
from engine.runtime.job import ALARMS, EFFECTS

from .conftest import KEY, NOON
from .processes import LASTS, Town, comes_true, order, town
from .toy_protocol import CallOff, CloseAt

WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%procrastinate_jobs%'"
"""Who waits for somebody else's lock before it says what became of a job."""


@pytest.fixture
async def several(postgres_url: str) -> AsyncIterator[Town]:
    async with town(postgres_url, JumpingClock(NOON)) as found:
        yield found


async def test_what_one_commits_is_done_once_and_leaves_no_job(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    for dish in ("soup", "pie", "cake"):
        await first.handle(order(dish))
    await several.rests()

    assert sorted((await second.kitchen()).served) == ["cake", "pie", "soup"]
    assert sorted(several.cooked) == ["cake", "pie", "soup"]
    assert several.jobs_left() == []


async def test_another_process_does_what_one_committed_that_died_at_once(several: Town) -> None:
    first, second = await several.begins(most=0), await several.begins()
    await first.handle(order("soup"))
    several.kills(first)
    await several.rests()

    assert (await second.kitchen()).served == ("soup",)
    assert several.cooked == ["soup"]


async def test_what_a_process_was_doing_that_was_killed_is_done_once_its_time_is_over(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    several.gates["soup"] = asyncio.Event()
    await first.handle(order("soup"))
    await comes_true(lambda: several.cooked == ["soup"])
    several.kills(first)
    await several.rests()
    assert several.cooked == ["soup"]

    several.gates.pop("soup")
    several.ages()
    await several.rests()

    assert (await second.kitchen()).served == ("soup",)
    assert several.cooked == ["soup", "soup"]
    assert several.jobs_left() == []


async def test_what_a_process_was_doing_that_was_killed_is_done_at_once_by_one_that_begins_later(several: Town) -> None:
    first = await several.begins()
    several.gates["soup"] = asyncio.Event()
    await first.handle(order("soup"))
    await comes_true(lambda: several.cooked == ["soup"])
    several.kills(first)
    several.gates.pop("soup")
    several.ages()

    second = await several.begins()
    await second.runtime.activity.idle()  # no time passes for it

    assert (await second.kitchen()).served == ("soup",)


@pytest.mark.parametrize("told", ["finish", "put_back"])
async def test_nothing_is_said_of_a_job_that_another_one_takes_at_the_same_time(several: Town, told: str) -> None:
    """Whoever was away for too long begins to say so, and waits for whoever is about to take the job."""
    first = await several.begins(most=0)
    await first.handle(order("soup"))
    async with several.jobs() as jobs, await psycopg.AsyncConnection.connect(several.url) as other:
        away, there = await jobs.join(), await jobs.join()
        [job] = await jobs.fetch(EFFECTS, away, 1)
        await other.execute("UPDATE procrastinate_jobs SET worker_id = %s WHERE id = %s", (there, job.id))
        saying = asyncio.create_task(getattr(jobs, told)([job.id], away))
        await comes_true(lambda: bool(several.tells(WAITING)))
        await other.commit()
        await saying

        taken = several.tells("SELECT worker_id FROM procrastinate_jobs WHERE id = %s AND status = 'doing'", job.id)
        assert taken == [(there,)]


async def test_what_is_not_to_be_done_twice_is_said_to_have_been_interrupted(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    several.gates["flambé"] = asyncio.Event()
    await first.handle(order("flambé"))
    await comes_true(lambda: several.cooked == ["flambé"])
    several.kills(first)
    several.ages()
    await several.rests()

    assert (await second.kitchen()).burnt == ("flambé",)
    assert several.cooked == ["flambé"]


async def test_a_process_that_was_frozen_for_too_long_does_no_harm(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    several.gates |= {"soup": asyncio.Event(), "flambé": asyncio.Event()}
    await first.handle(order("soup"))
    await first.handle(order("flambé"))
    await comes_true(lambda: len(several.cooked) == 2)
    soup = several.gates.pop("soup")
    first.freeze()
    several.ages()
    await second.looks(LASTS)
    await second.looks()  # the database may have held them locked, while it forgot another worker of the first one
    await second.handle(order("pie"))
    await second.runtime.activity.idle()
    state = await second.kitchen()
    assert (sorted(state.served), state.burnt) == (["pie", "soup"], ("flambé",))

    first.thaw()
    soup.set()
    several.gates["flambé"].set()
    await several.rests()
    await first.handle(order("cake"))
    await several.rests()

    state = await first.kitchen()
    assert (sorted(state.served), state.burnt) == (["cake", "pie", "soup"], ("flambé",))
    assert sorted(several.cooked) == ["cake", "flambé", "pie", "soup", "soup"]
    assert several.jobs_left() == []


async def test_whoever_ends_in_order_gives_back_what_it_was_doing(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    several.gates["soup"] = asyncio.Event()
    await first.handle(order("soup"))
    await comes_true(lambda: several.cooked == ["soup"])
    several.gates.pop("soup")
    await several.ends(first)
    await several.rests()

    assert (await second.kitchen()).served == ("soup",)
    assert several.cooked == ["soup", "soup"]
    assert several.jobs_left() == []


async def test_what_another_process_voids_is_stopped_where_it_is_not_to_be_done_twice(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    several.gates["flambé"] = asyncio.Event()
    await first.handle(order("flambé"))
    await comes_true(lambda: several.cooked == ["flambé"])
    await second.handle(CallOff(command_id="off", at=NOON))
    await several.rests()

    state = await first.kitchen()
    assert (state.served, state.burnt) == ((), ())


async def test_an_effect_that_fails_is_tried_again_by_whoever_has_its_job(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    several.fails["soup"] = 2
    await first.handle(order("soup"))
    for _ in range(3):
        several.clock.jump(several.clock.now() + 60_000)
        await several.rests()

    assert (await second.kitchen()).served == ("soup",)
    assert several.cooked == ["soup"] * 3


async def test_a_job_that_got_lost_is_found_by_its_row(several: Town) -> None:
    first = await several.begins(most=0)
    await first.handle(order("soup"))
    several.tells("DELETE FROM procrastinate_jobs")
    second = await several.begins()
    await several.rests()
    assert (await second.kitchen()).served == ("soup",)


async def test_an_alarm_rings_when_it_is_due_without_a_sweep(several: Town) -> None:
    """By the database's clock, which is real: people's clock stands at a time that is to come."""
    first, second = await several.begins(), await several.begins()
    await first.handle(order("soup"))
    several.clock.set_wall(10_000)
    await first.handle(CloseAt(command_id="close", at=NOON, due=10_000))
    await second.looks()
    await several.rests()

    assert (await second.kitchen()).closed
    assert several.jobs_left() == []


async def test_an_alarm_that_was_set_anew_does_not_ring_at_its_old_time(several: Town) -> None:
    first, second = await several.begins(), await several.begins()
    await first.handle(CloseAt(command_id="close", at=NOON, due=NOON + 60_000))
    await second.handle(CloseAt(command_id="later", at=NOON, due=NOON + 120_000))
    assert several.jobs_left() == [ALARMS, ALARMS]
    several.clock.jump(NOON + 60_000)
    await second.runtime.sweep()
    await several.rests()
    assert not (await first.kitchen()).closed

    several.clock.jump(NOON + 120_000)
    await first.runtime.sweep()
    assert (await second.kitchen()).closed


async def test_what_one_commit_owes_is_one_job(several: Town) -> None:
    first = await several.begins(most=0)
    await asyncio.gather(*(first.handle(order(f"dish {number}")) for number in range(5)))

    assert (several.jobs_left()).count(EFFECTS) < 5
    found = await first.store.load(KEY)
    assert found is not None
    assert len(found.outbox) == 5


async def test_what_is_not_to_be_done_twice_is_stopped_by_a_process_that_cannot_say_that_it_is_there(
    several: Town,
) -> None:
    """Others may reach the database, and say that it was interrupted."""
    first = await several.begins()
    several.gates["flambé"] = asyncio.Event()
    await first.handle(order("flambé"))
    await comes_true(lambda: several.cooked == ["flambé"])
    await first.looks(LASTS // 2)
    assert (await first.kitchen()).burnt == ()

    await first.looks(LASTS)
    await several.rests()
    assert (await first.kitchen()).burnt == ("flambé",)
    assert several.cooked == ["flambé"]


async def test_a_process_takes_its_own_job_again_after_it_was_away_for_too_long(several: Town) -> None:
    first = await several.begins()
    several.gates["soup"] = asyncio.Event()
    await first.handle(order("soup"))
    await comes_true(lambda: several.cooked == ["soup"])
    first.freeze()
    several.ages()
    first.thaw()
    await several.rests()
    several.gates.pop("soup").set()
    await several.rests()

    assert (await first.kitchen()).served == ("soup",)
    assert several.cooked == ["soup"]
    assert several.jobs_left() == []
