"""The effects that the runtime itself runs: between streams, and from the records beside them."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from engine.errors import Refusal, StoreError
from engine.kernel import Command, CommandDelivered, FindRecords, Rulebook, SendCommand, StreamKey
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun, EffectRunner
from engine.store.port import Store

log = logging.getLogger(__name__)

HandTo = Callable[[StreamKey, str, Command], Awaitable[None]]
"""Hands a command to a stream of a protocol."""


def own_runners(
    store: Store,
    clock: Clock,
    rulebooks: Mapping[str, Rulebook[Any]],
    hand_to: HandTo,
    pause: Callable[[], Awaitable[None]],
) -> Mapping[str, EffectRunner]:
    """
    Args:
        rulebooks: by protocol.
        pause: waits until the store may answer again.
    """

    async def send_command(run: EffectRun) -> Command:
        """Hand one stream's command to another. However often it is handed over, it is one command there."""
        effect = run.effect
        assert isinstance(effect, SendCommand)  # noqa: S101 - runners are registered by the effect's kind
        command_id = f"{run.key.stream}:{run.command_id}"
        command = rulebooks[run.protocol].compose_command(run.state, effect, command_id=command_id, at=clock.now())
        refused = ""
        while True:
            try:
                await hand_to(StreamKey(run.key.tenant, effect.to), effect.protocol, command)
            except Refusal as refusal:
                refused = type(refusal).__name__
            except StoreError as error:
                log.warning("%s of %s waits for the store: %s", effect.name, run.key.stream, error)
                await pause()
                continue
            return CommandDelivered(command_id=run.command_id, at=clock.now(), name=effect.name, refused=refused)

    async def find_records(run: EffectRun) -> Command:
        """Find what a stream looks for, as it is committed now."""
        effect, search = run.effect, rulebooks[run.protocol].search
        assert isinstance(effect, FindRecords)  # noqa: S101 - runners are registered by the effect's kind
        assert search is not None  # noqa: S101 - only a protocol that has one owes the effect
        ranges = search.ranges(run.state, effect)
        records = await store.records_in(run.key.tenant, ranges) if ranges else {}
        return search.found(run.state, effect, records, command_id=run.command_id, at=clock.now())

    return {SendCommand.kind: send_command, FindRecords.kind: find_records}
