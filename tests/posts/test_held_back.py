"""What waits until somebody's quiet hours end: a restart loses nothing of it, and edits never wait."""

from datetime import time

import pytest

from bot.local_slack import LocalWorkspace
from bot.posts.going_out import Choices, Quiet
from engine.negotiation.commands import RecordDelivery
from engine.negotiation.policy import Policy
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import NOON
from tests.posts.direct_stories import begun, has_buttons
from tests.posts.driver import AYA, BO, CHANNELS, PEOPLE, Driver

HOUR = 3_600_000
LONG = Policy(human_window=24 * 3600)
NOW_QUIET = Quiet(time(7), time(10))
"""It is eight o'clock UTC."""


def quiet(driver: Driver, *users: str, hours: Quiet = NOW_QUIET) -> None:
    driver.choices |= {each: Choices(quiet=hours) for each in users}


def reached(driver: Driver) -> list[str]:
    return [each.agent_id for each in driver.reported if isinstance(each, RecordDelivery) and each.reached]


async def test_a_part_waits_until_its_reader_s_quiet_hours_end_and_nobody_else_s_does(driver: Driver) -> None:
    story = await begun(driver, LONG)
    quiet(driver, AYA)

    await driver.show(story.twin("aya", "accept").twin("bo", "accept"))

    assert await driver.direct_keys(story, AYA) == []
    assert await driver.direct_keys(story, BO) == ["part-1/bo"]
    assert await driver.keys(story) == ["root", "offers", "round-1"]
    assert await driver.wait() == 2 * HOUR
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert driver.posts.next_due is None
    assert not await driver.is_behind()


async def test_nobody_counts_as_told_before_they_are(driver: Driver) -> None:
    story = await begun(driver, LONG)
    quiet(driver, AYA)

    await driver.show(story.twin_fails("aya"))
    assert reached(driver) == []
    await driver.wait()

    assert reached(driver) == ["aya"]


async def test_what_could_not_be_answered_in_time_goes_out_at_once(driver: Driver) -> None:
    story = await begun(driver, Policy(human_window=2 * 3600))
    quiet(driver, AYA)

    await driver.show(story.twin("aya", "accept"))

    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


async def test_a_restart_in_the_quiet_hours_loses_nothing_and_sends_nothing_early(driver: Driver) -> None:
    story = await begun(driver, LONG)
    quiet(driver, AYA)
    await driver.show(story.twin("aya", "accept"))
    await driver.posts.close()

    driver.clock.jump(NOON + HOUR)
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    assert await driver.direct_keys(story, AYA) == []
    assert await driver.wait() == HOUR

    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


async def test_whoever_starts_after_the_quiet_hours_sends_it_at_once(driver: Driver) -> None:
    story = await begun(driver, LONG)
    quiet(driver, AYA)
    await driver.show(story.twin("aya", "accept"))
    await driver.posts.close()

    driver.clock.jump(NOON + 3 * HOUR)
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()

    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


async def test_an_edit_never_waits(driver: Driver) -> None:
    story = await begun(driver, LONG)
    await driver.show(story.twin("aya", "accept"))
    quiet(driver, AYA)

    await driver.show(story.clicks(AYA, "aya", "accept").twin("bo", "accept").twin("chen", "accept").time_is_up())

    part = (await driver.direct(story, AYA))[0]
    assert not has_buttons(part)


async def test_what_waits_is_shown_as_it_stands_when_it_comes(driver: Driver) -> None:
    story = await begun(driver, LONG)
    quiet(driver, AYA)
    await driver.show(story.twin("aya", "accept"))
    await driver.show(story.clicks(AYA, "aya", "accept"))

    await driver.wait()

    [part] = await driver.direct(story, AYA)
    assert "You accept" in str(part.blocks)


async def test_whose_part_comes_after_half_of_the_time_is_not_reminded_of_it_as_well(driver: Driver) -> None:
    story = await begun(driver, LONG)
    quiet(driver, AYA, hours=Quiet(time(7), time(19)))
    await driver.show(story.twin("aya", "accept").twin("bo", "accept"))
    assert driver.posts.next_due == NOON + 11 * HOUR
    story.now = story.state.rounds[-1].window.people_until - 12 * HOUR
    await driver.show(story.rings("remind/1"))
    assert await driver.direct_keys(story, BO) == ["part-1/bo", "reminder-1/bo"]

    driver.clock.jump(story.now + HOUR)
    await driver.posts.idle()

    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


@pytest.mark.parametrize(
    ("zone", "waits"),
    [
        pytest.param("Asia/Shanghai", 8 * HOUR, id="Shanghai: it is four in the afternoon"),
        pytest.param("America/New_York", 0, id="New York: it is three in the morning"),
        pytest.param("", 0, id="nobody knows where"),
    ],
)
async def test_quiet_hours_are_those_of_the_place_that_slack_tells(zone: str, waits: int) -> None:
    store = MemoryStore()
    await store.open()
    users = [each.model_copy(update={"tz": zone}) if each.id == AYA else each for each in PEOPLE]
    async with LocalWorkspace(users=users, channels=CHANNELS) as workspace:
        driver = Driver(workspace, store)
        story = await begun(driver, Policy(human_window=96 * 3600))
        quiet(driver, AYA, hours=Quiet(time(15), time(0)))
        await driver.show(story.twin("aya", "accept"))

        assert bool(await driver.direct_keys(story, AYA)) is (waits == 0)
        if waits:
            assert await driver.wait() == waits
            assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
        await driver.posts.close()


async def test_who_wants_digests_gets_no_part_by_itself_and_nothing_is_left_behind(driver: Driver) -> None:
    story = await begun(driver, LONG)
    driver.choices[AYA] = Choices(wants_digest=True)

    await driver.show(story.twin("aya", "accept"))

    assert await driver.direct_keys(story, AYA) == []
    assert driver.posts.next_due is None
    assert not await driver.is_behind()


async def test_a_clock_that_is_set_back_sends_nothing_in_the_quiet_hours(driver: Driver) -> None:
    story = await begun(driver, LONG)
    quiet(driver, AYA)
    await driver.show(story.twin("aya", "accept"))
    driver.clock.set_wall(NOON - 30 * 60_000)

    assert await driver.wait() == 2 * HOUR
    assert await driver.direct_keys(story, AYA) == []
    assert await driver.wait() == 30 * 60_000

    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
