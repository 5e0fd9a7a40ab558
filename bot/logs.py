"""The log: a line for each thing that matters, with the ids of its stream, and without secrets or quotations."""

import copy
import logging
import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from typing import Any, Final, TextIO

import aiohttp
import structlog
from structlog.typing import Processor

from bot.descriptions import PLAIN, Descriptions, by_event_type
from bot.terminal import cleaned, one_line
from engine.kernel import Event, StreamKey
from engine.runtime.log_context import current_stream

log = logging.getLogger(__name__)

OURS: Final = ("bot", "engine")
HIDDEN: Final = "•••"
TRACEBACKS: Final = ("exception", "stack")
SPARED: Final = 60.0
"""Seconds for which the same traceback is not told again."""
MOST_KINDS: Final = 1_000
BROKEN: Final = (ConnectionError, aiohttp.ClientError)

_SECRET: Final = re.compile(
    r"(?:xox[a-z]|xapp|sk-ant)-[\w.-]+"
    r"|(?<=\bv0=)[0-9a-f]{64}\b"  # Slack's signature
    r"|(?i:(?<=bearer )|(?<=basic ))[\w.~+/=-]+"
    r"|(?<=://)[^/@\s\"']+(?=@)"  # a name and a password
    r"|(?<=hooks\.slack\.com/)[^\s\"'<>)]+|(?<=hooks\.slack-gov\.com/)[^\s\"'<>)]+|(?<=/response/)\w+"
)
_NAMED: Final = re.compile(
    r"((?i:ticket|token|secret|api[_-]?key|password|signature)[\"']?\s*[=:]\s*[\"']?)"
    r"(?!None\b|True\b|False\b)[^\s&;,\"'<>(){}\[\]#]{6,}"
)
"""A secret behind its name: in the query of a URL, in a header, in an object that is quoted."""
_INPUT: Final = "input_value="
_AFTER_INPUT: Final = ", input_type="
"""Pydantic quotes between these what it could not read, which may be what a person wrote."""

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
            _printable,
            render,
        ],
    )
    handler = SparingHandler(to or sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # tells each try of each connection; we say the same once
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
                value = _NAMED.sub(rf"\g<1>{HIDDEN}", _SECRET.sub(HIDDEN, value))
                return _without_inputs(value)
            case dict():
                return {name: hide(each) for name, each in value.items()}
            case list() | tuple():
                return [hide(each) for each in value]
            case _:
                return value

    def process(_: Any, __: str, line: Line) -> Line:
        return {name: hide(value) for name, value in line.items()}

    return process


def _printable(_: Any, __: str, line: Line) -> Line:
    """Clean every text; only a traceback has more than one line."""
    return {
        name: (cleaned if name in TRACEBACKS else one_line)(each) if isinstance(each, str) else each
        for name, each in line.items()
    }


class SparingHandler(logging.StreamHandler[TextIO]):
    """Writes one traceback a minute of each kind, and none of a connection that broke, as that tells nothing.

    A connection can break under a thousand things at once. They are one line, and then a number.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._since: dict[tuple[str, int, str], tuple[float, int]] = {}
        """By place and kind: when it was told, and how often it happened since."""

    def emit(self, record: logging.LogRecord) -> None:
        spared = self._spared(record)
        if spared is not None:
            super().emit(spared)

    def _spared(self, record: logging.LogRecord) -> logging.LogRecord | None:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is None:
            return record
        kind = (record.name, record.lineno, type(error).__name__)
        told, times = self._since.get(kind, (-math.inf, 0))
        is_new = record.created - told >= SPARED
        if len(self._since) >= MOST_KINDS:
            self._since.clear()
        self._since[kind] = (record.created, 0) if is_new else (told, times + 1)
        is_broken_connection = isinstance(error, BROKEN)
        if is_broken_connection and not is_new:
            return None
        brief = copy.copy(record)
        if is_broken_connection or not is_new:
            brief.exc_info = brief.exc_text = None
            brief.msg, brief.args = f"{record.getMessage()} ({error!r})", ()
        if is_new and times:
            brief.msg, brief.args = f"{brief.getMessage()} (and {times} times more since it was told last)", ()
        return brief


def _without_inputs(text: str) -> str:
    """Mask each text that is quoted; one that does not end, up to the end of the text."""
    first, *others = text.split(_INPUT)
    return first + "".join(f"{_INPUT}{HIDDEN}{''.join(each.partition(_AFTER_INPUT)[1:])}" for each in others)


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
            if (line := described.log_line(event)) is not None:
                ids = {"channel_id": key.stream, "team_id": key.tenant.team_id}
                log.log(line.level, line.text, extra=ids | dict(line.fields))

    return tell
