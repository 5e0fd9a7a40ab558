"""Everybody's direct messages: their own part of each round, a reminder and the end; and no conversation waits for
another."""

from collections.abc import Callable

import pytest
from aiohttp import web
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.local_slack import Message
from bot.local_slack.faults import What
from bot.posts import Posts
from bot.posts.direct_channels import KIND, TRUSTED
from bot.views.negotiation.button_values import ACCEPT
from engine.errors import InvalidVote, StoreError
from engine.kernel import Command
from engine.negotiation.commands import RecordReach
from engine.negotiation.policy import Policy
from tests.posts.driver import AYA, BO, CHEN, LINKED, TENANT, Scene
from tests.posts.test_failures import slack
from tests.views.stories import REQUESTER, Story, voting


@pytest.fixture
async def story(scene: Scene) -> Story:
    """Round 1 is open for aya, bo and chen, who are all here; their twins have yet to vote."""
    return await begun(scene)


async def begun(scene: Scene, policy: Policy | None = None, stream: str = "collab-direct") -> Story:
    place = await scene.mentioned()
    story = voting("aya", "bo", "chen", linked=LINKED, place=place, policy=policy or Policy(), stream=stream)
    await scene.show(story)
    return story


def half_time(story: Story) -> Story:
    """Whoever has not decided is reminded."""
    opened = story.state.rounds[-1]
    story.now = opened.people_until - 1_800_000
    return story.rings(f"remind/{opened.number}")


def all_accept(story: Story) -> Story:
    return story.twin("aya", "accept").twin("bo", "accept").twin("chen", "accept")


def next_round(story: Story, chen: str = "negotiate") -> Story:
    """Somebody's wish leads to a second version; the twins have yet to vote on it."""
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", chen).time_is_up()
    return story.drafted("aya", "bo", "chen", summary="An evening, later")


def has_buttons(message: Message) -> bool:
    return any(each.get("action_id") == ACCEPT for block in message.blocks for each in block.get("elements", ()))


# ── who gets what, when ───────────────────────────────────────────────────────────────────────────────────────────


async def test_a_part_comes_when_the_twin_has_voted_or_could_not_and_to_nobody_else(scene: Scene, story: Story) -> None:
    async def everybody() -> list[list[str]]:
        return [await scene.direct_keys(story, each) for each in (AYA, BO, CHEN, REQUESTER)]

    assert await everybody() == [[], [], [], []]
    await scene.show(story.twin("aya", "accept"))
    assert await everybody() == [["part-1/aya"], [], [], []]
    await scene.show(story.twin_fails("bo"))
    assert await everybody() == [["part-1/aya"], ["part-1/bo"], [], []]
    assert await scene.keys(story) == ["root", "offers", "round-1"]


async def test_where_nobody_is_waited_for_nobody_is_asked(scene: Scene) -> None:
    story = await begun(scene, Policy(human_window=0))
    await scene.show(story.twin("aya", "accept").twin("bo", "reject"))
    assert await scene.calls("conversations.open") == 0
    await scene.show(story.twin("chen", "accept").time_is_up())
    assert await scene.direct_keys(story, AYA) == []


async def test_a_twin_that_is_nobody_s_has_nobody_to_write_to(scene: Scene) -> None:
    story = voting("aya", "dee", linked=LINKED, place=await scene.mentioned())
    await scene.show(story.twin("aya", "accept").twin("dee", "accept").time_is_up())
    assert await scene.direct_keys(story, AYA) == ["part-1/aya", "ending/aya"]
    assert await scene.calls("conversations.open") == 1
    assert await scene.calls("chat.postMessage") == 6


@pytest.mark.parametrize("at_once", [True, False], ids=["after an outage", "as it happens"])
async def test_it_reads_in_the_order_in_which_it_happened(scene: Scene, at_once: bool) -> None:
    """Somebody with two twins, of whom only one was chosen, gets every kind of message."""
    story = Story(place=await scene.mentioned(), linked={"aya": AYA, "dee": AYA, "bo": BO, "chen": CHEN})
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
        await scene.workspace.admin.fault("conversations.open", "status", times=None)
    for step in steps:
        await scene.show(step(story))
    if at_once:
        await scene.workspace.admin.clear_faults()
        await scene.wait()
    late = [] if at_once else ["reminder-1/aya", "reminder-2/aya"]
    kept = [each for each in ORDER if not each.startswith("reminder") or each in late]
    assert await scene.direct_keys(story, AYA) == kept


ORDER = ["thanks/dee", "part-1/aya", "reminder-1/aya", "part-2/aya", "reminder-2/aya", "ending/aya"]


async def test_a_round_is_one_message_whose_buttons_go_when_it_is_over(scene: Scene, story: Story) -> None:
    await scene.show(story.twin("aya", "accept"))
    [part] = await scene.direct(story, AYA)
    assert has_buttons(part)
    await scene.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    [part] = await scene.direct(story, AYA)
    assert "💬 You ask for a change – Only until ten" in str(part.blocks)
    await scene.show(next_round(story, chen="accept"))
    [part] = await scene.direct(story, AYA)
    assert not has_buttons(part)
    await scene.show(all_accept(story))
    assert await scene.direct_keys(story, AYA) == ["part-1/aya", "part-2/aya"]
    assert [has_buttons(each) for each in await scene.direct(story, AYA)] == [False, True]


async def test_what_others_do_changes_nothing_in_my_messages(scene: Scene, story: Story) -> None:
    await scene.show(story.twin("aya", "accept"))
    [before] = await scene.direct(story, AYA)
    await scene.show(story.twin("bo", "accept"))
    await scene.show(story.twin_fails("chen"))
    await scene.show(story.clicks(BO, "bo", "withdraw"))
    assert await scene.direct(story, AYA) == [before]


async def test_a_reminder_is_a_message_of_its_own_and_stays_as_it_is(scene: Scene, story: Story) -> None:
    await scene.show(all_accept(story).clicks(BO, "bo", "accept"))
    await scene.show(half_time(story))
    assert await scene.direct_keys(story, BO) == ["part-1/bo"]
    [part, reminder] = await scene.direct(story, AYA)
    await scene.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    await scene.show(story.time_is_up())
    assert (await scene.direct(story, AYA))[1] == reminder
    assert reminder.edited is None
    assert (await scene.direct(story, AYA))[0] != part


async def test_a_reminder_that_comes_too_late_is_not_sent(scene: Scene, story: Story) -> None:
    await scene.show(all_accept(story))
    await scene.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=60, times=3)
    await scene.show(half_time(story))
    await scene.show(story.clicks(AYA, "aya", "accept"))
    await scene.wait()
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]
    assert await scene.direct_keys(story, BO) == ["part-1/bo", "reminder-1/bo"]
    assert not await scene.is_behind()


async def test_nobody_is_reminded_of_a_part_they_have_not_seen(scene: Scene) -> None:
    story = await begun(scene, Policy(human_window=60, feedback_timeout=120))
    story.now = story.state.rounds[-1].people_until - 30_000
    await scene.show(story.rings("remind/1"))
    assert await scene.direct_keys(story, AYA) == []
    await scene.show(story.twin("aya", "accept"))
    assert await scene.direct_keys(story, AYA) == ["part-1/aya", "reminder-1/aya"]


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
async def test_everybody_hears_how_it_ended(scene: Scene, end: Callable[[Story], Story], says: str) -> None:
    story = await begun(scene, Policy(max_rounds=1))
    await scene.show(end(story))
    for user, agent in ((AYA, "aya"), (BO, "bo"), (CHEN, "chen")):
        *_, ending = await scene.direct(story, user)
        assert (await scene.direct_keys(story, user))[-1] == f"ending/{agent}"
        assert says in ending.text
    assert await scene.direct_keys(story, REQUESTER) == []


async def test_whoever_left_is_told_nothing_more(scene: Scene) -> None:
    story = voting("aya", *"efghi", linked=LINKED, place=await scene.mentioned())
    for each in "efghi":
        story.twin(each, "accept")
    await scene.show(story.twin("aya", "withdraw").time_is_up())
    assert not story.state.is_open
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]


# ── no conversation waits for another ─────────────────────────────────────────────────────────────────────────────

REFUSALS = ("user_disabled", "cannot_dm_bot", "channel_not_found")


@pytest.mark.parametrize("method", ["conversations.open", "chat.postMessage"])
@pytest.mark.parametrize("error", [*REFUSALS, "internal_error", "ratelimited"])
async def test_the_thread_goes_on_where_a_message_cannot_be_delivered(
    scene: Scene, story: Story, method: str, error: str
) -> None:
    await scene.workspace.admin.fault(method, "error", error=error, times=None)
    await scene.show(story.twin("aya", "accept"))
    assert "2 still to come" in str((await scene.message(story, "round-1")).blocks)
    assert await scene.direct_keys(story, AYA) == []


@pytest.mark.parametrize("method", ["conversations.open", "chat.postMessage"])
async def test_nobody_waits_for_a_call_that_hangs(scene: Scene, story: Story, method: str) -> None:
    held = await scene.workspace.admin.fault(method, "hold")
    await scene.tell(story.twin("aya", "accept"))
    await held.reached()
    await scene.tell(story.twin("bo", "accept"))
    bo = scene.workspace.person(BO)
    await bo.until_message((await bo.dm()).id, lambda message: "Your part" in message.text)
    await scene.workspace.person(REQUESTER).until_message(
        story.place.channel, lambda message: "1 still to come" in str(message.blocks), thread_ts=story.place.thread
    )
    await held.release()
    await scene.posts.idle()
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]


@pytest.mark.parametrize("do", ["status", "drop_before", "drop_after"])
async def test_messages_go_on_where_the_thread_cannot(scene: Scene, story: Story, do: What) -> None:
    await scene.workspace.admin.fault("chat.update", do, times=None)
    await scene.show(story.twin("aya", "accept"))
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]
    assert await scene.is_behind()


async def test_messages_go_on_where_the_thread_is_closed_to_us(scene: Scene) -> None:
    story = voting("aya", "bo", linked=LINKED, place=await scene.mentioned())
    await scene.workspace.admin.leave(story.place.channel, scene.workspace.bot_user_id)
    await scene.show(story.twin("aya", "accept"))
    assert await scene.keys(story) == []
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]


async def test_what_slack_answers_wrongly_is_told_once_and_holds_up_nobody(
    scene: Scene, story: Story, caplog: LogCaptureFixture
) -> None:
    """It is tried again when there is something new, and not before."""
    asked: list[str] = []

    def reply(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.json_response({"ok": True, "ts": "1800000001.000100"})

    async with slack(reply) as client:
        posts = Posts(scene.store, scene.read, scene.report, client, scene.clock)
        posts.notice(await scene.commit(story.twin("aya", "accept")))
        await posts.idle()
        assert asked.count("/conversations.open") == caplog.text.count("one conversation is not kept") == 1
        assert "/chat.update" in asked
        assert await scene.is_behind()
        posts.notice(await scene.commit(story.twin("bo", "accept")))
        await posts.idle()
        assert asked.count("/conversations.open") == 3
        await posts.close()
    await scene.posts.start()
    await scene.posts.idle()
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]


# ── an outcome that nobody knows ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dies", [False, True], ids=["goes on", "after a kill"])
@pytest.mark.parametrize("do", ["drop_after", "drop_before"])
async def test_a_message_is_looked_for_before_it_is_repeated(scene: Scene, story: Story, do: What, dies: bool) -> None:
    await scene.workspace.admin.fault("chat.postMessage", do)
    await scene.show(story.twin("aya", "accept"))
    if dies:
        await scene.posts.close()
        scene.posts = scene.another()
        await scene.posts.start()
        await scene.posts.idle()
    else:
        await scene.wait()
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]
    assert await scene.calls("conversations.history") == 1
    assert not await scene.is_behind()


async def test_another_negotiation_s_message_is_not_taken_for_it(scene: Scene, story: Story) -> None:
    other = await begun(scene, stream="collab-other")
    await scene.show(other.twin("aya", "accept"))
    await scene.workspace.admin.fault("chat.postMessage", "drop_before")
    await scene.show(story.twin("aya", "accept"))
    await scene.wait()
    assert await scene.direct_keys(story, AYA) == await scene.direct_keys(other, AYA) == ["part-1/aya"]


async def test_pauses_grow_though_looking_succeeds(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "status", times=None)
    await scene.show(story.twin("aya", "accept"))
    assert [await scene.wait() for _ in range(4)] == [1_000, 2_000, 4_000, 8_000]


# ── where it is, and whether anybody reads it ─────────────────────────────────────────────────────────────────────


async def test_after_a_restart_it_is_known_where_to_write(scene: Scene, story: Story) -> None:
    await scene.show(story.twin("aya", "accept"))
    await scene.posts.close()
    scene.posts = scene.another()
    await scene.show(half_time(story))
    assert await scene.direct_keys(story, AYA) == ["part-1/aya", "reminder-1/aya"]
    assert await scene.calls("conversations.open") == 1


async def test_whoever_waits_long_for_their_turn_is_asked_after_once(scene: Scene, story: Story) -> None:
    """Asking again would cost them the turn they waited for."""
    await scene.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=120)
    await scene.show(story.twin("aya", "accept"))
    assert await scene.wait() == 120_000
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]
    assert await scene.calls("conversations.open") == 1


async def test_whoever_could_not_be_written_to_for_long_is_asked_after_again(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "status", times=None)
    await scene.show(story.twin("aya", "accept"))
    assert [await scene.wait() for _ in range(8)] == [1_000 * 2**each for each in range(8)]
    await scene.workspace.admin.deactivate(AYA)
    await scene.workspace.admin.clear_faults()
    await scene.wait()
    assert reach(scene) == [("aya", 1, False, True)]


async def test_a_conversation_that_was_closed_is_opened_again(scene: Scene, story: Story) -> None:
    await scene.show(story.twin("aya", "accept"))
    await scene.posts.close()
    await scene.store.put_records(TENANT, KIND, {AYA: '"D_CLOSED"'})
    scene.posts = scene.another()
    await scene.show(half_time(story))
    assert await scene.direct_keys(story, AYA) == ["part-1/aya", "reminder-1/aya"]
    assert (await scene.table(story))["reminder-1/aya"].state == "posted"
    assert await scene.calls("conversations.open") == 2


async def test_a_letter_that_is_refused_twice_is_given_up(scene: Scene, story: Story) -> None:
    await scene.show(story.twin("aya", "accept"))
    await scene.workspace.admin.fault("chat.postMessage", "error", error="messages_tab_disabled", times=None)
    await scene.show(half_time(story))
    assert (await scene.table(story))["reminder-1/aya"].why == "messages_tab_disabled"
    assert await scene.calls("conversations.open") == 2
    assert scene.posts.next_due is None


async def test_somebody_who_has_gone_is_given_up_and_the_engine_hears_it_once_a_round(
    scene: Scene, story: Story, caplog: LogCaptureFixture
) -> None:
    await scene.workspace.admin.deactivate(AYA)
    await scene.show(story.twin("aya", "accept"))
    assert (await scene.table(story))["part-1/aya"].why == "user_disabled"
    assert reach(scene) == [("aya", 1, False, True)]
    await scene.show(story.twin("bo", "accept"))
    assert reach(scene) == [("aya", 1, False, True)]
    assert caplog.text.count("part-1/aya of collab-direct is given up: user_disabled") == 1
    await scene.show(story.twin("chen", "negotiate").time_is_up())
    await scene.show(story.drafted("aya", "bo", "chen").twin("aya", "accept"))
    assert reach(scene) == [("aya", 1, False, True), ("aya", 2, False, True)]


async def test_somebody_who_goes_between_the_rounds_is_not_taken_for_reached(scene: Scene, story: Story) -> None:
    """Slack takes messages to them as before; nobody reads them."""
    await scene.show(next_round(story))
    scene.clock.jump(scene.clock.now() + TRUSTED)
    await scene.workspace.admin.deactivate(AYA)
    await scene.show(story.twin_fails("aya"))
    assert reach(scene) == [("aya", 2, False, True)]
    assert (await scene.table(story))["part-2/aya"].why == "user_disabled"


@pytest.mark.parametrize("error", ["cannot_dm_bot", "channel_not_found"])
async def test_whom_we_may_not_write_to_is_unreachable_but_not_gone(scene: Scene, story: Story, error: str) -> None:
    await scene.workspace.admin.fault("conversations.open", "error", error=error)
    await scene.show(story.twin("aya", "accept"))
    assert reach(scene) == [("aya", 1, False, False)]
    await scene.show(story.clicks(AYA, "aya", "accept"))
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]
    assert reach(scene) == [("aya", 1, False, False)]


# ── whom a round has reached ──────────────────────────────────────────────────────────────────────────────────────


def reach(scene: Scene) -> list[tuple[str, int, bool, bool]]:
    def told(command: Command) -> tuple[str, int, bool, bool]:
        assert isinstance(command, RecordReach)
        return command.agent_id, command.round, command.reached, command.gone

    return [told(each) for each in scene.reported]


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        pytest.param(lambda story: story.twin("aya", "accept"), [], id="the twin has voted"),
        pytest.param(lambda story: story.clicks(AYA, "aya", "accept").twin_fails("aya"), [], id="the person has voted"),
        pytest.param(lambda story: story.twin_fails("aya"), [("aya", 1, True, False)], id="only the person can vote"),
    ],
)
async def test_the_engine_hears_whom_it_has_reached_where_silence_would_mean_something(
    scene: Scene, story: Story, happens: Callable[[Story], Story], told: list[tuple[str, int, bool, bool]]
) -> None:
    await scene.show(happens(story))
    await scene.show(story.twin("bo", "accept"))
    assert await scene.direct_keys(story, AYA) == ["part-1/aya"]
    assert reach(scene) == told


async def test_nobody_is_reached_before_the_message_is_there(scene: Scene, story: Story) -> None:
    held = await scene.workspace.admin.fault("chat.postMessage", "hold")
    await scene.tell(story.twin_fails("aya"))
    await held.reached()
    assert reach(scene) == []
    await held.release()
    await scene.posts.idle()
    assert reach(scene) == [("aya", 1, True, False)]


async def test_a_message_of_unknown_outcome_has_reached_nobody_until_it_is_found(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "drop_after")
    await scene.show(story.twin_fails("aya"))
    assert reach(scene) == []
    await scene.wait()
    assert reach(scene) == [("aya", 1, True, False)]


async def test_it_is_heard_at_once_though_something_else_is_in_trouble(scene: Scene, story: Story) -> None:
    await scene.show(story.twin("aya", "accept"))
    await scene.workspace.admin.fault("chat.update", "status", times=None)
    await scene.show(next_round(story))
    await scene.show(story.twin_fails("aya"))
    assert reach(scene) == [("aya", 2, True, False)]


async def test_where_the_store_is_away_it_is_told_again(scene: Scene, story: Story) -> None:
    scene.mishaps = [StoreError("away"), StoreError("away")]
    await scene.show(story.twin_fails("aya"))
    assert [await scene.wait() for _ in range(2)] == [1_000, 1_000]
    assert reach(scene) == [("aya", 1, True, False)] * 3
    assert story.state.rounds[-1].seats["aya"].reached
    assert scene.posts.next_due is None


async def test_what_the_engine_refuses_it_is_not_told_again(scene: Scene, story: Story) -> None:
    scene.mishaps = [InvalidVote("no")]
    await scene.show(story.twin_fails("aya"))
    assert reach(scene) == [("aya", 1, True, False)]
    assert scene.posts.next_due is None
    assert not await scene.is_behind()
