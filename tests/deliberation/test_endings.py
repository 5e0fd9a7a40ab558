"""How a deliberation ends: agreed, stopped, out of time, diverged; what is reported, and what is handed over."""

from typing import Any

import pytest

from engine.deliberation import wording
from engine.deliberation.answers import Move, Risk
from engine.deliberation.closing.closing import hand_over
from engine.deliberation.closing.reporting import basis
from engine.deliberation.events import (
    AgentSkipped,
    ClosingBegun,
    DeliberationEnded,
    Difference,
    ReportWritten,
    StopRequested,
)
from engine.deliberation.policy import Policy
from engine.deliberation.state import Status
from engine.deliberation.terms import Brief, Reason
from engine.errors import IllegalStep, NotAllowed
from engine.kernel import HandedTask

from .scenario import (
    ANN,
    CRITIC,
    EVE,
    PLANNER,
    REQUESTER,
    STREAM,
    Scenario,
    answering,
    criticised,
    drafted,
    in_round,
    opened,
    plan,
    planned,
    task,
)

OWNER = Difference(slot="owner", about="Do room", planner="Ann", critic="Bo")


# ── stopping ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stopped_it_is_reported_at_once_and_nobody_is_asked_any_more() -> None:
    scenario = in_round(2).stops().then(StopRequested, ClosingBegun).owing("report report-1")
    assert "planner-2" in scenario.last.void
    scenario.stands(Status.REPORTING).reports().stands(Status.TERMINATED, reason=Reason.USER_STOP)


def test_stopped_while_positions_are_compared_that_is_not_waited_for() -> None:
    scenario = in_round(2).both().stops()
    assert "compare-2" in scenario.last.void
    scenario.compared(0.95).then()


def test_stopped_before_there_is_a_plan_code_says_so() -> None:
    scenario = opened().stops().then(StopRequested, ClosingBegun, ReportWritten, DeliberationEnded).owing()
    scenario.stands(Status.TERMINATED, reason=Reason.USER_STOP)
    assert "There is no plan" in scenario.event(ReportWritten).content


def test_stopped_while_it_is_closed_what_was_agreed_stays_agreed() -> None:
    scenario = in_round(2).round(0.95).states(PLANNER, "the weather").stops().then(StopRequested, ClosingBegun)
    assert "close-critic" in scenario.last.void
    scenario.owing("report report-1").reports().stands(Status.CONVERGED, reason=Reason.AGREED)
    assert scenario.event(ReportWritten).summary.remaining_uncertainties == ("the weather",)


def test_an_admin_may_stop_it() -> None:
    opened().stops(EVE, as_admin=True).stands(Status.TERMINATED)


@pytest.mark.parametrize("by", [ANN, EVE, ""])
def test_nobody_else_may_stop_it(by: str) -> None:
    opened().stops(by).is_refused(NotAllowed)


def test_what_is_being_reported_or_has_ended_cannot_be_stopped() -> None:
    scenario = in_round(2).stops().stops().is_refused(IllegalStep, "being written")
    scenario.reports().stops().is_refused(IllegalStep, "finished already")


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_when_its_time_is_up_it_is_reported_at_once() -> None:
    scenario = opened(Policy(name="short", max_duration=60, host_speaks=False)).says(PLANNER, planned())
    scenario.later(60).rings("end").then(ClosingBegun).owing("report report-1").reports()
    scenario.stands(Status.TERMINATED, reason=Reason.TIME_IS_UP)


def test_up_while_it_is_closed_nobody_is_waited_for_and_what_was_agreed_stays_agreed() -> None:
    policy = Policy(name="short", max_duration=60, host_speaks=False)
    scenario = in_round(2, policy=policy).round(0.95).later(60).rings("end").then(ClosingBegun)
    scenario.owing("report report-1").reports().stands(Status.CONVERGED, reason=Reason.AGREED)


def test_a_ring_before_its_time_changes_nothing() -> None:
    opened().rings("end").then().rings("turn").then()


def test_while_the_report_is_written_it_may_take_its_turn() -> None:
    policy = Policy(name="short", max_duration=60, host_speaks=False)
    in_round(2, policy=policy).stops().later(60).rings("end").then().stands(Status.REPORTING)


# ── what is asked at the end ──────────────────────────────────────────────────────────────────────────────────────


def test_who_has_never_spoken_is_not_asked_what_it_does_not_know() -> None:
    scenario = opened().says(PLANNER, planned()).says(CRITIC, None)
    scenario.says(PLANNER, planned()).says(CRITIC, None).owing("close close-planner")


def test_an_agent_that_states_nothing_is_left_out() -> None:
    scenario = in_round(2).both(planned(uncertainties=("the price",)), None).compared(0.95)
    scenario.fails("close-planner").then(AgentSkipped).owing().states(CRITIC, "the budget").owing(
        "report report-1"
    ).reports()
    assert scenario.event(ReportWritten).summary.remaining_uncertainties == ("the price", "the budget")


def test_what_comes_when_it_is_not_waited_for_any_more_changes_nothing() -> None:
    scenario = in_round(2).round(0.95).closes().states(PLANNER, "and more").then()
    scenario.reports().reports().then()
    scenario.says(PLANNER, planned()).then().compared(0.95).then()


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────


def _reported(scenario: Scenario, **said: Any) -> ReportWritten:
    return scenario.closes().reports(**said).event(ReportWritten)


def test_code_fills_in_what_the_model_leaves_out() -> None:
    report = _reported(in_round(2).round(0.95, critic=criticised(Risk(risk="it may rain", severity="low"))))
    assert report.summary.key_agreements == ("Both would carry the plan out.", "Do room")
    assert report.summary.remaining_uncertainties == ("the weather", "the budget")
    assert report.summary.dissent == ("the Critic: it may rain",)


def test_what_the_model_words_is_kept_and_the_tasks_are_codes() -> None:
    report = _reported(in_round(2).round(0.95), key_agreements=("We meet.",))
    assert report.summary.key_agreements == ("We meet.",)
    assert report.summary.todo == ("Do room (Ann, 2 h)",)


def test_without_a_model_code_writes_it() -> None:
    scenario = in_round(2).both(None, criticised("it rains")).compared(0.5, OWNER).stops().turn_is_over()
    scenario.then(ReportWritten, DeliberationEnded)
    report = scenario.event(ReportWritten)
    assert (report.model, report.is_divergent) == ("", True)
    for said in ("# An evening about AI", "It was stopped.", "Do room (Ann, 2 h)", "who does it", "it rains"):
        assert said in report.content


def test_in_chinese_code_writes_it_in_chinese() -> None:
    brief = Brief(title="读书会", goal="五十个人一起读书。", language="zh-CN")
    scenario = Scenario(brief=brief).opens().both().compared(0.8, OWNER).stops().turn_is_over()
    for said in ("# 读书会", "讨论被停止了。", "## 待办", "负责人"):
        assert said in scenario.event(ReportWritten).content


def test_what_moved_somebody_and_is_not_held_any_more_is_resolved() -> None:
    move = Move(slot="deadline", task_id="room", argument="r2-risk-1", why="a week earlier")
    earlier = planned(plan(task("room", deadline="2027-03-01")), moves=[move])
    scenario = in_round(2).round(0.8, critic=criticised("too late")).round(0.95, earlier)
    assert basis(scenario.state).resolved == ("too late → a week earlier",)


def test_a_move_of_the_position_that_names_a_task_as_well_says_nothing_of_the_task() -> None:
    move = Move(slot="choice", task_id="room", argument="r2-risk-1")
    earlier = planned(plan(task("room", deadline="2027-03-01")), moves=[move])
    scenario = in_round(2).round(0.8, critic=criticised("too late")).round(0.95, earlier)
    assert basis(scenario.state).resolved == ("too late",)


def test_an_objection_that_both_answered_is_resolved() -> None:
    scenario = in_round(2).objects("Too loud.")
    scenario.round(0.95, planned(answers=answering("point-1", "We close the doors.")),
                   criticised(answers=answering("point-1")))  # fmt: skip
    assert basis(scenario.state).resolved == ("Too loud. → We close the doors.",)


def test_a_divergent_report_says_what_would_settle_each_disagreement() -> None:
    scenario = in_round(5).both(None, criticised("it rains")).compared(0.8, OWNER).closes()
    [difference, risk] = basis(scenario.state).open_disagreements
    assert "would settle it" in difference
    assert "It is settled once" in risk
    assert basis(scenario.state).worst_cases == ("nobody comes",)


def test_the_report_names_whose_position_was_chosen() -> None:
    scenario = in_round(2).both(None, criticised(decision="no_go")).chooses(PLANNER, why="I want it.")
    assert basis(scenario.state).chosen == "Whoever asked for the plan chose the position of the Planner: I want it."


@pytest.mark.parametrize(
    ("by", "name"), [(ANN, "Ann"), (REQUESTER, "Whoever asked for the plan"), (EVE, "Somebody who takes part")]
)
def test_nobody_is_called_by_an_id(by: str, name: str) -> None:
    scenario = opened().says(PLANNER, planned()).says(CRITIC, drafted())
    assert wording.name_of(scenario.state, by, "en") == name


# ── what is handed over ───────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_planned_is_handed_over_with_its_tasks() -> None:
    made = plan(
        task("room", deadline="2027-03-01", expected_output="a contract", acceptance_criteria=("it is signed",)),
        task("talk", owner="", estimated_hours=0.0, depends_on=("room",), starts="2027-03-02"),
    )
    scenario = opened().both(planned(made), drafted(made)).compared(0.95).later(5).reports()
    handed = hand_over(scenario.state)
    assert handed is not None
    assert (handed.origin, handed.requester_id, handed.at) == (STREAM, REQUESTER, scenario.now)
    assert handed.tasks == (
        HandedTask(
            task_id="room", title="Do room", owner="ann", deadline="2027-03-01", hours=2, expected_output="a contract",
            acceptance=("it is signed",),
        ),
        HandedTask(task_id="talk", title="Do talk", starts="2027-03-02", depends_on=("room",)),
    )  # fmt: skip


def test_while_it_is_argued_about_nothing_is_handed_over() -> None:
    assert hand_over(in_round(2).state) is None


def test_where_no_plan_was_made_nothing_is_handed_over() -> None:
    assert hand_over(opened().stops().state) is None


def test_the_best_plan_is_handed_over_though_a_later_one_was_worse() -> None:
    scenario = in_round(2).round(0.75, planned(plan("room", "talk"))).round(0.8, planned(plan("talk")),
                                                                            criticised("no room"))  # fmt: skip
    handed = hand_over(scenario.stops().reports().state)
    assert handed is not None
    assert [each.task_id for each in handed.tasks] == ["room", "talk"]
