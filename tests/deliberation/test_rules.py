"""The legal steps, and recorded deliberations that are replayed by them."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.deliberation.events import (
    EVENTS,
    ClosingBegun,
    ClosingStated,
    DeliberationEnded,
    DeliberationOpened,
    DeliberationReopened,
    HostDecided,
    PositionsCompared,
    PositionTaken,
    ReportWritten,
)
from engine.deliberation.rounds.plans import plan_of
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Status
from engine.deliberation.terms import Action, Reason
from tests.recorded import assert_folds, read

from .record_histories import FOLDER, RECORDED, ending
from .scenario import (
    BRIEF,
    CRITIC,
    PLANNER,
    SEQUENTIAL,
    Scenario,
    answering,
    criticised,
    drafted,
    in_round,
    opened,
    planned,
)


def test_both_take_their_first_position_blind_and_in_parallel() -> None:
    opened().then(DeliberationOpened).owing("plan planner-1", "draft critic-1", "brief brief").stands(
        Status.ARGUING, number=1
    )


def test_whoever_answers_first_is_waited_with() -> None:
    opened().says(CRITIC, drafted()).then(PositionTaken).owing()


def test_once_both_have_spoken_they_are_compared() -> None:
    opened().says(CRITIC, drafted()).says(PLANNER, planned()).then(PositionTaken).owing("compare compare-1")


def test_the_sequential_preset_begins_with_the_planner_whom_the_critic_answers() -> None:
    opened(SEQUENTIAL).owing("plan planner-1", "brief brief").says(PLANNER, planned()).owing("criticise critic-1").says(
        CRITIC, criticised()
    ).owing("compare compare-1")


def test_two_blind_drafts_that_agree_go_to_the_reporter_at_once() -> None:
    scenario = opened().both().compared(0.95)
    scenario.then(PositionsCompared, HostDecided, ClosingBegun).owing("report report-1")
    scenario.decided(Action.CONVERGE, Reason.EARLY_AGREEMENT).stands(Status.REPORTING)
    scenario.reports().then(ReportWritten, DeliberationEnded).stands(Status.CONVERGED, reason=Reason.EARLY_AGREEMENT)


def test_from_the_second_round_on_the_planner_answers_the_critic_and_the_critic_the_plan() -> None:
    in_round(2).owing("revise planner-2").says(PLANNER, planned()).owing("criticise critic-2").says(
        CRITIC, criticised()
    ).owing("compare compare-2")


def test_what_was_agreed_elsewhere_is_not_read_again() -> None:
    handed = replace(BRIEF, origin="ch-1")
    opened(brief=handed).owing("plan planner-1", "draft critic-1")


def test_before_the_report_every_agent_lists_what_it_does_not_know() -> None:
    scenario = in_round(2).round(0.95).decided(Action.CONVERGE, Reason.AGREED)
    scenario.owing("close close-planner", "close close-critic")
    scenario.stands(Status.CLOSING).states(CRITIC, "the budget").then(ClosingStated).owing()
    scenario.states(PLANNER, "the weather").then(ClosingStated).owing("report report-1").reports()
    scenario.stands(Status.CONVERGED, reason=Reason.AGREED)


def continued(name: str) -> Scenario:
    history, _, last = read(FOLDER / f"{name}.jsonl", EVENTS)
    return Scenario(state=RULEBOOK.fold(history), history=history, now=last["now"], _ids=1_000)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_recorded_history_folds_to_what_it_did(path: Path) -> None:
    assert_folds(path, RULEBOOK, EVENTS, ending)


def test_each_that_can_be_recorded_is() -> None:
    assert {each.stem for each in FOLDER.glob("*.jsonl")} == set(RECORDED)


def test_one_that_was_being_argued_goes_on() -> None:
    scenario = continued("arguing").says(CRITIC, criticised()).compared(0.95)
    scenario.decided(Action.CONVERGE, Reason.AGREED).closes().reports().stands(Status.CONVERGED, number=2)


@pytest.mark.parametrize("name", ["agreed", "decided", "skipped_and_stopped"])
def test_one_that_had_ended_can_be_objected_to(name: str) -> None:
    scenario = continued(name).objects()
    point = scenario.state.points[-1].point_id
    assert isinstance(scenario.last.events[0], DeliberationReopened)
    said: dict[str, Any] = {"answers": answering(point)}
    kept = plan_of(scenario.state, PLANNER)
    assert kept is not None
    scenario.both(planned(kept.plan, **said), criticised(**said)).compared(0.95).decided(Action.CONVERGE, Reason.AGREED)
