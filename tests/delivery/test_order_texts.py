"""What workers are told of their tickets, and that all of it is data."""

from typing import Any

from engine.delivery import commands as asked
from engine.delivery.answers import WorkAnswer
from engine.delivery.terms import ExpectedOutput
from engine.delivery.work.work_orders import WORK
from engine.kernel import RunWorker
from engine.workers.port import WorkOrder

from .scenario import FOR_AGENT, FOR_SCRIPT, FOR_WRITER, NOON, REQUESTER, Scenario, instructed, opened, task


def order(scenario: Scenario, ticket_id: str = "T-1", purpose: str = "work") -> WorkOrder:
    number = len(scenario.ticket(ticket_id).attempts) or 1
    name = f"{purpose}-{ticket_id}-{number}"
    return WORK.order(scenario.state, RunWorker(name=name, scope=name, about=ticket_id, purpose=purpose), at=NOON)


def payload(scenario: Scenario, ticket_id: str = "T-1") -> dict[str, Any]:
    found: dict[str, Any] = order(scenario, ticket_id).envelope["payload"]
    return found


def script_task(**fields: Any) -> Any:
    return task("page", FOR_SCRIPT, **fields)


def test_a_dispatch_has_the_seeds_fields_and_where_each_output_is_to_lie() -> None:
    outputs = (ExpectedOutput(label="The page"), ExpectedOutput(label="notes.txt"))
    scenario = instructed(script_task(outputs=outputs, acceptance=("it opens",)))
    envelope = order(scenario).envelope
    assert set(envelope) == {"session_id", "timestamp", "source", "target", "payload_type", "version", "payload"}
    assert (envelope["payload_type"], envelope["target"]) == ("dispatch", "worker_script")
    assert envelope["timestamp"].endswith("Z")
    assert payload(scenario)["expected_outputs"] == [
        {"label": "The page", "path": "the-page.md"}, {"label": "notes.txt", "path": "notes.txt"}
    ]  # fmt: skip
    assert [each.path for each in order(scenario).outputs] == ["the-page.md", "notes.txt"]


def test_what_was_answered_and_wanted_changed_is_told() -> None:
    scenario = instructed(script_task()).worked(issues=("Which colour?",))
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text="Blue.")
    assert payload(scenario)["answers"] == ["Blue."]
    scenario.worked().decides(approves=False, changes="Larger letters.")
    assert payload(scenario)["changes"] == ["Larger letters."]
    for said in ("Blue.", "Larger letters."):
        assert said in order(scenario).text


def test_what_earlier_tickets_have_made_is_told_with_its_file() -> None:
    scenario = instructed(task("room"), script_task(depends_on=("room",)))
    scenario.finishes().worked().reviews().instructs("T-2")
    assert "artifacts/T-1/result.md" in order(scenario, "T-2").text
    assert "artifacts/T-1/result.md" in payload(scenario, "T-2")["results"][0]


def test_how_an_attempt_failed_is_told_to_the_next_one() -> None:
    scenario = instructed(task("page", FOR_AGENT)).worked(failure="timeout", detail="It took longer than 5 seconds.")
    scenario.later(3_600).rings("retry-T-1")
    assert "It took longer than 5 seconds." in order(scenario).text


def test_a_proposal_is_told_as_one() -> None:
    scenario = opened(script_task(needs_proposal=True)).proposes(open_questions=("Is there a backup?",))
    found = order(scenario, purpose="discuss")
    assert found.envelope["payload_type"] == "instruction_proposal"
    assert found.envelope["payload"]["open_questions"] == ["Is there a backup?"]
    assert "Is there a backup?" in found.text


def test_it_is_bounded() -> None:
    scenario = instructed(script_task(description="x" * 100_000))
    assert len(order(scenario).text) <= 20_000


def test_what_a_model_writes_is_claimed_text_by_text() -> None:

    outputs = (ExpectedOutput(label="A"), ExpectedOutput(label="B"))
    scenario = instructed(task("text", FOR_WRITER, outputs=outputs))
    scenario.does(asked.RecordWords, ticket_id="T-1", number=1, answer=WorkAnswer(outputs=("one", "two")))
    claimed = WORK.claim(scenario.state, scenario.last.effects[0])  # type: ignore[arg-type]
    assert [(each.label, each.path, each.text) for each in claimed.outputs] == [
        ("A", "T-1/a.md", "one"), ("B", "T-1/b.md", "two")
    ]  # fmt: skip
