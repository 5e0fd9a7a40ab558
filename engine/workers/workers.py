"""Runs what protocols owe to workers: attempts of commands, and the registration of what somebody has made."""

from collections.abc import Mapping

from engine.kernel import Command, RegisterOutputs, RunWorker
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun, EffectRunner
from engine.workers.access import WorkersAccess
from engine.workers.port import FileSource, WorkOutcome, WorkPort
from engine.workers.registry import Registry
from engine.workers.registry_file import RegistryFile


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

    @property
    def runners(self) -> Mapping[str, EffectRunner]:
        return {RunWorker.kind: self._run, RegisterOutputs.kind: self._register}

    def registry(self) -> Registry:
        """Return who may work as the file says now; what it said last without a fault, where it has one."""
        return self._roles.current()

    async def close(self) -> None:
        """End every process that was started."""

    async def _run(self, run: EffectRun) -> Command:
        effect = run.effect
        assert isinstance(effect, RunWorker)  # noqa: S101 - runners are registered by the effect's kind
        outcome = WorkOutcome(failure="workers_off", detail="No command may run here.")
        port = self._ports[run.protocol]
        return port.outcome(run.state, effect, outcome, command_id=run.command_id, at=self._clock.now())

    async def _register(self, run: EffectRun) -> Command:
        effect = run.effect
        assert isinstance(effect, RegisterOutputs)  # noqa: S101 - runners are registered by the effect's kind
        outcome = WorkOutcome(failure="artifact_refused", detail="Nothing can be registered here.")
        port = self._ports[run.protocol]
        return port.outcome(run.state, effect, outcome, command_id=run.command_id, at=self._clock.now())
