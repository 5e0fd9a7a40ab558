"""Whatever a deliberation comes to can be told in the JSON of seed 001."""

from typing import Any, Final

from hypothesis import given, settings
from pydantic import TypeAdapter

from engine.deliberation.envelopes.fields import QUOTES_NOTHING
from engine.deliberation.envelopes.outputs import AgentOutput, HostInstruction
from engine.deliberation.envelopes.session import MultiAgentMessage, SessionState, format_line, parse_line
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.outputs import instructions
from engine.deliberation.session_json.session import agent_outputs, lines_of, multi_agent_message, session_state
from engine.deliberation.state import Deliberation
from engine.runtime.streams import without_private
from tests.examples import examples

from .generated import SESSIONS
from .scenario import (
    CRITIC,
    NOON,
    PLANNER,
    Scenario,
    criticised,
    drafted,
    in_round,
    opened,
    plan,
    planned,
    task,
    timed_out,
)

OUTPUT: Final[TypeAdapter[Any]] = TypeAdapter(AgentOutput, config=QUOTES_NOTHING)
INSTRUCTION: Final[TypeAdapter[Any]] = TypeAdapter(HostInstruction, config=QUOTES_NOTHING)


@settings(deadline=None, max_examples=examples(75))
@given(SESSIONS)
def test_whatever_happens_every_part_of_it_is_valid(scenario: Scenario) -> None:
    check(scenario.state)
    replayed = Deliberation()
    erased = Deliberation()
    for event in scenario.history:
        replayed = RULEBOOK.evolve(replayed, event)
        for line in lines_of(replayed, event):
            assert parse_line(format_line(line)) == line
        bare = without_private(event)
        erased = RULEBOOK.evolve(erased, bare)
        assert all(parse_line(format_line(each)) for each in lines_of(erased, bare))
    check(erased)


def check(state: Deliberation) -> None:
    """Each part is read again as it was written, and tells the same of the session."""
    told = session_state(state)
    assert SessionState.model_validate_json(told.model_dump_json()) == told
    shown = multi_agent_message(state)
    assert MultiAgentMessage.model_validate_json(shown.model_dump_json(by_alias=True)) == shown
    for each in agent_outputs(state):
        assert OUTPUT.validate_json(OUTPUT.dump_json(each)) == each
    for order in instructions(state):
        assert INSTRUCTION.validate_json(INSTRUCTION.dump_json(order)) == order
    assert told.current_round == len(told.history) == len(shown.rounds)
    assert (told.status == "in_progress") == state.is_open


# ── what it says ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_is_asked_is_waited_for_and_the_others_are_idle() -> None:
    agents = session_state(opened().state).agents
    assert [each.status for _, each in agents] == ["waiting", "waiting", "idle", "idle"]

    agents = session_state(opened().both().state).agents
    assert [each.status for _, each in agents] == ["completed", "completed", "waiting", "idle"]

    agents = session_state(in_round(2).round(0.95).closes().reports().state).agents
    assert [each.status for _, each in agents] == ["completed"] * 4


def test_what_changed_since_the_last_round_is_computed() -> None:
    scenario = opened().both(planned(confidence=0.5, key_reasons=("cheap",))).compared(0.8)
    scenario.says(PLANNER, planned(confidence=0.7, key_reasons=("cheap", "near"), conclusion="It works in May."))

    first, second = (
        each.metadata.position.changes_from_last_round
        for each in agent_outputs(scenario.state)
        if each.output_type == "plan"
    )
    assert first is None
    assert second is not None
    assert (second.conclusion_changed, second.reasons_added, second.confidence_delta) == (True, ("near",), 0.2)


def orders(scenario: Scenario) -> list[dict[str, Any]]:
    return [each.model_dump(mode="json") for each in instructions(scenario.state)]


def test_the_host_s_instructions_are_those_of_the_seed() -> None:
    [go_on] = orders(in_round(2))
    assert go_on["action"] == "continue"
    assert go_on["instructions"]["rounds_remaining"] == 4

    [oppose] = orders(opened().round(0.5))
    assert oppose["action"] == "force_opposition"
    assert (oppose["instructions"]["role"], oppose["instructions"]["target"]) == ("devils_advocate", "planner")

    [converge] = orders(in_round(2).round(0.95))
    assert (converge["action"], converge["instructions"]["next_step"]) == ("converge", "reporter_summary")

    repeating = opened().round(0.75)
    for level in (0.78, 0.81):
        repeating.round(level, repeats={"planner": 0.99})
    said = orders(repeating)
    assert [each["action"] for each in said] == ["continue", "update_command"]
    assert said[1]["target_agent"] == "planner"
    assert said[1]["reason"] == "self_similarity > 0.98 in 2 rounds running"


def test_what_failed_is_told_in_the_seed_s_error_objects() -> None:
    scenario = opened().says(PLANNER, planned()).says(CRITIC, None, error=timed_out(CRITIC))

    [failure] = session_state(scenario.state).model_dump(mode="json")["errors"]

    assert failure == {
        "error": "agent_timeout", "agent": "critic", "round": 1, "action": "skip_agent",
        "fallback": "Its output of the last round stands.",
    }  # fmt: skip


def test_a_session_that_used_up_its_rounds_says_so() -> None:
    scenario = in_round(5).round(0.89).closes().reports()

    told = session_state(scenario.state).model_dump(mode="json")

    assert (told["status"], told["reason"]) == ("terminated", "max_rounds_reached")
    assert told["errors"] == [
        {
            "status": "max_rounds_reached",
            "action": "force_summary",
            "reporter_instruction": "Write the divergent version of the conclusion.",
        }
    ]


def test_a_stop_in_the_middle_of_a_round_is_the_host_s_last_decision() -> None:
    scenario = in_round(2).later(7).stops().later(7).reports()

    decided = session_state(scenario.state).agents.host.last_output

    assert decided is not None
    assert decided.output_type == "control"
    assert decided.metadata.decision.action == "terminate"
    assert decided.metadata.analysis is None
    assert decided.timestamp == "2027-01-15T08:00:07.000Z"
    assert scenario.state.opened_at == NOON


def test_the_report_has_the_plan_as_it_stands_at_last() -> None:
    made = plan(task("room", deadline="2027-02-03", starts="2027-02-01"), task("talks", deadline="soon"))
    scenario = opened().both(planned(made), drafted(made)).compared(0.95).reports()

    report = session_state(scenario.state).agents.reporter.last_output

    assert report is not None
    assert report.output_type == "report"
    [phase] = report.metadata.final_plan.plan.phases
    assert [each.deadline for each in phase.tasks] == ["2027-02-03", None]
    assert report.metadata.final_plan.consensus_level == "high"
    assert report.metadata.summary.todo
    message = multi_agent_message(scenario.state)
    assert message.final_report is not None
    assert message.final_report.plan.phases == report.metadata.final_plan.plan.phases


def test_what_the_requester_decided_is_no_convergence_of_the_hosts() -> None:
    scenario = in_round(2).both(None, criticised(decision="no_go")).chooses(PLANNER).closes().reports()

    told = session_state(scenario.state)

    host = told.agents.host.last_output
    assert host is not None
    assert host.output_type == "control"
    assert (host.metadata.decision.action, told.reason) == ("terminate", "user_decided")
    assert "choice" in host.metadata.decision.reason


def test_once_it_is_argued_on_the_report_of_before_is_not_told_as_that_of_now() -> None:
    scenario = in_round(2).round(0.95).closes().reports()
    before = [each.output_type for each in agent_outputs(scenario.state)]
    assert before[-3:] == ["position", "position", "report"]

    scenario.objects()

    told = session_state(scenario.state)
    assert told.status == "in_progress"
    assert told.history[-1].outputs == ()
    assert told.agents.reporter.status == "idle"
    assert multi_agent_message(scenario.state).final_report is None
