"""Kill the bot at any write while a plan is argued out: in the end its thread and its stream are as if nobody had."""

import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import pytest

from bot.local_slack import LocalWorkspace, Message
from bot.models import offline_model
from bot.registry import PROTOCOLS
from engine.deliberation.events import EVENTS
from engine.kernel import StreamKey, Tenant
from engine.runtime.streams import opened
from engine.store.port import Store
from tests.bot.driver import text_of
from tests.crash.bot_process import Papers, live_with
from tests.crash.bots import Bots, warm_up
from tests.crash.people import PATIENCE, post_key
from tests.crash.short import ShortStory, killed_after_each, run
from tests.crash.story import ASKER, LOBBY

from .test_crash import told

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform == "win32", reason="nothing there ends a process as SIGKILL does"),
]

GOAL: Final = "Hold a reading evening for 20 people in three weeks: find a room, invite a speaker, tell everybody."
FEWEST_WRITES: Final = 9
"""Commits one after the other: it begins, both positions, what they come to, a report; two records for each of two
posts, and that they were shown."""


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


def live(papers: Papers, pipe: Connection) -> None:
    live_with(offline_model(PROTOCOLS), PROTOCOLS, papers, pipe)


async def _play(workspace: LocalWorkspace, bots: Bots) -> None:
    asker = workspace.person(ASKER.id)
    said = await asker.say(LOBBY, f"<@{workspace.bot_user_id}> plan: {GOAL}")
    await asker.until_message(LOBBY, lambda each: post_key(each) == "report", said.ts, PATIENCE)


async def _remains(workspace: LocalWorkspace, store: Store) -> dict[str, Any]:
    posts = await _posts(workspace)
    assert posts["plan"].metadata is not None
    stream = posts["plan"].metadata["event_payload"]["stream"]
    key = StreamKey(Tenant(workspace.team_id, workspace.enterprise_id or ""), stream)
    stored = await store.load(key)
    assert stored is not None
    return {
        "posts": sorted(posts),
        "report": text_of(posts["report"]).replace(stream, ""),
        "events": [
            {name: each for name, each in event.items() if name not in ("session_id", "place")}
            for event in told([opened(each, EVENTS) for each in stored.events])
        ],
        "verified": await store.verify(key),
        "counts": await store.counts(),
        "lagging": len(await store.lagging(10)),
    }


async def _posts(workspace: LocalWorkspace) -> dict[str, Message]:
    """By key; each is there once."""
    person = workspace.person(ASKER.id)
    messages = {each.ts: each for root in await person.messages(LOBBY) for each in await person.thread(LOBBY, root.ts)}
    keys = [key for each in messages.values() if (key := post_key(each))]
    assert len(keys) == len(set(keys))
    return {key: each for each in messages.values() if (key := post_key(each))}


STORY: Final = ShortStory(live, _play, _remains)


@pytest.mark.parametrize(
    "every",
    [pytest.param(9, id="at some"), pytest.param(1, id="at each", marks=pytest.mark.exhaustive)],
)
async def test_killed_after_a_write(every: int, tmp_path: Path) -> None:
    expected = (await run(STORY, tmp_path / "uninterrupted")).remains
    assert expected["events"][-1]["type"] == "towow.deliberation.ended"
    assert (expected["verified"], expected["lagging"], expected["counts"]["owed"]) == (True, 0, 0)
    assert await killed_after_each(STORY, tmp_path, expected, every=every) >= FEWEST_WRITES // every
