"""A delivery of a hundred tickets, eight workers at once: the engine alone, with stubs for the Manager and the workers.

| key | what |
| --- | --- |
| ``delivery_cpu_ms_ticket`` | CPU of a ticket (engine, store) of a delivery whose workers take no time, milliseconds |
| ``delivery_cpu_ms_ticket_10`` | the same of ten deliveries at once |
| ``delivery_commits_ticket`` | transactions that a ticket of a single delivery asks the store for |
| ``delivery_calls_ticket`` | model calls of a ticket |
| ``delivery_written_kib_ticket`` | KiB handed to the operating system, of a ticket |
| ``delivery_wall_s`` | seconds of a single delivery whose workers take half a second each |
| ``delivery_over_critical_path`` | how many times its critical path that is |

The tickets are eight chains, so that eight workers are never short of work. The critical path is what the workers of
the longest chain take, one after the other. The figures are medians.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.console import Console

from benchmarks.cost import Cost, Figures, cost_of
from benchmarks.engine import TENANT, tidied
from engine.delivery.asks import RETURNS, DeliveryAsks
from engine.delivery.commands import OpenDelivery
from engine.delivery.policy import Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Status
from engine.delivery.terms import Brief, ExpectedOutput, Owner, Role, Task, WorkerKind
from engine.delivery.work.work_orders import WORK
from engine.directory.profile import Profiles
from engine.files.prompts import load_prompts
from engine.kernel import Ask, Command, RegisterOutputs, RunWorker, StreamKey
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Answer, Model, Question, Returns
from engine.runtime.clock import WallClock
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun, EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.port import Commit
from engine.store.sqlite import SqliteStore
from engine.workers.port import Registered, WorkOutcome

TICKETS: Final = 100
AT_ONCE: Final = 8
WORK_SECONDS: Final = 0.5
MANY: Final = 10
RUNS: Final = 3
DIGEST: Final = "sha256:" + "0" * 64

AGENT: Final = Role(role_id="agent", name="Agent", kind=WorkerKind.ENVELOPE, capabilities=("coding",))


class StubManager:
    """A `Model` that instructs, approves and reports."""

    def __init__(self) -> None:
        self.calls = 0

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        self.calls += 1
        return Answer(question.returns.checked(_said(question.prompt.name.rpartition("/")[2])), "stub")


class StubWorkers:
    """Leaves whatever is expected.

    Args:
        seconds: that each attempt takes.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._clock = WallClock()
        self.working = 0
        self.most = 0
        """That ever worked at the same time."""

    async def __call__(self, run: EffectRun) -> Command:
        assert isinstance(run.effect, RunWorker | RegisterOutputs)
        self.working += 1
        self.most = max(self.most, self.working)
        await asyncio.sleep(self._seconds)
        self.working -= 1
        made = tuple(
            Registered(
                label=each.label,
                uri=f"artifacts/{run.effect.about}/{each.path}",
                digest=DIGEST,
                content_type="text/markdown",
                size_bytes=len("# What was asked for"),
                beginning="# What was asked for",
            )
            for each in run.state.tickets[run.effect.about].task.outputs
        )
        outcome = WorkOutcome(summary="It is done as it was asked for.", registered=made)
        return WORK.outcome(run.state, run.effect, outcome, command_id=run.command_id, at=self._clock.now())


class CountingStore(SqliteStore):
    """Counts what it is asked to commit."""

    commits = 0

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        self.commits += 1
        await super().commit(commit, urgent=urgent)


async def measure() -> Figures:
    await _cost(1, 0)
    alone = [await _cost(1, 0) for _ in range(RUNS)]
    many = [await _cost(MANY, 0) for _ in range(RUNS)]
    slow = [await _cost(1, WORK_SECONDS) for _ in range(RUNS)]
    _, commits, calls = alone[0]
    wall = median(each.wall for each, *_ in slow)
    return {
        "delivery_cpu_ms_ticket": median(each.cpu_ms for each, *_ in alone) / TICKETS,
        "delivery_cpu_ms_ticket_10": median(each.cpu_ms for each, *_ in many) / TICKETS,
        "delivery_commits_ticket": commits / TICKETS,
        "delivery_calls_ticket": calls / TICKETS,
        "delivery_written_kib_ticket": median(each.written_kib for each, *_ in alone) / TICKETS,
        "delivery_wall_s": wall,
        "delivery_over_critical_path": wall / critical_path(),
    }


def critical_path() -> float:
    """Seconds that the workers of the longest chain take."""
    return ceil(TICKETS / AT_ONCE) * WORK_SECONDS


def tell(found: Figures, console: Console) -> None:
    console.print(
        f"Delivery of {TICKETS} tickets, a ticket: {found['delivery_cpu_ms_ticket']:.1f} ms CPU alone, "
        f"{found['delivery_cpu_ms_ticket_10']:.1f} with {MANY} deliveries at once; "
        f"{found['delivery_commits_ticket']:.1f} commits, {found['delivery_calls_ticket']:.1f} calls, "
        f"{found['delivery_written_kib_ticket']:.0f} KiB. With {AT_ONCE} workers of {WORK_SECONDS:g} s each: "
        f"{found['delivery_wall_s']:.2f} s, {found['delivery_over_critical_path']:.2f} times the critical path"
    )


async def _cost(at_once: int, seconds: float) -> tuple[Cost, int, int]:
    """What so many cost each; and of all of them the commits and the calls."""
    with tempfile.TemporaryDirectory() as folder:
        store, model, workers = CountingStore(Path(folder) / "towow.db"), StubManager(), StubWorkers(seconds)
        async with engine(store, model, workers) as runtime:
            cost = await cost_of(at_once, carry_out(runtime, at_once))
            for number in range(at_once):
                check((await runtime.read(key_of(number)))[0], workers.most if at_once == 1 else AT_ONCE)
            return cost, store.commits, model.calls


def check(state: Delivery, most: int) -> None:
    """
    Raises:
        RuntimeError: not everything was done, or not eight at once; its cost would mean nothing.
    """
    if state.status is not Status.COMPLETED or len(state.tickets) != TICKETS or most != AT_ONCE:
        raise RuntimeError(f"{state.session_id} is {state.status}, {most} at once: {state.reason}")


@asynccontextmanager
async def engine(store: SqliteStore, model: Model, workers: StubWorkers) -> AsyncIterator[Runtime]:
    clock = WallClock()
    await store.open()
    try:
        prompts = load_prompts({RULEBOOK.protocol: RETURNS})
        asker = Asker(model, {RULEBOOK.protocol: for_every_tenant(DeliveryAsks(prompts, Profiles({})))}, clock)
        runners: Mapping[str, EffectRunner] = {
            Ask.kind: asker, RunWorker.kind: workers, RegisterOutputs.kind: workers
        }  # fmt: skip
        runtime = in_process(store, clock, [RULEBOOK], runners, [Ask, RunWorker, RegisterOutputs])
        try:
            await runtime.start()
            async with tidied(runtime):
                yield runtime
        finally:
            await runtime.close()
    finally:
        await store.close()


async def carry_out(runtime: Runtime, many: int) -> None:
    """All at once, to their ends."""
    await asyncio.gather(*(_begin(runtime, number) for number in range(many)))
    await runtime.activity.idle()


async def _begin(runtime: Runtime, number: int) -> None:
    key = key_of(number)
    goal = f"The parts of project {number} are built and checked."
    command = OpenDelivery(
        command_id=f"m{number}",
        at=WallClock().now(),
        session_id=key.stream,
        by="U_ASKS",
        brief=Brief(title=f"Project {number}", goal=goal, today="2027-01-04", time_zone="UTC"),
        tasks=tuple(_task(each) for each in range(TICKETS)),
        roles=(AGENT,),
        policy=Policy(workers_at_once=AT_ONCE),
    )
    await runtime.handle(key, RULEBOOK.protocol, command)


def _task(number: int) -> Task:
    return Task(
        task_id=f"task-{number}",
        title=f"Build part {number}",
        description=f"Part {number} does what the plan says of it, and is checked.",
        owner=Owner(kind=AGENT.kind, role_id=AGENT.role_id, name=AGENT.name),
        depends_on=(f"task-{number - AT_ONCE}",) if number >= AT_ONCE else (),
        outputs=(ExpectedOutput(label=f"part-{number}.md"),),
        acceptance=(f"Part {number} is there",),
    )


def key_of(number: int) -> StreamKey:
    return StreamKey(TENANT, f"deliver-{number:08}")


def _said(prompt: str) -> dict[str, Any]:
    match prompt:
        case "instruct":
            return {"summary": "Build it as the plan says.", "steps": ["Look", "Build", "Check"]}
        case "review":
            return {"decision": "approved", "notes": "It is what was asked for."}
        case "report":
            return {"summary": "Everything is built."}
        case _:
            raise ValueError(f"nobody should ask for {prompt}")
