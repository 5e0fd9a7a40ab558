"""The log: a line for whatever matters, with the ids of what it is about, and without a secret or anybody's words."""

import logging
import re
import sys
from collections.abc import Iterable, MutableMapping, Sequence
from typing import Any, Final, TextIO

import structlog
from structlog.typing import Processor

from engine.kernel import Event, StreamKey
from engine.negotiation import events as said
from engine.runtime.log_context import current_stream

log = logging.getLogger(__name__)

OURS: Final = ("bot", "engine")
HIDDEN: Final = "•••"

_SECRET: Final = re.compile(r"(?:xox[a-z]|xapp|sk-ant)-[\w.-]+|(?i:bearer)\s+[\w.~+/=-]+")
_INPUT: Final = re.compile(r"input_value=.*?, input_type=", re.DOTALL)
"""What pydantic quotes of what it could not read: somebody's words, perhaps."""

Line = MutableMapping[str, Any]


def configure(
    *,
    level: int,
    as_json: bool,
    secrets: Iterable[str] = (),
    tells_all: bool = True,
    to: TextIO | None = None,
) -> None:
    """
    Args:
        level: of our own lines; libraries' are told from warnings on.
        as_json: one object a line, for programs; else for people.
        secrets: what must never be seen, wherever it stands.
        tells_all: whether it is told how each negotiation goes; a command for people shows them that itself.
    """
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _with_ids,
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
    """A processor that masks these, whatever looks like a token, and what pydantic quotes."""
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


def _with_ids(_: Any, __: str, line: Line) -> Line:
    about = current_stream()
    if about is not None:
        line.setdefault("team_id", about.tenant.team_id)
        line.setdefault("channel_id", about.stream)
        if about.stream.startswith("collab-"):
            line.setdefault("demand_id", f"d-{about.stream.removeprefix('collab-')}")
    return line


def tell(key: StreamKey, events: Sequence[Event]) -> None:
    """The lines that seed 000, section 9.3, names, and how it ended: for `Runtime.listen`."""
    for event in events:
        line = _line(event)
        if line is not None:
            level, text, fields = line
            log.log(level, text, extra={"channel_id": key.stream, "team_id": key.tenant.team_id} | fields)


def _line(event: Event) -> tuple[int, str, dict[str, Any]] | None:
    """Never in anybody's words."""
    match event:
        case said.DemandSubmitted():
            return logging.INFO, "a demand is taken up", {"demand_id": event.demand_id, "policy": event.policy.name}
        case said.FilterCompleted():
            return logging.INFO, "candidates are found", {"demand_id": event.demand_id, "found": event.candidates_count}
        case said.RoundStarted():
            return logging.INFO, "a round begins", {"demand_id": event.demand_id, "round": event.round}
        case said.ProposalFinalized() | said.ForceFinalized():
            counted = {"rounds": event.rounds_taken, "participants": event.participants_count}
            return logging.INFO, "a plan stands", {"demand_id": event.demand_id, **counted}
        case said.NegotiationCancelled():
            return logging.INFO, "a negotiation is stopped", {"demand_id": event.demand_id}
        case said.NegotiationFailed():
            return logging.ERROR, "a negotiation failed", {"demand_id": event.demand_id, "reason": str(event.reason)}
        case said.StepDegraded():
            text = "a model did not answer in time" if event.why == "E004" else "a model gave no usable answer"
            fields = {"prompt": event.prompt, "agent_id": event.agent_id, "code": event.why}
            return logging.WARNING, f"{text}; what stands in for it is used", {"demand_id": event.demand_id, **fields}
        case _:
            return None
