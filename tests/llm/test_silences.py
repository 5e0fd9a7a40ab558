"""A demand waits for a model that says nothing once, and not in each of its steps anew."""

import msgspec
import pytest

from engine.errors import ModelError
from engine.kernel import StreamKey
from engine.llm.claude import TIMEOUT, ClaudeModel
from engine.llm.silences import LONGEST, MOST_KNOWN, Silences
from engine.runtime.clock import JumpingClock, Monotonic
from tests.anthropic_server import LocalAnthropic, Says, Status

from .leaping_clock import LeapingClock
from .prompt_cases import KEY, case_for

ASKED = case_for("respond")
STEPS = 8


async def seconds_waited(claude: ClaudeModel, clock: LeapingClock, step: float = 300, key: StreamKey = KEY) -> float:
    """Ask for a step that has so many seconds, and return how many passed until nobody waited any more."""
    began = clock.monotonic()
    until = clock.now() + round(1_000 * step)
    with pytest.raises(ModelError):
        await claude.answer(msgspec.structs.replace(ASKED.question, key=key, until=until))
    return (clock.monotonic() - began) / 1_000


async def test_a_stream_waits_two_minutes_in_vain_and_then_in_no_step(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(529))
    waited = [await seconds_waited(claude, clock) for _ in range(STEPS)]
    assert LONGEST / 2_000 < sum(waited) < LONGEST / 1_000 + STEPS * TIMEOUT
    assert max(waited[-3:]) <= TIMEOUT


async def test_another_stream_has_its_own_time(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(529))
    for _ in range(STEPS):
        await seconds_waited(claude, clock)
    other = StreamKey(KEY.tenant, "d-other")
    assert await seconds_waited(claude, clock, key=other) > LONGEST / 2_000


async def test_once_the_model_has_answered_a_stream_has_all_its_time_again(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(529))
    for _ in range(STEPS):
        await seconds_waited(claude, clock)
    clock.passes(60_000)
    server.always(Says(ASKED.good))
    assert (await claude.answer(msgspec.structs.replace(ASKED.question, key=KEY, until=clock.now() + 300_000))).value
    server.always(Status(529))
    assert sum([await seconds_waited(claude, clock) for _ in range(STEPS)]) > LONGEST / 2_000


async def test_a_question_for_which_nobody_waits_keeps_its_window(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(529))
    for _ in range(STEPS):
        await seconds_waited(claude, clock)
    began = clock.monotonic()
    with pytest.raises(ModelError):
        await claude.answer(msgspec.structs.replace(ASKED.question, key=KEY, until=0))
    assert clock.monotonic() - began > LONGEST / 2


def test_only_so_many_streams_are_known() -> None:
    silences = Silences(JumpingClock(0))
    for number in range(MOST_KNOWN + 1):
        silences.lasts(StreamKey(KEY.tenant, f"d-{number}"), Monotonic(0), 1)
    assert StreamKey(KEY.tenant, "d-0") not in silences
    assert StreamKey(KEY.tenant, "d-1") in silences
