"""Kill the bot at any write: in the end the lunch is as if nobody had."""

import sys
from pathlib import Path
from typing import Any, Final

import pytest

from bot.local_slack import LocalWorkspace, Message, NotPossible, Person
from engine.kernel import StreamKey, Tenant, payload
from engine.runtime.streams import opened
from engine.store.port import Store
from tests.bot.driver import shows, text_of
from tests.crash.bots import Bots, warm_up
from tests.crash.fuse import WHENS, Fuse
from tests.crash.people import PATIENCE
from tests.crash.short import Crash, ShortStory, killed_after_each, run
from tests.crash.story import ASKER, LOBBY, MAYA

from .bot_process import live
from .driver import WISH
from .rules import EVENTS, HOUR
from .views import DISH, JOIN

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform == "win32", reason="nothing there ends a process as SIGKILL does"),
]

FEWEST_WRITES: Final = 7
"""Three commits (a proposal, a suggestion, somebody who joins), two records for the card, that it was shown, and the
language of somebody who clicked."""

FEWEST_WRITES_AFTER: Final = 2
"""A commit of the alarm, and that it was shown."""


UNCOMPARED: Final = frozenset({"place", "stream"})
"""Both have the time of the first message in them."""


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


async def _play(workspace: LocalWorkspace, bots: Bots) -> None:
    asker, maya = workspace.person(ASKER.id), workspace.person(MAYA.id)
    said = await asker.say(LOBBY, f"<@{workspace.bot_user_id}> {WISH}")
    card = await asker.until_message(LOBBY, lambda each: shows(each, JOIN), said.ts, PATIENCE)
    await _join(workspace, maya, card)
    await asker.until_message(LOBBY, lambda each: "Ramen" in text_of(each), said.ts, PATIENCE)
    await bots.nothing_is_left_to_do()
    await bots.nap(2 * HOUR)
    await asker.until_message(LOBBY, lambda each: "Closed" in text_of(each), said.ts, PATIENCE)


async def _join(workspace: LocalWorkspace, person: Person, card: Message) -> None:
    """Until it was taken, whoever dies meanwhile."""
    while True:
        await workspace.admin.connected(PATIENCE)
        try:
            form = (await person.click(LOBBY, card.ts, JOIN)).modal
        except NotPossible:
            continue
        while form is not None:
            await workspace.admin.connected(PATIENCE)
            if (await person.submit(form, {DISH: {DISH: "Ramen"}})).acked:
                return


async def _remains(workspace: LocalWorkspace, store: Store) -> dict[str, Any]:
    """Without what the clock decides, and what is made of it."""
    person = workspace.person(ASKER.id)
    messages = [each for root in await person.messages(LOBBY) for each in await person.thread(LOBBY, root.ts)]
    [card] = {each.ts: each for each in messages if each.metadata}.values()
    assert card.metadata is not None
    key = StreamKey(Tenant(workspace.team_id, workspace.enterprise_id or ""), card.metadata["event_payload"]["stream"])
    stream = await store.load(key)
    assert stream is not None
    events = [payload(opened(each, EVENTS)) | {"type": each.event_type} for each in stream.events]
    return {
        "card": text_of(card),
        "events": [{name: each for name, each in event.items() if name not in UNCOMPARED} for event in events],
        "verified": await store.verify(key),
        "counts": await store.counts(),
        "lagging": len(await store.lagging(10)),
        "in the channel": len(messages),
    }


STORY: Final = ShortStory(live, _play, _remains)
"""Somebody proposes a lunch, somebody joins, the bot is gone for more than an hour, and the alarm rings."""


@pytest.mark.parametrize(
    ("after_the_hour", "every", "fewest"),
    [
        pytest.param(False, 4, FEWEST_WRITES // 4, id="at some while people act"),
        pytest.param(False, 1, FEWEST_WRITES, id="at each while people act", marks=pytest.mark.exhaustive),
        pytest.param(True, 1, FEWEST_WRITES_AFTER, id="at each when the hour is over"),
    ],
)
async def test_killed_after_a_write(after_the_hour: bool, every: int, fewest: int, tmp_path: Path) -> None:
    expected = (await run(STORY, tmp_path / "uninterrupted")).remains
    assert [each["type"] for each in expected["events"]] == [*EVENTS]
    assert (expected["verified"], expected["lagging"], expected["counts"]["owed"]) == (True, 0, 0)
    struck = await killed_after_each(STORY, tmp_path, expected, every=every, is_after_a_nap=after_the_hour)
    assert struck >= fewest


@pytest.mark.exhaustive
@pytest.mark.parametrize("when", WHENS)
async def test_killed_at_what_the_model_said(when: Any, tmp_path: Path) -> None:
    """Before it is on disk, it is asked again."""
    expected = (await run(STORY, tmp_path / "uninterrupted")).remains
    found = await run(STORY, tmp_path / when, Crash(Fuse(when, cause="effect:")))
    assert found.crashes == 1
    assert found.remains == expected
