"""After failures in a row calls are suspended for a while; then exactly one is let through."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.errors import ModelError, ModelUnavailable
from engine.llm.breaker import RECOVERY, THRESHOLD, CallResult, CallsSuspended, CircuitBreaker
from engine.llm.claude import TRIES, ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.runtime.clock import JumpingClock
from tests.anthropic_server import LocalAnthropic, Refuses, Says, Status

from .leaping_clock import LeapingClock
from .prompt_cases import case_for

ASKED = case_for("respond")
NOON = 1_800_000_000_000


@pytest.fixture
def still() -> JumpingClock:
    return JumpingClock(NOON)


@pytest.fixture
def breaker(still: JumpingClock) -> CircuitBreaker:
    return CircuitBreaker(still)


def fails(breaker: CircuitBreaker, times: int = 1) -> None:
    for _ in range(times):
        with breaker.call() as verdict:
            verdict.failed = True


def works(breaker: CircuitBreaker) -> None:
    with breaker.call() as verdict:
        verdict.failed = False


@contextmanager
def under_way(breaker: CircuitBreaker) -> Iterator[CallResult]:
    with breaker.call() as verdict:
        yield verdict


def passes(clock: JumpingClock, seconds: float) -> None:
    clock.jump(clock.now() + round(1_000 * seconds))


def test_failures_in_a_row_open_it_and_an_answer_between_them_does_not(breaker: CircuitBreaker) -> None:
    fails(breaker, THRESHOLD - 1)
    works(breaker)
    fails(breaker, THRESHOLD - 1)
    assert not breaker.is_open

    fails(breaker)
    assert breaker.is_open
    with pytest.raises(CallsSuspended), breaker.call():
        raise AssertionError("it was called")


def test_after_a_while_one_tries_and_everybody_may_when_it_works(breaker: CircuitBreaker, still: JumpingClock) -> None:
    fails(breaker, THRESHOLD)
    passes(still, RECOVERY - 0.001)
    with pytest.raises(CallsSuspended), breaker.call():
        pass
    passes(still, 0.001)

    with under_way(breaker) as probe:
        for _ in range(100):
            with pytest.raises(CallsSuspended), breaker.call():
                pass
        probe.failed = False

    assert not breaker.is_open
    works(breaker)
    fails(breaker, THRESHOLD - 1)
    assert not breaker.is_open


@pytest.mark.parametrize("step", [-3_600_000, 3_600_000], ids=["an hour back", "an hour forward"])
def test_a_suspension_lasts_as_long_whatever_the_wall_clock_is_set_to(
    breaker: CircuitBreaker, still: JumpingClock, step: int
) -> None:
    fails(breaker, THRESHOLD)
    still.set_wall(still.now() + step)
    passes(still, RECOVERY - 0.001)
    with pytest.raises(CallsSuspended), breaker.call():
        pass
    passes(still, 0.001)
    works(breaker)
    assert not breaker.is_open


def test_a_try_that_fails_suspends_everybody_anew(breaker: CircuitBreaker, still: JumpingClock) -> None:
    fails(breaker, THRESHOLD)
    passes(still, RECOVERY)

    fails(breaker)

    passes(still, RECOVERY - 1)
    with pytest.raises(CallsSuspended), breaker.call():
        pass
    passes(still, 1)
    works(breaker)
    assert breaker.times_opened == 1


def test_a_try_that_was_cancelled_proves_nothing_and_the_next_one_tries(
    breaker: CircuitBreaker, still: JumpingClock
) -> None:
    fails(breaker, THRESHOLD)
    passes(still, RECOVERY)
    with pytest.raises(asyncio.CancelledError), breaker.call():
        raise asyncio.CancelledError

    assert breaker.is_open
    works(breaker)
    assert not breaker.is_open


def test_what_began_before_it_opened_says_nothing_about_now(breaker: CircuitBreaker, still: JumpingClock) -> None:
    with under_way(breaker) as early, under_way(breaker) as late:
        fails(breaker, THRESHOLD)
        early.failed, late.failed = False, True
    assert breaker.is_open

    passes(still, RECOVERY)
    works(breaker)
    assert not breaker.is_open


@pytest.mark.parametrize("step", [Status(529), Status(503)])
async def test_while_the_api_is_down_it_is_not_asked_and_then_once(
    server: LocalAnthropic, ledger: MemoryLedger, claude: ClaudeModel, clock: LeapingClock, step: Status
) -> None:
    server.always(step)
    for _ in range(THRESHOLD):
        with pytest.raises(ModelUnavailable):
            await claude.answer(ASKED.question)
    rows = len(ledger.calls)
    assert rows == THRESHOLD * TRIES

    answers = await asyncio.gather(*(claude.answer(ASKED.question) for _ in range(20)), return_exceptions=True)

    assert all(isinstance(each, ModelUnavailable) and "is not asked" in str(each) for each in answers)
    assert len(server.requests) == len(ledger.calls) == rows

    clock.passes(round(1_000 * RECOVERY))
    server.always(Says(ASKED.good))
    tried = await asyncio.gather(*(claude.answer(ASKED.question) for _ in range(20)), return_exceptions=True)
    assert len([each for each in tried if not isinstance(each, Exception)]) == 1
    assert len(server.requests) == rows + 1
    assert (await claude.answer(ASKED.question)).value


@pytest.mark.parametrize("step", [Status(400), Refuses()])
async def test_what_is_wrong_with_one_question_suspends_nobody(
    server: LocalAnthropic, claude: ClaudeModel, step: Status | Refuses
) -> None:
    server.then(*[step] * (THRESHOLD + 2)).always(Says(ASKED.good))
    for _ in range(THRESHOLD + 2):
        with pytest.raises(ModelError):
            await claude.answer(ASKED.question)

    assert (await claude.answer(ASKED.question)).value


async def test_one_question_that_fails_whenever_it_is_tried_suspends_nobody(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.then(*[Status(529)] * TRIES).always(Says(ASKED.good))
    with pytest.raises(ModelUnavailable):
        await claude.answer(ASKED.question)

    assert (await claude.answer(ASKED.question)).value


async def test_an_api_that_asks_for_a_slower_pace_is_not_down(server: LocalAnthropic, claude: ClaudeModel) -> None:
    server.then(*[Status(429)] * TRIES * (THRESHOLD + 1)).always(Says(ASKED.good))
    for _ in range(THRESHOLD + 1):
        with pytest.raises(ModelUnavailable):
            await claude.answer(ASKED.question)

    assert (await claude.answer(ASKED.question)).value


async def test_a_question_that_tests_the_api_is_not_tried_again(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(529))
    for _ in range(THRESHOLD):
        with pytest.raises(ModelUnavailable):
            await claude.answer(ASKED.question)
    asked = len(server.requests)
    clock.passes(round(1_000 * RECOVERY))

    with pytest.raises(ModelUnavailable):
        await claude.answer(ASKED.question)

    assert len(server.requests) == asked + 1
