"""``towow evals``: demands whose right answers are known, played and checked."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from bot.commands.subcommand import CommandFailed, Subcommand
from bot.config import DEFAULT_POLICY, read_claude
from bot.demo.negotiation.evals.cases import Case, load_cases
from bot.demo.negotiation.evals.checks import CHECKS, end_of, faults
from bot.demo.negotiation.evals.play import play
from bot.models import claude, needed_prompts, offline_model
from bot.protocols import PROTOCOLS, policies
from bot.terminal import Terminal, plain_json
from engine.directory.profile import Profiles
from engine.files.profiles import load_profiles
from engine.llm.port import Model
from engine.negotiation.policy import Policy
from engine.runtime.clock import WallClock
from engine.store.memory import MemoryStore

PASSED: Final = 0
SOME_FAILED: Final = 3
AT_ONCE: Final = 4
"""Demands that are played at the same time."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a case."""

    case: Case
    end: str
    faults: Mapping[str, Sequence[str]]
    """By check; empty for what holds."""

    @property
    def passed(self) -> bool:
        return not any(self.faults.values())


def _add_arguments(parser: ArgumentParser) -> None:
    known = sorted(policies(PROTOCOLS))
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--case", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="other cases than ours")
    parser.add_argument("--profiles", type=Path, metavar="PATH", help="a folder of people; ours when left out")
    parser.add_argument("--policy", default=DEFAULT_POLICY, choices=known, help="how much agreement is enough")


def _run(options: Namespace) -> int:
    cases = load_cases(options.cases)
    if strangers := sorted(set(options.case) - {each.id for each in cases}):
        raise CommandFailed(f"No case is called {', '.join(strangers)}.")
    chosen = [each for each in cases if not options.case or each.id in options.case]
    results = asyncio.run(evaluate(chosen, load_profiles(options.profiles), policies(PROTOCOLS)[options.policy]))
    if options.json:
        print(plain_json(json.dumps(_as_object(results), ensure_ascii=False)))
    else:
        _print(results)
    return PASSED if all(each.passed for each in results) else SOME_FAILED


async def evaluate(cases: Sequence[Case], profiles: Profiles, policy: Policy) -> list[Result]:
    """Play the cases with the model that the environment names, or offline."""
    access, prompts, turns = read_claude(os.environ), needed_prompts(), asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:
        model: Model = offline_model()
        if access is not None:
            store = MemoryStore()
            await store.open()
            stack.push_async_callback(store.close)
            model = await stack.enter_async_context(claude(access, prompts, store, WallClock()))

        async def result(case: Case) -> Result:
            async with turns:
                state = await play(case.demand, model, prompts, profiles, policy)
            return Result(case, end_of(state), faults(case, state, profiles))

        return list(await asyncio.gather(*(result(each) for each in cases)))


def _totals(results: Sequence[Result]) -> Iterator[tuple[str, int]]:
    """Yield how many cases each check holds for."""
    for name in CHECKS:
        yield name, sum(not each.faults[name] for each in results)


def _as_object(results: Sequence[Result]) -> object:
    return {
        "cases": len(results),
        "passed": sum(each.passed for each in results),
        "checks": dict(_totals(results)),
        "results": [
            {
                "id": each.case.id,
                "end": each.end,
                "faults": {name: list(said) for name, said in each.faults.items() if said},
            }
            for each in results
        ],
    }


def _print(results: Sequence[Result]) -> None:
    terminal = Terminal()
    table = Table("case", "end", "what is wrong")
    for each in results:
        if not each.passed:
            wrong = [f"{name}: {said}" for name, said_of in each.faults.items() for said in said_of]
            table.add_row(*map(Text, (each.case.id, each.end, "\n".join(wrong))))
    if table.row_count:
        terminal.print(table)
    totals = Table("check", "holds", "of")
    for name, holding in _totals(results):
        totals.add_row(name, str(holding), str(len(results)))
    totals.add_row("all of them", str(sum(each.passed for each in results)), str(len(results)))
    terminal.print(totals)
    sys.stdout.flush()


COMMAND: Final = Subcommand("evals", "play demands whose right answers are known, and check them", _run, _add_arguments)
