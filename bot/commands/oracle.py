"""``towow evals oracle``: plays scenarios with perfect answers, and says what code has made wrong."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bot.commands.subcommand import CommandFailed
from bot.demo.oracle.bench import measured
from bot.demo.oracle.part import OraclePart
from bot.demo.oracle.scenarios import Named, load_scenarios
from bot.models import needed_prompts
from bot.protocol_row import Protocol
from bot.terminal import Terminal, plain_json
from engine.files import kept_folder

PASSED: Final = 0
SOME_FAILED: Final = 3
FOLDER: Final = "evals/oracle"
"""In the folder of the prompts: a few scenarios to begin with."""


def oracle_parts(protocols: Sequence[Protocol]) -> Mapping[str, OraclePart]:
    return {each.name: each.oracle(each) for each in protocols if each.oracle is not None}


def scenarios_in(folder: Path, parts: Mapping[str, OraclePart]) -> tuple[Named, ...]:
    """Read all scenarios of a folder or file."""
    returns = {name: each.returns for name, each in parts.items()}
    return load_scenarios(folder, returns, {name: each.expects for name, each in parts.items()})


def run_oracle(
    protocols: Sequence[Protocol], named: Sequence[str], chosen: Sequence[str], *, in_cipher: bool, as_json: bool
) -> int:
    """
    Args:
        named: the folder, or nothing for ours.
        chosen: names of scenarios; empty for all of them.
    """
    if len(named) > 1:
        raise CommandFailed("Give one folder of scenarios, or one file.")
    parts = oracle_parts(protocols)
    folder = Path(named[0]) if named else kept_folder.folder("prompts") / FOLDER
    if not folder.exists():
        raise CommandFailed(f"There is no folder {folder}.")
    scenarios = scenarios_in(folder, parts)
    if strangers := sorted(set(chosen) - {each.name for each in scenarios}):
        raise CommandFailed(f"No scenario in {folder} is called {', '.join(strangers)}.")
    wanted = [each for each in scenarios if not chosen or each.name in chosen]
    found = measured(wanted, parts, needed_prompts(protocols), in_cipher=in_cipher).as_json()
    if as_json:
        print(plain_json(json.dumps(found, ensure_ascii=False)))
    else:
        _print(found)
        sys.stdout.flush()
    return SOME_FAILED if found["wrong"] or found["missed"] or found["differing"] else PASSED


def _print(found: Mapping[str, Any]) -> None:
    console = Terminal()
    console.print(f"{found['right']} of {found['scenarios']} scenarios with right answers come out right.")
    _print_each(console, found["wrong"])
    console.print(f"{found['caught']} of {found['planted']} planted errors are caught.")
    for each in found["missed"]:
        console.print(f"  missed: {each['scenario']}, {each['field']} of {each['at']}", markup=False)
    if found["in_cipher"]:
        same = found["in_cipher"] - len(found["differing"])
        console.print(f"{same} of {found['in_cipher']} come out in cipher as in clear.")
        _print_each(console, found["differing"])


def _print_each(console: Terminal, named: Mapping[str, Sequence[str]]) -> None:
    for name, faults in named.items():
        for each in faults:
            console.print(f"  {name}: {each}", markup=False)
