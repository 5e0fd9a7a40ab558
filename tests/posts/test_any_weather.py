"""A whole negotiation in any weather: when the sky clears, the thread and everybody's messages are what they should be,
and nothing is there twice."""

import asyncio
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.local_slack import LocalWorkspace
from bot.local_slack.faults import Fault
from bot.posts.slack_calls import EVENT_TYPE
from bot.views.negotiation.button_values import ACCEPT
from bot.views.negotiation.presenter import posts
from engine.kernel import Place
from engine.store.memory import MemoryStore
from tests.examples import examples
from tests.local_slack.raw_connections import RawConnection, raw_connection
from tests.posts.driver import AYA, BO, CHANNELS, CHEN, LINKED, LOBBY, PEOPLE, TENANT, Driver
from tests.views.stories import Story

METHODS = (
    "chat.postMessage", "chat.update", "conversations.replies", "conversations.history", "conversations.open",
    "users.info", "response_url", "agents.sessions.setStatus",
)  # fmt: skip

faults = st.one_of(
    st.builds(
        Fault,
        method=st.sampled_from(METHODS),
        do=st.sampled_from(("drop_before", "drop_after", "status")),
        nth=st.integers(1, 4),
        times=st.integers(1, 3),
        status=st.sampled_from((500, 502, 503)),
    ),
    st.builds(
        Fault,
        method=st.sampled_from(METHODS),
        do=st.just("status"),
        nth=st.integers(1, 4),
        times=st.integers(1, 3),
        status=st.just(429),
        retry_after=st.integers(0, 90),
    ),
    st.builds(
        Fault,
        method=st.sampled_from(METHODS),
        do=st.just("error"),
        nth=st.integers(1, 4),
        error=st.sampled_from(
            ("internal_error", "fatal_error", "service_unavailable", "ratelimited", "request_timeout")
        ),
    ),
)

STEPS: tuple[Callable[[Story], Story], ...] = (
    lambda story: story.demand(),
    lambda story: story.understood(),
    lambda story: story.shortlisted("aya", "bo", "chen"),
    lambda story: story.offers("aya"),
    lambda story: story.offers("bo", "conditional", conditions=("a projector",)),
    lambda story: story.offers("chen"),
    lambda story: story.drafted("aya", "bo", "chen"),
    lambda story: story.twin("aya", "accept"),
    lambda story: story.twin("bo", "negotiate"),
    lambda story: story.twin("chen", "accept"),
    lambda story: story.clicks(AYA, "aya", "negotiate"),
    lambda story: half_time(story),
    lambda story: story.clicks(AYA, "aya", "accept"),
    lambda story: story.time_is_up(),
    lambda story: story.drafted("aya", "bo", "chen", summary="An evening, later"),
    lambda story: story.twin_fails("aya").twin("bo", "accept").twin("chen", "accept"),
    lambda story: half_time(story),
    lambda story: story.clicks(AYA, "aya", "accept"),
    lambda story: story.time_is_up(),
)

THEN = st.sampled_from(("goes on", "goes on", "is clicked", "waits", "dies", "hurries"))


def half_time(story: Story) -> Story:
    opened = story.state.rounds[-1]
    story.now = opened.window.people_until - 1_800_000
    return story.rings(f"remind/{opened.number}")


async def clicked(driver: Driver, tap: RawConnection, story: Story) -> None:
    """Somebody clicks in the newest of their messages, where there is a button; what it does is another matter."""
    for card in reversed(await driver.direct(story, AYA)):
        if ACCEPT in str(card.blocks):
            clicking = asyncio.create_task(driver.workspace.person(AYA).click(card.channel, card.ts, ACCEPT))
            while (envelope := await tap.next())["type"] != "interactive":
                pass
            await clicking
            driver.urls.keep(TENANT, card.channel, card.ts, envelope["payload"]["response_url"])
            return


@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    weather=st.lists(faults, max_size=6),
    fates=st.lists(THEN, min_size=len(STEPS), max_size=len(STEPS)),
    by_command=st.booleans(),
)
async def test_every_conversation_is_what_it_should_be(
    weather: list[Fault], fates: list[str], by_command: bool
) -> None:
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=CHANNELS) as workspace, raw_connection(workspace) as tap:
        driver = Driver(workspace, store)
        story = Story(place=Place(channel=LOBBY) if by_command else await driver.mentioned(), linked=LINKED)
        for fault in weather:
            await workspace.admin.fault(**fault.model_dump())
        for step, fate in zip(STEPS, fates, strict=True):
            await driver.tell(step(story))
            if fate == "hurries":
                continue
            await driver.posts.idle()
            if fate == "is clicked":
                await clicked(driver, tap, story)
            elif fate == "waits" and driver.posts.next_due is not None:
                await driver.wait()
            elif fate == "dies":
                await driver.posts.close()
                driver.posts = driver.another()
                await driver.posts.start()
        await workspace.admin.clear_faults()
        await driver.posts.idle()
        while driver.posts.next_due is not None:
            await driver.wait()
        for user in ("", AYA, BO, CHEN):
            messages = await (driver.direct(story, user) if user else driver.messages(story))
            there = [str(message.metadata) for message in messages]
            wanted = [
                (metadata, post.text)
                for post in posts(story.state)
                if post.to == user
                for metadata in [{"event_type": EVENT_TYPE, "event_payload": {"stream": story.stream, "key": post.key}}]
                if str(metadata) in there or not post.is_late
            ]
            assert [(message.metadata, message.text) for message in messages] == wanted
            assert [ACCEPT in str(message.blocks) for message in messages] == [False] * len(messages)
        assert not await driver.is_behind()
        await driver.posts.close()
