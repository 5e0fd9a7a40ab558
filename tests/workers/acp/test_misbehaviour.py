"""An agent may do what it likes: the attempt ends, it is said how, and nothing of it runs any more."""

import asyncio
import sys
from dataclasses import replace as replace_field

import pytest
from msgspec.structs import replace

from engine.workers.acp_lines import MOST_FAULTS
from engine.workers.port import Limits

from .behaviours import SECRET
from .conftest import LIMITS, NOW, Bench

FLOODED = replace(LIMITS, output_bytes=200_000)


async def test_what_an_agent_makes_is_registered(bench: Bench) -> None:
    outcome = await bench.attempt("writes")
    assert outcome.failure is None
    assert outcome.summary == "I have written the plan."
    assert outcome.worker == "agent 1.2"
    assert (outcome.input_tokens, outcome.output_tokens) == (50, 20)
    assert outcome.faults == ()
    assert bench.left() == []


@pytest.mark.parametrize(
    ("how", "failure"),
    [
        pytest.param("lies", "evidence_missing", id="claims success without a file"),
        pytest.param("dies mid-line", "exit", id="dies in the middle of a line"),
        pytest.param("another version", "protocol", id="speaks another version", marks=pytest.mark.exhaustive),
        pytest.param("wants a login", "misconfigured", id="wants somebody to log in", marks=pytest.mark.exhaustive),
        pytest.param("ends with max_tokens", "exit", id="reaches its longest answer"),
        pytest.param("ends with max_turn_requests", "exit", id="asks too often", marks=pytest.mark.exhaustive),
        pytest.param("ends with cancelled", "exit", id="cancels itself", marks=pytest.mark.exhaustive),
        pytest.param("ends with whim", "protocol", id="ends for a reason that nobody knows"),
        pytest.param("no such behaviour", "agent_error", id="fails"),
    ],
)
async def test_what_comes_to_nothing_is_a_failure(bench: Bench, how: str, failure: str) -> None:
    outcome = await bench.attempt(how)
    assert outcome.failure == failure
    assert bench.left() == []


async def test_the_cause_that_an_agent_tells_is_told_without_its_secrets(bench: Bench) -> None:
    outcome = await bench.attempt("is overloaded")
    assert outcome.failure == "agent_error"
    assert "session/prompt, error -32603: Internal error: API Error: 529 Overloaded for" in outcome.detail
    assert "xxxx" not in outcome.detail


async def test_who_has_to_log_in_is_told_apart_by_whether_there_is_a_key(bench: Bench) -> None:
    assert "names no auth_profile" in (await bench.attempt("wants a login")).detail


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param("import sys; sys.exit('no module')", "ended with the code 1 before it spoke", id="it fails"),
        pytest.param("print('Hello!')", "ended with the code 0 before it spoke", id="it is something else"),
        pytest.param("import sys; sys.exit(127)", "or what runs it, is not installed", id="nothing runs it"),
    ],
)
async def test_what_never_spoke_is_told_by_how_it_ended(bench: Bench, body: str, said: str) -> None:
    bench = replace_field(bench, command=(sys.executable, "-I", "-S", "-c", body))
    assert said in (await bench.attempt("")).detail


@pytest.mark.parametrize("how", ["never greets", "hangs before", "ignores terminate"])
async def test_an_agent_that_is_silent_is_ended(bench: Bench, how: str) -> None:
    attempt = await bench.begun(how)
    bench.clock.jump(NOW + round(LIMITS.silence * 1000))
    assert (await attempt).failure == "stalled"
    assert bench.left() == []


async def test_an_agent_that_takes_too_long_is_ended(bench: Bench) -> None:
    attempt = await bench.begun("hangs before", limits=replace(LIMITS, silence=LIMITS.total * 2))
    bench.clock.jump(NOW + round(LIMITS.total * 1000))
    assert (await attempt).failure == "timeout"


async def test_an_agent_that_does_not_end_its_turn_is_ended_and_its_question_stays(bench: Bench) -> None:
    outcome = await bench.attempt("asks and hangs", limits=replace(LIMITS, permission_wait=0.1))
    assert outcome.failure is None
    assert outcome.permission is not None
    assert bench.left() == []


@pytest.mark.parametrize("how", ["hangs after", "leaves a child"])
async def test_what_goes_on_after_the_result_is_ended(bench: Bench, how: str) -> None:
    assert (await bench.attempt(how)).failure is None
    assert bench.left() == []


async def test_an_attempt_that_nobody_wants_any_more_leaves_nothing(bench: Bench) -> None:
    attempt = await bench.begun("hangs before")
    attempt.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attempt
    assert bench.left() == []


async def test_a_flood_is_dammed(bench: Bench) -> None:
    assert (await bench.attempt("floods", limits=FLOODED)).failure == "flood"
    assert bench.left() == []


async def test_a_long_message_is_no_flood(bench: Bench) -> None:
    outcome = await bench.attempt("says much")
    assert (outcome.failure, outcome.summary) == (None, "I have written the plan.")


async def test_garbage_is_a_fault_and_moves_nothing(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    outcome = await bench.attempt("speaks garbage")
    assert (outcome.failure, outcome.summary) == (None, "I have written the plan.")
    assert {each.message.partition(":")[0] for each in outcome.faults} == {
        "a line has to be a JSON-RPC message, which is an object on one line", "id", "method", "error",
        "needs sessionId, and update with sessionUpdate",
    }  # fmt: skip
    assert len(outcome.faults) <= MOST_FAULTS
    assert SECRET not in str(outcome)
    assert SECRET not in caplog.text


async def test_words_for_another_session_are_not_heard(bench: Bench) -> None:
    outcome = await bench.attempt("speaks of another session")
    assert outcome.summary == "I have written the plan."
    assert [each.payload_type for each in outcome.faults] == ["session/update"]


async def test_files_and_terminals_are_not_offered(bench: Bench) -> None:
    assert (await bench.attempt("wants files of ours")).failure is None
    assert bench.answers() == ["-32601"] * 4


async def test_an_agent_that_refuses_is_blocked(bench: Bench) -> None:
    outcome = await bench.attempt("ends with refusal")
    assert (outcome.failure, outcome.issues) == (None, ("I will not.",))


@pytest.mark.parametrize(
    ("limits", "spent"),
    [
        pytest.param(replace(LIMITS, tokens=5000), 5, id="tokens"),
        pytest.param(replace(LIMITS, usd=0.55), 5, id="money"),
    ],
)
async def test_an_agent_that_spends_too_much_is_stopped(bench: Bench, limits: Limits, spent: int) -> None:
    outcome = await bench.attempt("spends", limits=limits)
    assert outcome.failure == "budget"
    assert outcome.usd > spent / 10
    assert not (bench.directory / "plan.md").exists()
    assert (bench.directory / "cancelled").exists()
