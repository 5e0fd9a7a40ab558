"""What the Host decides after a round, rule by rule."""

from typing import Any

import pytest

from engine.deliberation.answers import Flaw, Move, OpenRisk, Position, Risk
from engine.deliberation.events import Difference, Finding, HostDecided
from engine.deliberation.policy import Policy
from engine.deliberation.rounds.host import has_moved
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Output, Status
from engine.deliberation.terms import DEBATERS, Action, Agent, Brief, Reason

from .scenario import (
    CRITIC,
    PLANNER,
    QUIET,
    SEQUENTIAL,
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
DAY = Difference(slot="deadline", about="Do room", planner="2027-03-01", critic="2027-03-02")
MEDIUM = Risk(risk="it may rain", severity="medium")


# ── converge ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("level", [0.2, 0.75, 0.95])
def test_positions_that_are_equal_as_data_converge_however_near_their_words_are(level: float) -> None:
    in_round(2).round(level, agreed=True).decided(Action.CONVERGE, Reason.AGREED)


@pytest.mark.parametrize("level", [0.95, 1.0])
def test_words_that_are_near_are_no_agreement(level: float) -> None:
    in_round(2).round(level, agreed=False).decided(Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH)


def test_in_a_sequential_first_round_it_is_no_early_agreement() -> None:
    opened(SEQUENTIAL).both(None, criticised()).compared(0.95).decided(Action.CONVERGE, Reason.AGREED)


def test_medium_risks_hold_nothing_back() -> None:
    in_round(2).round(0.95, critic=criticised(MEDIUM)).decided(Action.CONVERGE, Reason.AGREED)


def test_a_high_risk_that_a_position_itself_calls_open_holds_it_back() -> None:
    risky = planned(open_risks=(OpenRisk(risk="the hall burns", severity="high"), OpenRisk(risk="it may rain")))
    scenario = in_round(2).round(0.95, risky).decided(Action.CONTINUE, Reason.OPEN_RISK)
    assert scenario.event(HostDecided).must_address == ("the hall burns",)


@pytest.mark.parametrize("check", ["feasible", "realistic", "complete"])
def test_a_no_in_the_validity_check_holds_it_back(check: str) -> None:
    scenario = in_round(2).round(0.95, critic=criticised(no=[check])).decided(Action.CONTINUE, Reason.NOT_VALID)
    assert len(scenario.event(HostDecided).must_address) == 1


def test_an_open_high_risk_holds_it_back_and_is_what_has_to_be_addressed() -> None:
    scenario = in_round(2).round(0.95, critic=criticised("it rains", MEDIUM)).decided(Action.CONTINUE, Reason.OPEN_RISK)
    said = scenario.event(HostDecided)
    assert (said.must_address, said.arguments) == (("it rains",), ("r2-risk-1",))


def test_a_high_finding_of_code_on_the_planners_plan_holds_it_back() -> None:
    late = Finding(code="past_deadline", severity="high", text="it is over before it begins")
    scenario = in_round(2).says(PLANNER, planned(), findings=(late,)).says(CRITIC, criticised()).compared(0.95)
    scenario.decided(Action.CONTINUE, Reason.OPEN_RISK)
    assert scenario.event(HostDecided).arguments == ("r2-finding-1",)


def test_an_objection_that_one_of_both_has_not_answered_holds_it_back() -> None:
    scenario = in_round(2).objects("Where do children play?")
    scenario.round(0.95, critic=criticised(answers=answering("point-1"))).decided(Action.CONTINUE, Reason.OPEN_POINT)
    said = scenario.event(HostDecided)
    assert (said.must_address, said.arguments) == (("Where do children play?",), ("point-1",))
    scenario.round(0.95, planned(answers=answering("point-1"))).decided(Action.CONVERGE, Reason.AGREED)


def test_a_change_that_names_no_argument_holds_it_back_and_is_asked_about() -> None:
    later = planned(plan(task("room", deadline="2027-03-01")))
    scenario = in_round(2).round(0.95, later).decided(Action.CONTINUE, Reason.UNEXPLAINED_MOVE)
    assert "deadline of “room”" in scenario.event(HostDecided).must_address[0]


def test_a_change_that_names_its_argument_holds_nothing_back() -> None:
    moved = planned(
        plan(task("room", deadline="2027-03-01")), moves=[Move(slot="deadline", task_id="room", argument="limit-1")]
    )
    in_round(2).round(0.95, moved).decided(Action.CONVERGE, Reason.AGREED)


def test_an_unexplained_move_that_only_the_comparison_knows_of_holds_it_back() -> None:
    in_round(2).round(0.95, unexplained=(CRITIC,)).decided(Action.CONTINUE, Reason.UNEXPLAINED_MOVE)


def test_all_that_holds_it_back_is_said() -> None:
    scenario = in_round(2).round(0.95, critic=criticised("it rains", no=["complete"]))
    scenario.decided(Action.CONTINUE, Reason.NOT_VALID, Reason.OPEN_RISK)
    assert len(scenario.event(HostDecided).must_address) == 2


@pytest.mark.parametrize(
    "critique",
    [pytest.param({"no": ["feasible"]}, id="a no"), pytest.param({"risks": ["it rains"]}, id="a high risk")],
)
def test_two_drafts_that_agree_are_no_early_agreement_where_one_of_them_warns(critique: dict[str, Any]) -> None:
    said = criticised(*critique.get("risks", ()), no=critique.get("no", ()))
    scenario = opened().both(planned(), drafted(critique=said.critique)).compared(0.95)
    assert scenario.event(HostDecided).action is Action.CONTINUE
    scenario.stands(Status.ARGUING, number=2)


# ── max rounds and early stopping ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("most", [1, 2, 5])
def test_after_the_last_round_it_ends_with_what_there_is(most: int) -> None:
    policy = Policy(name="short", max_rounds=most, host_speaks=False)
    scenario = in_round(most, policy=policy).round(0.85).decided(Action.TERMINATE, Reason.MAX_ROUNDS)
    assert scenario.state.closing is not None
    assert scenario.state.closing.is_divergent


def test_agreement_in_the_last_round_is_agreement() -> None:
    in_round(5).round(0.95).decided(Action.CONVERGE, Reason.AGREED)


@pytest.mark.parametrize(("levels", "stalls"), [((0.8, 0.81, 0.8), True), ((0.8, 0.81, 0.83), False)])
def test_where_nothing_changes_over_two_rounds_it_stops_early(levels: tuple[float, ...], stalls: bool) -> None:
    scenario = opened()
    for level in levels:
        scenario.round(level)
    scenario.decided(*((Action.TERMINATE, Reason.STALLED) if stalls else (Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH)))


def test_whoever_still_comes_nearer_in_data_has_not_stalled() -> None:
    scenario = opened().both().compared(0.8, OWNER, DAY).both().compared(0.8, OWNER).both().compared(0.8, OWNER)
    scenario.decided(Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH)
    scenario.both().compared(0.8, OWNER).decided(Action.TERMINATE, Reason.STALLED)


def test_a_change_of_exactly_as_much_is_one() -> None:
    policy = Policy(name="coarse", stall_below=0.125, host_speaks=False)
    scenario = opened(policy).round(0.75).round(0.875).round(0.75)
    scenario.decided(Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH)


def test_there_and_back_is_no_stall() -> None:
    opened().round(0.8).round(0.88).round(0.8).decided(Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH)


def test_what_is_similar_and_held_back_stops_early_too() -> None:
    rains = drafted(critique=criticised("it rains").critique)
    scenario = opened().round(0.95, critic=rains).round(0.95, critic=criticised("it rains"))
    scenario.round(0.95, critic=criticised("it rains")).decided(Action.TERMINATE, Reason.STALLED)


def test_an_objection_that_came_in_this_round_is_heard_before_it_stops_early() -> None:
    scenario = opened().round(0.8).round(0.8)
    scenario.says(PLANNER, planned()).objects().says(CRITIC, criticised()).compared(0.8)
    scenario.decided(Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH, Reason.OPEN_POINT)
    scenario.round(0.8).decided(Action.TERMINATE, Reason.STALLED)


# ── far apart ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("level", "action"), [(0.7, Action.FORCE_OPPOSITION), (0.701, Action.CONTINUE)])
def test_at_070_and_below_the_opposite_side_is_argued(level: float, action: Action) -> None:
    assert opened().round(level).event(HostDecided).action is action


def test_the_critic_argues_the_opposite_side() -> None:
    said = opened().round(0.5).event(HostDecided)
    assert (said.opposes, said.reasons) == (CRITIC, (Reason.FAR_APART,))


def test_it_is_not_argued_twice_in_a_row() -> None:
    opened().round(0.5).round(0.6).decided(Action.CONTINUE, Reason.FAR_APART)


def test_it_may_be_argued_again_later() -> None:
    opened().round(0.5).round(0.6).round(0.5).decided(Action.FORCE_OPPOSITION, Reason.FAR_APART)


def test_still_far_apart_and_no_nearer_right_after_it_they_have_diverged() -> None:
    scenario = opened().round(0.5).round(0.51).decided(Action.TERMINATE, Reason.DIVERGED).stands(Status.CLOSING)
    assert scenario.state.closing is not None
    assert scenario.state.closing.is_divergent


# ── another round ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_another_round_is_about_the_differences() -> None:
    scenario = opened().both().compared(0.8, OWNER).decided(Action.CONTINUE, Reason.NOT_SIMILAR_ENOUGH)
    said = scenario.event(HostDecided)
    assert said.must_address == ("Do room (who does it): the Planner has Ann, the Critic Bo",)
    assert said.next_agents == DEBATERS


def test_in_chinese_it_is_told_in_chinese() -> None:
    brief = Brief(title="Reading", goal="五十个人一起读书。", language="zh-Hans")
    said = Scenario(brief=brief).opens().both().compared(0.8, OWNER).event(HostDecided)
    assert said.must_address == ("Do room (负责人)：规划师是Ann，批评家是Bo",)


def test_what_is_agreed_is_not_asked_about_again() -> None:
    scenario = in_round(2).both(critic=criticised("it rains")).compared(0.95, agreed=True)
    assert scenario.event(HostDecided).must_address == ("it rains",)


def test_what_the_critic_does_not_hold_any_more_is_not_to_be_repeated() -> None:
    scenario = in_round(2).round(0.8, critic=criticised("it rains")).round(0.85, critic=criticised("it snows"))
    said = scenario.event(HostDecided)
    assert (said.avoid, said.must_address) == (("it rains",), ("it snows",))


def test_what_the_critic_repeats_is_still_open_under_its_first_id() -> None:
    again = Risk(risk="it still rains", severity="high", repeats="r2-risk-1")
    scenario = in_round(2).round(0.8, critic=criticised("it rains")).round(0.85, critic=criticised(again))
    said = scenario.event(HostDecided)
    assert (said.arguments, said.avoid) == (("r2-risk-1",), ())


def test_what_repeats_a_risk_that_was_never_named_is_a_new_one() -> None:
    scenario = in_round(2).round(0.8, critic=criticised(Risk(risk="it rains", severity="high", repeats="r9-risk-9")))
    assert scenario.event(HostDecided).arguments == ("r2-risk-1",)


# ── stubborn agents ───────────────────────────────────────────────────────────────────────────────────────────────


def _stubborn() -> Scenario:
    """The Planner has repeated itself in two rounds, and is told to move."""
    scenario = in_round(2, policy=QUIET, level=0.75).round(0.75, repeats={"planner": 0.99, "critic": 0.99})
    return scenario.round(0.8, repeats={"planner": 0.99, "critic": 0.5})


def test_who_repeats_itself_in_two_rounds_running_is_told_to_move() -> None:
    scenario = _stubborn()
    assert scenario.event(HostDecided).stubborn == (PLANNER,)


def test_once_is_not_stubborn() -> None:
    scenario = in_round(2).round(0.8, repeats={"planner": 0.99})
    assert scenario.event(HostDecided).stubborn == ()


def test_098_is_not_stubborn() -> None:
    scenario = in_round(2).round(0.75, repeats={"planner": 0.98}).round(0.8, repeats={"planner": 0.98})
    assert scenario.event(HostDecided).stubborn == ()


def test_whose_last_output_only_stands_is_not_stubborn() -> None:
    scenario = in_round(2).says(PLANNER, None).says(CRITIC, criticised()).compared(0.75, repeats={"planner": 1.0})
    scenario.says(PLANNER, None).says(CRITIC, criticised()).compared(0.8, repeats={"planner": 1.0})
    assert scenario.event(HostDecided).stubborn == ()


@pytest.mark.parametrize(
    ("said", "ignored"),
    [
        pytest.param({}, (PLANNER,), id="none of the three"),
        pytest.param({"confidence": 0.9}, (PLANNER,), id="surer than before"),
        pytest.param({"confidence": 0.3}, (), id="less sure"),
        pytest.param({"assumptions": ("it does not rain",)}, (), id="another assumption"),
        pytest.param({"flaws": (Flaw(argument="need-1", flaw="fifty is a guess"),)}, (), id="a flaw of the other's"),
        pytest.param({"flaws": (Flaw(argument="made-up", flaw="?"),)}, (PLANNER,), id="a flaw of what nobody has said"),
    ],
)
def test_it_is_checked_that_one_of_the_three_was_done(said: dict[str, Any], ignored: tuple[Agent, ...]) -> None:
    scenario = _stubborn().round(0.85, planned(**said))
    assert scenario.event(HostDecided).ignored == ignored


def test_whoever_was_skipped_has_ignored_nothing() -> None:
    scenario = _stubborn().says(PLANNER, None).says(CRITIC, criticised()).compared(0.85)
    assert scenario.event(HostDecided).ignored == ()


def test_the_same_assumptions_in_another_order_are_no_move() -> None:
    def output(*assumptions: str) -> Output:
        position = Position(conclusion="So.", assumptions=assumptions)
        return Output(agent=PLANNER, round=1, at=0, content="", position=position)

    assert not has_moved(output("a", "b"), output("b", "a"))
    assert has_moved(output("a"), output("b"))


# ── the best plan so far ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_plan_that_nobody_has_criticised_is_not_the_best_one() -> None:
    assert opened().round(0.8).state.best == 0


def test_where_both_drafts_agree_the_plan_is_valid() -> None:
    final = final_plan(opened().round(0.95).state)
    assert final is not None
    assert (final.round, final.is_valid) == (1, True)


def test_the_newest_of_plans_that_are_as_good_is_the_best_one() -> None:
    assert in_round(2).round(0.75).round(0.8).state.best == 3


@pytest.mark.parametrize(
    "worse",
    [pytest.param(criticised("it rains"), id="a high risk more"), pytest.param(criticised(no=["complete"]), id="a no")],
)
def test_a_worse_plan_does_not_replace_it(worse: Any) -> None:
    assert in_round(2).round(0.75).round(0.8, critic=worse).state.best == 2


def test_a_better_one_replaces_it() -> None:
    scenario = in_round(2).round(0.75, critic=criticised("it rains", "it snows"))
    assert (scenario.state.best, scenario.state.best_open) == (2, 2)
    scenario.round(0.8, critic=criticised("it rains"))
    assert (scenario.state.best, scenario.state.best_open) == (3, 1)


def test_findings_of_code_count_as_much_as_risks() -> None:
    late = Finding(code="past_deadline", severity="high", text="too late")
    scenario = in_round(2).round(0.75).says(PLANNER, planned(), findings=(late,)).says(CRITIC, criticised())
    assert scenario.compared(0.8).state.best == 2


def test_a_plan_that_the_critic_did_not_get_to_is_not_judged() -> None:
    assert in_round(2).says(PLANNER, planned()).says(CRITIC, None).compared(0.8).state.best == 0
