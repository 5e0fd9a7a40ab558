"""A loop that hangs is logged with the place, and the process ends on a signal all the same."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from engine.runtime.ending import BY_FORCE
from engine.runtime.loop_watch import watched_loop

ROOT: Final = Path(__file__).parents[2]
LONGEST: Final = 30
"""Seconds until a test fails whose process does not end."""
HANGS: Final = ["python", "regex", "system"]


class Heard(logging.Handler):
    """Notes what is logged, in whatever thread."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.said = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
        self.said.set()


async def test_a_loop_that_stands_still_is_logged_with_where_and_once_more_when_it_goes_on() -> None:
    log, heard = logging.getLogger("engine.runtime.loop_watch"), Heard()

    def a_long_computation() -> None:
        assert heard.said.wait(LONGEST)
        heard.said.clear()

    log.addHandler(heard)
    try:
        with watched_loop(0.05):
            a_long_computation()
            async with asyncio.timeout(LONGEST):
                while not heard.said.is_set():  # noqa: ASYNC110
                    await asyncio.sleep(0)
    finally:
        log.removeHandler(heard)

    still, goes_on = heard.lines
    assert "stood still" in still
    assert "a_long_computation" in still
    assert "\n" not in still
    assert "goes on" in goes_on


def hanging(how: str, grace: float, backstop: float = LONGEST) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.runtime.hanging_process", how, str(grace), str(backstop)],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def told_at_the_end(process: "subprocess.Popen[str]") -> tuple[int, str]:
    try:
        _, err = process.communicate(timeout=LONGEST)
    finally:
        process.kill()
    return process.returncode, err


def test_a_signal_ends_a_process_that_does_not_hang_in_order() -> None:
    process = hanging("not at all", 20.0)
    process.send_signal(signal.SIGTERM)

    assert told_at_the_end(process) == (0, "")


@pytest.mark.parametrize("how", [*HANGS, "finishing", "thread"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_ends_a_process_whose_loop_hangs(how: str, number: signal.Signals) -> None:
    process = hanging(how, 0.3)
    process.send_signal(number)

    code, err = told_at_the_end(process)

    assert code == BY_FORCE
    assert err.count("towow: ended by force: it did not end in time") == 1


def test_a_process_is_ended_that_cannot_even_run_the_handler_of_a_signal() -> None:
    process = hanging("at its end", 0.1, 0.1)
    process.send_signal(signal.SIGTERM)

    code, err = told_at_the_end(process)

    assert code == BY_FORCE
    assert "in_no_bytecode" in err


@pytest.mark.parametrize("how", HANGS)
def test_a_second_signal_ends_it_at_once(how: str) -> None:
    process = hanging(how, 3_600.0)
    assert process.poll() is None
    while process.poll() is None:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)  # a flood of signals would keep it from everything else

    code, err = told_at_the_end(process)

    assert code == BY_FORCE
    assert err.count("towow: ended by force: a second SIGTERM") == 1


def test_where_no_other_thread_can_run_the_place_is_told_all_the_same() -> None:
    process = hanging("regex", 0.3)
    assert process.stderr is not None
    said = [process.stderr.readline() for _ in range(12)]
    process.send_signal(signal.SIGTERM)
    told_at_the_end(process)

    assert "in_a_regular_expression" in "".join(said)
