"""Which failures are retried, for how long, and which error is raised in the end."""

import asyncio
import dataclasses
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import msgspec
import pytest

from engine.errors import ModelError, ModelTimeout, ModelUnavailable
from engine.llm.claude import IN_TIME, LONGEST_PAUSE, TRIES, WINDOW, ClaudeModel
from engine.llm.ledger import MemoryLedger, Outcome
from tests.anthropic_server import KEY, Drips, Drops, Garbled, LocalAnthropic, Received, Says, Stalls, Status, Step
from tests.negotiation.prompts import PROMPTS

from .certificates import unknown_server
from .leaping_clock import LeapingClock
from .prompt_cases import case_for

ASKED = case_for("respond")
NO_END = msgspec.structs.replace(ASKED.question, until=0)
"""Its step has no end of its own."""
LONG = case_for("aggregate")
"""Its header allows 60 seconds."""

MOMENTARY = [
    pytest.param(Status(500), id="500"),
    pytest.param(Status(503), id="503"),
    pytest.param(Status(529), id="529"),
    pytest.param(Drops("before"), id="dropped before the answer"),
    pytest.param(Drops("after"), id="dropped within the answer"),
    pytest.param(Garbled(), id="half a body"),
    pytest.param(Garbled("{}"), id="JSON that is no message"),
    pytest.param(Garbled("<html>Welcome to the hotel", "text/html"), id="a page"),
    pytest.param(Garbled("<html>Bad gateway", "text/html", status=502), id="a gateway's page"),
]


@pytest.mark.parametrize("step", MOMENTARY)
async def test_what_may_pass_is_tried_again(server: LocalAnthropic, claude: ClaudeModel, step: Step) -> None:
    server.then(step, step, Says(ASKED.good))
    assert (await claude.answer(ASKED.question)).value.decision == "participate"
    assert len(server.requests) == 3


@pytest.mark.parametrize("step", MOMENTARY)
async def test_three_times_and_no_more(server: LocalAnthropic, claude: ClaudeModel, step: Step) -> None:
    server.always(step)
    with pytest.raises(ModelUnavailable) as unavailable:
        await claude.answer(ASKED.question)
    assert len(server.requests) == 3
    assert unavailable.value.code == "E003"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 409, 413, 422])
async def test_what_will_not_pass_is_not_tried_again(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock, status: int
) -> None:
    server.always(Status(status, retry_after="1"))
    with pytest.raises(ModelUnavailable, match=f"The API said {status}"):
        await claude.answer(ASKED.question)
    assert len(server.requests) == 1
    assert clock.waited == []


async def test_an_api_that_says_do_not_try_again_is_believed(server: LocalAnthropic, claude: ClaudeModel) -> None:
    """A spending limit is a 429 as well."""
    server.always(Status(429, should_retry="false"))
    with pytest.raises(ModelUnavailable):
        await claude.answer(ASKED.question)
    assert len(server.requests) == 1


async def test_nobody_there_is_unavailable(ledger: MemoryLedger, clock: LeapingClock) -> None:
    async with LocalAnthropic() as server:
        url = server.url
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=url)
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await claude.answer(ASKED.question)
    await claude.close()
    assert [each.outcome for each in ledger.calls] == [Outcome.UNREACHABLE] * 3


# ── pace ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_api_that_asks_for_a_slower_pace_is_asked_again_however_often_it_does(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.then(*[Status(429, retry_after="2")] * 10, Says(ASKED.good))
    assert (await claude.answer(ASKED.question)).value.decision == "participate"
    assert [each.outcome for each in ledger.calls] == [*[Outcome.REFUSED] * 10, Outcome.ANSWERED]


async def test_an_api_that_never_lets_anybody_through_is_given_up_when_the_window_ends(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger, clock: LeapingClock
) -> None:
    server.always(Status(429, retry_after="600"))
    began = clock.monotonic()
    with pytest.raises(ModelUnavailable, match="could not be asked negotiation/respond in time"):
        await claude.answer(NO_END)
    assert clock.monotonic() - began == 1_000 * WINDOW
    assert len(server.requests) == len(ledger.calls) == WINDOW / LONGEST_PAUSE


async def test_the_window_of_a_question_is_that_of_its_step(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(429, retry_after="7"))
    began = clock.monotonic()
    with pytest.raises(ModelUnavailable):
        await claude.answer(msgspec.structs.replace(ASKED.question, until=clock.now() + 20_000))
    assert clock.monotonic() - began == 20_000 - 1_000 * IN_TIME


# ── pauses ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_pauses_grow_and_are_never_the_same(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    for _ in range(5):
        server.then(Status(529), Status(529), Says(ASKED.good))
        await claude.answer(ASKED.question)
    firsts, seconds = clock.waited[::2], clock.waited[1::2]
    assert all(250 <= each <= 500 for each in firsts)
    assert all(500 <= each <= 1000 for each in seconds)
    assert len({*firsts, *seconds}) > 1


@pytest.mark.parametrize(
    ("retry_after", "least", "most"),
    [
        pytest.param("7", 7_000, 7_000, id="seconds"),
        pytest.param("2.5", 2_500, 2_500, id="parts of seconds"),
        pytest.param("0", 1_000, 1_000, id="at once: not before our own pause"),
        pytest.param("3600", 30_000, 30_000, id="an hour: half a minute"),
        pytest.param("inf", 30_000, 30_000, id="for ever: half a minute"),
        pytest.param("nan", 1_000, 1_000, id="no number"),
        pytest.param("-5", 1_000, 1_000, id="before now"),
        pytest.param("Wed, 21 Oct 2026 07:28:00 GMT", 1_000, 1_000, id="a date"),
    ],
)
async def test_the_pause_the_api_asks_for_is_kept_within_reason(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock, retry_after: str, least: int, most: int
) -> None:
    server.then(Status(429, retry_after=retry_after), Says(LONG.good))
    await claude.answer(LONG.question)
    (waited,) = clock.waited
    assert least <= waited <= most


async def test_a_pause_that_the_api_names_by_its_date_is_kept(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    server.then(Status(429, retry_after=then), Says(LONG.good))
    await claude.answer(LONG.question)
    (waited,) = clock.waited
    assert 15_000 <= waited <= 40_000


@pytest.mark.parametrize("usage", [None, {"input_tokens": None, "output_tokens": 3}])
async def test_an_answer_whose_tokens_are_not_counted_is_an_answer(
    server: LocalAnthropic, claude: ClaudeModel, usage: object
) -> None:
    block = {"type": "text", "text": json.dumps(ASKED.good)}
    message = {"type": "message", "model": "m", "content": [block], "stop_reason": "end_turn", "usage": usage}
    server.then(Garbled(json.dumps(message)))
    assert (await claude.answer(ASKED.question)).value.decision == "participate"


async def test_who_has_a_certificate_that_nobody_knows_is_asked_once_and_it_is_said(
    ledger: MemoryLedger, clock: LeapingClock, tmp_path: Path
) -> None:
    async with unknown_server(tmp_path) as url:
        claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=url)
        with pytest.raises(ModelUnavailable, match="certificate cannot be verified"):
            await claude.answer(ASKED.question)
        await claude.close()
    assert [each.outcome for each in ledger.calls] == [Outcome.UNREACHABLE]


async def test_a_pause_beyond_the_questions_time_is_not_begun(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Status(529, retry_after="30"))
    with pytest.raises(ModelUnavailable):
        await claude.answer(msgspec.structs.replace(ASKED.question, until=clock.now() + 25_000))
    assert len(server.requests) == 1
    assert clock.waited == []


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("step", [Stalls(), Drips()], ids=["nothing comes", "it comes in drops"])
async def test_an_answer_that_does_not_come_in_time_is_asked_for_again_and_not_for_ever(
    server: LocalAnthropic, ledger: MemoryLedger, clock: LeapingClock, step: Step
) -> None:
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url, timeout=0.2)
    server.always(step)
    with pytest.raises(ModelTimeout, match=r"claude-haiku-5-5 gave no answer within 0\.2 s") as late:
        await claude.answer(ASKED.question)
    await claude.close()
    assert late.value.code == "E004"
    assert [each.outcome for each in ledger.calls] == [Outcome.TIMEOUT] * TRIES


async def test_a_slow_model_is_given_more_time_by_what_it_was_seen_to_take(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    hasty = dataclasses.replace(ASKED.question.prompt, timeout=0.2)
    server.always(Stalls())
    question = msgspec.structs.replace(ASKED.question, prompt=hasty)
    with pytest.raises(ModelTimeout, match=r"within (0\.[89]|[1-9])"):
        await claude.answer(question)
    server.always(Says(ASKED.good, after=0.25))
    assert (await claude.answer(question)).value.decision == "participate"
    assert [each.outcome for each in ledger.calls] == [*[Outcome.TIMEOUT] * TRIES, Outcome.ANSWERED]


async def test_a_prompts_header_says_how_long_it_may_take(
    server: LocalAnthropic, claude: ClaudeModel, clock: LeapingClock
) -> None:
    server.always(Stalls())
    impatient = dataclasses.replace(ASKED.question.prompt, timeout=0.02)
    hasty = msgspec.structs.replace(ASKED.question, prompt=impatient)
    with pytest.raises(ModelTimeout, match=r"within 0\.\d+ s"):
        await claude.answer(hasty)


@pytest.mark.parametrize("name", PROMPTS)
async def test_the_setting_holds_for_every_prompt_whatever_its_header_says(
    server: LocalAnthropic, ledger: MemoryLedger, clock: LeapingClock, name: str
) -> None:
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url, timeout=0.05)
    server.always(Stalls())
    asked = case_for(name.removeprefix("negotiation/"))
    with pytest.raises(ModelTimeout, match=r"within 0\.05 s"):
        await claude.answer(asked.question)
    await claude.close()


async def test_an_answer_in_time_is_taken_although_others_stall(server: LocalAnthropic, claude: ClaudeModel) -> None:
    server.then(Stalls(), Says(ASKED.good))
    stalled = asyncio.create_task(claude.answer(ASKED.question))
    await server.received(1)
    assert (await claude.answer(ASKED.question)).value.decision == "participate"
    stalled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stalled


async def test_a_question_nobody_waits_for_any_more_ends_at_once_and_is_in_the_ledger(
    server: LocalAnthropic, claude: ClaudeModel, ledger: MemoryLedger
) -> None:
    server.always(Stalls())
    asking = asyncio.create_task(claude.answer(ASKED.question))
    await server.received(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert [each.outcome for each in ledger.calls] == [Outcome.CANCELLED]


async def test_many_may_ask_at_once(server: LocalAnthropic, claude: ClaudeModel) -> None:
    server.always(Says(ASKED.good, after=0.01))
    answers = await asyncio.gather(*(claude.answer(ASKED.question) for _ in range(64)))
    assert len({each.value.decision for each in answers}) == 1
    assert len(server.requests) == 64


@pytest.mark.parametrize(
    ("took", "said", "calls"),
    [
        pytest.param(119_950, r"gave no answer within 0\.05 s", 2, id="a little is left"),
        pytest.param(120_000, "had no time left to answer negotiation/respond again", 1, id="nothing is left"),
    ],
)
async def test_tries_pauses_and_repair_share_the_window(
    server: LocalAnthropic, ledger: MemoryLedger, clock: LeapingClock, took: int, said: str, calls: int
) -> None:
    def unusable(_: Received) -> Step:
        clock.passes(took)
        return Says("Not an answer") if len(server.requests) == 1 else Stalls()

    server.always(unusable)
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url, timeout=2)
    with pytest.raises(ModelTimeout, match=said):
        await claude.answer(NO_END)
    await claude.close()
    assert len(ledger.calls) == calls


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("status", "words"),
    [
        pytest.param(400, "(invalid_request_error, req_000001, Your credit balance is too low)", id="ours to repair"),
        pytest.param(404, "(not_found_error, req_000001, Your credit balance is too low)", id="no such model"),
        pytest.param(401, "(authentication_error, req_000001)", id="about the key"),
        pytest.param(500, "(api_error, req_000001)", id="theirs"),
    ],
)
async def test_the_apis_words_are_passed_on_where_they_help(
    server: LocalAnthropic, claude: ClaudeModel, status: int, words: str
) -> None:
    server.always(Status(status, should_retry="false", message="Your credit\nbalance is too low"))
    with pytest.raises(ModelError) as failed:
        await claude.answer(ASKED.question)
    assert str(failed.value) == f"The API said {status} to a question for claude-haiku-5-5 {words}."


@pytest.mark.parametrize(
    "body",
    ["", "null", "[]", '"no"', '{"error": "no"}', '{"error": {"type": ["a"], "message": {"why": "b"}}}'],
)
async def test_errors_in_the_words_of_somebody_else_are_errors_all_the_same(
    server: LocalAnthropic, claude: ClaudeModel, body: str
) -> None:
    server.always(Garbled(body, status=400))
    with pytest.raises(ModelUnavailable, match="The API said 400"):
        await claude.answer(ASKED.question)
