"""``towow costs``: what the calls of models have cost, by prompt, model, day, person and demand, from the ledger."""

import argparse
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from bot.commands.subcommand import FINE, Subcommand, add_database, print_json
from bot.databases import archive_of
from bot.models import requester_in
from bot.terminal import Terminal
from engine.kernel import StreamKey
from engine.llm.ledger import KIND, NO_TENANT
from engine.llm.ledger_days import day_of, entries_in
from engine.llm.spending import PRICED_ON, Entry, Spending, by_group, spending
from engine.store.archive import Archive

MOST_SHOWN: Final = 10
"""Rows of each table; with ``--json`` there are all."""

NOBODY: Final = "-"
"""Of calls for no stream, as those of ``towow evals``."""

Groups = Mapping[str, Mapping[str, Spending]]
"""Spending by what it is told by, and then by name."""


def entries_of(archive: Archive, team: str, since: date | None, until: date | None) -> Iterator[Entry]:
    """Yield what a workspace has spent, or all have, from one day to another, both counted, in UTC."""
    for tenant in sorted({*archive.tenants_of_records(), NO_TENANT}):
        if team not in ("", tenant.team_id):
            continue
        for row in archive.records(tenant, KIND):
            for entry in entries_in(row):
                day = day_of(entry)
                if (since is None or day >= since) and (until is None or day <= until):
                    yield entry


def groups(entries: Iterable[Entry], requester_of: Callable[[Entry], str]) -> Groups:
    by: Mapping[str, Callable[[Entry], str]] = {
        "prompt": lambda entry: entry.prompt,
        "model": lambda entry: entry.model,
        "day": lambda entry: day_of(entry).isoformat(),
        "person": requester_of,
        "demand": lambda entry: entry.stream or NOBODY,
    }
    kept = [*entries]
    return {name: by_group(kept, group) for name, group in by.items()}


def requesters(archive: Archive) -> Callable[[Entry], str]:
    """Return what tells who asked for what was paid for."""

    @cache
    def of(key: StreamKey) -> str:
        return requester_in(archive.load(key)) or NOBODY

    return lambda entry: of(StreamKey(entry.tenant, entry.stream)) if entry.stream else NOBODY


def as_json(total: Spending, told: Groups) -> dict[str, Any]:
    return {
        "priced_on": PRICED_ON.isoformat(),
        "total": _plain(total),
        **{f"by_{name}": {key: _plain(each) for key, each in rows.items()} for name, rows in told.items()},
    }


def _plain(spent: Spending) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "input_tokens": spent.input,
        "cache_write_tokens": spent.cache_write,
        "cache_read_tokens": spent.cache_read,
        "output_tokens": spent.output,
        "cache_share": round(spent.cache_share, 4),
        "cost_usd": float(spent.usd),
        "calls_of_unknown_price": spent.unpriced,
    }


def table(name: str, rows: Mapping[str, Spending]) -> Table:
    shown = [*rows.items()] if name == "day" else [*rows.items()][:MOST_SHOWN]
    found = Table(
        name, "calls", "sent", "from cache", "answered", "US$", box=None, pad_edge=False, title_justify="left"
    )
    for column in found.columns[1:]:
        column.justify = "right"
    for key, each in sorted(shown) if name == "day" else shown:
        found.add_row(Text(key), *_cells(each))
    if len(rows) > len(shown):
        found.add_row(Text(f"… {len(rows) - len(shown)} more, with --json"))
    return found


def _cells(spent: Spending) -> list[str]:
    return [
        f"{spent.calls:,}",
        f"{spent.sent:,}",
        f"{spent.cache_share:.0%}",
        f"{spent.output:,}",
        _price(spent),
    ]


def _price(spent: Spending) -> str:
    if spent.unpriced == spent.calls:
        return "unknown"
    return f"{spent.usd:.4f}" + (" + ?" if spent.unpriced else "")


def _date(argument: str) -> date:
    try:
        return date.fromisoformat(argument)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{argument!r} is no day; write it as 2026-11-23") from None


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--since", type=_date, metavar="DAY", help="the first day that is counted, in UTC")
    parser.add_argument("--until", type=_date, metavar="DAY", help="the last day that is counted, in UTC")
    parser.add_argument("--team", default="", metavar="ID", help="of one workspace; of all when left out")
    parser.add_argument("--json", action="store_true", help="print one JSON object, with every row")
    add_database(parser)


def _run(options: Namespace) -> int:
    archive = archive_of(options.db)
    entries = [*entries_of(archive, options.team, options.since, options.until)]
    total, told = spending(entries), groups(entries, requesters(archive))
    if options.json:
        print_json(as_json(total, told))
        return FINE
    screen = Terminal()
    if not entries:
        screen.print("No model was asked in that time: without a key, rules answer, and cost nothing.")
        return FINE
    for name, rows in told.items():
        screen.print(table(name, rows), "", soft_wrap=True)
    screen.print(_summary(total), soft_wrap=True)
    return FINE


def _summary(total: Spending) -> Text:
    cost = f"{total.calls:,} calls, US$ {_price(total)}, {total.cache_share:.0%} of what was sent read from the cache."
    unknown = f" What {total.unpriced:,} of them cost is unknown: the model is not in our table."
    return Text(f"{cost}{unknown if total.unpriced else ''} Prices of {PRICED_ON.isoformat()}.")


COMMAND: Final = Subcommand(_run, _add_arguments)
