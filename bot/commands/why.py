"""``towow why``: why a plan, a task or a ticket is as it is, up to the message that somebody wrote.

Each protocol says what its own streams know; how one goes on from another is followed here, by the streams' names.
"""

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.commands.subcommand import FINE, CommandFailed, Subcommand, add_database, found, protocol_of, text
from bot.databases import archive_of
from bot.protocol_row import Protocol
from bot.terminal import Terminal, plain_json
from engine.errors import UnknownStream
from engine.kernel import Place
from engine.runtime.streams import opened
from engine.store.archive import Archive
from engine.store.port import Stream


@dataclass(frozen=True, slots=True)
class Step:
    """One stream's part of the answer."""

    said: Sequence[str]
    """Lines, each a thing that led to what was asked about; the nearest one first."""
    origin: str = ""
    """The stream that this one goes on from; empty where somebody's message is the beginning."""
    part: str = ""
    """What is asked about there."""


@dataclass(frozen=True, slots=True)
class WhyPart:
    """All of it is pure."""

    step: Callable[[Any, str], Step]
    """A state, and what is asked about in it, such as a ticket; empty for the whole."""
    parts: Callable[[Any], Sequence[str]] = lambda _state: ()
    """What can be asked about by a name of its own, such as ``T-1``."""
    record: Callable[[Any], str] | None = None
    """All that is known of a whole stream, as text; None where the step says it."""
    record_json: Callable[[Any], str] | None = None
    """The same as JSON."""


def written(by: str, text: str, place: Place, when: str = "") -> str:
    """Say who wrote a message, and where it is."""
    where = [f"in {place.channel}" if place.channel else "", f"message {place.thread}" if place.thread else "", when]
    told = ", ".join(each for each in where if each)
    quoted = "\n  ".join(text.splitlines()) or "(its words were erased)"
    return f"{by} wrote{f' ({told})' if told else ''}:\n  {quoted}"


PART: Final = re.compile(r"(?:(?P<stream>[^/]{1,300})/)?(?P<part>[A-Z]-\d{1,6})")
"""A ticket by its own name, or after its stream's."""
LONGEST: Final = 10
"""Streams that are followed."""


@dataclass(frozen=True, slots=True)
class Link:
    """One stream of the chain."""

    stream: str
    protocol: str
    part: str
    step: Step


def chain(archive: Archive, protocols: Sequence[Protocol], stored: Stream, part: str) -> Iterator[Link]:
    """Yield what was asked about, then what that goes on from, up to the first message."""
    team = stored.key.tenant.team_id
    for _ in range(LONGEST):
        protocol, state = _read(protocols, stored)
        why = _why(protocol, stored)
        step = why.step(state, part)
        yield Link(stored.key.stream, protocol.name, part, step)
        if not step.origin:
            return
        try:
            stored, part = found(archive, protocols, step.origin, team), step.part
        except UnknownStream:
            return


def _read(protocols: Sequence[Protocol], stored: Stream) -> tuple[Protocol, Any]:
    protocol = protocol_of(stored, protocols)
    rulebook = protocol.rulebook
    return protocol, rulebook.fold([opened(each, rulebook.events) for each in stored.events])


def _why(protocol: Protocol, stored: Stream) -> WhyPart:
    """Return what the protocol adds to `towow why`."""
    if protocol.why is None:
        raise CommandFailed(f"{stored.key.stream} says nothing of why; `towow replay` goes through it.")
    return protocol.why()


def _named(archive: Archive, protocols: Sequence[Protocol], name: str, team: str) -> tuple[Stream, str]:
    """Return the stream that is meant, and what in it."""
    meant = PART.fullmatch(name)
    if meant is None:
        return found(archive, protocols, name, team), ""
    if meant["stream"]:
        return found(archive, protocols, meant["stream"], team), meant["part"]
    known = [each for each in _with_part(archive, protocols, meant["part"]) if team in ("", each.key.tenant.team_id)]
    if not known:
        raise UnknownStream(f"There is nothing called {name} in this store.")
    if len(known) > 1:
        streams = ", ".join(f"{each.key.stream}/{name}" for each in known[-5:])
        raise UnknownStream(f"{len(known)} streams have a {name}; say which one: {streams}.")
    return known[0], meant["part"]


def _with_part(archive: Archive, protocols: Sequence[Protocol], part: str) -> Iterator[Stream]:
    for key in archive.streams():
        stored = archive.load(key)
        if stored is None or not any(each.name == stored.protocol and each.why is not None for each in protocols):
            continue
        protocol, state = _read(protocols, stored)
        if part in _why(protocol, stored).parts(state):
            yield stored


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument(
        "name", metavar="NAME", type=text, help="d-…, collab-…, plan-… or deliver-…; a ticket: T-1, or deliver-…/T-1"
    )
    parser.add_argument("--team", default="", metavar="ID", help="whose it is, where several workspaces have one")
    add_database(parser)


def _run(options: Namespace) -> int:
    archive = archive_of(options.db)
    protocols: Sequence[Protocol] = options.protocols
    stored, part = _named(archive, protocols, options.name, options.team)
    protocol, state = _read(protocols, stored)
    why = _why(protocol, stored)
    if part and part not in why.parts(state):
        raise UnknownStream(f"{stored.key.stream} has no {part}.")
    if not part and why.record is not None and why.record_json is not None:
        said = plain_json(why.record_json(state)) if options.json else why.record(state)
    else:
        links = [*chain(archive, protocols, stored, part)]
        said = plain_json(_as_json(links)) if options.json else "\n".join(_printed(links))
    Terminal().print(said, markup=False, highlight=False, emoji=False, soft_wrap=True)
    return FINE


def _as_json(links: Sequence[Link]) -> str:
    told = [
        {"stream": each.stream, "protocol": each.protocol, "part": each.part, "said": [*each.step.said]}
        for each in links
    ]
    return json.dumps({"chain": told}, ensure_ascii=False, indent=2)


def _printed(links: Sequence[Link]) -> Iterator[str]:
    for link in links:
        yield f"{link.stream}{f'/{link.part}' if link.part else ''} ({link.protocol})"
        for line in link.step.said:
            yield "  " + line.replace("\n", "\n  ")


COMMAND: Final = Subcommand(_run, _add_arguments)
