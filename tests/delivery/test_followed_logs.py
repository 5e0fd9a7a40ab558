"""Whoever follows deliveries keeps their logs equal to their events, whenever it looks and wherever it was killed."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.listeners.delivery.session_logs import SessionLogs
from engine.delivery.review.session_log import LOG, files_of
from engine.delivery.rules import RULEBOOK
from engine.files.kept_folder import HALF
from engine.kernel import Event, StreamKey, Tenant
from engine.runtime.streams import sealed
from engine.store.memory import MemoryStore
from engine.store.port import Commit

from .scenario import NOON, STREAM
from .test_session_log import whole

KEY = StreamKey(Tenant("T_ONE"), STREAM)


class Followed:
    """A delivery whose events are committed one after the other, and its log."""

    def __init__(self, logs: Path) -> None:
        self.store = MemoryStore()
        self.logs = logs
        self.follower = SessionLogs(self.store, logs)
        self.count = 0

    async def happens(self, *events: Event) -> None:
        new = tuple(sealed(each, NOON) for each in events)
        await self.store.commit(Commit(KEY, RULEBOOK.protocol, self.count, events=new))
        self.count += len(events)
        self.follower.hear(KEY, events)

    async def written(self) -> dict[str, bytes]:
        await self.follower.close()
        return {each.name: each.read_bytes() for each in (self.logs / STREAM).iterdir()}


@pytest.fixture
async def followed(tmp_path: Path) -> Followed:
    followed = Followed(tmp_path / "logs")
    await followed.store.open()
    return followed


@pytest.mark.parametrize("step", [1, 5])
async def test_after_each_commit_it_is_what_all_events_say(followed: Followed, step: int) -> None:
    history: Sequence[Event] = whole().history
    for start in range(0, len(history), step):
        await followed.happens(*history[start : start + step])
        assert await followed.written() == files_of(history[: start + step])


async def test_commits_that_come_while_it_writes_are_written_too(followed: Followed) -> None:
    history = whole().history
    for each in history:
        await followed.happens(each)

    assert await followed.written() == files_of(history)


@pytest.mark.parametrize(
    "left",
    [
        pytest.param(lambda folder: (folder / f"{HALF}abc").write_text("{"), id="half a file"),
        pytest.param(lambda folder: (folder / LOG).write_text("[20"), id="half a line"),
        pytest.param(lambda folder: (folder / "000002-ticket.json").unlink(), id="a file too few"),
    ],
)
async def test_whoever_follows_after_a_kill_makes_it_whole(followed: Followed, left: Callable[[Path], object]) -> None:
    history = whole().history
    half = len(history) // 2
    await followed.happens(*history[:half])
    await followed.written()
    left(followed.logs / STREAM)

    followed.follower = SessionLogs(followed.store, followed.logs)
    await followed.happens(*history[half : half + 1])

    assert await followed.written() == files_of(history[: half + 1])


async def test_what_was_lost_while_it_was_followed_is_there_in_the_end(followed: Followed) -> None:
    history = whole().history
    await followed.happens(*history[:-2])
    await followed.written()
    (followed.logs / STREAM / "000001-plan.json").unlink()

    await followed.happens(*history[-2:])

    assert await followed.written() == files_of(history)


async def test_what_could_not_be_written_is_written_with_the_next_event(followed: Followed) -> None:
    history = whole().history
    await followed.happens(*history[:3])
    await followed.written()
    moved = followed.logs.rename(followed.logs.with_name("moved"))
    followed.logs.write_text("in the way")
    await followed.happens(history[3])
    await followed.follower.close()
    followed.logs.unlink()
    moved.rename(followed.logs)

    await followed.happens(history[4])

    assert await followed.written() == files_of(history[:5])
