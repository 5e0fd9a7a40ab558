"""``towow export``: every event of one stream, without disturbing a ToWow that runs on the database."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Final

from bot.commands.subcommand import FINE, Subcommand, add_stream, found, protocol_of
from bot.databases import archive_of
from bot.protocol_row import Protocol
from bot.terminal import plain_json, stop_printing
from engine.runtime.streams import envelope
from engine.store.port import Stream


def exported(stored: Stream, protocols: Sequence[Protocol]) -> Iterator[str]:
    """Yield every event in its envelope, private fields included, as a line of JSON."""
    events = protocol_of(stored, protocols).rulebook.events
    for each in stored.events:
        yield json.dumps(envelope(each, events).model_dump(mode="json"), ensure_ascii=False)


def _run(options: Namespace) -> int:
    stored = found(archive_of(options.db), options.protocols, options.name, options.team)
    try:
        for line in exported(stored, options.protocols):
            print(plain_json(line))
        sys.stdout.flush()
    except BrokenPipeError:
        stop_printing()
    return FINE


COMMAND: Final = Subcommand(_run, add_stream)
