"""Negotiations of real rules and a scripted model in a runtime; the process may end at any point of it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from engine.kernel import Ask, Event, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import Cancel, SubmitDemand
from engine.negotiation.events import EVENTS
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.runtime.streams import opened as event_of
from engine.store.port import Store
from tests.bot.script import AGENT, Script, people
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER

from .conftest import NOON, Unreliable

KEY = StreamKey(Tenant("T_ONE"), "collab-00000001")
PROFILES = people({"pia": "U_PIA"}, ("ann", "bo", "quin"))
PATIENT = Policy(human_window=60, override_window=0)
"""Pia is waited for."""


@dataclass
class Process:
    """The process: everything in it can be ended and begun again on the same store."""

    store: Unreliable
    clock: JumpingClock
    script: Script
    runtime: Runtime

    async def agrees(self, policy: Policy = ALONE) -> None:
        demand: dict[str, Any] = {"demand_id": "d-00000001", "channel_id": KEY.stream, "requester_id": REQUESTER}
        await self.runtime.handle(
            KEY,
            RULEBOOK.protocol,
            SubmitDemand(command_id="c1", at=NOON, raw_input="A party", policy=policy, **demand),
        )
        await self.runtime.activity.idle()

    async def stops(self) -> None:
        stop = Cancel(command_id="c2", at=self.clock.now(), by=REQUESTER)
        await self.runtime.handle(KEY, RULEBOOK.protocol, stop)
        await self.runtime.activity.idle()

    async def restart(self) -> None:
        await self.runtime.close()
        self.runtime = _runtime(self.store, self.clock, self.script)
        await self.runtime.start()
        await self.runtime.activity.idle()

    async def passes(self, seconds: float) -> None:
        self.clock.jump(self.clock.now() + round(seconds * 1000))
        await self.runtime.sweep()
        await self.runtime.activity.idle()

    async def parent(self) -> Negotiation:
        state, _ = await self.runtime.read(KEY)
        assert isinstance(state, Negotiation)
        return state

    async def subnet(self, gap: str) -> Negotiation:
        state, _ = await self.runtime.read(KEY._replace(stream=await self.stream_of(gap)))
        assert isinstance(state, Negotiation)
        return state

    async def stream_of(self, gap: str) -> str:
        subnets = (await self.parent()).subnets
        return next(key for key, each in subnets.items() if each.triggered.gap_type == gap)

    async def events(self) -> Sequence[Event]:
        """Of everybody, in their order."""
        return [event_of(each, EVENTS) for each in await self.store.events(KEY.tenant, 0, 500)]

    async def plan(self) -> list[str]:
        final = (await self.parent()).final
        assert final is not None
        return [each.agent_id.removeprefix(AGENT) for each in final.final_proposal.assignments]


def _runtime(store: Unreliable, clock: JumpingClock, script: Script) -> Runtime:
    asker = Asker(script, {RULEBOOK.protocol: for_every_tenant(NegotiationAsks(PROMPTS, PROFILES))}, clock)
    return in_process(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask])


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Process]:
    await store.open()
    try:
        clock, unreliable, script = JumpingClock(NOON), Unreliable(store), Script(("ann", "bo"))
        process = Process(unreliable, clock, script, _runtime(unreliable, clock, script))
        await process.runtime.start()
        try:
            yield process
        finally:
            await process.runtime.close()
    finally:
        await store.close()


async def nothing_is_left(process: Process) -> None:
    counts = await process.store.counts()
    assert (counts["owed"], counts["alarms"], counts["open_streams"]) == (0, 0, 0)
