"""The HTTP interface over a real engine with a scripted model, without Slack."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient
from yarl import URL

from bot.api.metrics import Meter
from bot.api.server import ApiServer, serving
from bot.api.tokens import Scope, Token, digest_of
from bot.api_config import ApiAccess, ConnectionLimits
from bot.listeners.background import BackgroundTasks
from bot.listeners.colleagues import MOST_OPEN, Admission
from bot.listeners.gateway import CommandGateway
from bot.listeners.reader_texts import ReaderTexts
from bot.listeners.services import Services
from bot.models import asks_by_protocol, needed_prompts
from bot.posts import Languages, ResponseUrls
from bot.posts.failures import Undone
from bot.posts.homes import Homes, nothing_there
from bot.posts.rate_limits import RateLimits
from bot.posts.readmission import Readmission
from bot.posts.waiting import Waiting
from bot.registry import PROTOCOLS
from bot.story_links import PageAccess, StoryLinks
from bot.views.negotiation.settings import NegotiationSettings
from bot.workspace_settings import Directories, WorkspaceSettings
from engine.directory.profile import Profiles
from engine.kernel import Ask, Compute, Effect, Event, Millis, Place, RegisterOutputs, RunWorker, StreamKey, Tenant
from engine.llm.asker import Asker
from engine.llm.port import Prompt
from engine.negotiation.drafting import Ids
from engine.negotiation.events import DemandSubmitted, StepDegraded
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.runtime.runtime import Runtime
from engine.runtime.streams import sealed
from engine.store.port import Commit, Store
from engine.workers.registry import WorkersAccess
from engine.workers.workers import Workers
from tests.bot.script import AGENT, Script, people

from .contract import ROUTES, check_answer

NOON: Final[Millis] = 1_800_000_000_000
HERE: Final = Tenant("T_HERE")
YOU, AYA, BO, EVE = "U_YOU", "U_AYA", "U_BO", "U_EVE"
"""The requester; two people with a seat each; somebody without a part."""
DEMAND: Final = "I need a venue for 50 people in Berlin"
PATIENT: Final = Policy(human_window=3600, override_window=30)
ALONE: Final = Policy(human_window=0, override_window=0)
"""Nobody but the twins is waited for."""
ALL: Final = frozenset(Scope)
LINKS: Final = StoryLinks(PageAccess(b"a key of twenty-four letters"))
"""What signs the links to pages."""


def token(name: str, *scopes: Scope, user: str = "") -> Token:
    """Its secret is `secret(name)`."""
    return Token(name, frozenset(scopes or ALL), user, digest_of(secret(name)))


def secret(name: str) -> str:
    return f"secret-of-{name}"


TOKENS: Final = (
    token("program", Scope.SUBMIT, Scope.READ),
    token("admin", Scope.ADMIN, Scope.READ, Scope.METRICS),
    *(token(each, Scope.SUBMIT, Scope.READ, Scope.VOTE, user=each) for each in (YOU, AYA, BO, EVE)),
)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any
    """JSON, read; the text, where it is none."""

    @property
    def code(self) -> str | None:
        return self.body.get("error_code") if isinstance(self.body, dict) else None


@dataclass(frozen=True, slots=True)
class Told:
    """One server-sent event."""

    id: str
    data: dict[str, Any]


@dataclass
class Caller:
    """Somebody with a token, or (an empty name) without."""

    url: str
    name: str
    session: aiohttp.ClientSession

    async def get(self, path: str, **more: Any) -> Answer:
        return await self.calls("GET", path, **more)

    async def post(self, path: str, body: Any = None, **more: Any) -> Answer:
        return await self.calls("POST", path, body, **more)

    async def put(self, path: str, body: Any = None, **more: Any) -> Answer:
        return await self.calls("PUT", path, body, **more)

    async def calls(
        self, method: str, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> Answer:
        sent = {} if body is None else {"json": body}
        async with self.session.request(
            method,
            URL(self.url + path, encoded=True),
            headers={**self.authorization, **(headers or {})},
            **sent,
            **more,
        ) as response:
            text = await response.text()
            is_json = response.content_type.endswith("json")
            answer = Answer(response.status, response.headers, json.loads(text) if is_json else text)
        check_answer(method, path, answer.status, answer.headers, response.content_type, answer.body)
        return answer

    @property
    def authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {secret(self.name)}"} if self.name else {}

    @asynccontextmanager
    async def stream(self, demand_id: str, last: str = "", **query: str) -> AsyncIterator[Events]:
        headers = self.authorization | ({"Last-Event-ID": last} if last else {})
        path = f"/api/v1/events/negotiations/{demand_id}/stream"
        async with self.session.get(self.url + path, headers=headers, params=query) as response:
            assert response.status == 200, await response.text()
            yield Events(response)


@dataclass
class Events:
    """As a browser's EventSource reads them."""

    response: aiohttp.ClientResponse
    last: str = ""
    comments: list[str] = field(default_factory=list)

    def __aiter__(self) -> AsyncIterator[Told]:
        return self._read()

    async def _read(self) -> AsyncIterator[Told]:
        data = ""
        async for line in self.response.content:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "id":
                self.last = value
            elif name == "data":
                data = value
            elif line.startswith(b":"):
                self.comments.append(value or name)
            elif not name and data:
                yield Told(self.last, json.loads(data))
                data = ""

    async def take(self, count: int) -> list[Told]:
        """Return the next ones; fewer only where the stream ends."""
        found: list[Told] = []
        async for told in self:
            found.append(told)
            if len(found) == count:
                break
        return found


@dataclass
class ApiHarness:
    server: ApiServer
    store: Store
    runtime: Runtime
    script: Script
    clock: JumpingClock
    """Of negotiations."""
    pulse: JumpingClock
    """Of connections and rates."""
    session: aiohttp.ClientSession

    def as_(self, name: str) -> Caller:
        return Caller(self.server.url, name, self.session)

    async def asks(self, demand: str = DEMAND, *, by: str = YOU) -> str:
        """Submit a demand, wait until nothing more happens without a person or the clock, and return its id."""
        answer = await self.as_(by).post("/api/v1/demand/submit", {"raw_input": demand})
        assert answer.status == 200, answer
        await self.runtime.activity.idle()
        demand_id: str = answer.body["demand_id"]
        return demand_id

    async def time_passes(self) -> bool:
        """Jump to the next time at which something is due; False when nothing is."""
        due = await self.store.next_due()
        if due is None:
            return False
        self.clock.jump(due)
        await self.runtime.sweep()
        await self.runtime.activity.idle()
        return True

    async def ends(self, demand_id: str) -> dict[str, Any]:
        """Let time pass until nothing is due, and return the demand's status."""
        while await self.time_passes():
            pass
        status: dict[str, Any] = (await self.as_("admin").get(f"/api/v1/demand/{demand_id}/status")).body
        return status

    async def counts(self) -> dict[str, int]:
        return dict(await self.store.counts())

    async def metric(self, name: str, /, **labels: str) -> float | None:
        """Return the value of a sample; None where there is none so far."""
        text: str = (await self.as_("admin").get("/metrics")).body
        said = ",".join(f'{label}="{value}"' for label, value in labels.items())
        wanted = f"{name}{{{said}}}" if said else name
        return next((float(line.split()[-1]) for line in text.splitlines() if line.split()[0] == wanted), None)

    # ── a negotiation in which something simply happens ───────────────────────────────────────────────────────────────

    async def begins(self, name: str = "aaaabbbb") -> str:
        """Commit the first event of a demand that nobody works on."""
        ids: Ids = {"demand_id": f"d-{name}", "channel_id": f"collab-{name}"}
        first = DemandSubmitted(**ids, requester_id=YOU, raw_input="secret words", policy=Policy(), place=Place())
        await self.happens(name, 0, first)
        return ids["demand_id"]

    async def goes_on(self, name: str = "aaaabbbb", *, at: int, words: str = "filter") -> None:
        """Commit one more event; ``at``: how many there are."""
        ids: Ids = {"demand_id": f"d-{name}", "channel_id": f"collab-{name}"}
        await self.happens(name, at, StepDegraded(**ids, prompt=words, why="E003"))

    async def happens(self, name: str, at: int, *events: Event) -> None:
        key = StreamKey(HERE, f"collab-{name}")
        sealed_ = tuple(sealed(each, self.clock.now()) for each in events)
        await self.store.commit(Commit(key, RULEBOOK.protocol, at, events=sealed_))
        self.server.context.notice(key)


@asynccontextmanager
async def standing(
    store: Store,
    *,
    linked: Sequence[str] = ("aya", "bo"),
    alone: Sequence[str] = (),
    policy: Policy = PATIENT,
    tokens: Sequence[Token] = TOKENS,
    per_minute: int = 100_000,
    patience: float = 15.0,
    origins: frozenset[str] = frozenset(),
    held: Sequence[str] = (),
    body_seconds: float = 10.0,
    connections: ConnectionLimits | None = None,
    unreachable: int = 0,
    port: int = 0,
    page_links: StoryLinks | None = LINKS,
    most_open: int = MOST_OPEN,
    told_for_good: tuple[str, ...] = (),
) -> AsyncIterator[ApiHarness]:
    """
    Args:
        held: prompts that the model answers only once it is let.
        unreachable: how often Slack does not answer before it says whose workspace it is.
        told_for_good: what everybody has told their twin.
    """
    clock, pulse = JumpingClock(NOON), JumpingClock(NOON)
    script = Script((*linked, *alone))
    script.held |= {prompt: asyncio.Event() for prompt in held}
    links = {"aya": AYA, "bo": BO}
    profiles = people({each: links[each] for each in linked}, alone)
    if told_for_good:
        lines = {"from_now_on": told_for_good}
        profiles = Profiles({each: one.model_copy(update=lines) for each, one in profiles.items()})
    prompts, meter = _prompts(), Meter([each.descriptions for each in PROTOCOLS])
    slack = AsyncWebClient("xoxb-nobody", "http://127.0.0.1:1/api/", timeout=1, retry_handlers=[])
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        await store.open()

        async def asked(tenant: Tenant) -> Profiles:
            return await directories.asked(tenant)

        asker = Asker(meter.model(script), asks_by_protocol(PROTOCOLS, prompts, asked), clock)
        computing = Computing({each.name: each.computations for each in PROTOCOLS}, clock)
        access_to_workers = WorkersAccess(Path(stack.enter_context(TemporaryDirectory(prefix="towow-"))))
        workers = Workers(access_to_workers, {each.name: each.work() for each in PROTOCOLS if each.work}, clock)
        runners: Mapping[str, EffectRunner] = {Ask.kind: asker, Compute.kind: computing, **workers.runners}
        effects: list[type[Effect]] = [Ask, Compute, RunWorker, RegisterOutputs]
        runtime = in_process(store, clock, [each.rulebook for each in PROTOCOLS], runners, effects)
        stack.push_async_callback(runtime.close)
        directories = Directories(runtime, clock, profiles)
        idle = Waiting(clock, Activity())
        rate_limits = RateLimits({}, idle)
        homes = Homes(nothing_there, rate_limits, idle, Readmission(_let_in, rate_limits, idle))
        settings = WorkspaceSettings(
            directories, {RULEBOOK.protocol: NegotiationSettings()}, {RULEBOOK.protocol: policy}
        )
        urls, languages = ResponseUrls(clock), Languages(store, clock)
        background = BackgroundTasks()
        stack.push_async_callback(background.close)
        texts = ReaderTexts(languages, background)
        services = Services(
            CommandGateway(runtime, Admission(store, most_open)), settings, store, clock, texts, background, urls,
            homes, workers, links=page_links,
        )  # fmt: skip
        await runtime.start()
        access = ApiAccess(
            tuple(tokens), "127.0.0.1", port, origins, per_minute, patience=patience, body_seconds=body_seconds,
            connections=connections or ConnectionLimits(),
        )  # fmt: skip
        server = await stack.enter_async_context(
            serving(access, runtime, services, slack, _whose(unreachable), _connected, meter, PROTOCOLS, pulse)
        )
        session = await stack.enter_async_context(
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(90))
        )
        yield ApiHarness(server, store, runtime, script, clock, pulse, session)


@cache
def _prompts() -> Mapping[str, Prompt]:
    return needed_prompts(PROTOCOLS)


async def comes_true(condition: Callable[[], bool]) -> None:
    """Wait for something that happens by itself."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0)


def _whose(failures: int) -> Callable[[str], Awaitable[Tenant | None]]:
    left = [Undone("unreachable")] * failures

    async def whose(team_id: str) -> Tenant | None:
        if left:
            raise left.pop()
        return HERE if team_id in ("", HERE.team_id) else None

    return whose


async def _let_in(_: Tenant) -> None:
    """Slack takes every token."""


async def _connected() -> bool:
    return True


__all__ = [
    "AGENT",
    "ALONE",
    "AYA",
    "BO",
    "DEMAND",
    "EVE",
    "HERE",
    "NOON",
    "PATIENT",
    "ROUTES",
    "YOU",
    "ApiHarness",
    "standing",
]
