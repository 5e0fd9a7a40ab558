"""Plays one stream of a protocol through the rules in memory, on a fixed day and without Slack."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.models import asks_by_protocol
from bot.protocol_row import Protocol
from engine.directory.profile import Profiles
from engine.kernel import Ask, Command, Compute, Millis, StreamKey, Tenant
from engine.llm.asker import Asker
from engine.llm.port import Model, Prompt
from engine.runtime.clock import JumpingClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.store.memory import MemoryStore

TIME_ZONE: Final = "Asia/Shanghai"
ASKED_AT: Final = datetime(2026, 11, 23, 9, tzinfo=ZoneInfo(TIME_ZONE))
"""A Monday, so that "next Thursday" means the same day whenever the cases are played."""
REQUESTER: Final = "U_YOU"
TENANT: Final = Tenant("T_EVALS")


async def play_stream(
    protocol: Protocol,
    stream: str,
    begin: Callable[[Millis], Command],
    goes_on: Callable[[Any], bool],
    *,
    model: Model,
    prompts: Mapping[str, Prompt],
    profiles: Profiles,
    afterwards: Sequence[Callable[[Millis], Command]] = (),
) -> Any:
    """Begin a stream and play it to its end, with the clock jumping from deadline to deadline. Return its state.

    Args:
        begin: makes the first command, of the time at which it comes.
        goes_on: whether a state waits for anything that time brings.
        afterwards: make what somebody does when it has come to its end.

    Raises:
        Refusal: the first command, or one of those afterwards, is refused.
    """
    clock = JumpingClock.running_from(round(1000 * ASKED_AT.timestamp()))
    store = MemoryStore()
    await store.open()

    async def people(_: Tenant) -> Profiles:
        return profiles

    asker = Asker(model, asks_by_protocol([protocol], prompts, people), clock)
    computing = Computing({protocol.name: protocol.computations}, clock)
    runners: Mapping[str, EffectRunner] = {Ask.kind: asker, Compute.kind: computing}
    runtime = in_process(store, clock, [protocol.rulebook], runners, [Ask, Compute])
    key = StreamKey(TENANT, stream)
    try:
        await runtime.start()
        await runtime.handle(key, protocol.name, begin(clock.now()))
        while True:
            await runtime.activity.idle()
            state, _ = await runtime.read(key)
            due = await store.next_due()
            if due is None or not goes_on(state):
                break
            clock.jump(due)
            await runtime.sweep()
        for make in afterwards:
            await runtime.handle(key, protocol.name, make(clock.now()))
            await runtime.activity.idle()
        state, _ = await runtime.read(key)
        return state
    finally:
        await runtime.close()
        await store.close()
