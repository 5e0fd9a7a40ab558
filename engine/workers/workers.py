"""Runs what protocols owe to workers: attempts of commands, and the registration of what somebody has made.

Whatever goes wrong is an outcome: an attempt that raised would be made again by the outbox, and nobody would be told.
"""

import asyncio
import logging
import shutil
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace as changed
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

from msgspec.structs import replace

from engine.files.kept_folder import make_folder
from engine.kernel import Command, Millis, RegisterOutputs, RunWorker, StreamKey
from engine.runtime.clock import Clock, Monotonic
from engine.runtime.ports import EffectRun, EffectRunner
from engine.workers.acp import AcpContext, run_acp
from engine.workers.checks import run_check
from engine.workers.envelope_worker import run_envelope
from engine.workers.outputs import (
    NAME,
    OutputRefused,
    read_artifact,
    register_files,
    register_given,
    register_link,
    session_directory,
)
from engine.workers.port import (
    FileRefused,
    FileSource,
    GivenOutput,
    Limits,
    Registered,
    RegisterOrder,
    WorkOrder,
    WorkOutcome,
    WorkPort,
)
from engine.workers.process import Launch
from engine.workers.registry import (
    CHECKED,
    HOME,
    STDERR,
    TEMPORARY,
    WORK,
    Registry,
    RegistryFile,
    RoleEntry,
    WorkersAccess,
    environment_of,
    missing_keys,
)
from engine.workers.sandbox import Sandbox, available

log = logging.getLogger(__name__)

MINUTE: Final[Millis] = 60_000


class Workers:
    """
    Args:
        ports: by protocol.
        files: fetches what people have uploaded; None where nobody can.
    """

    def __init__(
        self, access: WorkersAccess, ports: Mapping[str, WorkPort], clock: Clock, files: FileSource | None = None
    ) -> None:
        self.access = access
        self._ports = ports
        self._clock = clock
        self._files = files
        self._roles = RegistryFile(access.roles)
        self._running: set[asyncio.Task[Any]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._begun: defaultdict[str, deque[Monotonic]] = defaultdict(deque)

    @property
    def runners(self) -> Mapping[str, EffectRunner]:
        return {RunWorker.kind: self._run, RegisterOutputs.kind: self._register}

    def registry(self) -> Registry:
        """Return who may work as the file says now; what it said last without a fault, where it has one."""
        return self._roles.current()

    async def close(self) -> None:
        """End every process that was started, and wait until it has ended."""
        running = self._running - {asyncio.current_task()}
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    async def artifact(self, session: str, uri: str, digest: str) -> bytes:
        """Return what was registered."""
        return await asyncio.to_thread(read_artifact, self.access.sessions / session, uri, digest)

    # ── attempts ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _run(self, run: EffectRun) -> Command:
        effect, port = run.effect, self._ports[run.protocol]
        assert isinstance(effect, RunWorker)  # noqa: S101 - runners are registered by the effect's kind
        order = port.order(run.state, effect, at=self._clock.now())
        try:
            with self._tracked():
                outcome = await self._attempt(order)
        except Exception:
            log.exception("an attempt of %s came to nothing", order.role_id)
            outcome = WorkOutcome(failure="not_started", detail="ToWow itself failed; its log says how.")
        return port.outcome(run.state, effect, outcome, command_id=run.command_id, at=self._clock.now())

    async def _attempt(self, order: WorkOrder) -> WorkOutcome:
        if self.access.roles is None:
            return WorkOutcome(failure="workers_off", detail="No command may run here: there is no role registry.")
        registry = self.registry()
        role = registry.role(order.role_id)
        if role is None or not role.cli_command:
            return WorkOutcome(failure="role_missing", detail=f"The registry has no command for {order.role_id}.")
        if refusal := registry.refusal(role) or missing_keys(role, registry):
            return WorkOutcome(failure="misconfigured", detail=f"{refusal}.")
        try:
            sandbox = await self._sandbox(role)
            directory = await asyncio.to_thread(_work_directory, self.access.sessions, order)
        except OutputRefused as refused:
            return WorkOutcome(failure=refused.failure, detail=refused.detail)
        except OSError as error:
            return WorkOutcome(failure="not_started", detail=f"Its directory could not be made: {error.strerror}.")
        launch = changed(
            _launch(directory, order.limits, sandbox, self.access.unheard),
            command=role.cli_command,
            environment=environment_of(role, registry, directory),
            stderr=directory.parent.parent / STDERR / order.ticket / f"{order.attempt}.txt",
        )
        async with self._turn(role, f"{order.session}/{order.ticket}"):
            return await self._run_role(role, order, launch, registry)

    async def _sandbox(self, role: RoleEntry) -> Sandbox | None:
        """Return the sandbox that a role runs in; None where it needs none."""
        wanted = role.metadata
        found = await asyncio.to_thread(available) if wanted.sandbox != "off" or wanted.network == "isolated" else None
        if found is None and (wanted.network == "isolated" or wanted.sandbox == "required"):
            raise OutputRefused("not_isolated", f"{role.role_id} has to be isolated, which this machine cannot do.")
        if found is None:
            return None
        return sandbox_of(found, role, self.access)

    @contextmanager
    def _tracked(self) -> Iterator[None]:
        """Let `close` know who runs something. Whoever is cancelled before takes a moment to end it."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - runners are run by tasks
        self._running.add(task)
        try:
            yield
        finally:
            self._running.discard(task)

    @asynccontextmanager
    async def _turn(self, role: RoleEntry, ticket: str) -> AsyncIterator[None]:
        """Wait for its turn: one process a ticket; one of the role, where there may be only one; so many a minute."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._lock(f"ticket {ticket}"))
            if not role.supports_multiple_instances:
                await stack.enter_async_context(self._lock(f"role {role.role_id}"))
            if most := role.metadata.rate_per_minute:
                # Whoever waits has its place already, so that of several that wait none goes too early.
                begun = self._begun[role.role_id]
                soonest = begun[-most] + MINUTE if len(begun) >= most else 0
                begun.append(Monotonic(max(self._clock.monotonic(), soonest)))
                while len(begun) > most:
                    begun.popleft()
                await self._clock.until(begun[-1])
            yield

    def _lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    async def _run_role(self, role: RoleEntry, order: WorkOrder, launch: Launch, registry: Registry) -> WorkOutcome:
        if role.metadata.protocol == "acp":
            context = AcpContext(launch, self._clock, lambda: self._proven(order, launch, registry, {}))
            return await run_acp(role, order, context)
        ended = await run_envelope(order, launch)
        if not ended.is_claimed:
            return ended.outcome
        said, proven = ended.outcome, await self._proven(order, launch, registry, ended.digests)
        # Where nothing was to be made, issues would say that it is blocked, and it says that it is done.
        issues = said.issues if proven.registered or proven.failure else ()
        return replace(proven, summary=said.summary, issues=issues, next_actions=said.next_actions, faults=said.faults)

    async def _proven(
        self, order: WorkOrder, launch: Launch, registry: Registry, announced: Mapping[str, str]
    ) -> WorkOutcome:
        """Look whether everything is there that it says it has made, and check it."""
        try:
            registered = await asyncio.to_thread(
                register_files,
                session_directory(self.access.sessions, order.session),
                order.ticket,
                order.attempt,
                launch.directory,
                order.outputs,
                most_bytes=order.limits.artifact_bytes,
                announced=announced,
            )
        except OutputRefused as refused:
            return WorkOutcome(failure=refused.failure, detail=refused.detail)
        except OSError as error:
            return WorkOutcome(failure="artifact_refused", detail=f"It could not be kept: {error.strerror}.")
        return await self._checked(WorkOutcome(registered=registered), order.check, launch, registry)

    async def _checked(self, outcome: WorkOutcome, check: str, launch: Launch, registry: Registry) -> WorkOutcome:
        if not check:
            return outcome
        result = await run_check(check, registry, launch)
        failure = None if result.has_passed else "check_failed"
        detail = "" if result.has_passed else f"The check {check} has not passed."
        return replace(outcome, checks=(result,), failure=failure, detail=detail)

    # ── what somebody shows ───────────────────────────────────────────────────────────────────────────────────────

    async def _register(self, run: EffectRun) -> Command:
        effect, port = run.effect, self._ports[run.protocol]
        assert isinstance(effect, RegisterOutputs)  # noqa: S101 - runners are registered by the effect's kind
        claim = port.claim(run.state, effect)
        try:
            with self._tracked():
                outcome = await self._shown(run.key, claim)
        except Exception:
            log.exception("what somebody has made for %s could not be registered", claim.ticket)
            outcome = WorkOutcome(failure="artifact_refused", detail="ToWow itself failed; its log says how.")
        return port.outcome(run.state, effect, outcome, command_id=run.command_id, at=self._clock.now())

    async def _shown(self, key: StreamKey, order: RegisterOrder) -> WorkOutcome:
        registered = []
        try:
            session = await asyncio.to_thread(session_directory, self.access.sessions, order.session)
            for given in order.outputs:
                registered.append(await self._given(key, order, session, given))  # noqa: PERF401 - one after the other
        except OutputRefused as refused:
            return WorkOutcome(failure=refused.failure, detail=refused.detail)
        except FileRefused as refused:
            return WorkOutcome(failure="artifact_refused", detail=str(refused))
        except OSError as error:
            return WorkOutcome(failure="artifact_refused", detail=f"It could not be kept: {error.strerror}.")
        outcome = WorkOutcome(registered=tuple(registered))
        if not order.check:
            return outcome
        try:
            directory = await asyncio.to_thread(_laid_out, session, order, outcome.registered)
        except OSError as error:
            return WorkOutcome(failure="check_failed", detail=f"What was given cannot be checked: {error.strerror}.")
        sandbox = await asyncio.to_thread(available)
        sandbox = changed(sandbox, hidden=self.access.hidden) if sandbox else None
        launch = _launch(directory, order.limits, sandbox, self.access.unheard)
        return await self._checked(outcome, order.check, launch, self.registry())

    async def _given(self, key: StreamKey, order: RegisterOrder, session: Path, given: GivenOutput) -> Registered:
        """Register what a person gave: a text, a link or a file."""
        if given.link:
            return register_link(given)
        most = order.limits.artifact_bytes
        content = given.text.encode("utf-8", "replace")
        if given.file_id:
            if self._files is None:
                raise FileRefused("Files cannot be taken here; give a text or a link.")
            content = await self._files(key, given.file_id, most_bytes=most)
            given = replace(given, path=_with_suffix(given))
        return await asyncio.to_thread(
            register_given, session, order.ticket, order.attempt, given, content, most_bytes=most
        )


def _with_suffix(given: GivenOutput) -> str:
    """Where an uploaded file is kept: under the name that code made, with the kind that its own name says."""
    suffix = given.file_name.rpartition(".")[2].casefold() if "." in given.file_name else ""
    is_plain = suffix.isascii() and suffix.isalnum() and len(suffix) <= 8
    return f"{given.path.rpartition('.')[0] or given.path}.{suffix}" if is_plain else given.path


def _work_directory(sessions: Path, order: WorkOrder) -> Path:
    if not NAME.fullmatch(order.ticket):
        raise OutputRefused("not_started", "A ticket cannot be called so.")
    return _made(session_directory(sessions, order.session) / WORK / order.ticket)


def _laid_out(session: Path, order: RegisterOrder, given: Iterable[Registered]) -> Path:
    """Copy what was registered to where a check may do with it what it likes."""
    directory = session / CHECKED / order.ticket / str(order.attempt)
    shutil.rmtree(directory, ignore_errors=True)
    _made(directory)
    for each in given:
        if not each.is_link:
            shutil.copyfile(session / each.uri, directory / each.uri.rpartition("/")[2])
    return directory


def _made(directory: Path) -> Path:
    for each in (directory / HOME, directory / TEMPORARY):
        make_folder(each)
    return directory


def sandbox_of(found: Sandbox, role: RoleEntry, access: WorkersAccess) -> Sandbox:
    wanted = role.metadata
    readable = tuple(map(Path, wanted.readable))
    return changed(found, has_network=wanted.network == "open", readable=readable, hidden=access.hidden)


def _launch(directory: Path, limits: Limits, sandbox: Sandbox | None, unheard: float) -> Launch:
    """What holds for every command of an order; which one it is, is not said yet."""
    return Launch(
        command=(),
        directory=directory,
        environment={},
        total=limits.total,
        silence=limits.silence,
        output_bytes=limits.output_bytes,
        sandbox=sandbox,
        unheard=unheard,
    )
