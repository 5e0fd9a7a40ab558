"""What ``towow evals`` says: how many cases hold, of which prompt, and what it has cost."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

from rich.table import Table
from rich.text import Text

from bot.demo.evals.part import Outcome
from bot.terminal import Terminal
from engine.errors import Misconfigured
from engine.llm.ledger import Call
from engine.llm.port import OFFLINE
from engine.llm.prompts import Prompt

Report = dict[str, Any]
"""JSON values: ``cases``, ``passed``, ``protocols`` by what was played, and ``prompts`` by name."""


def report_of(
    results: Mapping[str, Sequence[Outcome]],
    checks: Mapping[str, Sequence[str]],
    calls: Sequence[Call],
    prompts: Mapping[str, Prompt],
) -> Report:
    """
    Args:
        checks: the names of what is checked, by what was played.
        calls: to a model, of all cases; none where rules have answered.
    """
    every = [each for of in results.values() for each in of]
    return {
        "cases": len(every),
        "passed": sum(each.passed for each in every),
        "protocols": {
            name: {
                "cases": len(of),
                "passed": sum(each.passed for each in of),
                "checks": {check: sum(not each.faults[check] for each in of) for check in checks[name]},
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
        "prompts": _by_prompt(results, calls, prompts),
    }


def _by_prompt(
    results: Mapping[str, Sequence[Outcome]], calls: Sequence[Call], prompts: Mapping[str, Prompt]
) -> dict[str, Any]:
    cases, made = defaultdict[str, list[Outcome]](list), defaultdict[str, list[Call]](list)
    for name, of in results.items():
        for each in of:
            if prompt := getattr(each.case, "prompt", ""):
                cases[f"{name.partition('-')[0]}/{prompt}"].append(each)
    for call in calls:
        made[call.prompt].append(call)
    return {
        name: {"hash": prompts[name].content_hash, "cases": len(cases[name])}
        | {"passed": sum(each.passed for each in cases[name]), **_spent(made[name])}
        for name in prompts
        if name in cases or name in made
    }


def _spent(calls: Sequence[Call]) -> dict[str, Any]:
    prices = [each.cost_usd for each in calls]
    return {
        "models": sorted({each.model for each in calls}) or [OFFLINE],
        "calls": len(calls),
        "input_tokens": sum(each.input_tokens + each.cache_write_tokens for each in calls),
        "cached_tokens": sum(each.cache_read_tokens for each in calls),
        "output_tokens": sum(each.output_tokens for each in calls),
        "cost_usd": None if None in prices else float(sum((each for each in prices if each), Decimal())),
        "seconds": round(median(each.latency_ms for each in calls) / 1000, 3) if calls else 0.0,
    }


def read_report(path: Path) -> Report:
    """Read what ``towow evals --json`` has printed.

    Raises:
        Misconfigured: it is not there, or something else.
    """
    try:
        report = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise Misconfigured([f"{path}: the results cannot be read: {error}"]) from error
    if not isinstance(report, dict) or not {"protocols", "prompts"} <= set(report):
        raise Misconfigured([f"{path}: this is not what `towow evals --json` prints"])
    return report


def print_report(terminal: Terminal, report: Report) -> None:
    for protocol, of in report["protocols"].items():
        table = Table("case", "end", "what is wrong", title=protocol)
        for each in of["results"]:
            if each["faults"]:
                wrong = [f"{name}: {said}" for name, said_of in each["faults"].items() for said in said_of]
                table.add_row(*map(Text, (each["id"], each["end"], "\n".join(wrong))))
        if table.row_count:
            terminal.print(table)
        totals = Table("check", "holds", "of", title=None if table.row_count else protocol)
        for name, holding in of["checks"].items():
            totals.add_row(name, str(holding), str(of["cases"]))
        totals.add_row("all of them", str(of["passed"]), str(of["cases"]))
        terminal.print(totals)
    if report["prompts"]:
        terminal.print(_costs(report["prompts"]))


def _costs(prompts: Mapping[str, Any]) -> Table:
    columns = ("prompt", "model", "passed", "of", "calls", "tokens in", "cached", "tokens out", "USD", "seconds")
    table = Table(*columns, title="prompts")
    for name, of in prompts.items():
        numbers = (of["passed"], of["cases"], of["calls"], of["input_tokens"], of["cached_tokens"], of["output_tokens"])
        table.add_row(name, ", ".join(of["models"]), *map(str, numbers), dollars(of["cost_usd"]), str(of["seconds"]))
    known = [of["cost_usd"] for of in prompts.values() if of["cost_usd"] is not None]
    total = [sum(of[each] for of in prompts.values()) for each in ("passed", "cases", "calls")]
    tokens = [sum(of[f"{each}_tokens"] for of in prompts.values()) for each in ("input", "cached", "output")]
    table.add_row("all of them", "", *map(str, total), *map(str, tokens), dollars(sum(known)), "", style="bold")
    return table


def dollars(cost: float | None) -> str:
    return "no price" if cost is None else f"{cost:.4f}"
