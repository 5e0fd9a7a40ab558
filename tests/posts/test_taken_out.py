"""The app is taken out of the workspace and installed again: nothing is lost, given up or said twice."""

import logging
from collections.abc import AsyncIterator

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.local_slack import App, LocalWorkspace
from bot.local_slack.installation import SCOPES
from engine.kernel import Place
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import AYA, CHANNELS, LINKED, LOBBY, PEOPLE, TENANT, Driver
from tests.views.stories import Story, voting

SOON = 4_000
REFUSALS = ("account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked")


@pytest.fixture
async def driver() -> AsyncIterator[Driver]:
    """As the manifest has it: public channels take our posts, whether we are in them or not."""
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace(
        users=PEOPLE, channels=CHANNELS, app=App(scopes=(*SCOPES, "chat:write.public"))
    ) as workspace:
        driver = Driver(workspace, store)
        yield driver
        await driver.posts.close()


async def heard(driver: Driver) -> None:
    """Somebody has mentioned us, and whatever has waited is done."""
    driver.posts.readmission.heard_from(TENANT)
    await driver.posts.idle()
    assert (await driver.workspace.admin.calls())["auth.test"]
    while await driver.is_behind():
        assert await driver.wait() <= SOON


@pytest.mark.parametrize("error", REFUSALS)
async def test_what_cannot_be_posted_for_want_of_a_token_is_not_given_up(
    driver: Driver, story: Story, error: str
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "error", error=error)
    await driver.show(story)
    assert await driver.is_behind()
    await driver.wait()
    assert await driver.keys(story) == ["root"]
    assert not await driver.is_behind()


async def test_nobody_is_told_anything_while_we_are_out_and_all_of_it_once_we_are_in(
    driver: Driver,
) -> None:
    voted = voting("aya", "bo", linked=LINKED, place=await driver.mentioned()).twin("aya", "accept")
    await driver.workspace.admin.uninstall()
    await driver.show(voted)
    assert await driver.direct(voted, AYA) == []

    await driver.workspace.admin.reinstall()
    await heard(driver)

    assert await driver.keys(voted) == ["root", "offers", "round-1"]
    assert not await driver.is_behind()
    assert len(await driver.direct(voted, AYA)) == 1
    assert await driver.direct(voted, REQUESTER) == []  # nothing was ever refused


async def test_a_thread_that_stood_before_is_brought_up_to_date(driver: Driver, story: Story) -> None:
    await driver.show(story.understood())
    await driver.workspace.admin.uninstall()
    await driver.show(story.shortlisted("aya").offers("aya").drafted("aya"))
    before = driver.workspace.calls

    await driver.wait()  # without a word from anybody
    await driver.wait()
    assert await driver.is_behind()
    made = driver.workspace.calls - before
    assert made["auth.test"] == made.total()  # one question, for all that waits

    await driver.workspace.admin.reinstall()
    while await driver.is_behind():
        await driver.wait()
    assert await driver.keys(story) == ["root", "offers", "round-1"]


async def test_it_is_said_once_that_we_are_out_and_that_we_are_in_again(
    driver: Driver, story: Story, caplog: LogCaptureFixture
) -> None:
    await driver.workspace.admin.uninstall()
    await driver.show(story)
    for _ in range(4):
        await driver.wait()
    await driver.workspace.admin.reinstall()
    await heard(driver)
    said = [each.message for each in caplog.records if each.levelno >= logging.ERROR]
    assert len(said) == 1
    assert "account_inactive" in said[0]
    assert "install" in said[0]


@pytest.mark.parametrize("token", ["", "xoxb-local-another"])
@pytest.mark.parametrize("is_there", [True, False])
async def test_what_may_stand_there_already_is_looked_for_once_we_are_in_again(
    driver: Driver, token: str, is_there: bool
) -> None:
    story = Story(place=Place(channel=LOBBY)).demand()
    await driver.workspace.admin.fault("chat.postMessage", "drop_after" if is_there else "drop_before")
    await driver.show(story)
    await driver.workspace.admin.uninstall()
    await driver.wait()

    await driver.workspace.admin.reinstall(token)
    if token:  # as an operator has to
        await driver.posts.close()
        driver.posts = driver.another()
        await driver.posts.start()
        await driver.posts.idle()
    else:
        await heard(driver)

    roots = [each for each in await driver.workspace.person(REQUESTER).messages(LOBBY) if each.metadata]
    assert len(roots) == 1
    assert "twice" not in str(roots)


async def test_nothing_holds_up_the_end_while_we_are_out(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.uninstall()
    await driver.show(story)
    await driver.posts.close()
    assert await driver.is_behind()
