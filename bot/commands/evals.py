"""``towow evals``: cases whose right outcome is known, played and checked."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from bot.claude_config import read_claude
from bot.commands.oracle import run_oracle
from bot.commands.subcommand import CommandFailed, Subcommand
from bot.config import DEFAULT_POLICY
from bot.demo.evals.part import TENANT, AnyCase, EvalsPart, Outcome, as_yaml
from bot.demo.evals.part import Table as PlayedWith
from bot.demo.evals.questions.cases import PromptCase
from bot.demo.evals.report import comparison, print_comparison, print_report, read_report, report_of
from bot.models import claude, needed_prompts, offline_model
from bot.protocol_row import Protocol, policies
from bot.terminal import Terminal, plain_json
from engine.directory.profile import Profiles
from engine.files.profiles import load_profiles
from engine.files.prompts import load_prompts
from engine.llm.ledger import KIND as LEDGER
from engine.llm.ledger import Call
from engine.llm.port import Model, Prompt
from engine.runtime.clock import WallClock
from engine.store.memory import MemoryStore
from engine.store.port import Store

PASSED: Final = 0
SOME_FAILED: Final = 3
TWO: Final = 2
PAGE: Final = 1_000
"""Calls that are read at once."""
AT_ONCE: Final = 4
"""Cases that are played at the same time."""
WINDOW: Final = 1_800.0
"""Seconds for each question: a model on this machine may answer one after the other, and slowly."""


COMPARE: Final = "compare"
TOLD: Final = "told"
ORACLE: Final = "oracle"
OF_PROMPTS: Final = "-prompts"


def parts(protocols: Sequence[Protocol]) -> Mapping[str, EvalsPart]:
    """Return what has cases, by name: each protocol as a whole, and each of its prompts."""
    whole = {each.name: each.evals(each) for each in protocols if each.evals is not None}
    single = {
        f"{each.name}{OF_PROMPTS}": each.prompt_evals(each) for each in protocols if each.prompt_evals is not None
    }
    return whole | single


def _names(protocols: Sequence[Protocol]) -> list[str]:
    return [
        *(each.name for each in protocols if each.evals is not None),
        *(f"{each.name}{OF_PROMPTS}" for each in protocols if each.prompt_evals is not None),
    ]


def _add_arguments(parser: ArgumentParser) -> None:
    protocols: Sequence[Protocol] = parser.get_default("protocols")
    known = sorted(policies(protocols))
    parser.add_argument(
        "what",
        nargs="?",
        choices=[*_names(protocols), COMPARE, TOLD, ORACLE],
        help="only these cases; all of them when left out",
    )
    parser.add_argument(
        "named",
        nargs="*",
        metavar="NAME",
        help=f"for {COMPARE}: two files that --json has printed; for {TOLD}: whose twin was told something for good; "
        f"for {ORACLE}: a folder of scenarios (docs/oracle.md); ours when left out",
    )
    parser.add_argument("--demand", default="", metavar="TEXT", help=f"for {TOLD}: what the twin is asked for")
    parser.add_argument(
        "--line",
        action="append",
        default=[],
        metavar="TEXT",
        help=f"for {TOLD}: what they said; their profile's lines when left out",
    )
    parser.add_argument("--cipher", action="store_true", help=f"for {ORACLE}: play each a second time, in cipher")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--case", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    parser.add_argument(
        "--prompt",
        action="append",
        default=[],
        metavar="NAME",
        help="only cases of this prompt; may be repeated",
    )
    parser.add_argument("--prompts", type=Path, metavar="PATH", help="another folder of prompts than ours")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="other cases than ours, of what is named")
    parser.add_argument("--profiles", type=Path, metavar="PATH", help="a folder of people; ours when left out")
    parser.add_argument("--policy", default=DEFAULT_POLICY, choices=known, help="how much agreement is enough")


def _run(options: Namespace) -> int:
    protocols: Sequence[Protocol] = options.protocols
    if options.what == COMPARE:
        return _compare(options)
    if options.what == TOLD:
        return _print_cases(options)
    if options.what == ORACLE:
        return run_oracle(
            options.protocols, options.named, options.case, in_cipher=options.cipher, as_json=options.json
        )
    if options.named:
        raise CommandFailed(f"Names are given to {COMPARE}, {TOLD} and {ORACLE} only.")
    chosen = {name: part for name, part in parts(protocols).items() if options.what in (None, name)}
    if options.cases is not None and options.what is None:
        chosen = {name: part for name, part in chosen.items() if name == next(iter(chosen))}
    loaded = {name: part.load(options.cases) for name, part in chosen.items()}
    known = {each.id for cases in loaded.values() for each in cases}
    if strangers := sorted(set(options.case) - known):
        near = sorted({like for each in strangers for like in _like(each, known)})
        raise CommandFailed(
            f"No case is called {', '.join(strangers)}." + (f" Did you mean {', '.join(near)}?" if near else "")
        )
    prompts = _prompts(options.prompts, protocols)
    asked = {(name, each.prompt) for name, cases in loaded.items() for each in cases if isinstance(each, PromptCase)}
    if strangers := [each for each in options.prompt if not any(_is_called(*one, [each]) for one in asked)]:
        there = ", ".join(sorted(_full(*each) for each in asked)) or f"none in {options.what}"
        raise CommandFailed(f"No prompt with cases is called {', '.join(strangers)}. There are: {there}.")
    profiles, policy = load_profiles(options.profiles), policies(protocols)[options.policy]
    by_rules = read_claude(os.environ) is None
    results: dict[str, list[Outcome]] = {}
    calls: list[Call] = []
    for name, part in chosen.items():
        cases = [each for each in loaded[name] if not options.case or each.id in options.case]
        if by_rules and not options.case:
            cases = [each for each in cases if not each.needs_model]
        if options.prompt:
            cases = [each for each in cases if _is_called(name, getattr(each, "prompt", ""), options.prompt)]
        if cases:
            results[name] = asyncio.run(
                evaluate(part, cases, profiles, policy, protocols, prompts=prompts, calls=calls)
            )
    found = report_of(results, {name: part.checks for name, part in chosen.items()}, calls, prompts)
    if options.json:
        print(plain_json(json.dumps(found, ensure_ascii=False)))
    else:
        print_report(Terminal(), found)
        sys.stdout.flush()
    return PASSED if all(each.passed for of in results.values() for each in of) else SOME_FAILED


def _like(name: str, known: Collection[str]) -> list[str]:
    return [each for each in known if each.endswith(f"/{name}")] or get_close_matches(name, known)


def _full(part: str, prompt: str) -> str:
    """Return a prompt's name as the report has it: ``negotiation/respond``."""
    return f"{part.removesuffix(OF_PROMPTS)}/{prompt}"


def _is_called(part: str, prompt: str, names: Sequence[str]) -> bool:
    return prompt in names or _full(part, prompt) in names


def _compare(options: Namespace) -> int:
    if len(options.named) != TWO:
        raise CommandFailed(f"{COMPARE} takes two files; {len(options.named)} were given.")
    one, other = (read_report(Path(each)) for each in options.named)
    compared = comparison(one, other)
    if options.json:
        print(plain_json(json.dumps(compared, ensure_ascii=False)))
    else:
        print_comparison(Terminal(), compared)
        sys.stdout.flush()
    return SOME_FAILED if compared["only_first"] else PASSED


def _print_cases(options: Namespace) -> int:
    """Print a case of each line, as a file of cases has it."""
    if len(options.named) != 1 or not options.demand:
        raise CommandFailed(f"{TOLD} takes one name and a demand: towow evals {TOLD} lin_xiao --demand 'A meetup ...'")
    (about,) = options.named
    profiles = load_profiles(options.profiles)
    protocols: Sequence[Protocol] = options.protocols
    prompts, policy = _prompts(options.prompts, protocols), policies(protocols)[options.policy]
    played_with = PlayedWith(offline_model(protocols), prompts, profiles, policy)
    make = next(part.told for part in parts(protocols).values() if part.told is not None)
    profile = profiles.get(f"user_agent_{about.removeprefix('user_agent_')}")
    lines = options.line or [*(profile.from_now_on if profile is not None else ())]
    if profile is not None and not lines:
        raise CommandFailed(f"The profile of {about} holds no line that was told for good; give one with --line.")
    cases = [asyncio.run(make(about, line, options.demand, played_with)) for line in lines or [""]]
    print("\n".join(map(as_yaml, cases)))
    return PASSED


def _prompts(folder: Path | None, protocols: Sequence[Protocol]) -> Mapping[str, Prompt]:
    if folder is None:
        return needed_prompts(protocols)
    return load_prompts({each.name: each.returns for each in protocols if each.returns}, folder)


async def evaluate(
    part: EvalsPart,
    cases: Sequence[AnyCase],
    profiles: Profiles,
    policy: Any,
    protocols: Sequence[Protocol],
    *,
    prompts: Mapping[str, Prompt] | None = None,
    calls: list[Call] | None = None,
) -> list[Outcome]:
    """Play the cases with the model that the environment names, or offline.

    Args:
        prompts: ours, unless told otherwise.
        calls: is given every call to the model.
    """
    access, prompts, turns = read_claude(os.environ), prompts or needed_prompts(protocols), asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:
        model: Model = offline_model(protocols)
        if access is not None:
            store = MemoryStore()
            await store.open()
            stack.push_async_callback(store.close)
            if calls is not None:
                stack.push_async_callback(_gather, store, calls)
            model = await stack.enter_async_context(claude(access, prompts, store, WallClock(), window=WINDOW))
        played_with = PlayedWith(model, prompts, profiles, policy)

        async def outcome(case: AnyCase) -> Outcome:
            async with turns:
                return await part.play(case, played_with)

        return list(await asyncio.gather(*(outcome(each) for each in cases)))


async def _gather(store: Store, calls: list[Call]) -> None:
    """Read the ledger, which is complete when the model is closed."""
    after = ""
    while page := await store.records(TENANT, LEDGER, limit=PAGE, after=after):
        calls += [Call.model_validate_json(each) for each in page.values()]
        after = max(page)


COMMAND: Final = Subcommand(_run, _add_arguments)
