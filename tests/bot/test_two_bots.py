"""Two whole bots on one store and in one workspace: whichever is told of something, it is shown once."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.demo.demo import CHANNEL
from bot.local_slack import App, Channel, LocalWorkspace, Message
from bot.registry import PROTOCOLS
from bot.workspace_settings import directory_key
from engine.directory.held import Notifications
from engine.directory.messages import ChooseNotifications
from engine.directory.rules import RULEBOOK
from engine.kernel import Tenant
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from engine.store.memory_sharing import MemorySharing

from .driver import ACCEPT, AYA, BO, LINKS, NOON, PATIENT, QUIET, SUBSCRIPTIONS, USERS, YOU
from .script import Script, people
from .test_digests import DAY, HOUR


class Lent(MemoryStore):
    """What two use: neither closes it."""

    async def close(self) -> None:
        pass


@dataclass
class Pair:
    workspace: LocalWorkspace
    bots: list[ToWow]
    clock: JumpingClock

    async def asks(self, text: str) -> None:
        await self.workspace.person(YOU).say(CHANNEL, f"<@{self.workspace.bot_user_id}> {text}")

    async def until(self, comes_true: Callable[[], Awaitable[bool]]) -> None:
        """Let time pass, in which each hears of the other, until something is so and everything is shown."""
        async with asyncio.timeout(30):
            while not (await comes_true() and not await self.bots[0].store.lagging(1)):
                await self.workspace.admin.idle(QUIET)
                for each in self.bots:
                    await each.idle()
                self.clock.jump(self.clock.now() + 1_000)
        await self.workspace.admin.idle(QUIET)

    async def has(self, key: str, count: int) -> bool:
        """Whether so many posts with this key are there."""
        return [each for _, each in posts(await self.shown())].count(key) >= count

    async def shown(self) -> list[Message]:
        """Everything of ours in the channel's threads, and in direct messages to those who are asked or ask."""
        found: list[Message] = []
        for top in await self.workspace.person(YOU).messages(CHANNEL):
            found += await self.workspace.person(YOU).thread(CHANNEL, top.ts)
        for each in (AYA, BO, YOU):
            person = self.workspace.person(each)
            found += await person.messages((await person.dm()).id)
        return [each for each in found if each.metadata]


def posts(shown: list[Message]) -> Counter[tuple[str, str]]:
    payloads = [each.metadata["event_payload"] for each in shown if each.metadata]
    return Counter((each["stream"], each["key"]) for each in payloads)


@pytest.fixture(params=[PATIENT])
async def pair(request: pytest.FixtureRequest) -> AsyncIterator[Pair]:
    clock = JumpingClock(NOON)
    store = Lent(MemorySharing())
    channel = Channel(id=CHANNEL, name="general", members=[each.id for each in USERS])
    async with (
        LocalWorkspace(users=list(USERS), channels=[channel], app=App(subscriptions=SUBSCRIPTIONS)) as workspace,
        AsyncExitStack() as stack,
    ):
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, 5, limited=False)
        bots = [
            await stack.enter_async_context(
                running(slack, store, Script(("aya", "bo"), {}, {}), people(LINKS, ()), clock, request.param, PROTOCOLS)
            )
            for _ in range(2)
        ]
        yield Pair(workspace, bots, clock)


async def test_every_post_is_there_once_wherever_demands_and_votes_arrive(pair: Pair) -> None:
    for number in range(6):
        await pair.asks(f"I need a venue for {50 + number} people in Berlin")
    await pair.until(lambda: pair.has("round-1", 6))
    begun = await pair.shown()

    assert len({stream for stream, _ in posts(begun)}) == 6
    assert set(posts(begun).values()) == {1}

    cards = [each for each in begun if each.channel == CHANNEL and ACCEPT in str(each.blocks)]
    assert len(cards) == 6
    for card in cards:
        for user in (AYA, BO):
            await pair.workspace.person(user).click(CHANNEL, card.ts, ACCEPT)
    await pair.until(lambda: pair.has("outcome", 6))
    await pair.until(lambda: pair.has("ending-asked", 6))

    ended = await pair.shown()
    assert set(posts(ended).values()) == {1}
    assert (await pair.workspace.admin.calls())["chat.postMessage"] == len(ended)
    assert not await pair.bots[0].store.lagging(10)


@pytest.mark.parametrize("pair", [DAY], indirect=True)
async def test_a_digest_comes_once_and_lists_what_either_bot_was_asked(pair: Pair) -> None:
    tenant = Tenant(pair.workspace.team_id, pair.workspace.enterprise_id or "")
    wanted = ChooseNotifications(command_id="c", at=NOON, by=AYA, chosen=Notifications(when="digest"))
    gateway = pair.bots[0].services.gateway
    await gateway.begin(directory_key(tenant), RULEBOOK, wanted, is_admitted=True)
    for number in range(4):
        await pair.asks(f"I need a venue for {50 + number} people in Berlin")
    await pair.until(lambda: pair.has("round-1", 4))
    aya = pair.workspace.person(AYA)
    assert await aya.messages((await aya.dm()).id) == []

    async def is_there() -> bool:
        return bool(await aya.messages((await aya.dm()).id))

    pair.clock.jump(NOON + HOUR)
    await pair.until(is_there)

    assert [each.text for each in await aya.messages((await aya.dm()).id)] == ["4 decisions are waiting for you"]
    assert set(posts(await pair.shown()).values()) == {1}
