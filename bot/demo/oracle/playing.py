"""Plays one scenario through the real runtime: a store in memory, a clock that jumps, and a scripted model."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.demo.oracle.part import OraclePart, Played
from bot.demo.oracle.scenarios import Act, Planted, Scenario
from bot.demo.oracle.scripted import ScriptedModel
from bot.models import asks_by_protocol
from engine.directory.profile import Profiles
from engine.errors import Refusal
from engine.kernel import Ask, Compute, Millis, StreamKey, Tenant
from engine.llm.asker import Asker
from engine.llm.port import Model, Prompt
from engine.runtime.clock import JumpingClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.memory import MemoryStore

TENANT: Final = Tenant("T_ORACLE")
MOST_STEPS: Final = 400
"""Deadlines that are jumped to in one scenario."""


def moment(scenario: Scenario) -> Millis:
    at = datetime.fromisoformat(scenario.asked_at).replace(tzinfo=ZoneInfo(scenario.time_zone))
    return Millis(round(1000 * at.timestamp()))


async def play(
    scenario: Scenario,
    part: OraclePart,
    prompts: Mapping[str, Prompt],
    planted: Planted | None = None,
    *,
    around: Any = None,
    watch: Callable[[Any], None] = lambda _: None,
) -> Played:
    """
    Args:
        watch: is shown each state before somebody acts, and in which nothing goes on without the clock.
        planted: a wrong value in one of the answers.
        around: makes, of the scripted model, the one that is asked.

    Raises:
        Refusal: its first command is refused.
    """
    clock, store, protocol = JumpingClock(moment(scenario)), MemoryStore(), part.row
    await store.open()
    script = ScriptedModel(scenario, part, planted)
    model: Model = around(script) if around else script
    profiles = part.profiles(scenario)

    async def people(_: Tenant) -> Profiles:
        return profiles

    runners: dict[str, EffectRunner] = {
        Ask.kind: Asker(model, asks_by_protocol([protocol], prompts, people), clock),
        Compute.kind: Computing({protocol.name: protocol.computations}, clock),
        **part.runners(scenario, clock),
    }
    runtime = in_process(store, clock, [protocol.rulebook], runners, [Ask, Compute, *part.effects])
    stream, begin = part.begin(scenario, clock.now())
    key = StreamKey(TENANT, stream)
    acts = _Acts(scenario, part, watch)
    try:
        await runtime.start()
        await runtime.handle(key, protocol.name, begin)
        await acts.at_once(runtime, key, protocol.name, clock)
        for _ in range(MOST_STEPS):
            await acts.done_by_now(runtime, key, protocol.name, clock)
            state, _version = await runtime.read(key)
            due = await store.next_due()
            if due is None or not part.goes_on(state):
                break
            clock.jump(due)
            await runtime.sweep()
        await acts.done_by_now(runtime, key, protocol.name, clock)
        state, _version = await runtime.read(key)
        stored = await store.load(key)
    finally:
        await runtime.close()
        await store.close()
    events = [each.event_type for each in stored.events] if stored else []
    public = [each.public for each in stored.events] if stored else []
    asked = sorted({str(each) + (f" for {each.subnet}" if each.subnet else "") for each in script.asked})
    seen = part.see(scenario, state, asked)
    return Played(state, events, public, asked, frozenset(script.questioned), (*acts.refused, *acts.left()), seen)


class _Acts:
    """Does what the people of a scenario do, each act once, as soon as it is time for it."""

    def __init__(self, scenario: Scenario, part: OraclePart, watch: Callable[[Any], None]) -> None:
        self._scenario = scenario
        self._part = part
        self._watch = watch
        self._open: list[tuple[int, Act]] = [*enumerate(scenario.acts)]
        self.refused: list[str] = []

    async def done_by_now(self, runtime: Runtime, key: StreamKey, protocol: str, clock: JumpingClock) -> None:
        await runtime.activity.idle()
        await self.at_once(runtime, key, protocol, clock)

    async def at_once(self, runtime: Runtime, key: StreamKey, protocol: str, clock: JumpingClock) -> None:
        """Do what it is time for now, whether or not what was asked is answered."""
        while True:
            state, _ = await runtime.read(key)
            self._watch(state)
            for each in self._open:
                number, act = each
                command = self._part.act(self._scenario, act, state, f"act-{number}", clock.now())
                if command is not None:
                    break
            else:
                return
            self._open.remove(each)
            try:
                await runtime.handle(key, protocol, command)
                if act.refused:
                    self.refused.append(f"{act.do} at {act.at} by {act.by} was taken, and should have been refused")
            except Refusal as refusal:
                if not act.refused:
                    self.refused.append(f"{act.do} at {act.at} by {act.by} was refused: {refusal}")
            await runtime.activity.idle()

    def left(self) -> list[str]:
        return [f"it never was time for {act.do} at {act.at} by {act.by}" for _, act in self._open]
