"""A backup is restored after more has happened: nothing stands there twice, and everything is as it would have been."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot.config import SlackAccess
from bot.local_slack import LocalWorkspace, Message
from engine.store.sqlite.archive import Archive
from engine.store.sqlite.restore import restore

from .bot_process import Papers
from .bots import Bots
from .databases import File
from .people import LIMIT, PATIENCE, act_out, post_key
from .remains import remains
from .runs import REDELIVERIES, run
from .story import AGENTS, ASKER, CHANNELS, DEMAND, LOBBY, USERS, VOTES, Nap

pytestmark = pytest.mark.timeout(600)


@asynccontextmanager
async def living(papers: Papers) -> AsyncIterator[Bots]:
    """A bot lives until the block is left, and is killed then."""
    bots = Bots(lambda: papers)
    life = asyncio.create_task(bots.live())
    try:
        yield bots
    finally:
        life.cancel()
        with suppress(asyncio.CancelledError):
            await life


async def stays_awake(_: Nap) -> None:
    raise AssertionError("nobody sleeps in this story")


async def stamps(workspace: LocalWorkspace, demand: Message) -> dict[str, str]:
    """Where each post stands, in the thread and in direct messages."""
    asker = workspace.person(ASKER.id)
    found = [(post_key(each), each.ts) for each in await asker.thread(LOBBY, demand.ts)]
    for user in AGENTS:
        person = workspace.person(user)
        found += [(f"{user} {post_key(each)}", each.ts) for each in await person.messages((await person.dm()).id)]
    keys = [key for key, _ in found if key is not None]
    assert len(keys) == len(set(keys)), f"something stands there twice: {keys}"
    return {key: ts for key, ts in found if key is not None}


@pytest.mark.parametrize(
    ("moment", "rounds"),
    [
        ("root", {1, 2}),
        pytest.param("offers", {1, 2}, marks=pytest.mark.exhaustive),
        ("round-1", {1, 2}),
        pytest.param("round-2", {2}, marks=pytest.mark.exhaustive),
        ("outcome", set()),
    ],
)
async def test_what_was_posted_after_the_backup_is_taken_up_and_brought_up_to_date(
    tmp_path: Path, moment: str, rounds: set[int]
) -> None:
    """The backup is made when a post appears; in the rounds that it does not know, people act once more."""
    expected = (await run(VOTES, tmp_path / "undisturbed")).remains
    database, backup = tmp_path / "towow.db", tmp_path / "backup.db"
    async with (
        asyncio.timeout(LIMIT),
        LocalWorkspace(users=USERS, channels=CHANNELS, redelivery_delays=REDELIVERIES) as workspace,
    ):
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=1, limited=False)
        papers = Papers(slack, VOTES, database, tmp_path / "bot.log")
        asker = workspace.person(ASKER.id)
        async with living(papers) as bots:
            demand = await asker.say(LOBBY, f"<@{workspace.bot_user_id}> {DEMAND}")
            acts = asyncio.create_task(act_out(VOTES, workspace, demand, stays_awake, bots.everything_is_shown))
            await asker.until_message(LOBBY, lambda each: post_key(each) == moment, demand.ts, PATIENCE)
            await asyncio.to_thread(Archive(database).back_up, backup)
            await acts
            await bots.nothing_is_left_to_do()
            before = await stamps(workspace, demand)

        restore(backup, database)

        async with living(papers) as bots:
            again = replace(VOTES, acts=tuple(each for each in VOTES.acts if each.round in rounds))
            await act_out(again, workspace, demand, stays_awake, bots.everything_is_shown)
            await bots.nothing_is_left_to_do()
            await workspace.admin.idle(quiet=0.1)
            after = await stamps(workspace, demand)
        assert {key: after.get(key) for key in before} == before
        left = await remains(workspace, File(database), demand, VOTES)
    assert left.health["ends"] == expected.health["ends"]
    assert left.health["verified"]
    assert left.votes == expected.votes
    assert sorted(left.health["post keys"], key=str) == sorted(expected.health["post keys"], key=str)
    assert left.posts == expected.posts
    assert left.direct == expected.direct
