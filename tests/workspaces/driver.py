"""ToWow among several workspaces, into which people let it with their browsers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp

from bot.api_config import ApiAccess
from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.databases import Database
from bot.local_slack import App, Message, Registration, Team
from bot.oauth_config import OAuthAccess
from bot.registry import PROTOCOLS
from bot.slack.manifest import manifest, manifest_for_many
from bot.slack.oauth.installations import Installations
from bot.story_links import PageAccess
from engine.directory.profile import Profiles
from engine.kernel import Tenant
from engine.llm.port import Model
from engine.negotiation.policy import Policy
from engine.runtime.clock import JumpingClock
from engine.store.port import Store

from ..bot.script import Script, people
from ..local_slack.several import Clock, Several, several

NOON: Final = 1_800_000_000_000
HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
KEY, OLD_KEY = b"k" * 32, b"o" * 32
SECRET: Final = "canary-client-secret"
QUIET: Final = 0.02
ALONE: Final = Policy(human_window=0, override_window=0)
PATIENT: Final = Policy(human_window=3600, override_window=30)
WINDOW: Final = 30_000
"""How long whoever asked may answer there: nobody is linked."""
_LINK: Final = re.compile(r'class="act" href="([^"]+)"')


@dataclass
class _Now(Clock):
    """The time of the local Slack, which is that of ToWow's clock."""

    clock: JumpingClock = field(default_factory=lambda: JumpingClock(NOON))

    def __call__(self) -> float:
        return self.clock.now() / 1000


@dataclass
class Many:
    slack: Several
    towow: ToWow
    clock: JumpingClock
    script: Script
    access: SlackAccess
    leaving: AsyncExitStack

    async def stop(self) -> None:
        """End ToWow; the workspaces stay."""
        await self.leaving.aclose()

    @property
    def url(self) -> str:
        assert self.towow.api is not None
        return self.towow.api.url

    async def installs(self, place: str, *, browser: aiohttp.ClientSession | None = None) -> str:
        """Let it in as people do, and return the page that they see in the end."""
        async with new_browser() if browser is None else _kept(browser) as session:
            address = await self.install_address(session)
            back = await self.slack.allows(address, place)
            async with session.get(back) as page:
                return await page.text()

    async def install_address(self, session: aiohttp.ClientSession) -> str:
        return await install_address(self.url, session)

    async def asks(self, team: Team, text: str = "I need a venue for 50 people in Berlin") -> Message:
        workspace = self.slack.workspaces[team.id]
        name = team.name.upper()
        posted = await workspace.person(f"U_{name}_ANN").say(f"C_{name}", f"<@{workspace.bot_user_id}> {text}")
        await self.settles()
        return posted

    async def thread(self, team: Team, message: Message) -> list[Message]:
        person = self.slack.workspaces[team.id].person(f"U_{team.name.upper()}_ANN")
        return await person.thread(message.channel, message.ts)

    async def settles(self) -> None:
        """Wait until nothing more happens without a person or the clock."""
        for _ in range(2):
            await self.slack.slack.itself.activity.idle(QUIET)
            await self.towow.idle()

    async def looks(self) -> None:
        """Look who has left, as happens every few seconds."""
        assert self.towow.leaving is not None
        await self.towow.leaving.look()
        await self.settles()

    async def is_gone(self, team: Team) -> None:
        await self.comes_true(lambda: self.workspaces.departures.is_absent(tenant(team)))
        await self.settles()

    @property
    def workspaces(self) -> Installations:
        assert self.towow.leaving is not None
        return self.towow.leaving.installations

    def later(self, millis: int) -> None:
        """Let so much time pass at once."""
        self.clock.jump(self.clock.now() + millis)

    async def passes(self, millis: int) -> None:
        self.later(millis)
        await self.towow.runtime.sweep()
        await self.settles()

    async def comes_true(self, condition: Callable[[], Any]) -> None:
        async with asyncio.timeout(60):
            while not condition():  # noqa: ASYNC110 - it happens by itself
                await asyncio.sleep(0.01)


async def install_address(url: str, session: aiohttp.ClientSession) -> str:
    """Return where the button leads on the page that one begins with."""
    async with session.get(f"{url}/slack/install") as page:
        found = _LINK.search(await page.text())
    assert found is not None
    return found[1].replace("&amp;", "&")


def tenant(team: Team) -> Tenant:
    return Tenant(team.id, team.enterprise_id or "")


@asynccontextmanager
async def many(
    store: Store,
    database: Database,
    *teams: Team,
    rotates: bool = True,
    grace: float = 0.0,
    keys: Sequence[bytes] = (KEY,),
    policy: Policy = ALONE,
    admins: frozenset[str] = frozenset(),
    model: Model | None = None,
    tokens: Any = (),
    slack: Several | None = None,
    clock: JumpingClock | None = None,
) -> AsyncIterator[Many]:
    """
    Args:
        slack: that of an earlier run, which goes on.
    """
    clock = clock or JumpingClock(NOON)
    async with AsyncExitStack() as stack:
        if slack is None:
            app = App(scopes=App.described_by(manifest()).scopes, subscriptions=EVENTS)
            registration = Registration(
                app=app, client_secret=SECRET, redirect_uris=("http://127.0.0.1:",), rotates=rotates, grace=grace
            )
            slack = await stack.enter_async_context(
                several(*teams, registration=registration, ack_timeout=3.0, clock=_Now(clock=clock))
            )
        registered = slack.slack.itself.registration
        script = Script(("cho", "dee"), {}, {})
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        oauth = OAuthAccess(
            registered.client_id, SECRET, tuple(keys), database, url, slack.slack.authorize_url, purge_days=30
        )
        access = SlackAccess(
            "", slack.slack.app_token, slack.slack.api_url, ping_seconds=0.5, limited=False, oauth=oauth
        )
        api = ApiAccess(tuple(tokens), "127.0.0.1", port, pages=PageAccess(b"k" * 24, url))
        leaving = await stack.enter_async_context(AsyncExitStack())
        towow = await leaving.enter_async_context(
            running(access, store, model or script, _profiles(), clock, policy, PROTOCOLS, admins, api)
        )
        await slack.slack.itself.sockets.wait_for_connection()
        yield Many(slack, towow, clock, script, access, leaving)


EVENTS: Final = tuple(manifest_for_many("https://towow.example")["settings"]["event_subscriptions"]["bot_events"])


def _profiles() -> Profiles:
    return people({}, ("cho", "dee"))


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def new_browser() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


@asynccontextmanager
async def _kept(session: aiohttp.ClientSession) -> AsyncIterator[aiohttp.ClientSession]:
    yield session
