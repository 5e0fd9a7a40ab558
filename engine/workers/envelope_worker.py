"""Runs commands that speak our envelopes: one on stdin, and what they report by line on stdout."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from engine.workers.envelope_lines import ArtifactRef, ErrorPayload, Report, read_line
from engine.workers.port import Failure, Fault, WorkOrder, WorkOutcome
from engine.workers.process import Launch, ProcessTrouble, Stalled, WorkerProcess, started

MOST_FAULTS: Final = 20
LINGER: Final = 5.0
"""Seconds that a command has to end by itself once it has reported."""


@dataclass
class Heard:
    """What a command has sent."""

    report: Report | None = None
    error: ErrorPayload | None = None
    digests: dict[str, str] = field(default_factory=dict)
    """By path, as it announced them."""
    faults: list[Fault] = field(default_factory=list)

    def take(self, line: bytes, order: WorkOrder) -> None:
        said = read_line(line, order.session, order.ticket)
        if isinstance(said, Fault):
            if len(self.faults) < MOST_FAULTS:
                self.faults.append(said)
            return
        match said[1]:
            case Report() as report:
                self.report = report
            case ArtifactRef() as announced:
                if announced.digest is not None:
                    self.digests[announced.uri.removeprefix("./")] = announced.digest
            case ErrorPayload() as error:
                self.error = error


@dataclass(frozen=True, slots=True)
class Ended:
    """How an attempt ended, by what the command says of it."""

    outcome: WorkOutcome
    is_claimed: bool = False
    """Whether it says that everything is there, which is looked at next."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """By path, as it announced them."""


async def run_envelope(order: WorkOrder, launch: Launch) -> Ended:
    """Run one attempt to its end. Only a cancellation is raised."""
    heard = Heard()
    try:
        async with started(launch) as process:
            await process.write(json.dumps(order.envelope, ensure_ascii=False).encode() + b"\n", close=True)
            code = await _listen(process, order, heard)
    except ProcessTrouble as trouble:
        return _failed(trouble.failure, str(trouble), heard)
    return _ended(order, heard, code)


async def _listen(process: WorkerProcess, order: WorkOrder, heard: Heard) -> int:
    """Take what it says until it has ended, and return how; 0 where it goes on after its report, and is ended."""
    try:
        async for line in process.lines():
            if line.strip():
                heard.take(line, order)
            if heard.report is not None:
                process.hurry(LINGER)
        return await process.ended()
    except Stalled:
        if heard.report is None:
            raise
        return 0


def _ended(order: WorkOrder, heard: Heard, code: int) -> Ended:
    report = heard.report
    if code != 0:
        return _failed("exit", f"It ended with the code {code}.", heard)
    if report is None and heard.error is not None:
        return _failed("exit", "It reported an error.", heard)
    if report is None:
        return _failed("protocol", "It ended without a report that can be understood.", heard)
    said = WorkOutcome(
        summary=report.summary, issues=report.issues, next_actions=report.next_actions, faults=tuple(heard.faults)
    )
    if order.purpose == "discuss":
        if report.status != "proposal":
            return _failed("protocol", "It was asked about a proposal, and reported something else.", heard)
        return Ended(replace(said, agrees=not report.issues, answers=report.outputs))
    match report.status:
        case "completed":
            return Ended(said, is_claimed=True, digests=heard.digests)
        case "blocked":
            return Ended(replace(said, issues=report.issues or ("It did not say what it lacks.",)))
        case _:
            return _failed("exit", "It reported an error.", heard)


def _failed(failure: Failure, detail: str, heard: Heard) -> Ended:
    return Ended(WorkOutcome(failure=failure, detail=detail, faults=tuple(heard.faults)))
