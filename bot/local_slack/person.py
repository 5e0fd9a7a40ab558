"""A client for one person of the workspace: tests and the terminal act through it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

import aiohttp
from pydantic import TypeAdapter

from .api_client import LocalApiClient
from .feed import VisibleChange
from .model import AgentSession, Channel, File, Message, Prompts, StepRun, User, View
from .outcome import Outcome
from .requests import (
    Click,
    Close,
    Edit,
    MessageReference,
    OpenHome,
    React,
    Read,
    Request,
    RunWorkflow,
    Say,
    Shortcut,
    Slash,
    StopSession,
    Submit,
    ViewAction,
)
from .unread import Unread

MESSAGES = TypeAdapter(list[Message])
CHANNELS = TypeAdapter(list[Channel])
USERS = TypeAdapter(list[User])
FILES = TypeAdapter(list[File])
VIEWS = TypeAdapter(list[View])
SESSIONS = TypeAdapter(list[AgentSession])
PROMPTS = TypeAdapter(list[Prompts])
UNREAD = TypeAdapter(list[Unread])
MAYBE_VIEW: TypeAdapter[View | None] = TypeAdapter(View | None)

Values = Mapping[str, Mapping[str, object]]
"""block_id -> action_id -> what was entered: text, option value(s), user id(s), date."""


class Person:
    """Every method raises NotPossible where Slack's client would not let this person do it.

    Args:
        session, token: see `LocalApiClient`.
    """

    def __init__(
        self, url: str, user_id: str, session: aiohttp.ClientSession | None = None, token: str | None = None
    ) -> None:
        self.id = user_id
        self._client = LocalApiClient(url, session, token)

    async def say(
        self,
        channel: str,
        text: str,
        thread_ts: str | None = None,
        *,
        broadcast: bool = False,
        me: bool = False,
        files: Sequence[str] = (),
        forwards: Message | None = None,
    ) -> Message:
        """`@name` and `<@U_ID>` are mentions.

        Args:
            me: as with `/me`.
            files: the ids of what was uploaded.
            forwards: a message that is passed on with these words.
        """
        request = Say(channel=channel, text=text, thread_ts=thread_ts, broadcast=broadcast, me=me, files=[*files])
        if forwards is not None:
            request.forwards = MessageReference(channel=forwards.channel, ts=forwards.ts)
        return Message.model_validate_json(await self._post("say", request))

    async def edit(self, message: Message, text: str) -> Message:
        request = Edit(channel=message.channel, ts=message.ts, text=text)
        return Message.model_validate_json(await self._post("edit", request))

    async def delete(self, message: Message) -> None:
        await self._post("delete", MessageReference(channel=message.channel, ts=message.ts))

    async def react(self, message: Message, name: str) -> Message:
        request = React(channel=message.channel, ts=message.ts, name=name)
        return Message.model_validate_json(await self._post("react", request))

    async def click(
        self,
        channel: str,
        ts: str,
        action_id: str,
        value: object = None,
        *,
        block_id: str | None = None,
        index: int = 0,
        confirm: bool = True,
    ) -> Outcome:
        spot = Click(channel=channel, ts=ts, action_id=action_id, value=value, block_id=block_id)
        return await self._outcome("click", spot.model_copy(update={"index": index, "confirm": confirm}))

    async def act(
        self,
        view: View,
        action_id: str,
        value: object = None,
        *,
        block_id: str | None = None,
        index: int = 0,
        confirm: bool = True,
    ) -> Outcome:
        spot = ViewAction(view_id=view.id, action_id=action_id, value=value, block_id=block_id)
        return await self._outcome("act", spot.model_copy(update={"index": index, "confirm": confirm}))

    async def submit(self, view: View, values: Values | None = None) -> Outcome:
        entered = {block: dict(actions) for block, actions in (values or {}).items()}
        return await self._outcome("submit", Submit(view_id=view.id, values=entered))

    async def close(self, view: View, *, whole_stack: bool = False) -> Outcome:
        return await self._outcome("close", Close(view_id=view.id, whole_stack=whole_stack))

    async def slash(self, channel: str, command: str, text: str = "") -> Outcome:
        return await self._outcome("slash", Slash(channel=channel, command=command, text=text))

    async def shortcut(self, callback_id: str, message: Message | None = None) -> Outcome:
        """A message shortcut if there is a message, else a global one."""
        request = Shortcut(callback_id=callback_id)
        if message is not None:
            request = Shortcut(callback_id=callback_id, channel=message.channel, ts=message.ts)
        return await self._outcome("shortcut", request)

    async def run_workflow(self, callback_id: str, **inputs: object) -> StepRun:
        """Run a workflow with one step of the app's; whoever runs it is not among the inputs."""
        request = RunWorkflow(callback_id=callback_id, inputs=inputs)
        return StepRun.model_validate_json(await self._post("workflow", request))

    async def open_home(self, tab: str = "home") -> View | None:
        """The Home tab as it is; what the app publishes upon it comes later (see `home`, `until_home`)."""
        return MAYBE_VIEW.validate_json(await self._post("home", OpenHome(tab=tab)))

    async def home(self) -> View | None:
        return MAYBE_VIEW.validate_json(await self._get("home"))

    async def dm(self) -> Channel:
        """This person's DM with the app."""
        return Channel.model_validate_json(await self._post("dm"))

    async def read(self, channel: str, ts: str, thread_ts: str | None = None) -> None:
        """Mark everything up to this message as read."""
        await self._post("read", Read(channel=channel, ts=ts, thread_ts=thread_ts))

    async def unread(self) -> list[Unread]:
        return UNREAD.validate_json(await self._get("unread"))

    async def sessions(self) -> list[AgentSession]:
        """How the threads stand in which the app is at work."""
        return SESSIONS.validate_json(await self._get("sessions"))

    async def stop(self, channel: str, thread_ts: str) -> None:
        """Press Slack's own button to stop what works in a thread."""
        await self._post("stop", StopSession(channel=channel, thread_ts=thread_ts))

    async def prompts(self) -> list[Prompts]:
        """What the app suggests that one says to it, by conversation."""
        return PROMPTS.validate_json(await self._get("prompts"))

    async def channels(self) -> list[Channel]:
        return CHANNELS.validate_json(await self._get("channels"))

    async def users(self) -> list[User]:
        return USERS.validate_json(await self._get("users"))

    async def messages(self, channel: str) -> list[Message]:
        return MESSAGES.validate_json(await self._get("messages", {"channel": channel}))

    async def thread(self, channel: str, ts: str) -> list[Message]:
        """A message and the replies below it, oldest first."""
        return MESSAGES.validate_json(await self._get("messages", {"channel": channel, "thread_ts": ts}))

    async def conversation(self, channel: str) -> list[Message]:
        """What stands in a channel and in its threads, oldest first."""
        return MESSAGES.validate_json(await self._get("conversation", {"channel": channel}))

    async def modals(self) -> list[View]:
        """The open modals, the top one last."""
        return VIEWS.validate_json(await self._get("modals"))

    async def files(self) -> list[File]:
        return FILES.validate_json(await self._get("files"))

    async def upload(self, name: str, content: bytes) -> str:
        """A file for a form's `file_input`, which takes a list of ids; returns its id."""
        sent = await self._client.send(f"/local/users/{self.id}/upload", content, {"name": name})
        return str(json.loads(sent)["id"])

    async def download(self, file_id: str) -> bytes:
        return await self._get(f"files/{file_id}")

    @asynccontextmanager
    async def feed(self) -> AsyncIterator[AsyncGenerator[VisibleChange, None]]:
        """Changes as this person sees them, from the moment the block is entered."""
        async with self._client.events(f"/local/users/{self.id}/feed") as events:
            yield (VisibleChange.model_validate_json(event) async for event in events)

    async def until_message(
        self,
        channel: str,
        wanted: Callable[[Message], bool],
        thread_ts: str | None = None,
        within: float = 10.0,
    ) -> Message:
        """The first message (of the channel, or of a thread) that is as wanted, now or soon."""
        async with asyncio.timeout(within), self.feed() as changes:
            while True:
                there = self.messages(channel) if thread_ts is None else self.thread(channel, thread_ts)
                for message in await there:
                    if wanted(message):
                        return message
                await _next_in(changes, channel)

    async def until_modal(self, wanted: Callable[[View], bool] = lambda _: True, within: float = 10.0) -> View:
        async with asyncio.timeout(within), self.feed() as changes:
            while True:
                modals = await self.modals()
                if modals and wanted(modals[-1]):
                    return modals[-1]
                await anext(changes)

    async def until_home(self, wanted: Callable[[View], bool] = lambda _: True, within: float = 10.0) -> View:
        """Home, once it is as wanted."""
        async with asyncio.timeout(within), self.feed() as changes:
            while True:
                home = await self.home()
                if home is not None and wanted(home):
                    return home
                await anext(changes)

    async def _outcome(self, act: str, request: Request) -> Outcome:
        return Outcome.model_validate_json(await self._post(act, request))

    async def _post(self, act: str, request: Request | None = None) -> bytes:
        return await self._client.post(f"/local/users/{self.id}/{act}", request)

    async def _get(self, view: str, query: Mapping[str, str] | None = None) -> bytes:
        return await self._client.get(f"/local/users/{self.id}/{view}", query)


async def _next_in(changes: AsyncGenerator[VisibleChange, None], channel: str) -> None:
    async for change in changes:
        if change.channel == channel:
            return
    raise ConnectionError("The workspace closed its feed.")
