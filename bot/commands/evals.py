"""``towow evals``: cases whose right outcome is known, played and checked."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from bot.claude_config import read_claude
from bot.commands.subcommand import CommandFailed, Subcommand
from bot.config import DEFAULT_POLICY
from bot.demo.evals.cases import AnyCase
from bot.demo.evals.part import EvalsPart, Outcome
from bot.demo.evals.part import Table as PlayedWith
from bot.models import claude, needed_prompts, offline_model
from bot.protocols import PROTOCOLS, policies
from bot.terminal import Terminal, plain_json
from engine.directory.profile import Profiles
from engine.files.profiles import load_profiles
from engine.llm.port import Model
from engine.runtime.clock import WallClock
from engine.store.memory import MemoryStore

PASSED: Final = 0
SOME_FAILED: Final = 3
AT_ONCE: Final = 4
"""Cases that are played at the same time."""


def parts() -> Mapping[str, EvalsPart]:
    """What each protocol has cases for, by its name."""
    return {each.name: each.evals() for each in PROTOCOLS if each.evals is not None}


def _add_arguments(parser: ArgumentParser) -> None:
    known = sorted(policies(PROTOCOLS))
    names = [each.name for each in PROTOCOLS if each.evals is not None]
    parser.add_argument("protocol", nargs="?", choices=names, help="only its cases; all of them when left out")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--case", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    parser.add_argument(
        "--cases", type=Path, metavar="FILE", help="other cases than ours, of the protocol that is named"
    )
    parser.add_argument("--profiles", type=Path, metavar="PATH", help="a folder of people; ours when left out")
    parser.add_argument("--policy", default=DEFAULT_POLICY, choices=known, help="how much agreement is enough")


def _run(options: Namespace) -> int:
    chosen = {name: part for name, part in parts().items() if options.protocol in (None, name)}
    if options.cases is not None and options.protocol is None:
        chosen = {name: part for name, part in chosen.items() if name == next(iter(chosen))}
    loaded = {name: part.load(options.cases) for name, part in chosen.items()}
    known = {each.id for cases in loaded.values() for each in cases}
    if strangers := sorted(set(options.case) - known):
        raise CommandFailed(f"No case is called {', '.join(strangers)}.")
    profiles, policy = load_profiles(options.profiles), policies(PROTOCOLS)[options.policy]
    results: dict[str, list[Outcome]] = {}
    for name, part in chosen.items():
        cases = [each for each in loaded[name] if not options.case or each.id in options.case]
        if cases:
            results[name] = asyncio.run(evaluate(part, cases, profiles, policy))
    if options.json:
        print(plain_json(json.dumps(_as_object(results, chosen), ensure_ascii=False)))
    else:
        _print(results, chosen)
    return PASSED if all(each.passed for of in results.values() for each in of) else SOME_FAILED


async def evaluate(part: EvalsPart, cases: Sequence[AnyCase], profiles: Profiles, policy: Any) -> list[Outcome]:
    """Play the cases with the model that the environment names, or offline."""
    access, prompts, turns = read_claude(os.environ), needed_prompts(), asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:
        model: Model = offline_model()
        if access is not None:
            store = MemoryStore()
            await store.open()
            stack.push_async_callback(store.close)
            model = await stack.enter_async_context(claude(access, prompts, store, WallClock()))
        played_with = PlayedWith(model, prompts, profiles, policy)

        async def outcome(case: AnyCase) -> Outcome:
            async with turns:
                return await part.play(case, played_with)

        return list(await asyncio.gather(*(outcome(each) for each in cases)))


def _totals(part: EvalsPart, results: Sequence[Outcome]) -> Iterator[tuple[str, int]]:
    """Yield how many cases each check holds for."""
    for name in part.checks:
        yield name, sum(not each.faults[name] for each in results)


def _as_object(results: Mapping[str, Sequence[Outcome]], chosen: Mapping[str, EvalsPart]) -> object:
    every = [each for of in results.values() for each in of]
    return {
        "cases": len(every),
        "passed": sum(each.passed for each in every),
        "protocols": {
            name: {
                "cases": len(of),
                "passed": sum(each.passed for each in of),
                "checks": dict(_totals(chosen[name], of)),
                "results": [
                    {
                        "id": each.case.id,
                        "end": each.end,
                        "faults": {name: list(said) for name, said in each.faults.items() if said},
                    }
                    for each in of
                ],
            }
            for name, of in results.items()
        },
    }


def _print(results: Mapping[str, Sequence[Outcome]], chosen: Mapping[str, EvalsPart]) -> None:
    terminal = Terminal()
    for protocol, of in results.items():
        table = Table("case", "end", "what is wrong", title=protocol)
        for each in of:
            if not each.passed:
                wrong = [f"{name}: {said}" for name, said_of in each.faults.items() for said in said_of]
                table.add_row(*map(Text, (each.case.id, each.end, "\n".join(wrong))))
        if table.row_count:
            terminal.print(table)
        totals = Table("check", "holds", "of", title=None if table.row_count else protocol)
        for name, holding in _totals(chosen[protocol], of):
            totals.add_row(name, str(holding), str(len(of)))
        totals.add_row("all of them", str(sum(each.passed for each in of)), str(len(of)))
        terminal.print(totals)
    sys.stdout.flush()


COMMAND: Final = Subcommand("evals", "play cases whose right outcome is known, and check them", _run, _add_arguments)
