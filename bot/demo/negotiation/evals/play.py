"""Plays a demand through the rules, with nobody but the twins, on a fixed day and without Slack."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.models import asks_by_protocol
from bot.protocols import NEGOTIATION
from engine.directory.profile import Profiles
from engine.kernel import Ask, StreamKey, Tenant
from engine.llm.asker import Asker
from engine.llm.port import Model
from engine.llm.prompts import Prompt
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.store.memory import MemoryStore

TIME_ZONE: Final = "Asia/Shanghai"
ASKED_AT: Final = datetime(2026, 11, 23, 9, tzinfo=ZoneInfo(TIME_ZONE))
"""A Monday, so that "next Thursday" means the same day whenever the cases are played."""

REQUESTER: Final = "U_YOU"


async def play(
    demand: str, model: Model, prompts: Mapping[str, Prompt], profiles: Profiles, policy: Policy
) -> Negotiation:
    """Play a demand to its end, with the clock jumping from deadline to deadline.

    Raises:
        Refusal: the demand is empty, too long, or has no words in it.
    """
    clock = JumpingClock.running_from(round(1000 * ASKED_AT.timestamp()))
    store = MemoryStore()
    await store.open()

    async def people(_: Tenant) -> Profiles:
        return profiles

    asker = Asker(model, asks_by_protocol([NEGOTIATION], prompts, people), clock)
    runtime = in_process(store, clock, [NEGOTIATION.rulebook], {Ask.kind: asker}, [Ask])
    key = StreamKey(Tenant("T_EVALS"), "collab-00000001")
    try:
        await runtime.start()
        await runtime.handle(
            key,
            NEGOTIATION.name,
            SubmitDemand(
                command_id="evals",
                at=clock.now(),
                demand_id="d-00000001",
                channel_id=key.stream,
                requester_id=REQUESTER,
                raw_input=demand,
                policy=policy.model_copy(update={"human_window": 0.0, "override_window": 0.0}),
                time_zone=TIME_ZONE,
            ),
        )
        return await _to_the_end(runtime, store, clock, key)
    finally:
        await runtime.close()
        await store.close()


async def _to_the_end(runtime: Runtime, store: MemoryStore, clock: JumpingClock, key: StreamKey) -> Negotiation:
    while True:
        await runtime.activity.idle()
        state, _ = await runtime.read(key)
        assert isinstance(state, Negotiation)  # noqa: S101 - its stream was begun by this protocol
        due = await store.next_due()
        if due is None or not (state.is_open or state.is_searching):
            return state
        clock.jump(due)
        await runtime.sweep()
