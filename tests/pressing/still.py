"""Presses buttons on streams that stay as they are: the rules say what would come of a click, and nobody keeps it."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.gateway import CommandGateway
from bot.listeners.services import Services
from bot.local_slack import LocalWorkspace
from bot.local_slack.blocks.inputs import initial_values
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.story_links import SHORTEST_KEY, PageAccess, StoryLinks
from bot.texts import texts_in
from bot.views.directory.notices import twin_suits
from bot.views.kit.menu import MORE, buttons_in
from bot.workspace_settings import Directories, WorkspaceSettings, directory_key
from engine.directory.profile import Profiles
from engine.errors import UnknownStream
from engine.kernel import Command, Handover, StreamKey, Tenant
from engine.runtime.clock import JumpingClock
from engine.runtime.runtime import Receipt
from engine.runtime.streams import Committed, sealed
from engine.store.memory import MemoryStore
from engine.store.port import StoredEvent, Stream
from engine.workers.workers import Workers
from tests.bot.driver import ADMIN, NOON, playing
from tests.bot.script import people
from tests.given import Moment

RULEBOOKS: Final = {each.name: each.rulebook for each in PROTOCOLS}
EVE: Final = "U_EVE"
"""Somebody who only reads along."""
EXTERNAL: Final = "U_EXTERNAL"
PARTNER: Final = "T_PARTNER"
"""The company that `EXTERNAL` belongs to."""


_ONE: Final = next(iter(people({"one": "U_ONE"}).values()))
PEOPLE: Final = Profiles(
    {
        agent: _ONE.model_copy(update={"agent_id": agent, "slack_user": user})
        for agent, user in (
            *{
                "aya": "U_AYA",
                "ann": "U_ANN",
                "bo": "U_BO",
                "cy": "U_CY",
                "user_agent_bo": "U_BO",
                "dee": "U_DEE",
                "a0": "U_0",
                "a1": "U_1",
                "r0": "U_R",
            }.items(),
            *((f"user_agent_{number}", f"U{number:010}") for number in range(8)),
        )
    }
)
"""Whoever has a twin in any of the streams."""


THANKS: Final = frozenset({twin_suits(texts_in("en"))})
"""What somebody is told of a click that has nothing to do but to be heard."""


class StillStreams:
    """Stands in for the runtime: every stream stays as it was put, whatever is decided about it."""

    def __init__(self) -> None:
        self.streams: dict[str, Moment] = {}
        """By name."""
        self.directory: Moment | None = None
        self.done: list[Command] = []
        """What the rules have taken."""

    async def look_up(self, key: StreamKey) -> Committed:
        put = self._put(key)
        if put is None:
            raise UnknownStream(f"{key.stream} is not there.")
        return Committed(put.protocol, put.state, 1)

    async def read(self, key: StreamKey) -> tuple[Any, int]:
        return (await self.look_up(key)).state, 1

    def _put(self, key: StreamKey) -> Moment | None:
        return self.directory if key == directory_key(key.tenant) else self.streams.get(key.stream)

    async def handle(self, key: StreamKey, protocol: str, command: Command, *, begins: bool = True) -> Receipt:
        rulebook = RULEBOOKS[protocol]
        put = self._put(key)
        if put is None and not begins:
            raise UnknownStream(f"{key.stream} is not there.")
        state = put.state if put else rulebook.initial
        events = rulebook.decide(state, command).events
        self.done.append(command)
        return Receipt(1, tuple(events))

    async def hand_over(self, key: StreamKey) -> Handover | None:
        found = await self.look_up(key)
        return RULEBOOKS[found.protocol].hand_over(found.state)


class StillWorkers:
    """Stands in for who carries tickets out: every file is there that a report names."""

    def __init__(self, workers: Workers) -> None:
        self.registry = workers.registry

    async def artifact(self, session: str, uri: str, digest: str) -> bytes:
        return b"# A result"


class StillStore(MemoryStore):
    """A store in which the streams are found that were put."""

    def __init__(self, streams: StillStreams) -> None:
        super().__init__()
        self._still = streams

    async def load(self, key: StreamKey) -> Stream | None:
        put = self._still.streams.get(key.stream)
        if put is None:
            return None
        written = [sealed(each, put.now) for each in put.history]
        events = tuple(
            StoredEvent(key, seq, seq, each.event_type, each.at, each.public, each.private)
            for seq, each in enumerate(written, 1)
        )
        return Stream(key, put.protocol, len(events), events, {}, (), ())


@dataclass
class Wire:
    """A Slack that takes whatever it is sent, and knows everybody."""

    team: LocalWorkspace
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def tenant(self) -> Tenant:
        return Tenant(self.team.team_id, self.team.enterprise_id or "")

    async def answer(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        is_json = request.content_type == "application/json"
        said = await request.json() if is_json else {**request.query, **await request.post()}
        self.calls.append((method, said))
        user = str(said.get("user", "U"))
        home = PARTNER if user == EXTERNAL else self.team.team_id
        told = {"id": user, "team_id": home, "locale": "en-US", "tz": "UTC"} if method == "users.info" else "towow"
        us = {"team_id": self.team.team_id, "enterprise_id": self.team.enterprise_id, "user_id": "U_BOT"}
        made = {"channel": {"id": "D_SOMEBODY"}, "ts": "1.1", "view": {"id": "V"}, "upload_url": str(request.url)}
        ours = {"ok": True, "url": "https://ours.example/", "bot_id": "B", "file_id": "F"}
        return web.json_response({**ours, "user": told, **us, **made})


@dataclass(frozen=True)
class Pressed:
    """What came of one click."""

    by: str
    name: str
    text: str
    """What stands on the button."""
    value: str
    said: str = ""
    """What only whoever clicked was told."""
    view: Mapping[str, Any] | None = None
    """What was opened, besides a sentence."""
    done: tuple[Command, ...] = ()
    other: tuple[str, ...] = ()
    """What else Slack was asked to do."""
    status: int = 200
    private: tuple[Mapping[str, Any], ...] = ()
    """The buttons of what only whoever clicked was told."""

    @property
    def is_refused(self) -> bool:
        return self.view is None and not self.done and not self.other and self.said not in THANKS

    def __str__(self) -> str:
        return f"{self.by} presses {self.text!r} ({self.name}, {self.value[:90]}): {self.said!r} {self.status}"


@dataclass
class Pressing:
    """The listeners of the product above streams that stay as they are."""

    services: Services
    app: AsyncApp
    wire: Wire
    streams: StillStreams
    clock: JumpingClock
    presses: Iterator[int] = field(default_factory=count)
    """Their numbers: one that comes with the time of another is the same, delivered again."""

    def put(self, *moments: Moment) -> None:
        """Have these streams, and no others, at the time of the last one."""
        self.streams.streams.clear()
        for each in moments:
            self.streams.streams[each.stream] = each
            self.clock.set_wall(each.now)

    async def press(
        self, by: str, button: Mapping[str, Any], view: Mapping[str, Any] | None = None, channel: str = ""
    ) -> Pressed:
        """
        Args:
            view: what the button stands in, where that is no message.
            channel: where the message is.
        """
        self.wire.calls.clear()
        self.streams.done.clear()
        channel = channel or "C_LOBBY"
        home = PARTNER if by == EXTERNAL else self.wire.team.team_id
        message = {"ts": "2.2", "thread_ts": "1.1", "text": ""}
        where = {"channel_id": channel, "message_ts": "2.2", "thread_ts": "1.1", "is_ephemeral": False}
        blank = {"id": "V", "hash": "1", "private_metadata": "", "state": {"values": {}}}
        stands = (
            {"container": {"type": "view", "view_id": "V"}, "view": blank | dict(view)}
            if view
            else {"container": {"type": "message", **where}, "channel": {"id": channel}, "message": message}
        )
        body = {
            "type": "block_actions",
            "team": {"id": self.wire.team.team_id, "domain": "ours"},
            "user": {"id": by, "name": by.lower(), "team_id": home},
            "api_app_id": "A_TOWOW",
            "token": "none",
            "trigger_id": "1.1",
            "actions": [_as_sent(button) | {"action_ts": f"{next(self.presses)}.1"}],
            **stands,
        }
        response = await self.app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
        await self.services.background.activity.idle()
        return self._made(by, button, response.status)

    async def send(self, by: str, view: Mapping[str, Any], **said: Any) -> Mapping[str, Any]:
        """Send a form with what stands in it, but for what is ``said``, and return what Slack is told to do with it."""
        self.wire.calls.clear()
        self.streams.done.clear()
        values = initial_values(view["blocks"])
        for name, state in said.items():
            values[name] = {name: state}
        body = {
            "type": "view_submission",
            "team": {"id": self.wire.team.team_id, "domain": "ours"},
            "user": {"id": by, "name": by.lower(), "team_id": self.wire.team.team_id},
            "api_app_id": "A_TOWOW",
            "token": "none",
            "trigger_id": "1.1",
            "view": {"id": "V", "hash": "1", "private_metadata": ""} | dict(view) | {"state": {"values": values}},
        }
        response = await self.app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
        await self.services.background.activity.idle()
        assert response.status == 200, response.body
        answer: Mapping[str, Any] = json.loads(response.body or "{}")
        return answer

    def _made(self, by: str, button: Mapping[str, Any], status: int) -> Pressed:
        said, view, other, private = [], None, [], []
        for method, call in self.wire.calls:
            match method:
                case "chat.postEphemeral":
                    said.append(str(call["text"]))
                    private += _blocks(call.get("blocks"))
                case "views.open" | "views.push" | "views.update":
                    shown = call["view"] if isinstance(call["view"], dict) else json.loads(call["view"])
                    if sentence := _sentence(shown):
                        said.append(sentence)
                    else:
                        view = shown
                case "users.info" | "auth.test" | "conversations.open":
                    pass
                case _:
                    other.append(method)
        return Pressed(
            by, str(button["action_id"]), button["text"]["text"], str(button.get("value", "")), "\n".join(said), view,
            tuple(self.streams.done), tuple(other), status, tuple(buttons(private)),
        )  # fmt: skip


def _as_sent(button: Mapping[str, Any]) -> dict[str, Any]:
    """Return what Slack sends: of a choice in a menu, the menu with what was chosen."""
    if "chosen" in button:
        return {"type": "overflow", "action_id": MORE, "block_id": "b", "selected_option": button["chosen"]}
    return dict(button)


def _blocks(said: Any) -> list[dict[str, Any]]:
    return list(json.loads(said) if isinstance(said, str) else said or ())


def _sentence(view: Mapping[str, Any]) -> str:
    """Return what a view says that is nothing but a private sentence; see `bot.views.kit.modals`."""
    return str(view["blocks"][0]["text"]["text"]) if view["title"]["text"] == "ToWow" else ""


def buttons(blocks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the buttons of some blocks that do something here: a link leads elsewhere."""
    found = []
    for block in blocks:
        for each in (*block.get("elements", ()), block.get("accessory", {}), *block.get("child_blocks", ())):
            if each.get("type") == "button" and "url" not in each:
                found.append(each)
            elif each.get("type") == "actions" or "elements" in each:
                found += buttons([each])
            elif each.get("type") == "feedback_buttons":
                of_both = {name: each[name] for name in ("type", "action_id")}
                found += [of_both | each[name] for name in ("positive_button", "negative_button")]
            elif each.get("type") == "overflow":
                of_menu = zip(buttons_in((each,)), each["options"], strict=True)
                found += [{**button, "chosen": option} for button, option in of_menu]
    return found


@asynccontextmanager
async def pressing() -> AsyncIterator[Pressing]:
    """ADMIN is an admin; everybody reads English."""
    streams = StillStreams()
    async with playing(MemoryStore(), linked=(), said_by=PEOPLE) as it, ClientSession() as session:
        wire = Wire(it.demo.workspace)
        app = web.Application()
        app.router.add_route("*", "/api/{method}", wire.answer)
        server = await it.leaving.enter_async_context(TestServer(app))
        client = AsyncWebClient("xoxb-none", str(server.make_url("/api/")), session=session, retry_handlers=[])
        await it.demo.person(ADMIN).open_home()  # from now on it is known which workspace this is
        await it.settles()
        settings = it.demo.towow.services.settings
        kept = await settings.directory(wire.tenant)
        streams.directory = Moment("directory", kept, (), NOON)
        clock, store = JumpingClock(NOON), StillStore(streams)
        await store.open()
        services = replace(
            it.demo.towow.services,
            gateway=CommandGateway(streams),  # type: ignore[arg-type]
            store=store,
            workers=StillWorkers(it.demo.towow.services.workers),  # type: ignore[arg-type]
            clock=clock,
            settings=WorkspaceSettings(
                Directories(streams, clock, Profiles({})),  # type: ignore[arg-type]
                settings.parts,
                {name: settings.default_policy(name) for name in settings.parts},
                {ADMIN},
                lambda: wire.tenant,
            ),
            links=StoryLinks(PageAccess(b"k" * SHORTEST_KEY, "https://ours.example")),
        )
        yield Pressing(services, bolt_app(client, services, PROTOCOLS), wire, streams, clock)
