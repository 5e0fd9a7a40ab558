"""The app is taken out of its workspace while people negotiate, and comes back: then it is shown what happened."""

from __future__ import annotations

from bot.demo.demo import CHANNEL
from engine.negotiation.state import Status
from engine.runtime.ports import SHUT_OUT

from .conftest import Begin, Given
from .driver import ACCEPT, ALONE, AYA, EVE, PATIENT, YOU, Driver, shows, text_of
from .test_closed_accounts import DOWN, assumed
from .test_refused_thread import direct, thread

DAY = 86_400_000
ENDING = "ending/user_agent_aya"


async def comes_back(it: Driver) -> None:
    """Somebody installs the app again, and invites it to the channel."""
    await it.demo.workspace.admin.reinstall()
    await it.demo.workspace.admin.join(CHANNEL, it.demo.workspace.bot_user_id)
    await it.settles()


async def until_let_in(it: Driver) -> None:
    while (due := it.demo.towow.posts.next_due) is not None and due - it.demo.clock.now() < 5_000:
        await it.demo.skip_to(due)
    await it.settles()


async def test_what_was_decided_while_it_was_out_is_told_once_somebody_is_heard(driver: Begin) -> None:
    it = await (await driver(policy=ALONE, held=("feedback",))).asks()
    before = await thread(it), await direct(it, AYA)
    await it.demo.workspace.admin.uninstall()

    it.script.held.pop("feedback").set()
    await it.settles()
    await it.stands(Status.FINALIZED)
    assert await thread(it) == before[0]
    assert (await direct(it, AYA)).keys() == before[1].keys()
    assert not (await it.demo.person(AYA).slash(CHANNEL, "/towow", "status")).acked

    await comes_back(it)
    await until_let_in(it)

    assert await thread(it) == [*before[0], "outcome"]
    assert not any(shows(each, ACCEPT) for each in await it.thread())
    assert list(await direct(it, AYA)) == [*before[1], ENDING]


async def test_no_time_is_over_while_nobody_can_answer_and_people_get_more_of_it(given: Given) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    [opened] = (await it.state()).rounds
    await it.demo.workspace.admin.uninstall()

    it.demo.clock.jump(opened.window.deadline + DAY)
    await it.demo.towow.runtime.sweep()
    await it.settles()
    [still] = (await it.state()).rounds
    assert (still.tally, await assumed(it)) == (None, [])

    await comes_back(it)
    await until_let_in(it)
    it.demo.clock.jump(it.demo.clock.now() + SHUT_OUT)
    await it.demo.towow.runtime.sweep()
    await it.settles()

    [again] = (await it.state()).rounds
    assert again.window.deadline - it.demo.clock.now() == PATIENT.human_window * 1000
    assert "I was not there when the time was over" in text_of((await it.thread())[-1])
    assert (await it.clicks(AYA, ACCEPT)).acked
    assert (await it.votes())["aya"] == "accept"


async def test_a_token_that_is_refused_for_a_moment_gives_nobody_more_time(given: Given) -> None:
    it = await given(fails={"feedback/aya": DOWN})
    await it.demo.workspace.admin.fault("users.info", "error", error="account_inactive")

    await it.time_is_up()
    [over] = (await it.state()).rounds
    assert over.tally is None
    await until_let_in(it)
    it.demo.clock.jump(over.window.deadline + SHUT_OUT)
    await it.demo.towow.runtime.sweep()
    await it.settles()

    [over] = (await it.state()).rounds
    assert over.tally is not None
    assert not over.window.is_again
    assert len(await assumed(it)) == 1


async def test_it_goes_on_where_it_was(given: Given) -> None:
    it = await given()
    await it.demo.workspace.admin.uninstall()
    await it.settles()

    await comes_back(it)
    assert (await it.clicks(AYA, ACCEPT)).acked

    assert (await it.votes())["aya"] == "accept"
    assert (await it.demo.person(EVE).slash(CHANNEL, "/towow", "status")).message is not None
    assert text_of((await it.thread(YOU))[-1])
