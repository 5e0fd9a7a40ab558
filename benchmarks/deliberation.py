"""A deliberation of five rounds: the engine alone, with a stub at the model port that never lets it agree.

| key | what |
| --- | --- |
| ``deliberation_cpu_ms_1``, ``deliberation_cpu_ms_20`` | CPU of one (engine, store, encoder), milliseconds |
| ``deliberation_commits`` | transactions that a single one asks the store for |
| ``deliberation_calls`` | model calls of one |
| ``deliberation_vectors`` | positions whose vector was computed, of one: each once |
| ``deliberation_written_kib`` | KiB handed to the operating system, of one |

The figures are medians; the encoder is loaded before. Calls take no time.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.console import Console

from benchmarks.cost import Cost, Figures, cost_of
from benchmarks.engine import TENANT, tidied
from benchmarks.flow import subject
from bot.registry import DELIBERATION
from engine.deliberation.answers import PlanTask
from engine.deliberation.asks import RETURNS, DeliberationAsks
from engine.deliberation.commands import OpenDeliberation
from engine.deliberation.policy import Policy
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Brief
from engine.directory.profile import Profiles
from engine.files.prompts import load_prompts
from engine.kernel import Ask, Compute, FactKind, HandedFact, HandedPerson, Millis, StreamKey
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Answer, Model, Question, Returns
from engine.runtime.clock import WallClock
from engine.runtime.computing import Computing
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.port import Commit
from engine.store.sqlite import SqliteStore

ROUNDS: Final = 5
TASKS: Final = 8
RUNS: Final = 5
AT_ONCE: Final = 20

_NUMBERS: Final = count()
"""No two have the same texts, so that the encoder knows none of them from a run before."""

Said = dict[str, Any]
"""JSON values."""


class StubDebaters:
    """A `Model` whose Critic always has something against the plan, in one round more and in one less."""

    def __init__(self) -> None:
        self.calls = 0

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        self.calls += 1
        return Answer(question.returns.checked(_said(question)), "stub")


class CountingStore(SqliteStore):
    """Counts what it is asked to commit."""

    commits = 0

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        self.commits += 1
        await super().commit(commit, urgent=urgent)


async def measure() -> Figures:
    await _cost(1)
    alone = [await _cost(1) for _ in range(RUNS)]
    many = [await _cost(AT_ONCE) for _ in range(RUNS)]
    _, commits, calls, vectors = alone[0]
    return {
        "deliberation_cpu_ms_1": median(each.cpu_ms for each, *_ in alone),
        "deliberation_cpu_ms_20": median(each.cpu_ms for each, *_ in many),
        "deliberation_commits": commits,
        "deliberation_calls": calls,
        "deliberation_vectors": vectors,
        "deliberation_written_kib": median(each.written_kib for each, *_ in alone),
    }


def tell(found: Figures, console: Console) -> None:
    console.print(
        f"Deliberation of {ROUNDS} rounds: {found['deliberation_cpu_ms_1']:.0f} ms CPU alone, "
        f"{found['deliberation_cpu_ms_20']:.0f} with {AT_ONCE} at once; {found['deliberation_commits']} commits, "
        f"{found['deliberation_calls']} calls, {found['deliberation_vectors']} vectors, "
        f"{found['deliberation_written_kib']:.0f} KiB"
    )


async def _cost(at_once: int) -> tuple[Cost, int, int, int]:
    """What so many cost each; and of all of them the commits, the calls, and the vectors."""
    with tempfile.TemporaryDirectory() as folder:
        store, model = CountingStore(Path(folder) / "towow.db"), StubDebaters()
        async with engine(store, model) as runtime:
            numbers = [next(_NUMBERS) for _ in range(at_once)]
            cost = await cost_of(at_once, argue(runtime, numbers))
            ended = [(await runtime.read(key_of(number)))[0] for number in numbers]
            return cost, store.commits, model.calls, sum(checked(each) for each in ended)


def checked(state: Deliberation) -> int:
    """How many vectors were computed for it.

    Raises:
        RuntimeError: it ended otherwise than after its last round; its cost would mean nothing.
    """
    if state.is_open or len(state.rounds) != ROUNDS:
        raise RuntimeError(f"{state.session_id} is {state.status} after {len(state.rounds)} rounds: {state.reason}")
    return sum(each.analysis.vectors_computed for each in state.rounds if each.analysis)


@asynccontextmanager
async def engine(store: SqliteStore, model: Model) -> AsyncIterator[Runtime]:
    clock = WallClock()
    await store.open()
    try:
        prompts = load_prompts({RULEBOOK.protocol: RETURNS})
        asker = Asker(model, {RULEBOOK.protocol: for_every_tenant(DeliberationAsks(prompts, Profiles({})))}, clock)
        computing = Computing({RULEBOOK.protocol: DELIBERATION.computations}, clock)
        runners: Mapping[str, EffectRunner] = {Ask.kind: asker, Compute.kind: computing}
        runtime = in_process(store, clock, [RULEBOOK], runners, [Ask, Compute])
        try:
            await runtime.start()
            async with tidied(runtime):
                yield runtime
        finally:
            await runtime.close()
    finally:
        await store.close()


async def argue(runtime: Runtime, numbers: Iterable[int]) -> None:
    """All at once, to their ends."""
    await asyncio.gather(*(_begin(runtime, number) for number in numbers))
    await runtime.activity.idle()


async def _begin(runtime: Runtime, number: int) -> None:
    await runtime.handle(key_of(number), RULEBOOK.protocol, opening(number, WallClock().now()))


def opening(number: int, at: Millis) -> OpenDeliberation:
    key = key_of(number)
    about = subject(key.stream)
    brief = Brief(
        title=f"A meetup of {about}",
        goal=f"Fifty people meet about {about} in March.",
        today="2027-01-04",
        ends="2027-03-15",
        people=tuple(HandedPerson(person_id=f"p{each}", name=f"P{each}") for each in range(4)),
        facts=tuple(
            HandedFact(fact_id=f"offer-{each}", kind=FactKind.OFFER, text=f"{about} part {each} is taken care of.")
            for each in range(1, 11)
        ),
    )
    return OpenDeliberation(
        command_id=f"m{number}",
        at=at,
        session_id=key.stream,
        by="U_ASKS",
        brief=brief,
        policy=Policy(host_speaks=False),
    )


def key_of(number: int) -> StreamKey:
    return StreamKey(TENANT, f"plan-{number:08}")


# ── what they say ─────────────────────────────────────────────────────────────────────────────────────────────────


def _said(question: Question[Any]) -> Said:
    given = question.given
    about, number = given["brief"].title if "brief" in given else "", given.get("round", 1)
    match question.prompt.name.removeprefix(f"{RULEBOOK.protocol}/"):
        case "plan":
            return {**_position(about, 1), "plan": _plan(about, 1)}
        case "draft":
            return {**_position(about, 1), "plan": _plan(about, 2)}
        case "revise":
            # Which of both answered first is nobody's choice, so the argument is chosen by its name.
            others = [each.argument_id for each in given["arguments"] if "planner" not in each.argument_id]
            argument = max(others, default="")
            moves = [{"slot": "task", "task_id": f"task-{each}", "argument": argument} for each in range(1, TASKS + 1)]
            return {**_position(about, number), "plan": _plan(about, number), "moves": moves}
        case "criticise":
            return {**_position(about, -number), "critique": _critique(about, number)}
        case "close":
            return {"uncertainties": [f"Who pays for {about}"], "worst_case": f"{about} is late."}
        case _:
            return {"content": f"The plan for {about}, with what is open."}


def _position(about: str, number: int) -> Said:
    position = {
        "conclusion": f"{about} works, version {number}",
        "key_reasons": [f"reason {each} of {about} in {number}" for each in range(3)],
        "confidence": 0.8,
        "decision": "go_with_changes",
    }
    return {"content": f"{about}: version {number} of what is held.", "position": position}


def _plan(about: str, number: int) -> Said:
    tasks = [
        PlanTask(
            task_id=f"task-{each}",
            title=f"{about} part {each}",
            owner=f"p{each % 4}",
            estimated_hours=4 + number,
            starts=f"2027-01-{5 + each:02}",
            deadline=f"2027-02-{1 + each + number:02}",
            because=(f"offer-{each}",),
        )
        for each in range(1, TASKS + 1)
    ]
    return {"title": f"{about}, {number}", "phases": [{"phase_name": "All of it", "tasks": tasks}]}


def _critique(about: str, number: int) -> Said:
    """In one round it would change two tasks, in the next one five: so the level keeps moving."""
    changed = range(1, 3 if number % 2 else 6)
    suggestions = [
        {
            "issue": f"Part {each} of {about} is late",
            "solution": f"Do part {each} of {about} earlier, {number}",
            "changes": [{"slot": "deadline", "task_id": f"task-{each}", "value": f"2027-01-{20 + each:02}"}],
        }
        for each in changed
    ]
    risk = {"risk": f"Part 1 of {about} slips, {number}", "severity": "medium"}
    return {"risks": [risk], "suggestions": suggestions, "validity_check": {"complete": False}}
