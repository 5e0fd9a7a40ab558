"""Runs what protocols owe to workers: attempts of commands, and the registration of what somebody has made.

Whatever goes wrong is an outcome: an attempt that raised would be made again by the outbox, and nobody would be told.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace as replace_sandbox
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from engine.kernel import Command, Millis, RegisterOutputs, RunWorker, StreamKey
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun, EffectRunner
from engine.workers.access import WorkersAccess
from engine.workers.checks import run_check
from engine.workers.envelope_worker import run_envelope
from engine.workers.environment import environment_of
from engine.workers.outputs import (
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
from engine.workers.registry import Registry, RoleEntry
from engine.workers.registry_file import RegistryFile
from engine.workers.sandbox import Sandbox, available

log = logging.getLogger(__name__)

MINUTE: Final[Millis] = 60_000
WORK: Final = "work"
"""The folder of a session that has a directory for each ticket."""


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
        self._alone: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._begun: defaultdict[str, deque[Millis]] = defaultdict(deque)

    @property
    def runners(self) -> Mapping[str, EffectRunner]:
        return {RunWorker.kind: self._run, RegisterOutputs.kind: self._register}

    def registry(self) -> Registry:
        """Return who may work as the file says now; what it said last without a fault, where it has one."""
        return self._roles.current()

    async def close(self) -> None:
        """Every process has ended by now: the outbox, which is closed before, has cancelled whoever ran one."""

    async def artifact(self, session: str, uri: str, digest: str) -> bytes:
        """Return what was registered.

        Raises:
            OutputRefused: it is not there any more, or is not what was registered.
        """
        return await asyncio.to_thread(read_artifact, self.access.sessions / session, uri, digest)

    # ── attempts ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _run(self, run: EffectRun) -> Command:
        effect, port = run.effect, self._ports[run.protocol]
        assert isinstance(effect, RunWorker)  # noqa: S101 - runners are registered by the effect's kind
        order = port.order(run.state, effect, at=self._clock.now())
        outcome = await self._attempt(order)
        return port.outcome(run.state, effect, outcome, command_id=run.command_id, at=self._clock.now())

    async def _attempt(self, order: WorkOrder) -> WorkOutcome:
        if self.access.roles is None:
            return WorkOutcome(failure="workers_off", detail="No command may run here: there is no role registry.")
        registry = self.registry()
        role = registry.role(order.role_id)
        if role is None or not role.cli_command:
            return WorkOutcome(failure="role_missing", detail=f"The registry has no command for {order.role_id}.")
        try:
            sandbox = await self._sandbox(role)
            directory = await asyncio.to_thread(_work_directory, self.access.sessions, order)
        except OutputRefused as refused:
            return WorkOutcome(failure=refused.failure, detail=refused.detail)
        except OSError as error:
            return WorkOutcome(failure="not_started", detail=f"Its directory could not be made: {error.strerror}.")
        environment = environment_of(role, registry, directory)
        launch = _launch(role.cli_command, directory, environment, order.limits, sandbox)
        async with self._turn(role):
            return await self._run_role(role, order, launch, registry)

    async def _sandbox(self, role: RoleEntry) -> Sandbox | None:
        """
        Raises:
            OutputRefused: it has to run in one, and there is none.
        """
        wanted = role.metadata
        found = await asyncio.to_thread(available) if wanted.sandbox != "off" or wanted.network == "isolated" else None
        if found is None and (wanted.network == "isolated" or wanted.sandbox == "required"):
            raise OutputRefused("not_isolated", f"{role.role_id} has to be isolated, which this machine cannot do.")
        if found is None:
            return None
        return replace_sandbox(found, has_network=wanted.network == "open", readable=tuple(map(Path, wanted.readable)))

    @asynccontextmanager
    async def _turn(self, role: RoleEntry) -> AsyncIterator[None]:
        """Wait for its turn: one at a time where it may be there only once, and at most so many a minute."""
        async with contextlib.AsyncExitStack() as stack:
            if not role.supports_multiple_instances:
                await stack.enter_async_context(self._alone[role.role_id])
            begun, most = self._begun[role.role_id], role.metadata.rate_per_minute
            while most and len(begun) >= most and begun[-most] > self._clock.now() - MINUTE:
                await self._clock.until(self._clock.after(begun[-most] + MINUTE - self._clock.now()))
            begun.append(self._clock.now())
            while len(begun) > max(most, 1):
                begun.popleft()
            yield

    async def _run_role(self, role: RoleEntry, order: WorkOrder, launch: Launch, registry: Registry) -> WorkOutcome:
        if role.metadata.protocol == "acp":
            return WorkOutcome(failure="not_started", detail="Agents over ACP cannot be run yet.")
        ended = await run_envelope(order, launch)
        if not ended.is_claimed:
            return ended.outcome
        proven = await self._proven(order, launch, registry, ended.digests)
        said = ended.outcome
        return replace(
            proven, summary=said.summary, issues=said.issues, next_actions=said.next_actions, faults=said.faults
        )

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
        outcome = await self._shown(run.key, port.claim(run.state, effect))
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
        folder = session / "artifacts" / order.ticket / str(order.attempt)
        registry = self.registry()
        return await self._checked(outcome, order.check, _launch((), folder, {}, order.limits, available()), registry)

    async def _given(self, key: StreamKey, order: RegisterOrder, session: Path, given: GivenOutput) -> Registered:
        """
        Raises:
            OutputRefused, FileRefused, OSError
        """
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
    """
    Raises:
        OutputRefused, OSError
    """
    directory = session_directory(sessions, order.session) / WORK / order.ticket
    for each in (directory, directory / ".home", directory / ".tmp"):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    return directory


def _launch(
    command: tuple[str, ...],
    directory: Path,
    environment: Mapping[str, str],
    limits: Limits,
    sandbox: Sandbox | None,
) -> Launch:
    return Launch(
        command=command,
        directory=directory,
        environment=environment,
        total=limits.total,
        silence=limits.silence,
        output_bytes=limits.output_bytes,
        sandbox=sandbox,
    )
