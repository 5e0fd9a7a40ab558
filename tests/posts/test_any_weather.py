"""A whole negotiation in any weather: when the sky clears, the thread is what it should be, nothing is there twice."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.posts.wire import EVENT_TYPE
from bot.views.negotiation import posts
from bot.workspace import LocalWorkspace
from bot.workspace.faults import Fault
from engine.negotiation.messages import Place
from engine.store.memory import MemoryStore
from tests.posts.scene import CHANNELS, LOBBY, PEOPLE, Scene
from tests.views.stories import Story

METHODS = ("chat.postMessage", "chat.update", "conversations.replies", "conversations.history")

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
    lambda story: story.time_is_up(),
    lambda story: story.drafted("aya", "bo", "chen", summary="An evening, later"),
    lambda story: story.twin("aya", "accept").twin("bo", "accept").twin("chen", "accept"),
    lambda story: story.time_is_up(),
)

THEN = st.sampled_from(("goes on", "goes on", "waits", "dies", "hurries"))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    weather=st.lists(faults, max_size=6),
    fates=st.lists(THEN, min_size=len(STEPS), max_size=len(STEPS)),
    by_command=st.booleans(),
)
async def test_the_thread_is_what_it_should_be(weather: list[Fault], fates: list[str], by_command: bool) -> None:
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=CHANNELS) as workspace:
        scene = Scene(workspace, store)
        story = Story(place=Place(channel=LOBBY) if by_command else await scene.mentioned())
        for fault in weather:
            await workspace.admin.fault(**fault.model_dump())
        for step, fate in zip(STEPS, fates, strict=True):
            await scene.tell(step(story))
            if fate == "hurries":
                continue
            await scene.posts.idle()
            if fate == "waits" and scene.posts.next_due is not None:
                await scene.wait()
            elif fate == "dies":
                await scene.posts.close()
                scene.posts = scene.another()
                await scene.posts.start()
        await workspace.admin.clear_faults()
        await scene.posts.idle()
        while scene.posts.next_due is not None:
            await scene.wait()
        wanted = posts(story.state)
        messages = await scene.messages(story)
        assert [message.metadata for message in messages] == [
            {"event_type": EVENT_TYPE, "event_payload": {"stream": story.stream, "key": post.key}} for post in wanted
        ]
        assert [message.text for message in messages] == [post.text for post in wanted]
        assert not await scene.is_behind()
        await scene.posts.close()
