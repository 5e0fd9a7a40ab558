"""After failures in a row calls are suspended for a while; then exactly one is let through."""

import asyncio

import msgspec
import pytest

from engine.errors import ModelError, ModelUnavailable
from engine.llm.breaker import RECOVERY, THRESHOLD, CallResult, CallsSuspended, CircuitBreaker
from engine.llm.claude import TRIES, ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.runtime.clock import JumpingClock, Monotonic
from tests.anthropic_server import KEY, LocalAnthropic, Refuses, Says, Status
from tests.negotiation.prompts import PROMPTS

from .leaping_clock import LeapingClock
from .prompt_cases import case_for

ASKED = case_for("respond")
NOON = 1_800_000_000_000
AT_ONCE = Monotonic(0)
"""For those who do not wait."""


@pytest.fixture
def still() -> JumpingClock:
    return JumpingClock(NOON)


@pytest.fixture
def breaker(still: JumpingClock) -> CircuitBreaker:
    return CircuitBreaker(still)


async def fails(breaker: CircuitBreaker, times: int = 1) -> None:
    for _ in range(times):
        async with breaker.call(AT_ONCE) as verdict:
            verdict.failed = True


async def works(breaker: CircuitBreaker) -> None:
    async with breaker.call(AT_ONCE) as verdict:
        verdict.failed = False


async def is_suspended(breaker: CircuitBreaker) -> None:
    with pytest.raises(CallsSuspended):
        await works(breaker)


def passes(clock: JumpingClock, seconds: float) -> None:
    clock.jump(clock.now() + round(1_000 * seconds))


async def test_failures_in_a_row_open_it_and_an_answer_between_them_does_not(breaker: CircuitBreaker) -> None:
    await fails(breaker, THRESHOLD - 1)
    await works(breaker)
    await fails(breaker, THRESHOLD - 1)
    assert not breaker.is_open

    await fails(breaker)
    assert breaker.is_open
    await is_suspended(breaker)


async def test_after_a_while_one_tries_and_everybody_may_when_it_works(
    breaker: CircuitBreaker, still: JumpingClock
) -> None:
    await fails(breaker, THRESHOLD)
    passes(still, RECOVERY - 0.001)
    await is_suspended(breaker)
    passes(still, 0.001)

    async with breaker.call(AT_ONCE) as probe:
        for _ in range(100):
            await is_suspended(breaker)
        probe.failed = False

    assert not breaker.is_open
    await works(breaker)
    await fails(breaker, THRESHOLD - 1)
    assert not breaker.is_open


@pytest.mark.parametrize("step", [-3_600_000, 3_600_000], ids=["an hour back", "an hour forward"])
async def test_a_suspension_lasts_as_long_whatever_the_wall_clock_is_set_to(
    breaker: CircuitBreaker, still: JumpingClock, step: int
) -> None:
    await fails(breaker, THRESHOLD)
    still.set_wall(still.now() + step)
    passes(still, RECOVERY - 0.001)
    await is_suspended(breaker)
    passes(still, 0.001)
    await works(breaker)
    assert not breaker.is_open


async def test_a_try_that_fails_suspends_everybody_anew(breaker: CircuitBreaker, still: JumpingClock) -> None:
    await fails(breaker, THRESHOLD)
    passes(still, RECOVERY)

    await fails(breaker)

    passes(still, RECOVERY - 1)
    await is_suspended(breaker)
    passes(still, 1)
    await works(breaker)
    assert breaker.times_opened == 1


async def test_a_try_that_was_cancelled_proves_nothing_and_the_next_one_tries(
    breaker: CircuitBreaker, still: JumpingClock
) -> None:
    await fails(breaker, THRESHOLD)
    passes(still, RECOVERY)
    with pytest.raises(asyncio.CancelledError):
        async with breaker.call(AT_ONCE):
            raise asyncio.CancelledError

    assert breaker.is_open
    await works(breaker)
    assert not breaker.is_open


async def test_what_began_before_it_opened_says_nothing_about_now(breaker: CircuitBreaker, still: JumpingClock) -> None:
    async with breaker.call(AT_ONCE) as early, breaker.call(AT_ONCE) as late:
        await fails(breaker, THRESHOLD)
        early.failed, late.failed = False, True
    assert breaker.is_open

    passes(still, RECOVERY)
    await works(breaker)
    assert not breaker.is_open


# ── who waits ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Callers:
    """Twenty who want to call, and whoever of them does."""

    def __init__(self, breaker: CircuitBreaker, seconds: float) -> None:
        self.calling: list[CallResult] = []
        self._breaker = breaker
        self._ends: dict[CallResult, asyncio.Event] = {}
        self.tasks = [asyncio.create_task(self._call(Monotonic(round(1_000 * seconds)))) for _ in range(20)]

    async def _call(self, until: Monotonic) -> None:
        async with self._breaker.call(until) as result:
            self.calling.append(result)
            self._ends[result] = asyncio.Event()
            await self._ends[result].wait()
            self.calling.remove(result)

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def end(self, *, failed: bool) -> None:
        for result in [*self.calling]:
            result.failed = failed
            self._ends[result].set()
        await self.settle()


async def test_of_twenty_who_wait_one_tries_and_then_all_go_on(breaker: CircuitBreaker, still: JumpingClock) -> None:
    await fails(breaker, THRESHOLD)
    callers = Callers(breaker, seconds=3 * RECOVERY)
    await callers.settle()
    assert (callers.calling, breaker.waiting) == ([], 20)

    passes(still, RECOVERY)
    await callers.settle()
    assert len(callers.calling) == 1
    await callers.end(failed=True)
    assert callers.calling == []

    passes(still, RECOVERY)
    await callers.settle()
    assert len(callers.calling) == 1
    await callers.end(failed=False)
    assert len(callers.calling) == 18
    await callers.end(failed=False)
    await asyncio.gather(*callers.tasks)
    assert breaker.waiting == 0


async def test_where_the_one_who_tries_is_cancelled_another_one_tries(
    breaker: CircuitBreaker, still: JumpingClock
) -> None:
    await fails(breaker, THRESHOLD)
    callers = Callers(breaker, seconds=3 * RECOVERY)
    passes(still, RECOVERY)
    await callers.settle()
    (first,) = callers.calling
    callers.tasks[0].cancel()
    await callers.settle()
    assert len([each for each in callers.calling if each is not first]) == 1
    for each in callers.tasks:
        each.cancel()
    await asyncio.gather(*callers.tasks, return_exceptions=True)


async def test_nobody_waits_longer_than_they_may(breaker: CircuitBreaker, still: JumpingClock) -> None:
    await fails(breaker, THRESHOLD)
    hasty, patient = Callers(breaker, seconds=RECOVERY - 1), Callers(breaker, seconds=RECOVERY + 1)
    await hasty.settle()
    assert all(isinstance(each.exception(), CallsSuspended) for each in hasty.tasks)  # no waiting in vain

    passes(still, RECOVERY)
    await patient.settle()
    assert len(patient.calling) == 1  # it tries, and does not come back
    passes(still, 1)
    await patient.settle()
    late = [each for each in patient.tasks if each.done()]
    assert len(late) == 19
    assert all(isinstance(each.exception(), CallsSuspended) for each in late)
    await patient.end(failed=False)
    await asyncio.gather(*patient.tasks, return_exceptions=True)


@pytest.mark.parametrize("step", [Status(529), Status(503)])
async def test_while_the_api_is_down_it_is_not_asked_and_then_once(
    server: LocalAnthropic, ledger: MemoryLedger, claude: ClaudeModel, clock: LeapingClock, step: Status
) -> None:
    server.always(step)
    for _ in range(THRESHOLD):
        with pytest.raises(ModelUnavailable):
            await claude.answer(msgspec.structs.replace(ASKED.question, until=clock.now() + 20_000))
    rows = len(ledger.calls)
    assert rows == THRESHOLD * TRIES

    hurried = msgspec.structs.replace(ASKED.question, until=clock.now() + 5_000)
    answers = await asyncio.gather(*(claude.answer(hurried) for _ in range(20)), return_exceptions=True)

    assert all(isinstance(each, ModelUnavailable) and "is not asked" in str(each) for each in answers)
    assert len(server.requests) == len(ledger.calls) == rows

    server.always(Says(ASKED.good))
    assert (await claude.answer(ASKED.question)).value
    assert len(server.requests) == rows + 1


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


async def test_an_api_that_asks_for_a_slower_pace_is_not_down(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(429))
    for _ in range(THRESHOLD + 1):
        with pytest.raises(ModelUnavailable):
            await claude.answer(msgspec.structs.replace(ASKED.question, until=clock.now() + 20_000))
    assert not claude.breaker.is_open

    server.always(Says(ASKED.good))
    assert (await claude.answer(ASKED.question)).value


async def test_a_question_that_tests_the_api_is_tried_once_and_waits_for_the_next_test(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(529))
    for _ in range(THRESHOLD):
        with pytest.raises(ModelUnavailable):
            await claude.answer(msgspec.structs.replace(ASKED.question, until=clock.now() + 20_000))
    server.then(Status(529), Status(529), Says(ASKED.good))
    asked, began = len(server.requests), clock.monotonic()

    assert (await claude.answer(ASKED.question)).value

    assert len(server.requests) == asked + 3
    assert clock.monotonic() - began == 3_000 * RECOVERY


async def test_whoever_waited_while_the_api_was_down_goes_on_when_it_is_back(
    server: LocalAnthropic, ledger: MemoryLedger
) -> None:
    """With a clock that stands still, so that twenty really wait at once."""
    clock = JumpingClock(NOON)
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url)
    await fails(claude.breaker, THRESHOLD)
    server.always(Says(ASKED.good))
    waiting = [asyncio.create_task(claude.answer(ASKED.question)) for _ in range(20)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert claude.breaker.waiting == len(waiting)
    assert server.requests == []

    passes(clock, RECOVERY)
    answers = await asyncio.gather(*waiting)
    await claude.close()
    assert len(answers) == len(server.requests) == len(ledger.calls) == 20
