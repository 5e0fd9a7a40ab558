"""How long people wait for a plan where each call takes 3 to 8 seconds, and how many calls wait for one another.

| key | what |
| --- | --- |
| ``proposal_s`` | from the demand to the first proposal: ten seats, nobody linked, the median of twenty, seconds |
| ``plan_s`` | from the demand to the agreed plan of three rounds |
| ``proposal_calls_in_a_row``, ``plan_calls_in_a_row`` | the same where each call takes one second and begins at once |
| ``argued_s``, ``argued_calls_in_a_row`` | from a brief to the plan of a deliberation of five rounds |

An answer begins 0.6 s after its question; of questions that begin alike, the first goes ahead until then, as the
product has it (`engine/llm/warming.py`). The clock jumps from one answer to the next, so everything else takes no time.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, Final

from rich.console import Console

from benchmarks import deliberation
from benchmarks.cost import Figures
from benchmarks.engine import TENANT, TWINS_ONLY
from benchmarks.flow import called, wanted
from benchmarks.latency import Latency
from benchmarks.stub import StubModel, crowd
from bot.protocol_row import Protocol
from bot.registry import DELIBERATION, NEGOTIATION
from engine.directory.profile import Profiles
from engine.files.prompts import load_prompts
from engine.kernel import Ask, Command, Compute, Event, Millis, Place, StreamKey, plain
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Answer, Model, Question, Returns
from engine.llm.warming import Warming
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.events import ProposalDistributed, ProposalFinalized
from engine.runtime.clock import Clock, JumpingClock, Monotonic
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun, EffectRunner
from engine.store.memory import MemoryStore

AS_MODELS_ANSWER: Final = Latency(5.5, 2.5 / 5.5)
BEGINS: Final = 0.6
ONE: Final = Latency(1.0)
TIMES: Final = 20
TICK: Final = 0.0005
"""Seconds."""
QUIET: Final = 6
"""Ticks in which nobody begins to wait: then nothing else happens at that moment."""
BEGAN: Final = 1_800_000_000_000
EARLY: Final = TWINS_ONLY.model_copy(update={"asks_early": True})
NEEDS: Final = [
    {"need_id": f"need_{number}", "what": what, "quote": what, "essential": False}
    for number, what in enumerate(("venue", "speakers"), 1)
]


class Busy:
    """Runs effects, and counts those that run."""

    def __init__(self, runs: EffectRunner) -> None:
        self._runs = runs
        self.running = 0

    async def __call__(self, run: EffectRun) -> Command:
        self.running += 1
        try:
            return await self._runs(run)
        finally:
            self.running -= 1


class Slow:
    """A model that takes its time, and goes ahead of others like the product's."""

    def __init__(self, thinks: Model, latency: Latency, begins: float, clock: Clock) -> None:
        self._thinks, self._latency, self._begins, self._clock = thinks, latency, begins, clock
        self._warming = Warming(clock)

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        stream, given = question.key.stream if question.key else "", question.given
        about = given["profile"].agent_id if "profile" in given else str(given.get("role", ""))
        took = 1000 * self._latency.of(stream, called(question.prompt.name, given.get("round", 0), about))
        *shared, _ = question.prompt.render_parts(given, f"{stream:>08}", question.language)
        turn = self._warming.turn(
            question.prompt.model, {"title": question.returns.__name__}, shared, self._clock.after(took)
        )
        async with turn as begins:
            asked = self._clock.monotonic()
            await self._clock.until(Monotonic(asked + round(1000 * self._begins)))
            if begins is not None:
                begins()
            await self._clock.until(Monotonic(asked + round(took)))
        return await self._thinks.answer(question)


class Needing:
    """Says what is needed, and by which words of the demand it has chosen people."""

    def __init__(self) -> None:
        self._others = StubModel()

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        answer: Answer[Any] = await self._others.answer(question)
        said, returns = plain(answer.value), question.returns
        match question.prompt.name:
            case "negotiation/understand":
                return Answer(returns.checked(said | {"needs": NEEDS}), "stub")
            case "negotiation/filter":
                for number, each in enumerate(said["definitely_related"]):
                    each |= {"quotes": [NEEDS[number % 2]["quote"]], "covers": [NEEDS[number % 2]["need_id"]]}
                return Answer(returns.checked(said), "stub")
        return answer


async def measure() -> Figures:
    proposal, plan = await negotiated(AS_MODELS_ANSWER, BEGINS, TIMES)
    first, whole = await negotiated(ONE, 0.0, 1)
    return {
        "proposal_s": proposal,
        "plan_s": plan,
        "proposal_calls_in_a_row": round(first),
        "plan_calls_in_a_row": round(whole),
        "argued_s": await argued(AS_MODELS_ANSWER, BEGINS, TIMES),
        "argued_calls_in_a_row": round(await argued(ONE, 0.0, 1)),
    }


def tell(found: Figures, console: Console) -> None:
    console.print(
        f"Calls of 3 to 8 s: proposal 1 after {found['proposal_s']:.1f} s ({found['proposal_calls_in_a_row']} calls "
        f"in a row), the plan of three rounds after {found['plan_s']:.1f} s ({found['plan_calls_in_a_row']}), "
        f"a deliberation of five rounds after {found['argued_s']:.1f} s ({found['argued_calls_in_a_row']})"
    )


async def negotiated(latency: Latency, begins: float, times: int) -> tuple[float, float]:
    """Return the medians of when the first proposal and the plan were there, in seconds."""

    def begin(number: int, at: Millis) -> tuple[StreamKey, Command]:
        key = StreamKey(TENANT, f"collab-{number:08}")
        return key, SubmitDemand(
            command_id=f"m{number}",
            at=at,
            demand_id=f"d-{number:08}",
            channel_id=key.stream,
            requester_id="U_ASKS",
            raw_input=wanted(key.stream),
            policy=EARLY,
            place=Place(),
        )

    found = await _played(NEGOTIATION, begin, Needing(), crowd(), latency, begins, times)

    def when(kind: type[Event]) -> float:
        return median(next(after for event, after in each if isinstance(event, kind)) for each in found.values())

    return when(ProposalDistributed), when(ProposalFinalized)


async def argued(latency: Latency, begins: float, times: int) -> float:
    def begin(number: int, at: Millis) -> tuple[StreamKey, Command]:
        return deliberation.key_of(number), deliberation.opening(number, at)

    found = await _played(DELIBERATION, begin, deliberation.StubDebaters(), Profiles({}), latency, begins, times)
    return median(max(after for _, after in each) for each in found.values())


Told = Mapping[str, list[tuple[Event, float]]]
"""By stream, its events and after how many seconds each came."""


async def _played(
    protocol: Protocol,
    begin: Callable[[int, Millis], tuple[StreamKey, Command]],
    model: Model,
    profiles: Profiles,
    latency: Latency,
    begins: float,
    times: int,
) -> Told:
    clock, store = JumpingClock(BEGAN), MemoryStore()
    await store.open()
    prompts = load_prompts({protocol.name: protocol.returns})
    assert protocol.asks is not None
    asks = {protocol.name: for_every_tenant(protocol.asks(prompts, profiles))}
    computing = Busy(Computing({protocol.name: protocol.computations}, clock))
    runners: Mapping[str, EffectRunner] = {
        Ask.kind: Asker(Slow(model, latency, begins, clock), asks, clock),
        Compute.kind: computing,
    }
    runtime = in_process(store, clock, [protocol.rulebook], runners, [Ask, Compute])
    told: dict[str, list[tuple[Event, float]]] = {}

    def hear(key: StreamKey, events: Sequence[Event]) -> None:
        told.setdefault(key.stream, []).extend((each, (clock.now() - BEGAN) / 1000) for each in events)

    try:
        await runtime.start()
        runtime.observers.listen(hear)
        for number in range(times):
            key, command = begin(number, clock.now())
            await runtime.handle(key, protocol.name, command)
        ended = asyncio.create_task(runtime.activity.idle())
        while not ended.done():
            await _nothing_happens(clock, computing)
            if clock.next_wake is not None:
                clock.jump(clock.next_wake)
        return told
    finally:
        await runtime.close()
        await store.close()


async def _nothing_happens(clock: JumpingClock, computing: Busy) -> None:
    """Return once all that still happens waits for the clock."""
    quiet, before = 0, clock.waiting
    while quiet < QUIET:
        await asyncio.sleep(TICK)
        quiet = quiet + 1 if (clock.waiting, computing.running) == (before, 0) else 0
        before = clock.waiting
