"""``towow export``, ``replay`` and ``backup``: what is kept, read without disturbing a ToWow that runs on it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.errors import UnknownDemand
from engine.kernel import Event, Rulebook, Tenant, iso
from engine.negotiation.rules import RULEBOOK as NEGOTIATION
from engine.negotiation.state import Negotiation
from engine.runtime.envelope import envelope, opened
from engine.store.port import Stream
from engine.store.sqlite.archive import Archive

RULEBOOKS: Final[dict[str, Rulebook[Any]]] = {each.protocol: each for each in (NEGOTIATION, DIRECTORY)}
LONGEST_FIELD: Final = 160
"""Characters of a field that are printed."""
DEMAND, CHANNEL = "d-", "collab-"


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and what it led to."""

    seq: int
    at: str
    event: Event
    state: Any


def found(archive: Archive, name: str, team: str = "") -> Stream:
    """
    Args:
        name: of a demand (``d-…``), its channel (``collab-…``), or any other stream.
        team: whose it is, where several workspaces have one of this name.

    Raises:
        UnknownDemand, StoreError
    """
    stream = CHANNEL + name.removeprefix(DEMAND) if name.startswith(DEMAND) else name
    keys = [key for key in archive.find(stream) if team in ("", key.tenant.team_id)]
    if not keys:
        raise UnknownDemand(f"There is nothing called {name} in this store.")
    if len(keys) > 1:
        teams = ", ".join(key.tenant.team_id for key in keys)
        raise UnknownDemand(f"Several workspaces have a {name}; say whose with --team: {teams}.")
    stored = archive.load(keys[0])
    assert stored is not None  # noqa: S101 - streams are never deleted
    return stored


def exported(stored: Stream) -> Iterator[str]:
    """Every event in its envelope, private words included, a line of JSON each."""
    events = RULEBOOKS[stored.protocol].events
    for each in stored.events:
        yield json.dumps(envelope(each, events).model_dump(mode="json"), ensure_ascii=False)


def replayed(stored: Stream) -> Iterator[Step]:
    """The state after each event, as the rules make it of what is on disk."""
    rulebook = RULEBOOKS[stored.protocol]
    state = rulebook.initial
    for each in stored.events:
        event = opened(each, rulebook.events)
        state = rulebook.evolve(state, event)
        yield Step(each.seq, iso(each.at), event, state)


def print_replay(console: Console, archive: Archive, stored: Stream, *, pauses: bool) -> bool:
    """Step by step; whether the chain over all of it is whole.

    Args:
        pauses: whether somebody presses Enter before each next step.
    """
    steps = [*replayed(stored)]
    for step in steps:
        console.print(_step(step, len(steps)), soft_wrap=True)
        if pauses and step.seq < len(steps):
            console.input("")
    is_whole = archive.verify(stored.key)
    console.print(_end(stored, is_whole), soft_wrap=True)
    return is_whole


def _step(step: Step, most: int) -> Text:
    fields = step.event.model_dump(mode="json", exclude_defaults=True, exclude={"demand_id", "channel_id"})
    head = Text.assemble(
        (f"{step.seq:>3}/{most} ", "dim"), (step.at, "dim"), " ", (step.event.event_type, "bold"), _status(step.state)
    )
    lines = [f"        {name}: {_short(value)}" for name, value in fields.items()]
    return Text("\n").join([head, *map(Text, lines)])


def _status(state: Any) -> tuple[str, str]:
    if not isinstance(state, Negotiation):
        return "", ""
    tail = f", round {state.round}" if state.round else ""
    return f"  → {state.status}{tail}", "green" if state.is_open else "cyan"


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
    return Text(f"{where}: the events on disk are not those that were written. Restore a backup. {owed}", style="red")


def back_up(database: Path, to: Path) -> str:
    """What was kept, in a sentence.

    Raises:
        StoreError
    """
    Archive(database).back_up(to)
    counts = Archive(to).counts()
    kept = f"{counts['streams']} streams with {counts['events']} events"
    return f"{to}: {kept}. To restore it, stop ToWow and put it in the place of {database.name}."
