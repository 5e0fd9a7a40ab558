"""``towow replay``: folds the stored events of one stream again, and prints each step."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec.structs import FieldInfo
from msgspec.structs import fields as fields_of
from pydantic import BaseModel
from rich.console import Console
from rich.text import Text

from bot.commands.subcommand import FAILED, FINE, Subcommand, add_stream, found, protocol_of
from bot.commands.waiting import asking
from bot.databases import archive_of
from bot.protocol_row import Protocol
from bot.terminal import Terminal
from engine.kernel import Event, Rulebook, Tenant, iso, plain
from engine.runtime.streams import opened
from engine.store.archive import Archive
from engine.store.port import Stream

LONGEST_FIELD: Final = 160
"""Characters of a field that are printed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and what it led to."""

    seq: int
    at: str
    event: Event
    state: Any


def replayed(stored: Stream, rulebook: Rulebook[Any]) -> Iterator[Step]:
    """Yield each event with the state after it."""
    state = rulebook.initial
    for each in stored.events:
        event = opened(each, rulebook.events)
        state = rulebook.evolve(state, event)
        yield Step(each.seq, iso(each.at), event, state)


def print_replay(
    console: Console, archive: Archive, stored: Stream, protocols: Sequence[Protocol], *, pauses: bool
) -> bool:
    """Print each step.

    Args:
        pauses: whether somebody presses Enter before each next step.

    Returns:
        whether the chain over all events is whole.
    """
    protocol = protocol_of(stored, protocols)
    steps = [*replayed(stored, protocol.rulebook)]
    for step in steps:
        console.print(_step(protocol, step, len(steps)), soft_wrap=True)
        if pauses and step.seq < len(steps):
            with asking():
                console.input("")
    is_whole = archive.verify(stored.key)
    console.print(_end(stored, is_whole), soft_wrap=True)
    return is_whole


def _step(protocol: Protocol, step: Step, most: int) -> Text:
    repeated = protocol.descriptions.in_every_event
    fields = {name: value for name, value in _without_defaults(step.event).items() if name not in repeated}
    head = Text.assemble(
        (f"{step.seq:>3}/{most} ", "dim"),
        (step.at, "dim"),
        " ",
        (step.event.event_type, "bold"),
        _status(protocol, step.state),
    )
    lines = [f"        {name}: {_short(value)}" for name, value in fields.items()]
    return Text("\n").join([head, *map(Text, lines)])


def _without_defaults(value: Any) -> Any:
    """Return JSON values without the fields that have their default, however deep they are."""
    match value:
        case msgspec.Struct():
            found = {each.name: (getattr(value, each.name), _default(each)) for each in fields_of(type(value))}
            return {name: _without_defaults(said) for name, (said, default) in found.items() if said != default}
        case BaseModel():
            return value.model_dump(mode="json", exclude_defaults=True)
        case Mapping():
            return {plain(key): _without_defaults(each) for key, each in value.items()}
        case tuple() | list():
            return [_without_defaults(each) for each in value]
        case _:
            return plain(value)


def _default(field: FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _status(protocol: Protocol, state: Any) -> tuple[str, str]:
    status = protocol.descriptions.status(state)
    if not status:
        return "", ""
    return f"  → {status}", "green" if protocol.rulebook.is_open(state) else "cyan"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_FIELD else f"{line[: LONGEST_FIELD - 1]}…"


def _end(stored: Stream, is_whole: bool) -> Text:
    tenant: Tenant = stored.key.tenant
    where = f"{stored.key.stream} of {tenant.team_id}"
    owed = f"{len(stored.outbox)} things are still owed, {len(stored.alarms)} alarms are set."
    if is_whole:
        return Text(f"{where}: {stored.version} events, and every digest is what it was. {owed}")
    rewritten = "the events on disk are not those that were written. Bring a backup with `towow restore FILE`."
    return Text(f"{where}: {rewritten} {owed}", style="red")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--pause", action="store_true", help="wait for Enter before each next event")
    add_stream(parser)


def _run(options: Namespace) -> int:
    archive = archive_of(options.db)
    stored = found(archive, options.protocols, options.name, options.team)
    is_whole = print_replay(Terminal(), archive, stored, options.protocols, pauses=options.pause)
    return FINE if is_whole else FAILED


COMMAND: Final = Subcommand(_run, _add_arguments)
