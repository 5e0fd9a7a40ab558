"""A delivery's log follows from its events: it can be deleted and made again, byte for byte."""

import json
from typing import Any

import pytest

from engine.delivery import commands as asked
from engine.delivery.envelopes.payloads import Read, read_envelope
from engine.delivery.review.session_log import FINAL, LOG, SUMMARY, SessionLog, files_of
from engine.kernel.encoding import with_texts

from .scenario import FOR_AGENT, FOR_SCRIPT, REQUESTER, STREAM, Scenario, instructed, task


def whole() -> Scenario:
    """A delivery with everything in it that is written down."""
    scenario = instructed(
        task("a", FOR_AGENT), task("b", FOR_SCRIPT, depends_on=("a",)), task("c", needs_proposal=True)
    )
    scenario.worked(failure="exit", detail="It ended with the code 1.").later(60).rings("retry-T-1")
    scenario.worked(issues=("Which room?",)).advises("answer", text="The hall.")
    scenario.asks_leave().permits().worked().reviews("changes_requested", requested_changes=("Shorter.",))
    scenario.worked().reviews().instructs("T-2").worked("T-2").reviews(ticket_id="T-2")
    scenario.proposes("T-3").does(asked.AnswerProposal, by="U_ANN", ticket_id="T-3", agrees=True, text="Yes.")
    scenario.does(asked.RejectEnvelope, source="worker_script", payload_type="plan", message="payload.tasks: too short")
    scenario.instructs("T-3").finishes("T-3").worked("T-3").reviews(ticket_id="T-3").reports()
    return scenario


def kinds(files: dict[str, bytes]) -> list[str]:
    return [name.partition("-")[2].removesuffix(".json") for name in sorted(files) if name[:1].isdigit()]


def test_every_envelope_is_a_valid_file_in_its_order() -> None:
    files = files_of(whole().history)
    numbered = sorted(name for name in files if name[:1].isdigit())
    assert [int(name[:6]) for name in numbered] == [*range(1, len(numbered) + 1)]
    for name in numbered:
        read = read_envelope(files[name], STREAM)
        assert isinstance(read, Read), (name, read)
        assert json.loads(files[name])["timestamp"].endswith("Z")
    assert kinds(files)[:5] == ["plan", "ticket", "ticket", "ticket", "update"]
    assert {
        "instruction", "dispatch", "report", "review_request", "review", "artifact_ref", "update", "error",
        "instruction_proposal", "final_report",
    } <= set(kinds(files))  # fmt: skip


def test_made_again_it_is_the_same_to_the_byte() -> None:
    scenario = whole()
    assert files_of(scenario.history) == files_of(tuple(scenario.history))


@pytest.mark.parametrize("step", [1, 2, 7])
def test_taken_event_by_event_it_is_the_same_to_the_byte(step: int) -> None:
    history, log, files = whole().history, SessionLog(), dict[str, bytes]()
    for start in range(0, len(history), step):
        files |= log.take(history[start : start + step])
        assert files == files_of(history[: start + step])
    assert log.version == len(history)


def test_only_what_is_new_is_written() -> None:
    history, log = whole().history, SessionLog()
    log.take(history[:-3])

    assert {LOG, FINAL, SUMMARY} <= {*log.take(history[-3:])}
    assert log.take(()).keys() == {LOG, SUMMARY}


def test_what_was_written_stays_as_it_was_when_more_happens() -> None:
    history = whole().history
    before = files_of(history[: len(history) // 2])
    after = files_of(history)
    for name, content in before.items():
        if name == LOG:
            assert after[name].startswith(content)
        else:
            assert after[name] == content


def test_the_events_log_has_a_line_for_each_event_and_nobodys_words() -> None:
    scenario = whole()
    lines = files_of(scenario.history)[LOG].decode().splitlines()
    assert len(lines) == len(scenario.history)
    assert all(line.count("][") == 2 and line.startswith("[20") for line in lines)
    assert "hall" not in "\n".join(lines).casefold()
    assert any("[T-1][attempt_failed] by=worker_agent attempt=1 code=exit" in line for line in lines)


def test_the_final_report_is_there_to_be_read() -> None:
    files = files_of(whole().history)
    final: dict[str, Any] = json.loads(files[FINAL])["payload"]
    assert [each["status"] for each in final["tickets"]] == ["done"] * 3
    assert "T-1" in files[SUMMARY].decode()


def test_a_goal_is_written_down_from_its_clarification_on() -> None:
    scenario = Scenario().opens().clarifies("By when?")
    scenario.does(asked.AnswerClarification, by=REQUESTER, number=1, answers=("March",)).clarifies().plans()
    assert kinds(files_of(scenario.history)) == [
        "clarification_needed", "clarification", "clarification_response", "clarification", "error"
    ]  # fmt: skip


def test_without_peoples_words_it_is_valid_too() -> None:
    """As it is after somebody was forgotten."""
    erased = [with_texts(each, lambda _: "") for each in whole().history]
    files = files_of(erased)
    assert "hall" not in "".join(content.decode() for content in files.values())
    for name, content in files.items():
        if name[:1].isdigit():
            assert isinstance(read_envelope(content, STREAM), Read), name


@pytest.mark.parametrize(
    "text", ["x" * 2_500, "词" * 40_000, "", "a\x00b\nc"], ids=["long", "very long", "none", "odd"]
)
def test_whatever_people_and_models_write_the_log_is_there_and_valid(text: str) -> None:
    files = files_of([with_texts(each, lambda _: text) for each in whole().history])
    assert {FINAL, LOG, SUMMARY} <= {*files}
    for name, content in files.items():
        if name[:1].isdigit():
            assert isinstance(read_envelope(content, STREAM), Read), name
