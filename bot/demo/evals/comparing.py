"""Holds two results of ``towow evals`` against each other: two models, or two versions of the prompts."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from bot.demo.evals.report import Report, dollars
from bot.terminal import Terminal


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
