"""A local workspace, a store, a clock that stands still, and negotiations that are told to both."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, Message, User
from bot.posts import UNLIMITED, Posts, Rate, ResponseUrls
from bot.posts.going_out import Choices
from bot.posts.post_records import KIND, PostRecord, PostRecords
from bot.posts.slack_calls import EVENT_TYPE
from bot.posts.stream_reconciler import Presenters
from bot.registry import NEGOTIATION, PROTOCOLS
from engine.errors import EngineError
from engine.kernel import Command, Millis, Place, StreamKey, Tenant
from engine.llm.port import Pause
from engine.negotiation.state import Negotiation
from engine.runtime.clock import JumpingClock
from engine.runtime.streams import Committed, sealed
from engine.store.memory import MemoryStore
from engine.store.port import Commit
from tests.negotiation.scenario import NOON, REQUESTER
from tests.views.stories import Story

PRESENTERS: Presenters = {each.name: each.presenter for each in PROTOCOLS}
LOBBY, HALL = "C_LOBBY", "C_HALL"
TENANT = Tenant("T_LOCAL")
AYA, BO, CHEN = "U_AYA", "U_BO", "U_CHEN"
LINKED = {"aya": AYA, "bo": BO, "chen": CHEN}
PEOPLE = tuple(User(id=each, name=each[2:].lower(), real_name=each[2:].title()) for each in (REQUESTER, AYA, BO, CHEN))
CHANNELS = tuple(Channel(id=each, name=each.lower(), members=[REQUESTER]) for each in (LOBBY, HALL))


@dataclass
class Driver:
    workspace: LocalWorkspace
    store: MemoryStore
    clock: JumpingClock = field(default_factory=lambda: JumpingClock(NOON))
    rates: Mapping[str, Rate] = field(default_factory=lambda: UNLIMITED)
    seconds: int = 10
    """A call to Slack may take."""
    stories: dict[StreamKey, tuple[Negotiation, int]] = field(default_factory=dict)
    """What is committed."""
    reported: list[Command] = field(default_factory=list)
    """What the engine was told."""
    mishaps: list[EngineError] = field(default_factory=list)
    """What comes of that instead, one for each time."""
    told: dict[StreamKey, Story] = field(default_factory=dict)
    choices: dict[str, Choices] = field(default_factory=dict)
    """How people want to be told, by user."""
    paused: dict[StreamKey, Pause] = field(default_factory=dict)
    """Streams that wait for their model."""
    web: str = ""
    """Where the workspace is on the web, with a slash at its end; empty while Slack has not said so."""
    home: str = "empty"
    """What stands on everybody's App Home."""
    looks: int = 0
    """How often somebody read a negotiation."""

    def __post_init__(self) -> None:
        self.urls = ResponseUrls(self.clock, self.workspace.api_url)
        self.posts = self.another()

    def at(self, seconds: float) -> None:
        """The clock shows the workspace's time, in seconds since 1970; else it is far ahead of it."""
        self.clock = JumpingClock(round(seconds * 1000))
        self.urls = ResponseUrls(self.clock, self.workspace.api_url)
        self.posts = self.another()

    def another(self, presenters: Presenters = PRESENTERS) -> Posts:
        """As after a restart: nothing is remembered but what is stored."""
        return Posts(
            self.store,
            presenters,
            self.read,
            self.report,
            self.client(),
            self.clock,
            rates=self.rates,
            urls=self.urls,
            choices=self.chosen,
            paused=self.paused.get,
            web=lambda _tenant: self.web,
        )

    async def chosen(self, tenant: Tenant, user: str) -> Choices:
        return self.choices.get(user, Choices())

    async def draw_home(self, tenant: Tenant, user: str) -> dict[str, Any]:
        text = {"type": "plain_text", "text": self.home}
        return {"type": "home", "blocks": [{"type": "section", "text": text}]}

    async def report(self, key: StreamKey, protocol: str, command: Command) -> None:
        self.reported.append(command)
        if self.mishaps:
            raise self.mishaps.pop(0)
        await self.tell(self.told[key].obeys(command))

    def client(self) -> AsyncWebClient:
        workspace = self.workspace
        return AsyncWebClient(workspace.bot_token, workspace.api_url, timeout=self.seconds, retry_handlers=[])

    async def read(self, key: StreamKey) -> Committed:
        self.looks += 1
        return Committed(NEGOTIATION.name, *self.stories[key])

    async def mentioned(self, channel: str = LOBBY) -> Place:
        """Somebody asked, by mentioning us."""
        message = await self.workspace.person(REQUESTER).say(channel, "@towow please help")
        return Place(channel=channel, thread=message.ts)

    async def commit(self, story: Story) -> StreamKey:
        key = StreamKey(TENANT, story.stream)
        _, version = self.stories.get(key, (None, 0))
        events = tuple(sealed(event, self.clock.now()) for event in story.history[version:])
        if events:
            await self.store.commit(Commit(key, "negotiation", version, events=events))
        self.stories[key], self.told[key] = (story.state, len(story.history)), story
        return key

    async def tell(self, *stories: Story) -> None:
        """Commit what is new, and notice it."""
        for story in stories:
            self.posts.notice(await self.commit(story))

    async def show(self, *stories: Story) -> None:
        """... and everything that can be done without waiting is done."""
        await self.tell(*stories)
        await self.posts.idle()

    async def wait(self, posts: Posts | None = None) -> Millis:
        """Until the next thing is due: how long that took."""
        posts = posts or self.posts
        due = posts.next_due
        assert due is not None, "nobody waits"
        before = self.clock.now()
        self.clock.jump(due)
        await posts.idle()
        return due - before

    def closing(self) -> asyncio.Task[None]:
        """`posts` is told to close, and does what it does before it is."""
        return asyncio.create_task(self.posts.close())

    async def messages(self, story: Story) -> list[Message]:
        """Ours about this negotiation, oldest first, wherever they are."""
        found = [
            message
            for top in await self.workspace.person(REQUESTER).messages(story.place.channel)
            for message in [top, *await self._replies(top)]
            if _payload(message).get("stream") == story.stream
        ]
        return sorted({message.ts: message for message in found}.values(), key=lambda message: message.ts)

    async def keys(self, story: Story) -> list[str]:
        return [_payload(message)["key"] for message in await self.messages(story)]

    async def message(self, story: Story, key: str) -> Message:
        [found] = [each for each in await self.messages(story) if _payload(each)["key"] == key]
        return found

    async def direct(self, story: Story, user: str) -> list[Message]:
        """Ours about this negotiation in somebody's direct messages, as they see them."""
        person = self.workspace.person(user)
        messages = await person.messages((await person.dm()).id)
        return [each for each in messages if _payload(each).get("stream") == story.stream]

    async def direct_keys(self, story: Story, user: str) -> list[str]:
        return [_payload(message)["key"] for message in await self.direct(story, user)]

    async def calls(self, method: str) -> int:
        return (await self.workspace.admin.calls())[method]

    async def table(self, story: Story) -> dict[str, PostRecord]:
        return await PostRecords(self.store, StreamKey(TENANT, story.stream)).read()

    async def remembers(self, story: Story, key: str, entry: PostRecord) -> None:
        """As it was written down before."""
        await self.store.put_records(TENANT, KIND, {f"{story.stream}/{key}": entry.model_dump_json()})

    async def is_behind(self) -> bool:
        return bool(await self.store.lagging(10))

    async def _replies(self, top: Message) -> list[Message]:
        return await self.workspace.person(REQUESTER).thread(top.channel, top.ts)


def _payload(message: Message) -> dict[str, str]:
    metadata = message.metadata or {}
    payload: dict[str, str] = metadata.get("event_payload", {}) if metadata.get("event_type") == EVENT_TYPE else {}
    return payload
