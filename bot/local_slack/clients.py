"""The HTTP clients of the workspace, which may be in another process: for a person, and for an admin."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, nullcontext

import aiohttp
from pydantic import BaseModel, TypeAdapter

from .faults import Fault, FaultKind
from .feed import VisibleChange
from .installation import Surfaces
from .limits import NotPossible
from .local_api.admin import FaultSet, Status, StepRuns
from .local_api.routes import TOKEN_HEADER
from .model import AgentSession, Channel, File, Json, Message, Prompts, StepRun, User, UserGroup, View
from .requests import (
    Click,
    Close,
    Disconnect,
    Edit,
    Membership,
    MessageReference,
    NewChannelId,
    OpenHome,
    Outcome,
    RateLimits,
    React,
    Read,
    Request,
    RunWorkflow,
    SaidByWorkflow,
    Say,
    Shortcut,
    Slash,
    StopSession,
    Submit,
    ViewAction,
)
from .sockets import Disconnection
from .visibility import Unread

_TOKEN = re.compile(r'<meta name="token" content="([^"]+)"')
SEPARATOR = b"\n\n"
LARGEST_EVENT = 4 * 1024 * 1024  # bytes; a Home tab may be big


class LocalApiClient:
    """
    Args:
        session: used for every call and closed by the caller; without one, each call opens its own.
        token: what each change takes; it is read from the page where it is not given.
    """

    def __init__(self, url: str, session: aiohttp.ClientSession | None = None, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._session = session
        self._token = token

    async def post(
        self, path: str, body: BaseModel | None = None, query: Mapping[str, str] | None = None, within: float = 60.0
    ) -> bytes:
        """The answer's JSON."""
        sent = body.model_dump_json(exclude_defaults=True) if body is not None else "{}"
        return await self._call("POST", path, sent, query, within)

    async def send(self, path: str, content: bytes, query: Mapping[str, str]) -> bytes:
        """Send raw bytes; raises as `post`."""
        return await self._call("POST", path, content, query, 60.0)

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> bytes:
        return await self._call("GET", path, None, query, 60.0)

    @asynccontextmanager
    async def events(self, path: str) -> AsyncIterator[AsyncGenerator[bytes, None]]:
        """Server-sent events from the moment the block is entered, until the workspace ends."""
        forever = aiohttp.ClientTimeout(total=None)
        async with (
            aiohttp.ClientSession(timeout=forever, read_bufsize=LARGEST_EVENT) as session,
            session.get(self.url + path) as response,
        ):
            response.raise_for_status()
            await response.content.readuntil(SEPARATOR)
            async with aclosing(_events(response.content)) as events:
                yield events

    async def _call(
        self, verb: str, path: str, sent: str | bytes | None, query: Mapping[str, str] | None, within: float
    ) -> bytes:
        limit = aiohttp.ClientTimeout(total=within)
        async with self._opened() as session:
            headers = {}
            if sent is not None:
                kind = "application/json" if isinstance(sent, str) else "application/octet-stream"
                headers = {"Content-Type": kind, TOKEN_HEADER: await self._token_of_page(session)}
            async with session.request(
                verb, self.url + path, data=sent, params=query, headers=headers, timeout=limit
            ) as response:
                return await _read(response)

    async def _token_of_page(self, session: aiohttp.ClientSession) -> str:
        if self._token is None:
            async with session.get(f"{self.url}/") as page:
                found = _TOKEN.search(await page.text())
            self._token = found[1] if found else ""
        return self._token

    def _opened(self) -> AbstractAsyncContextManager[aiohttp.ClientSession]:
        return nullcontext(self._session) if self._session is not None else aiohttp.ClientSession()


async def _events(content: aiohttp.StreamReader) -> AsyncGenerator[bytes, None]:
    while (event := await content.readuntil(SEPARATOR)).endswith(SEPARATOR):
        yield event.removeprefix(b"data: ")


async def _read(response: aiohttp.ClientResponse) -> bytes:
    if response.status == 409:
        raise NotPossible((await response.json())["error"])
    if response.status == 408:
        raise TimeoutError((await response.json())["error"])
    response.raise_for_status()
    return await response.read()


class AnyObject(BaseModel):
    """Any JSON object."""

    model_config = {"extra": "allow"}


class FaultHandle:
    """A fault that was set: wait until it hits a call, release what it holds."""

    def __init__(self, client: LocalApiClient, fault_id: str) -> None:
        self.id = fault_id
        self._client = client

    async def reached(self, within: float = 30.0) -> None:
        """Returns once the fault hit a call; for a hold, once the effect is done and the reply is held back."""
        async with asyncio.timeout(within):
            await self._client.post("/local/admin/reached", query={"fault": self.id}, within=within)

    async def release(self) -> None:
        await self._client.post("/local/admin/release", query={"fault": self.id})


class Admin:
    """See `LocalApiClient` for ``session`` and ``token``."""

    def __init__(self, url: str, session: aiohttp.ClientSession | None = None, token: str | None = None) -> None:
        self._client = LocalApiClient(url, session, token)

    async def fault(
        self,
        method: str,
        do: FaultKind,
        *,
        nth: int = 1,
        times: int | None = 1,
        status: int = 500,
        error: str = "internal_error",
        seconds: float = 0.0,
        retry_after: int | str | None = None,
    ) -> FaultHandle:
        """Add a fault to those already set; `Fault` says what can go wrong."""
        rule = Fault(
            method=method,
            do=do,
            nth=nth,
            times=times,
            status=status,
            error=error,
            seconds=seconds,
            retry_after=retry_after,
        )
        answer = await self._client.post("/local/admin/fault", rule)
        return FaultHandle(self._client, FaultSet.model_validate_json(answer).id)

    async def clear_faults(self) -> None:
        await self._client.post("/local/admin/clear_faults")

    async def status(self) -> Status:
        return Status.model_validate_json(await self._client.post("/local/admin/status"))

    async def calls(self) -> Counter[str]:
        """How often each method was called (and each type of envelope sent), failed calls included."""
        return Counter((await self.status()).calls)

    async def idle(self, quiet: float = 0.05, within: float = 30.0) -> Counter[str]:
        """Returns once no API call ran and no envelope was unacknowledged for `quiet` seconds on end.

        Returns:
            `calls` until then.
        """
        limits = {"quiet": str(quiet), "timeout": str(within)}
        answer = await self._client.post("/local/admin/idle", query=limits, within=within + 5)
        return Counter(Status.model_validate_json(answer).calls)

    async def connected(self, within: float = 30.0, *, more_than: int = 0) -> None:
        """Returns once the app is connected; to see it reconnect, pass the `opened` of an earlier status."""
        query = {"more_than": str(more_than)}
        async with asyncio.timeout(within):
            await self._client.post("/local/admin/connected", query=query, within=within)

    async def rate_limits(self, on: bool, *, distributed: bool = False) -> None:
        """
        Args:
            distributed: whether the app is given to many without being in Slack's Marketplace: it may read a channel
                once a minute then, fifteen messages at a time.
        """
        await self._client.post("/local/admin/limits", RateLimits(on=on, distributed=distributed))

    async def surfaces(self, *, agents: bool = True, blocks: bool = True) -> None:
        """Have, or lack, what Slack has for agents: sessions with prompts, and plans, task cards and containers."""
        await self._client.post("/local/admin/surfaces", Surfaces(agents=agents, blocks=blocks))

    async def disconnect(self, how: Disconnection = "refresh_requested") -> None:
        """End every connection: ask the app to reconnect, close it, or cut it ("abort")."""
        await self._client.post("/local/admin/disconnect", Disconnect(how=how))

    async def put_user(self, user: User) -> User:
        """Add a user, or replace the one with this id."""
        return User.model_validate_json(await self._client.post("/local/admin/user", user))

    async def deactivate(self, user: str, *, is_told: bool = True) -> User:
        """The account stays, as deleted; the person can do nothing more.

        Args:
            is_told: whether the app hears of it; an event may be lost.
        """
        query = {"user": user} | ({} if is_told else {"untold": "1"})
        return User.model_validate_json(await self._client.post("/local/admin/deactivate", query=query))

    async def put_channel(self, channel: Channel) -> Channel:
        """Add a channel, or replace the one with this id."""
        return Channel.model_validate_json(await self._client.post("/local/admin/channel", channel))

    async def join(self, channel: str, user: str) -> Channel:
        """Add a member; the app too (by its bot user's id)."""
        answer = await self._client.post("/local/admin/join", Membership(channel=channel, user=user))
        return Channel.model_validate_json(answer)

    async def leave(self, channel: str, user: str) -> Channel:
        """Remove a member; the app too."""
        answer = await self._client.post("/local/admin/leave", Membership(channel=channel, user=user))
        return Channel.model_validate_json(answer)

    async def archive(self, channel: str) -> Channel:
        return Channel.model_validate_json(await self._client.post("/local/admin/archive", query={"channel": channel}))

    async def unarchive(self, channel: str) -> Channel:
        """Restore it; the app hears of it, if it is in there."""
        query = {"channel": channel}
        return Channel.model_validate_json(await self._client.post("/local/admin/unarchive", query=query))

    async def put_user_group(self, group: UserGroup) -> UserGroup:
        return UserGroup.model_validate_json(await self._client.post("/local/admin/user_group", group))

    async def workflow_says(self, channel: str, text: str) -> Message:
        """Have a workflow post something: a message without an author."""
        answer = await self._client.post("/local/admin/workflow", SaidByWorkflow(channel=channel, text=text))
        return Message.model_validate_json(answer)

    async def run_on_schedule(self, callback_id: str, **inputs: object) -> StepRun:
        """Have a workflow run that nobody began: the app is not told who asks."""
        request = RunWorkflow(callback_id=callback_id, inputs=inputs)
        return StepRun.model_validate_json(await self._client.post("/local/admin/schedule", request))

    async def step_runs(self) -> list[StepRun]:
        """The runs of the app's steps, the oldest first."""
        return StepRuns.model_validate_json(await self._client.post("/local/admin/step_runs")).runs

    async def share(self, channel: str, *, new_id: str = "") -> Channel:
        """Share it with another company.

        Args:
            new_id: what a private channel is known by from then on.
        """
        query = {"channel": channel} | ({"id": new_id} if new_id else {})
        return Channel.model_validate_json(await self._client.post("/local/admin/share", query=query))

    async def unshare(self, channel: str) -> Channel:
        return Channel.model_validate_json(await self._client.post("/local/admin/unshare", query={"channel": channel}))

    async def change_id(self, channel: str, new_id: str) -> Channel:
        answer = await self._client.post("/local/admin/change_id", NewChannelId(channel=channel, id=new_id))
        return Channel.model_validate_json(answer)

    async def restrict(self, channel: str, why: str = "restricted_action") -> Channel:
        """Have every post of the app there refused with this code; with an empty one, none any more."""
        query = {"channel": channel, "why": why}
        return Channel.model_validate_json(await self._client.post("/local/admin/restrict", query=query))

    async def grant(self, *scopes: str) -> None:
        """Let the app have these scopes and no others."""
        await self._client.post("/local/admin/grant", query={"scopes": " ".join(scopes)})

    async def uninstall(self) -> None:
        """Take the app out: it hears of it, and its token is good for nothing any more."""
        await self._client.post("/local/admin/uninstall")

    async def reinstall(self, token: str = "") -> None:
        """Put it back; it is in no channel. Slack makes another token for it; without one here, the old one is good
        again, as where a workspace was suspended for a while.
        """
        await self._client.post("/local/admin/reinstall", query={"token": token})

    async def announce(self, event: Json) -> None:
        """Send the app any event."""
        await self._client.post("/local/admin/event", AnyObject.model_validate(event))


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
        """Use an element of a message: press a button, or choose `value` in a menu."""
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
        """What stands in a channel, oldest first, without the replies in threads."""
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
        """The top modal, once it is as wanted: for apps that open or update it after their ack."""
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
