"""What fails or does not come is made up for, and said so."""

import pytest

from engine.deliberation.answers import HostAnswer
from engine.deliberation.closing.closing import CONVERGED
from engine.deliberation.commands import OpenDeliberation, RecordHostWords, RecordReport
from engine.deliberation.errors import InvalidBrief
from engine.deliberation.events import (
    AgentSkipped,
    ClosingBegun,
    DeliberationEnded,
    HostDecided,
    HostSpoke,
    PositionsCompared,
    ReportWritten,
    TimeGiven,
)
from engine.deliberation.lateness import EXTENSIONS, GRACE, stalled_at
from engine.deliberation.policy import Policy
from engine.deliberation.state import Status
from engine.deliberation.terms import LONGEST_GOAL, MOST_FACTS, Action, Brief, Reason
from engine.errors import IllegalStep
from engine.kernel import Command, FactKind, HandedFact, Recover

from .scenario import (
    BRIEF,
    CRITIC,
    PLANNER,
    REQUESTER,
    SEQUENTIAL,
    STREAM,
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

# ── agents that do not answer ─────────────────────────────────────────────────────────────────────────────────────


def test_who_does_not_answer_in_its_turn_is_skipped_and_its_last_output_stands() -> None:
    scenario = in_round(2).turn_is_over().then(AgentSkipped).owing("criticise critic-2")
    assert "planner-2" in scenario.last.void
    assert scenario.event(AgentSkipped).error == timed_out(PLANNER, 2)
    output = scenario.state.last_output(PLANNER)
    assert output is not None
    assert output.round == 1
    scenario.says(CRITIC, criticised()).owing("compare compare-2")


def test_an_answer_that_comes_after_the_turn_changes_nothing() -> None:
    in_round(2).turn_is_over().says(PLANNER, planned()).then()
    in_round(2).round(0.8).says(PLANNER, planned(), number=2).then()


@pytest.mark.parametrize("how", ["no answer", "failed for good"])
def test_an_agent_that_fails_is_skipped(how: str) -> None:
    scenario = in_round(2)
    scenario = scenario.says(PLANNER, None) if how == "no answer" else scenario.fails("planner-2")
    scenario.then(AgentSkipped).owing("criticise critic-2")
    assert scenario.errors() == [("agent_failed", "planner")]


def test_what_the_asking_says_of_a_failure_is_kept() -> None:
    scenario = in_round(2).says(PLANNER, None, error=timed_out(PLANNER, 2))
    assert scenario.errors() == [("agent_timeout", "planner")]


def test_failures_of_tools_are_kept_with_the_position() -> None:
    scenario = in_round(2).says(PLANNER, planned(), tool_errors=(timed_out(PLANNER, 2),))
    assert len(scenario.errors()) == 1


def test_in_a_parallel_turn_both_have_the_same_time() -> None:
    scenario = opened().later(100).says(PLANNER, planned())
    assert scenario.state.turn_due == scenario.state.opened_at + 120_000
    scenario.turn_is_over().then(AgentSkipped, HostDecided)


def test_in_turn_each_has_its_own_time() -> None:
    scenario = in_round(2).later(100).says(PLANNER, planned())
    assert scenario.state.turn_due == scenario.now + 120_000


def test_where_only_the_critic_made_a_plan_in_the_first_round_it_is_the_plan() -> None:
    scenario = opened().says(CRITIC, drafted(plan("theirs"))).says(PLANNER, None)
    scenario.decided(Action.CONTINUE, Reason.AGENT_MISSING).owing("plan planner-2")
    scenario.says(PLANNER, planned()).owing("criticise critic-2")


def test_who_has_said_nothing_in_two_rounds_is_waited_for_no_more() -> None:
    scenario = opened().says(CRITIC, drafted(plan("theirs"))).says(PLANNER, None).says(PLANNER, None)
    scenario.decided(Action.TERMINATE, Reason.AGENT_MISSING).states(CRITIC).reports()
    scenario.stands(Status.TERMINATED, reason=Reason.AGENT_MISSING)
    assert scenario.event(ReportWritten).summary.todo == ("Do theirs (Ann, 2 h)",)


def test_in_sequence_the_critic_makes_a_plan_where_the_planner_made_none() -> None:
    opened(SEQUENTIAL).says(PLANNER, None).owing("draft critic-1")


def test_without_any_plan_after_the_first_round_the_report_says_so() -> None:
    scenario = opened().turn_is_over()
    scenario.then(AgentSkipped, AgentSkipped, ClosingBegun, ReportWritten, DeliberationEnded).owing()
    scenario.stands(Status.TERMINATED, reason=Reason.NO_PLAN)
    assert "There is no plan" in scenario.event(ReportWritten).content
    assert scenario.event(ReportWritten).summary.todo == ()


def test_where_neither_speaks_in_a_later_round_what_they_said_is_compared() -> None:
    in_round(2).turn_is_over().turn_is_over().then(AgentSkipped).owing("compare compare-2")


# ── comparisons that fail ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["in time", "at all"])
def test_positions_that_cannot_be_compared_are_compared_slot_by_slot_and_it_is_said(how: str) -> None:
    scenario = in_round(2).both()
    scenario = scenario.turn_is_over() if how == "in time" else scenario.fails("compare-2")
    scenario.then(PositionsCompared, HostDecided, ClosingBegun)
    assert scenario.errors() == [("tool_execution_failed", "compare_positions")]
    said = scenario.event(PositionsCompared)
    assert (said.analysis.consensus_level, said.analysis.by_keywords) == (1.0, True)


def test_compared_slot_by_slot_they_differ_in_what_they_say() -> None:
    theirs = drafted(plan(task("room", owner="bo"), "talk"), decision="no_go")
    scenario = opened().both(planned(plan("room")), theirs).fails("compare-1")
    said = scenario.event(PositionsCompared)
    assert [(each.slot, each.about) for each in said.differences] == [("decision", ""), ("owner", "Do room")]
    assert said.analysis.consensus_level == 0
    assert not said.analysis.agreed


def test_a_comparison_that_comes_twice_or_of_another_round_changes_nothing() -> None:
    scenario = in_round(2).compared(0.95).then()  # nobody has spoken in it
    scenario.both().compared(0.95, number=1).then().compared(0.8).compared(0.8, number=2).then()


# ── the end does not come ─────────────────────────────────────────────────────────────────────────────────────────


def test_agents_that_state_nothing_at_the_end_are_skipped() -> None:
    scenario = in_round(2).round(0.95).turn_is_over().then(AgentSkipped, AgentSkipped).owing("report report-1")
    scenario.reports().stands(Status.CONVERGED)
    assert scenario.errors() == [("agent_timeout", "planner"), ("agent_timeout", "critic")]


@pytest.mark.parametrize("how", ["in time", "at all", "no answer"])
def test_a_report_that_no_model_writes_is_written_by_code(how: str) -> None:
    scenario = in_round(2).round(0.95).closes()
    match how:
        case "in time":
            scenario.turn_is_over()
        case "at all":
            scenario.fails("report-1")
        case _:
            scenario.does(RecordReport, answer=None, error=timed_out(PLANNER, 2))
    scenario.then(ReportWritten, DeliberationEnded).stands(Status.CONVERGED, reason=Reason.AGREED)
    assert len(scenario.errors()) == 1


def test_what_has_failed_and_is_not_wanted_any_more_changes_nothing() -> None:
    scenario = in_round(2).fails("planner-1").then().fails("compare-1").then().fails("report-1").then()
    scenario.fails("close-planner").then().fails("host-1").then().fails("anything").then()


# ── the Host's words ──────────────────────────────────────────────────────────────────────────────────────────────


def _speaking() -> Scenario:
    return opened(Policy(name="speaking")).both().compared(0.8)


def test_the_hosts_words_are_not_waited_for() -> None:
    _speaking().owing("host host-1", "revise planner-2")


def test_they_come_when_they_come() -> None:
    scenario = _speaking().says(PLANNER, planned())
    scenario.does(RecordHostWords, round=1, answer=HostAnswer(content="Talk about the owner.")).then(HostSpoke)
    assert scenario.state.rounds[0].host_words == "Talk about the owner."
    scenario.does(RecordHostWords, round=1, answer=HostAnswer(content="Again.")).then()
    scenario.does(RecordHostWords, round=2, answer=HostAnswer(content="Too early.")).then()
    scenario.does(RecordHostWords, round=7, answer=HostAnswer(content="Which round?")).then()
    scenario.does(RecordHostWords, round=1, answer=None).then()


def test_after_the_end_nobody_needs_them() -> None:
    scenario = _speaking().stops().reports()
    assert "host-1" in scenario.last.void


# ── ToWow was not there ───────────────────────────────────────────────────────────────────────────────────────────


def test_time_in_which_towow_was_not_there_is_nobodys() -> None:
    scenario = in_round(2).later(7_200).rings("turn").then(TimeGiven).owing()
    assert scenario.state.turn_due == scenario.now + 120_000
    assert {each.name for each in scenario.last.alarms} == {"turn", "end"}
    assert scenario.state.until > scenario.now
    scenario.says(PLANNER, planned()).owing("criticise critic-2")


def test_an_answer_that_comes_after_an_absence_counts() -> None:
    scenario = in_round(2).later(7_200).says(PLANNER, planned())
    assert isinstance(scenario.last.events[0], TimeGiven)
    scenario.owing("criticise critic-2")


def test_time_is_given_only_so_often() -> None:
    scenario = in_round(2)
    for _ in range(EXTENSIONS):
        scenario.later(7_200).rings("turn").then(TimeGiven)
    scenario.later(7_200).rings("turn").then(AgentSkipped)


def test_a_turn_that_nobody_has_ended_has_stalled_and_is_ended() -> None:
    scenario = in_round(2)
    at = stalled_at(scenario.state, scenario.now)
    assert at == scenario.state.turn_due + GRACE * 1000
    scenario.now = at - 1
    scenario.does(Recover).then()
    scenario.now = at
    scenario.does(Recover).then(AgentSkipped).does(Recover).then()


def test_what_has_ended_never_stalls_and_has_no_alarm() -> None:
    scenario = in_round(2).stops().reports()
    assert {*scenario.last.clear} == {"turn", "end"}
    assert stalled_at(scenario.state, scenario.now) is None
    scenario.later(10_000).does(Recover).then().rings("turn").then().rings("end").then()


# ── how it begins ─────────────────────────────────────────────────────────────────────────────────────────────────


def _fact(fact_id: str) -> HandedFact:
    return HandedFact(fact_id=fact_id, kind=FactKind.NEED, text="a room")


@pytest.mark.parametrize(
    "brief",
    [
        pytest.param(Brief(title="It", goal=" \n"), id="nothing to plan"),
        pytest.param(Brief(title="It", goal="x" * (LONGEST_GOAL + 1)), id="too long"),
        pytest.param(Brief(title="It", goal="Do it.", facts=(_fact("a"), _fact("a"))), id="two facts of one name"),
    ],
)
def test_a_brief_that_cannot_be_planned_is_refused(brief: Brief) -> None:
    Scenario(brief=brief).opens().is_refused(InvalidBrief)


def test_without_a_title_the_goal_is_it() -> None:
    scenario = Scenario(brief=Brief(title="", goal="Do it.\nSoon.")).opens()
    assert scenario.state.brief.title == "Do it."


def test_there_are_only_so_many_facts() -> None:
    facts = tuple(_fact(f"need-{number}") for number in range(MOST_FACTS + 1))
    scenario = Scenario(brief=Brief(title="It", goal="Do it.", facts=facts)).opens()
    assert len(scenario.state.brief.facts) == len(scenario.state.arguments) == MOST_FACTS


def test_it_begins_once() -> None:
    opened().opens().is_refused(IllegalStep, "begun already")


def test_nothing_is_done_in_one_that_has_not_begun() -> None:
    Scenario().stops().is_refused(IllegalStep, "no such deliberation")
    Scenario().rings("turn").is_refused(IllegalStep)


def test_a_command_of_another_protocol_is_refused() -> None:
    opened().does(Command).is_refused(IllegalStep, "knows no Command")


def test_everything_by_which_it_converges_is_no_divergence() -> None:
    assert {Reason.AGREED, Reason.EARLY_AGREEMENT, Reason.USER_DECIDED} == CONVERGED


def test_the_brief_is_as_it_was_told() -> None:
    scenario = Scenario().does(OpenDeliberation, session_id=STREAM, by=REQUESTER, brief=BRIEF)
    assert scenario.state.brief == BRIEF
    assert scenario.state.policy.name == "blind"
