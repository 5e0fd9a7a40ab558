"""One delivery in a process of its own, without Slack: its stream, who answers for the Manager, and its workers."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from msgspec.structs import replace

from bot.claude_config import ClaudeAccess
from bot.commands.delivery.plan_file import YOU, GivenPlan, tasks_of
from bot.listeners.delivery.registry import roles_of
from bot.listeners.delivery.session_logs import SessionLogs
from bot.listeners.intake import stream_names
from bot.models import asks_by_protocol, claude, needed_prompts, offline_model
from bot.protocol_row import Protocol
from bot.time_zones import machine_time_zone
from engine.delivery.commands import OpenDelivery
from engine.delivery.inbox import OPEN_DELIVERY, OwnDelivery
from engine.delivery.planning.briefs import brief_of_goal
from engine.delivery.policy import Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.directory.profile import Profiles
from engine.errors import InvalidInput, UnknownStream
from engine.facts.asked import local_day
from engine.files.validated_file import ValidatedFile
from engine.kernel import Ask, Command, Effect, HandedPerson, RegisterOutputs, RunWorker, StreamKey, Tenant, decode
from engine.llm.asker import Asker
from engine.runtime.clock import Clock, WallClock
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from engine.workers.port import FileRefused
from engine.workers.registry import WorkersAccess
from engine.workers.workers import Workers

TENANT: Final = Tenant("T_TERMINAL")


class TypedFiles:
    """Files whose paths somebody has typed, by ids of our own: no path of theirs is in an event."""

    def __init__(self) -> None:
        self._paths: dict[str, Path] = {}

    def take(self, path: Path) -> str:
        """Return the id of a file that is there."""
        if not path.is_file():
            raise FileRefused(f"{path} is no file.")
        file_id = f"F{uuid4().hex}"  # whoever goes on after a kill has not typed this path
        self._paths[file_id] = path.absolute()
        return file_id

    async def __call__(self, key: StreamKey, file_id: str, *, most_bytes: int) -> bytes:
        """Read a file that the person named in this terminal."""
        path = self._paths.get(file_id)
        if path is None:
            raise FileRefused("Nobody has given this file here.")
        try:
            if path.stat().st_size > most_bytes:
                raise FileRefused(f"{path.name} is larger than {most_bytes:,} bytes.")
            return await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise FileRefused(f"{path.name} cannot be read: {error.strerror}.") from error


@dataclass(frozen=True, slots=True)
class DeliverSettings:
    access: WorkersAccess
    protocols: Sequence[Protocol]
    database: Path | None = None
    """Kept here; in memory without."""
    claude: ClaudeAccess | None = None
    """Answers as the Manager; rules do without."""
    goes_on: bool = False
    """Whether the newest delivery of the database that goes on is taken up, in place of a new one."""


@dataclass(frozen=True, slots=True)
class Session:
    runtime: Runtime
    store: Store
    workers: Workers
    files: TypedFiles
    clock: Clock
    policy: Policy
    key: StreamKey
    process: str = field(default_factory=lambda: uuid4().hex)
    """Of this process alone: what is typed after a kill is no command of before."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def begin(self, goal: str, plan: GivenPlan | None) -> None:
        """Begin the delivery of a goal, or of a plan."""
        now, time_zone = self.clock.now(), machine_time_zone()
        roles = roles_of(self.workers.registry())
        tasks = tasks_of(plan, roles) if plan else ()
        given = plan.goal or plan.title if plan else ""
        said = goal or given or (tasks[0].title if tasks else "")
        brief = brief_of_goal(
            said,
            by=YOU,
            today=local_day(now, time_zone),
            time_zone=time_zone,
            known=[HandedPerson(person_id=YOU, user_id=YOU, name="you")],
        )
        if plan:
            brief = replace(brief, title=plan.title or brief.title, ends=plan.ends)
        await self.send(
            OpenDelivery(
                command_id=f"begin:{self.key.stream}",
                at=now,
                session_id=self.key.stream,
                by=YOU,
                brief=brief,
                tasks=tasks,
                roles=roles,
                policy=self.policy,
            )
        )

    async def read(self) -> Delivery:
        try:
            state, _ = await self.runtime.read(self.key)
        except UnknownStream:
            return Delivery()
        assert isinstance(state, Delivery)  # noqa: S101 - nothing else runs here
        return state

    async def send(self, command: Command) -> None:
        await self.runtime.handle(self.key, RULEBOOK.protocol, command)

    def take(self, path: str) -> str:
        try:
            return self.files.take(Path(path))
        except FileRefused as error:
            raise InvalidInput(f"{error}") from error

    def notice(self, _: StreamKey) -> None:
        self._changed.set()

    async def change(self) -> None:
        """Return once something has happened since the last call."""
        await self._changed.wait()
        self._changed.clear()


@asynccontextmanager
async def delivering(settings: DeliverSettings) -> AsyncIterator[Session]:
    """Start everything; on leaving, end every process.

    Raises:
        Misconfigured, StoreUnusable
        UnknownStream: none goes on that could be taken up.
    """
    prompts, clock = needed_prompts(settings.protocols), WallClock()
    async with AsyncExitStack() as stack:
        store: Store = SqliteStore(settings.database) if settings.database else MemoryStore()
        stack.push_async_callback(store.close)
        await store.open()
        model: Any = offline_model(settings.protocols)
        if settings.claude is not None:
            model = await stack.enter_async_context(claude(settings.claude, prompts, store, clock))

        async def nobody(_: Tenant) -> Profiles:
            return Profiles({})

        rows = [each for each in settings.protocols if each.name == RULEBOOK.protocol]
        asker = Asker(model, asks_by_protocol(rows, prompts, nobody), clock)
        files = TypedFiles()
        workers = Workers(settings.access, {each.name: each.work() for each in rows if each.work}, clock, files)
        stack.push_async_callback(workers.close)
        runners: Mapping[str, EffectRunner] = {Ask.kind: asker, **workers.runners}
        effects: list[type[Effect]] = [Ask, RunWorker, RegisterOutputs]
        runtime = in_process(store, clock, [RULEBOOK], runners, effects)
        stack.push_async_callback(runtime.close)
        policy = ValidatedFile(settings.access.scheduler, Policy, Policy()).load()
        key = await _key(store, goes_on=settings.goes_on)
        session = Session(runtime, store, workers, files, clock, policy, key)
        runtime.observers.watch(session.notice)
        if settings.access.logs is not None:
            follower = SessionLogs(store, settings.access.logs)
            runtime.observers.listen(follower.hear)
            stack.push_async_callback(follower.close)
        await runtime.start()
        yield session


async def _key(store: Store, *, goes_on: bool) -> StreamKey:
    """Return the key of the delivery to go on with."""
    if not goes_on:
        return StreamKey(TENANT, next(stream_names(TENANT, "deliver-", f"terminal:{uuid4()}")))
    found = [decode(row, OwnDelivery) for row in (await store.records(TENANT, OPEN_DELIVERY)).values()]
    if not found:
        raise UnknownStream("No delivery goes on in this store. Say what is to be carried out.")
    return StreamKey(TENANT, max(found, key=lambda each: each.since).stream)
