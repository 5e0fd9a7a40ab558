"""Direct messages: a part of the plan for each, also for delegates."""

from collections.abc import Callable

import pytest
from aiohttp import web

from bot.local_slack.faults import FaultKind
from bot.local_slack.installation import SCOPES
from bot.posts import Posts
from bot.texts import texts_in
from bot.views.negotiation.button_values import ACCEPT
from engine.negotiation.policy import Policy
from tests.negotiation.scenario import REQUESTER
from tests.posts.direct_stories import ANSWERED, all_accept, begun, half_time, has_buttons, next_round
from tests.posts.driver import AYA, BO, CHEN, LINKED, PRESENTERS, TENANT, Driver
from tests.posts.test_failures import slack
from tests.views.stories import Story, voting

TWO = {name: LINKED[name] for name in ("aya", "bo")}


async def opened(driver: Driver) -> Story:
    story = voting("aya", "bo", place=await driver.mentioned(), linked=TWO)
    return story.twin("aya", "accept").twin("bo", "accept")


async def test_a_card_that_was_taken_back_is_changed_where_it_stands(driver: Driver) -> None:
    story = (await opened(driver)).delegates(AYA, "aya", CHEN)
    await driver.show(story)
    assert await driver.direct_keys(story, CHEN) == [f"part-1/aya/{CHEN}"]
    assert ACCEPT in str(await driver.direct(story, CHEN))

    await driver.show(story.delegates(AYA, "aya"))

    [card] = await driver.direct(story, CHEN)
    assert ACCEPT not in str(card.blocks)
    assert "decides without you again" in str(card.blocks)


async def test_who_never_saw_it_is_not_told_that_it_was_taken_back(driver: Driver) -> None:
    story = (await opened(driver)).delegates(AYA, "aya", CHEN).delegates(AYA, "aya")

    await driver.show(story)

    assert await driver.direct(story, CHEN) == []


async def test_each_reads_their_own_language_also_after_a_restart(driver: Driver) -> None:
    await driver.store.put_records(TENANT, "locale", {CHEN: f'{{"locale":"zh-CN","at":{driver.clock.now()}}}'})
    story = (await opened(driver)).delegates(AYA, "aya", CHEN)

    await driver.show(story)

    [card] = await driver.direct(story, CHEN)
    said = texts_in("zh").say(
        "🤝 {who} lets you decide for them here; whoever of you votes last counts.", who=f"<@{AYA}>"
    )
    assert said in str(card.blocks)


@pytest.fixture
async def story(driver: Driver) -> Story:
    """Round 1 is open for aya, bo and chen, who are all here; their twins have yet to vote."""
    return await begun(driver)


# ── who gets what, when ───────────────────────────────────────────────────────────────────────────────────────────


async def test_a_part_comes_when_the_twin_has_voted_or_could_not_and_to_nobody_else(
    driver: Driver, story: Story
) -> None:
    async def everybody() -> list[list[str]]:
        return [await driver.direct_keys(story, each) for each in (AYA, BO, CHEN, REQUESTER)]

    assert await everybody() == [[], [], [], []]
    await driver.show(story.twin("aya", "accept"))
    assert await everybody() == [["part-1/aya"], [], [], []]
    await driver.show(story.twin_fails("bo"))
    assert await everybody() == [["part-1/aya"], ["part-1/bo"], [], []]
    assert await driver.keys(story) == ["root", "offers", "round-1"]


async def test_where_nobody_is_waited_for_nobody_is_asked_but_told_what_their_twin_has_said(driver: Driver) -> None:
    story = await begun(driver, Policy(human_window=0))
    await driver.show(story.twin("aya", "accept").twin("bo", "reject"))
    assert await driver.direct_keys(story, AYA) == ["twin-offer-0/aya"]
    await driver.show(story.twin("chen", "accept").time_is_up())
    assert await driver.direct_keys(story, AYA) == ["twin-offer-0/aya"]


async def test_a_twin_that_is_nobody_s_has_nobody_to_write_to(driver: Driver) -> None:
    story = voting("aya", "dee", linked=LINKED, place=await driver.mentioned())
    await driver.show(story.twin("aya", "accept").twin("dee", "accept").time_is_up())
    assert await driver.direct_keys(story, AYA) == ["part-1/aya", "ending/aya"]
    assert await driver.direct_keys(story, REQUESTER) == ["ending-asked"]
    assert await driver.calls("conversations.open") == 2
    assert await driver.calls("chat.postMessage") == 7


@pytest.mark.parametrize("at_once", [True, False], ids=["after an outage", "as it happens"])
async def test_it_reads_in_the_order_in_which_it_happened(driver: Driver, at_once: bool) -> None:
    """Somebody with two twins, of whom only one was chosen, gets every kind of message."""
    story = Story(place=await driver.mentioned(), linked={"aya": AYA, "dee": AYA, "bo": BO, "chen": CHEN})
    story.demand().understood().shortlisted("aya", "dee", "bo", "chen")
    for each in ("aya", "dee", "bo", "chen"):
        story.offers(each)
    steps: tuple[Callable[[Story], Story], ...] = (
        lambda story: story.drafted("aya", "bo", "chen"),
        lambda story: story.twin("aya", "accept"),
        half_time,
        next_round,
        all_accept,
        half_time,
        lambda story: story.time_is_up(),
    )
    if at_once:
        await driver.workspace.admin.fault("conversations.open", "status", times=None)
    for step in steps:
        await driver.show(step(story))
    if at_once:
        await driver.workspace.admin.clear_faults()
        await driver.wait()
    late = [] if at_once else ["reminder-1/aya"]
    kept = [each for each in ORDER if not each.startswith("reminder") or each in late]
    assert await driver.direct_keys(story, AYA) == kept


ORDER = ["thanks/dee", "part-1/aya", "reminder-1/aya", "ending/aya"]
"""Nothing of theirs changes in the second round, so their message of the first one goes on."""


async def test_a_round_is_one_message_whose_buttons_go_when_it_is_over(driver: Driver, story: Story) -> None:
    await driver.show(story.twin("aya", "accept"))
    [part] = await driver.direct(story, AYA)
    assert has_buttons(part)
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    [part] = await driver.direct(story, AYA)
    assert "💬 You ask for a change – Only until ten" in str(part.blocks)
    await driver.show(next_round(story, chen="accept", answered=ANSWERED))
    assert [has_buttons(each) for each in await driver.direct(story, AYA)] == [
        False,
        True,
    ]  # her twin is not waited for
    await driver.show(all_accept(story))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya", "part-2/aya"]
    assert [has_buttons(each) for each in await driver.direct(story, AYA)] == [False, True]


async def test_what_others_do_changes_nothing_in_my_messages(driver: Driver, story: Story) -> None:
    await driver.show(story.twin("aya", "accept"))
    [before] = await driver.direct(story, AYA)
    await driver.show(story.twin("bo", "accept"))
    await driver.show(story.twin_fails("chen"))
    await driver.show(story.clicks(BO, "bo", "withdraw"))
    assert await driver.direct(story, AYA) == [before]


async def test_a_reminder_is_a_message_of_its_own_and_stays_as_it_is(driver: Driver, story: Story) -> None:
    await driver.show(all_accept(story).clicks(BO, "bo", "accept"))
    await driver.show(half_time(story))
    assert await driver.direct_keys(story, BO) == ["part-1/bo"]
    [part, reminder] = await driver.direct(story, AYA)
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    await driver.show(story.time_is_up())
    assert (await driver.direct(story, AYA))[1] == reminder
    assert reminder.edited is None
    assert (await driver.direct(story, AYA))[0] != part


async def test_a_reminder_that_comes_too_late_is_not_sent(driver: Driver, story: Story) -> None:
    await driver.show(all_accept(story))
    await driver.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=60, times=3)
    await driver.show(half_time(story))
    await driver.show(story.clicks(AYA, "aya", "accept"))
    await driver.wait()
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert await driver.direct_keys(story, BO) == ["part-1/bo", "reminder-1/bo"]
    assert not await driver.is_behind()


async def test_nobody_is_reminded_of_a_part_they_have_not_seen(driver: Driver) -> None:
    story = await begun(driver, Policy(human_window=60, feedback_timeout=120))
    story.now = story.state.rounds[-1].window.people_until - 30_000
    await driver.show(story.rings("remind/1"))
    assert await driver.direct_keys(story, AYA) == []
    await driver.show(story.twin("aya", "accept"))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya", "reminder-1/aya"]


def force_finalized(story: Story) -> Story:
    return story.twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate").time_is_up()


def failed(story: Story) -> Story:
    return story.twin("aya", "reject").twin("bo", "reject").twin("chen", "accept").time_is_up()


@pytest.mark.parametrize(
    ("end", "says"),
    [
        pytest.param(lambda story: all_accept(story).time_is_up(), "we have a plan", id="finalized"),
        pytest.param(force_finalized, "a plan, with partial agreement", id="force-finalized"),
        pytest.param(failed, "no agreement this time", id="failed"),
        pytest.param(lambda story: story.twin("aya", "accept").stopped(), "was stopped", id="cancelled"),
    ],
)
async def test_everybody_hears_how_it_ended(driver: Driver, end: Callable[[Story], Story], says: str) -> None:
    story = await begun(driver, Policy(max_rounds=1))
    await driver.show(end(story))
    for user, agent in ((AYA, "aya"), (BO, "bo"), (CHEN, "chen")):
        *_, ending = await driver.direct(story, user)
        assert (await driver.direct_keys(story, user))[-1] == f"ending/{agent}"
        assert says in ending.text
    asked = [each.text for each in await driver.direct(story, REQUESTER)]
    assert len(asked) == (says != "was stopped"), "what was stopped they have stopped themselves"
    assert all(says in each for each in asked)


async def test_whoever_left_is_told_nothing_more(driver: Driver) -> None:
    story = voting("aya", *"efghi", linked=LINKED, place=await driver.mentioned())
    for each in "efghi":
        story.twin(each, "accept")
    await driver.show(story.twin("aya", "withdraw").time_is_up())
    assert not story.state.is_open
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


# ── no conversation waits for another ─────────────────────────────────────────────────────────────────────────────

REFUSALS = ("user_disabled", "cannot_dm_bot", "channel_not_found")


@pytest.mark.parametrize("method", ["conversations.open", "chat.postMessage"])
@pytest.mark.parametrize("error", [*REFUSALS, "internal_error", "ratelimited"])
async def test_the_thread_goes_on_where_a_message_cannot_be_delivered(
    driver: Driver, story: Story, method: str, error: str
) -> None:
    await driver.workspace.admin.fault(method, "error", error=error, times=None)
    await driver.show(story.twin("aya", "accept"))
    assert "2 still to come" in str((await driver.message(story, "round-1")).blocks)
    assert await driver.direct_keys(story, AYA) == []


@pytest.mark.parametrize("method", ["conversations.open", "chat.postMessage"])
async def test_nobody_waits_for_a_call_that_hangs(driver: Driver, story: Story, method: str) -> None:
    held = await driver.workspace.admin.fault(method, "hold")
    await driver.tell(story.twin("aya", "accept"))
    await held.reached()
    await driver.tell(story.twin("bo", "accept"))
    bo = driver.workspace.person(BO)
    await bo.until_message((await bo.dm()).id, lambda message: "Your part" in message.text)
    await driver.workspace.person(REQUESTER).until_message(
        story.place.channel, lambda message: "1 still to come" in str(message.blocks), thread_ts=story.place.thread
    )
    await held.release()
    await driver.posts.idle()
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


@pytest.mark.parametrize("do", ["status", "drop_before", "drop_after"])
async def test_messages_go_on_where_the_thread_cannot(driver: Driver, story: Story, do: FaultKind) -> None:
    await driver.workspace.admin.fault("chat.update", do, times=None)
    await driver.show(story.twin("aya", "accept"))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert await driver.is_behind()


async def test_messages_go_on_where_the_thread_is_closed_to_us_later(driver: Driver) -> None:
    story = voting("aya", "bo", linked=LINKED, place=await driver.mentioned())
    await driver.show(story)
    await driver.workspace.admin.leave(story.place.channel, driver.workspace.bot_user_id)
    await driver.show(story.twin("aya", "accept"))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


async def test_nobody_is_told_of_a_thread_that_never_stood(driver: Driver) -> None:
    story = voting("aya", "bo", linked=LINKED, place=await driver.mentioned())
    await driver.workspace.admin.grant(*(each for each in SCOPES if each != "channels:join"))
    await driver.workspace.admin.leave(story.place.channel, driver.workspace.bot_user_id)
    await driver.show(story.twin("aya", "accept"))
    assert await driver.keys(story) == []
    assert await driver.direct_keys(story, AYA) == []
    assert await driver.direct_keys(story, REQUESTER) == ["refused/requester", "root/requester"]


async def test_what_slack_answers_wrongly_is_told_once_and_holds_up_nobody(
    driver: Driver, story: Story, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again when there is something new, and not before."""
    asked: list[str] = []

    def reply(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.json_response({"ok": True, "ts": "1800000001.000100"})

    async with slack(reply) as client:
        posts = Posts(driver.store, PRESENTERS, driver.read, driver.report, client, driver.clock)
        posts.notice(await driver.commit(story.twin("aya", "accept")))
        await posts.idle()
        assert asked.count("/conversations.open") == caplog.text.count("one conversation is not kept") == 1
        assert "/chat.update" in asked
        assert await driver.is_behind()
        posts.notice(await driver.commit(story.twin("bo", "accept")))
        await posts.idle()
        assert asked.count("/conversations.open") == 3
        await posts.close()
    await driver.posts.start()
    await driver.posts.idle()
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]


# ── an outcome that nobody knows ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dies", [False, True], ids=["goes on", "after a kill"])
@pytest.mark.parametrize("do", ["drop_after", "drop_before"])
async def test_a_message_is_looked_for_before_it_is_repeated(
    driver: Driver, story: Story, do: FaultKind, dies: bool
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", do)
    await driver.show(story.twin("aya", "accept"))
    if dies:
        await driver.posts.close()
        driver.posts = driver.another()
        await driver.posts.start()
        await driver.posts.idle()
    else:
        await driver.wait()
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert await driver.calls("conversations.history") == 1
    assert not await driver.is_behind()


async def test_another_negotiation_s_message_is_not_taken_for_it(driver: Driver, story: Story) -> None:
    other = await begun(driver, stream="collab-other")
    await driver.show(other.twin("aya", "accept"))
    await driver.workspace.admin.fault("chat.postMessage", "drop_before")
    await driver.show(story.twin("aya", "accept"))
    await driver.wait()
    assert await driver.direct_keys(story, AYA) == await driver.direct_keys(other, AYA) == ["part-1/aya"]


async def test_pauses_grow_though_looking_succeeds(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "status", times=None)
    await driver.show(story.twin("aya", "accept"))
    assert [await driver.wait() for _ in range(4)] == [1_000, 2_000, 4_000, 8_000]
