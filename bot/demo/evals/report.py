"""What the cases have come to, and how two reports differ."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from bot.demo.evals.part import Outcome
from bot.terminal import Terminal
from engine.errors import Misconfigured
from engine.llm.ledger import Call
from engine.llm.port import OFFLINE, Prompt

_FIELDS: Final[Mapping[str, str]] = {
    "calls": "calls",
    "in": "input_tokens",
    "cached": "cached_tokens",
    "out": "output_tokens",
    "s": "seconds",
}
"""The field of a report, by the name of its column."""

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
    """Read what ``towow evals --json`` has printed."""
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
    """Return a line for each prompt; what is the same in every line is left out, so that 80 columns are enough."""
    models = sorted({each for of in prompts.values() for each in of["models"]})
    table = Table(title=f"prompts, asked of {', '.join(models)}", box=SIMPLE_HEAD, collapse_padding=True)
    names = ["hold"]
    if any(of["calls"] for of in prompts.values()):
        names += ["calls", "in", "cached", "out", "USD", "s"]
        table.caption = "tokens in (new ones and those from the cache) and out; s: the median call's seconds"
    if len(models) > 1:
        names.append("model")
    table.add_column("prompt", no_wrap=True)
    for name in names:
        table.add_column(name, justify="left" if name == "model" else "right")
    for prompt, of in prompts.items():
        table.add_row(prompt, *(_cell(name, of) for name in names))
    known = [of["cost_usd"] for of in prompts.values() if of["cost_usd"] is not None]
    summed = ("passed", "cases", "calls", "input_tokens", "cached_tokens", "output_tokens")
    total: dict[str, Any] = {each: sum(of[each] for of in prompts.values()) for each in summed}
    total |= {"cost_usd": sum(known), "models": [], "seconds": ""}
    table.add_row("all of them", *(_cell(name, total) for name in names), style="bold")
    return table


def _cell(name: str, of: Mapping[str, Any]) -> str:
    match name:
        case "hold":
            return f"{of['passed']}/{of['cases']}"
        case "model":
            return ", ".join(of["models"])
        case "USD":
            return dollars(of["cost_usd"])
        case _:
            return str(of[_FIELDS[name]])


def dollars(cost: float | None) -> str:
    return "no price" if cost is None else f"{cost:.4f}"


def comparison(one: Report, other: Report) -> dict[str, Any]:
    """Return the two side by side, by prompt, and which cases hold in only one of them.

    Cases that are in only one of the results are left out.
    """
    first, second = _faults(one), _faults(other)
    both = sorted(set(first) & set(second))
    return {
        "cases": len(both),
        "passed": [sum(not of[case] for case in both) for of in (first, second)],
        "prompts": {
            name: {"same_words": pair[0]["hash"] == pair[1]["hash"], "first": pair[0], "second": pair[1]}
            for name in {**one["prompts"], **other["prompts"]}
            if None not in (pair := (one["prompts"].get(name), other["prompts"].get(name)))
        },
        "only_first": {case: second[case] for case in both if second[case] and not first[case]},
        "only_second": {case: first[case] for case in both if first[case] and not second[case]},
    }


def _faults(report: Report) -> dict[str, Mapping[str, Any]]:
    return {
        f"{name} {each['id']}": each["faults"] for name, of in report["protocols"].items() for each in of["results"]
    }


def print_comparison(terminal: Terminal, compared: Mapping[str, Any]) -> None:
    table = Table("prompt", "words", "models", "passed", "tokens out", "USD", "seconds", title="first | second")
    for name, of in compared["prompts"].items():
        pair = (of["first"], of["second"])
        table.add_row(
            name,
            "same" if of["same_words"] else "changed",
            _beside(*(", ".join(each["models"]) for each in pair)),
            _beside(*(f"{each['passed']}/{each['cases']}" for each in pair)),
            _beside(*(str(each["output_tokens"]) for each in pair)),
            _beside(*(dollars(each["cost_usd"]) for each in pair)),
            _beside(*(str(each["seconds"]) for each in pair)),
        )
    passed = _beside(*map(str, compared["passed"]))
    table.add_row("all cases of both", "", "", f"{passed} of {compared['cases']}", "", "", "", style="bold")
    terminal.print(table)
    for title, name in (("only the first holds", "only_first"), ("only the second holds", "only_second")):
        if cases := compared[name]:
            told = Table("case", "what is wrong in the other", title=title)
            for case, faults in cases.items():
                told.add_row(case, Text("\n".join(f"{check}: {said}" for check, of in faults.items() for said in of)))
            terminal.print(told)


def _beside(one: str, other: str) -> str:
    return one if one == other else f"{one} | {other}"
