"""The whole product on embedded defaults: a local workspace with people in it, ToWow installed, a clock that can jump.

It is driven as people drive it: through messages, buttons and forms.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bot.api_config import ApiAccess
from bot.app import ToWow, running
from bot.claude_config import ClaudeAccess
from bot.commands.waiting import telling
from bot.config import SlackAccess
from bot.demo.welcome import welcome
from bot.local_slack import App, Channel, LocalWorkspace, Message, Person, PortTaken, RealTokensPresent, User
from bot.models import offline_model
from bot.protocol_row import Protocol
from bot.slack.manifest import manifest
from bot.time_zones import machine_time_zone
from engine.directory.profile import Profiles
from engine.errors import Misconfigured, StoreUnusable
from engine.kernel import Millis, StreamKey, Tenant
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from engine.workers.registry import WorkersAccess

CHANNEL: Final = "C_GENERAL"
REQUESTER: Final = "U_YOU"
REQUESTER_NAME: Final = "Sam Lee"
"""Of whoever sits at the page, among others: cards and lists call them like everybody else."""
ALONE: Final = "You"
"""What they are called where nobody else is there, as in a terminal."""

FOREVER: Final[Millis] = 2**62

PAGE: Final = 500
"""Events that are read at once."""

ANY: Final = ""
"""The locale of users who are answered in the language they write."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A message in the channel that has begun a stream."""

    message: Message
    key: StreamKey


@dataclass(frozen=True, slots=True)
class Demo:
    workspace: LocalWorkspace
    towow: ToWow
    clock: JumpingClock
    names: Mapping[str, str]
    """What users are called, by id."""
    protocols: Sequence[Protocol]

    @property
    def tenant(self) -> Tenant:
        return _tenant(self.workspace)

    def person(self, user_id: str = REQUESTER) -> Person:
        return self.workspace.person(user_id)

    async def mention(self, text: str) -> Message:
        """Write to ToWow in the channel, as the person in front of the demo."""
        return await self.person().say(CHANNEL, f"<@{self.workspace.bot_user_id}> {text}")

    async def thread(self, posted: Posted, user_id: str = REQUESTER) -> list[Message]:
        return await self.person(user_id).thread(CHANNEL, posted.message.ts)

    async def settle(self, quiet: float = 0.05) -> None:
        """Wait until nothing more can happen without a person or the clock.

        Args:
            quiet: seconds in which nothing may pass between us and the workspace.
        """
        while True:
            before = await self.workspace.idle(quiet)
            await self.towow.idle()
            if before == self.workspace.calls:
                return

    async def next_due(self) -> Millis | None:
        """Return when something happens by itself; None when nothing ever will."""
        store = self.towow.store
        pending, _ = await store.pending_effects(0, 1)
        stalled = [] if pending else [each.since for each in await store.stalled(FOREVER, 1)]
        dues = (await store.next_due(), self.clock.next_wake, self.towow.posts.next_due, *stalled)
        return min((each for each in dues if each is not None), default=None)

    async def skip(self) -> bool:
        """Jump to the next time at which something is due; False when nothing ever will be."""
        due = await self.next_due()
        if due is None:
            return False
        await self.skip_to(due)
        return True

    async def skip_to(self, due: Millis) -> None:
        self.clock.jump(due)
        await self.towow.runtime.sweep()


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """What a demo is played with."""

    profiles: Profiles
    policy: Any
    """What streams are decided by, such as how much agreement is enough."""
    protocols: Sequence[Protocol]
    """The main one first."""
    database: Path | None = None
    """Kept here, with the workspace's messages beside it; in memory without."""
    claude: ClaudeAccess | None = None
    """Answers for the twins; the offline model does without."""
    admins: frozenset[str] = frozenset()
    port: int = 0
    """Of the workspace; 0 takes any that is free."""
    api: ApiAccess | None = None
    """Whether it is served over HTTP as well."""
    workers: WorkersAccess | None = None
    """Who may carry tickets out besides people; without, whoever the protocols' demos bring along."""


@asynccontextmanager
async def running_demo(settings: DemoSettings, people: Sequence[User] = ()) -> AsyncIterator[Demo]:
    """Args:
    people: who is in the workspace besides the requester; those that profiles are linked to.
    """
    database, model = settings.database, settings.claude or offline_model(settings.protocols)
    you = User(
        id=REQUESTER, name="sam", real_name=REQUESTER_NAME if people else ALONE, locale=ANY, tz=machine_time_zone()
    )
    users = [you, *people]
    channel = Channel(id=CHANNEL, name="general", members=[each.id for each in users])
    clock = JumpingClock()
    async with AsyncExitStack() as stack:
        store, journal = _kept(database)
        stack.push_async_callback(store.close)
        await store.open()  # before anything is written beside a file that cannot be used
        workspace = LocalWorkspace(
            users=users,
            channels=[channel],
            app=await asyncio.to_thread(_app, suggestions(settings.protocols)),
            file=journal,
            port=settings.port,
            now=lambda: clock.now() / 1000,
        )
        clock.jump(await _last(store, _tenant(workspace)))
        try:
            await stack.enter_async_context(workspace)
        except (PortTaken, RealTokensPresent) as why:
            raise Misconfigured([f"{why}"]) from why
        except (OSError, ValueError) as error:
            raise StoreUnusable(f"The messages in {journal} cannot be used ({error}); choose another path.") from error
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=1, limited=False)
        towow = await stack.enter_async_context(
            running(
                slack,
                store,
                model,
                settings.profiles,
                clock,
                settings.policy,
                settings.protocols,
                settings.admins,
                settings.api,
                workers=settings.workers or _workers(settings, stack),
            )
        )
        names = {each.id: each.real_name for each in users} | {workspace.bot_user_id: "ToWow"}
        yield Demo(workspace, towow, clock, names, settings.protocols)


def _workers(settings: DemoSettings, stack: AsyncExitStack) -> WorkersAccess | None:
    """Return who works besides people: in a folder beside the database, or in one that is gone in the end."""
    parts = (each.demo() for each in settings.protocols if each.demo is not None)
    made = next((each.workers_in for each in parts if each.workers_in is not None), None)
    if made is None:
        return None
    if settings.database is None:
        return made(Path(stack.enter_context(TemporaryDirectory(prefix="towow-demo-"))))
    return made(settings.database.with_name(f"{settings.database.name}.workers"))


def suggestions(protocols: Sequence[Protocol]) -> tuple[str, ...]:
    return tuple(text for each in protocols if each.demo is not None for text in each.demo().suggestions)


def _app(said: tuple[str, ...]) -> App:
    """Return the app as the manifest describes it."""
    return App.described_by(manifest()).model_copy(update={"suggestions": said, "welcome": welcome()})


def _tenant(workspace: LocalWorkspace) -> Tenant:
    return Tenant(workspace.team_id, workspace.enterprise_id or "")


async def _last(store: Store, tenant: Tenant) -> Millis:
    """Return when the last event happened. After a jump of the clock it is in the future, and time must not go back."""
    last, after = 0, 0
    while page := await store.events(tenant, after, PAGE):
        last, after = max(last, *(each.at for each in page)), page[-1].position
    return last


def _kept(database: Path | None) -> tuple[Store, Path | None]:
    """Return the store, and the file beside it that keeps the workspace's messages."""
    if database is None:
        return MemoryStore(), None
    if database.is_dir():
        raise StoreUnusable(f"The store {database} is a folder; choose a file in it.")
    return SqliteStore(database), database.with_name(f"{database.name}.workspace")


def telling_what_is_waited_for(demo: Demo, *, asks_a_model: bool) -> AbstractAsyncContextManager[None]:
    """Say so while it is entered. Without a model nothing waits: the clock jumps."""
    return telling(lambda: _stands(demo), asks_a_model=asks_a_model)


async def _stands(demo: Demo) -> str:
    """Return how the newest thread stands, as our first message in it says."""
    person = demo.person()
    asked = await person.messages(CHANNEL)
    thread = await person.thread(CHANNEL, asked[-1].ts) if asked else []
    return next((each.text for each in thread if each.user == demo.workspace.bot_user_id), "it begins")
