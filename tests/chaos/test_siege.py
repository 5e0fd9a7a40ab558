"""A siege can be replayed, and finds out what it is there to find out."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.local_slack import App, LocalWorkspace
from bot.local_slack.workspace import dm_id
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import AYA, BO, CHANNELS, LINKED, LOBBY, PEOPLE, TENANT, Driver
from tests.views.stories import Story, voting

from . import town
from .checks import Standing, Verdict, wrong_in_log
from .ledger import Ballot, Ledger
from .model_wire import INTERNAL
from .plan import KINDS, plan
from .questions import last_questions


def test_the_same_seed_is_the_same_plan() -> None:
    assert plan(7, 300) == plan(7, 300)
    assert plan(7, 300) != plan(8, 300)


def test_a_long_siege_has_everything() -> None:
    assert {step.kind for step in plan(7, 1_200)} == set(KINDS)


def test_what_a_machine_cannot_do_is_left_out_and_the_rest_comes_when_it_would() -> None:
    everything = plan(7, 300)
    assert plan(7, 300, without=["clock"]) == [step for step in everything if step.kind != "clock"]


@pytest.fixture
async def driver() -> AsyncIterator[Driver]:
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=CHANNELS) as workspace:
        driver = Driver(workspace, store)
        yield driver
        await driver.posts.close()


async def stopped(driver: Driver) -> tuple[Story, Standing]:
    """Somebody has stopped it, and everything is shown."""
    story = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED).stopped()
    await driver.show(story)
    there = Standing()
    there.add(LOBBY, await driver.messages(story))
    return story, there


async def wrong(driver: Driver, there: Standing, ledger: Ledger | None = None) -> list[str]:
    verdict = Verdict(driver.store, TENANT, ledger or Ledger(), there)
    await verdict.reach()
    return verdict.problems


async def test_where_nothing_is_wrong_nothing_is_said(driver: Driver) -> None:
    _, there = await stopped(driver)
    assert await wrong(driver, there) == []


async def test_a_vote_that_was_lost_is_found_out(driver: Driver) -> None:
    story, there = await stopped(driver)
    ledger = Ledger()
    ledger.voted(Ballot(story.stream, 1, AYA), is_certain=True)
    ledger.voted(Ballot(story.stream, 1, AYA), is_certain=False)
    [problem] = await wrong(driver, there, ledger)
    assert problem.startswith("0 votes on record of 1 to 2")


async def test_a_vote_that_nobody_gave_is_found_out(driver: Driver) -> None:
    """The story has it without anybody's act."""
    story = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED).clicks(AYA, "aya", "accept").stopped()
    await driver.show(story)
    there = Standing()
    there.add(LOBBY, await driver.messages(story))
    [problem] = await wrong(driver, there)
    assert problem.startswith("1 votes counted of 0")


async def test_what_stands_there_twice_is_found_out_and_what_is_missing(driver: Driver) -> None:
    story, there = await stopped(driver)
    there.add(LOBBY, [await driver.message(story, "root")])
    del there.times[story.stream, "outcome", LOBBY]
    assert await wrong(driver, there) == [
        f"root of {story.stream} stands 2 times in {LOBBY}",
        f"outcome of {story.stream} is missing",
    ]


async def test_what_never_ended_and_what_was_lost_is_found_out(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    there = Standing()
    there.add(LOBBY, await driver.messages(story))
    ledger = Ledger(demands=[(LOBBY, "1.000001")])
    lost, open_still = await wrong(driver, there, ledger)
    assert lost == f"the demand 1.000001 in {LOBBY} was lost"
    assert open_still.startswith(f"{story.stream} has the endings []")


async def test_what_is_given_up_for_want_of_a_token_is_found_out(driver: Driver) -> None:
    story, there = await stopped(driver)
    root = (await driver.table(story))["root"]
    await driver.remembers(story, "root", root.model_copy(update={"state": "given_up", "why": "account_inactive"}))
    assert await wrong(driver, there) == [
        f"root of {story.stream} is given up though nothing but the token was refused: account_inactive"
    ]


async def test_who_is_told_before_the_thread_stands_is_found_out(driver: Driver) -> None:
    story, there = await stopped(driver)
    root = await driver.message(story, "root")
    for channel, ts in ((dm_id(REQUESTER), "1.0"), (dm_id(AYA), "9999999999.000000"), (dm_id(BO), "1.0")):
        there.add(channel, [root.model_copy(update={"ts": ts})])
    assert await wrong(driver, there) == [f"{story.stream} is told in {dm_id(BO)} before its thread stands"]


async def test_a_button_that_outlives_its_negotiation_is_found_out(driver: Driver) -> None:
    story, there = await stopped(driver)
    there.with_votes.add(story.stream)
    assert await wrong(driver, there) == [f"one can still vote in {story.stream}, which is over"]


async def test_what_another_company_reads_of_what_is_internal_is_found_out(driver: Driver) -> None:
    story, there = await stopped(driver)
    root = await driver.message(story, "root")
    said = root.model_copy(update={"text": f"{INTERNAL}: gladly"})

    there.add("C_OWN", [said])
    assert await wrong(driver, there) == []
    there.add("C_SHARED", [said], is_shared=True)

    assert await wrong(driver, there) == [f"root of {story.stream} is internal, and another company reads it"]


async def test_a_command_that_was_lost_is_found_out(driver: Driver) -> None:
    _, there = await stopped(driver)
    assert await wrong(driver, there, Ledger(commands=[(AYA, "A room")])) == [f"'A room' of {AYA} was lost"]


async def test_whoever_asked_may_have_by_direct_message_what_the_thread_lacks(driver: Driver) -> None:
    story, there = await stopped(driver)
    del there.times[story.stream, "outcome", LOBBY]
    there.times[story.stream, "outcome/requester", "D_AYA"] = 1
    assert await wrong(driver, there) == []


async def test_who_is_met_with_silence_is_found_out() -> None:
    """Nobody listens in this workspace."""
    users = (*town.ASKERS, town.STRANGER)
    deaf, halls = App(subscriptions=()), town.channels(users)
    async with LocalWorkspace(app=deaf, users=users, channels=halls, ack_timeout=0.1) as workspace:
        found = await last_questions(workspace, {number: town.hall(number) for number in (1, town.UNINVITED)}, silence)
    assert [each.split(" in ")[0] for each in found] == [
        "/towow status", "whoever edits", "whoever greets", "/towow status",
    ]  # fmt: skip


async def silence() -> None:
    """Do nothing, as a bot that is not there."""


def test_a_traceback_and_a_secret_in_the_log_are_found_out(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    log.write_text("all is well\n")
    assert [*wrong_in_log(log, ["xoxb-"])] == []
    log.write_text("Traceback (most recent call last):\n  it was xoxb-local-1\n")
    assert [*wrong_in_log(log, ["xoxb-"])] == ["a traceback in the log", "a secret in the log: xoxb-…"]
    assert [*wrong_in_log(log, ["xoxb-"], after=log.stat().st_size)] == []
