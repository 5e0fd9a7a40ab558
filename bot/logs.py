"""The log: a line for each thing that matters, with the ids of its stream, and without secrets or quotations."""

import logging
import re
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from typing import Any, Final, TextIO

import structlog
from structlog.typing import Processor

from bot.descriptions import PLAIN, Descriptions, by_event_type
from engine.kernel import Event, StreamKey
from engine.runtime.log_context import current_stream

log = logging.getLogger(__name__)

OURS: Final = ("bot", "engine")
HIDDEN: Final = "•••"

_SECRET: Final = re.compile(r"(?:xox[a-z]|xapp|sk-ant)-[\w.-]+|(?i:bearer)\s+[\w.~+/=-]+")
_INPUT: Final = re.compile(r"input_value=.*?, input_type=", re.DOTALL)
"""Pydantic quotes what it could not read, which may be what a person wrote."""

Line = MutableMapping[str, Any]


def configure(
    *,
    level: int,
    as_json: bool,
    secrets: Iterable[str] = (),
    tells_all: bool = True,
    descriptions: Sequence[Descriptions] = (),
    to: TextIO | None = None,
) -> None:
    """Send everything that is logged to one stream, in one form.

    Args:
        level: of our own lines; libraries' are told from warnings on.
        as_json: one object a line, for programs; else for people.
        secrets: texts that are masked wherever they stand.
        tells_all: whether a line is written for what happens in each stream; a command for people shows them that
            itself.
        descriptions: say what else a stream is called.
    """
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _with_ids([each.other_ids for each in descriptions]),
    ]
    render: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            hiding(secrets),
            render,
        ],
    )
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    log.setLevel(logging.NOTSET if tells_all else logging.CRITICAL)


def hiding(secrets: Iterable[str]) -> Processor:
    """Return a processor that masks these, whatever looks like a token, and what pydantic quotes."""
    known = [re.escape(each) for each in secrets if each]
    exact = re.compile("|".join(known)) if known else None

    def hide(value: Any) -> Any:
        match value:
            case str():
                value = exact.sub(HIDDEN, value) if exact else value
                return _INPUT.sub(f"input_value={HIDDEN}, input_type=", _SECRET.sub(HIDDEN, value))
            case dict():
                return {name: hide(each) for name, each in value.items()}
            case list() | tuple():
                return [hide(each) for each in value]
            case _:
                return value

    def process(_: Any, __: str, line: Line) -> Line:
        return {name: hide(value) for name, value in line.items()}

    return process


def _with_ids(other_ids: Sequence[Callable[[str], Mapping[str, str]]]) -> Processor:
    """Return a processor that adds the ids of the stream that is being worked on."""

    def process(_: Any, __: str, line: Line) -> Line:
        about = current_stream()
        if about is not None:
            line.setdefault("team_id", about.tenant.team_id)
            line.setdefault("channel_id", about.stream)
            for ids in other_ids:
                for name, value in ids(about.stream).items():
                    line.setdefault(name, value)
        return line

    return process


def event_logger(descriptions: Sequence[Descriptions]) -> Callable[[StreamKey, Sequence[Event]], None]:
    """Return a listener for `Runtime.listen` that logs each event that is worth a line."""
    owners = by_event_type(descriptions)

    def tell(key: StreamKey, events: Sequence[Event]) -> None:
        for event in events:
            described = owners.get(event.event_type, PLAIN)
            if event.event_type not in described.unlogged:
                line = described.log_line(event)
                ids = {"channel_id": key.stream, "team_id": key.tenant.team_id}
                log.log(line.level, line.text, extra=ids | dict(line.fields))

    return tell
