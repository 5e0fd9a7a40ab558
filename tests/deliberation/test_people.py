"""What people may do in a deliberation, and what becomes of it."""

from typing import Any

import pytest

from engine.deliberation.answers import CriticReply, ReportAnswer, SlotChange, Suggestion
from engine.deliberation.commands import AskCritic, EraseWords, RecordReply, RecordReport
from engine.deliberation.composing import instructions_given, revise_given
from engine.deliberation.errors import InvalidPoint
from engine.deliberation.events import (
    ClosingBegun,
    CriticAsked,
    CriticReplied,
    DeliberationEnded,
    DeliberationReopened,
    HostDecided,
    PointRaised,
    PositionChosen,
    PositionsCompared,
    ReportWritten,
)
from engine.deliberation.policy import Policy
from engine.deliberation.rounds.people import takes_part
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Status
from engine.deliberation.terms import LONGEST_POINT, MOST_POINTS, RULES, Action, Agent, Brief, Reason
from engine.errors import IllegalStep, InvalidInput, NotAllowed, Outdated

from .scenario import (
    ANN,
    CRITIC,
    EVE,
    PLANNER,
    REQUESTER,
    Scenario,
    answering,
    criticised,
    drafted,
    in_round,
    opened,
    plan,
    planned,
)

BO_DOES_IT = Suggestion(
    solution="Bo does it.", changes=(SlotChange(slot="owner", task_id="room", value="bo"),), priority="high"
)


def disagreeing() -> Scenario:
    """In the second round, the Critic would have somebody else do it."""
    return in_round(2).both(planned(plan("room")), criticised(suggestions=[BO_DOES_IT]))


def diverged() -> Scenario:
    """It has ended without agreement."""
    scenario = disagreeing().compared(0.5).round(0.5, planned(plan("room")), criticised(suggestions=[BO_DOES_IT]))
    return scenario.closes().reports().stands(Status.TERMINATED, reason=Reason.DIVERGED)


# ── objections ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by", [REQUESTER, ANN])
def test_whoever_takes_part_may_object(by: str) -> None:
    scenario = opened().objects("Too loud.", by).then(PointRaised)
    [point] = scenario.state.points
    assert (point.point_id, point.by, point.text) == ("point-1", by, "Too loud.")
    assert scenario.state.arguments["point-1"].text == "Too loud."


@pytest.mark.parametrize("by", [EVE, ""])
def test_nobody_else_may(by: str) -> None:
    opened().objects("Too loud.", by).is_refused(NotAllowed, "take part")


def test_where_nobody_is_linked_every_colleague_may() -> None:
    scenario = Scenario(brief=Brief(title="It", goal="Do it.")).opens()
    scenario.objects("Too loud.", EVE).then(PointRaised)
    assert not takes_part(scenario.state, "")
    scenario.objects("Too dear.", f"{EVE}@T_PARTNER").is_refused(NotAllowed, "take part")


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (LONGEST_POINT + 1)])
def test_an_objection_needs_words_and_not_too_many(text: str) -> None:
    opened().objects(text).is_refused(InvalidPoint)


def test_what_cannot_be_written_down_is_replaced() -> None:
    scenario = opened().objects(" Too \ud800 loud. ")
    assert scenario.state.points[0].text == "Too ? loud."


def test_there_are_only_so_many_objections() -> None:
    scenario = opened()
    for number in range(MOST_POINTS):
        scenario.objects(f"And {number}?").then(PointRaised)
    scenario.objects("And this?").is_refused(InvalidPoint, str(MOST_POINTS))


def test_it_is_addressed_once_both_have_answered_it() -> None:
    scenario = in_round(2).objects().both(planned(answers=answering("point-1", "Indoors.")), None)
    assert scenario.state.points[0].answers == {"planner": "Indoors."}
    scenario.compared(0.95).decided(Action.CONTINUE, Reason.OPEN_POINT)
    scenario.round(0.95, critic=criticised(answers=answering("point-1"))).decided(Action.CONVERGE, Reason.AGREED)


def test_an_empty_answer_addresses_nothing() -> None:
    scenario = in_round(2).objects().both(planned(answers=answering("point-1", " ")), None)
    assert scenario.state.points[0].answers == {}


def test_an_answer_to_an_objection_that_nobody_raised_is_dropped() -> None:
    scenario = in_round(2).says(PLANNER, planned(answers=answering("point-7")))
    output = scenario.state.last_output(PLANNER)
    assert output is not None
    assert output.answers == ()


def test_raised_in_the_last_round_it_is_named_in_the_report() -> None:
    scenario = in_round(5).says(PLANNER, planned()).objects("Where do children play?", ANN).says(CRITIC, criticised())
    scenario.compared(0.85).decided(Action.TERMINATE, Reason.MAX_ROUNDS).closes().reports()
    [said] = scenario.event(ReportWritten).summary.open_disagreements
    assert "Ann" in said
    assert "Where do children play?" in said


def test_what_a_model_says_is_open_does_not_hide_it() -> None:
    scenario = in_round(5).objects("Where do children play?").round(0.85).closes()
    scenario.reports(open_disagreements=("Whether it rains.",))
    said = scenario.event(ReportWritten).summary.open_disagreements
    assert said[0] == "Whether it rains."
    assert any("Where do children play?" in each for each in said)


@pytest.mark.parametrize("is_reporting", [False, True])
def test_while_it_is_closed_or_reported_an_objection_lets_both_argue_on(is_reporting: bool) -> None:
    scenario = in_round(2).round(0.95)
    given_up = {"report-1"} if is_reporting else {"close-planner", "close-critic"}
    if is_reporting:
        scenario.closes()
    scenario.objects("Where do children play?").then(DeliberationReopened, PointRaised).owing("revise planner-3")
    assert given_up <= {*scenario.last.void}
    answered: dict[str, Any] = {"answers": answering("point-1")}
    scenario.stands(Status.ARGUING, number=3).round(0.95, planned(**answered), criticised(**answered))
    scenario.decided(Action.CONVERGE, Reason.AGREED).stands(Status.REPORTING)


def test_a_report_that_was_given_up_for_an_objection_is_not_taken_for_the_next_one() -> None:
    scenario = in_round(2).round(0.95).closes().owing("report report-1").objects()
    answered: dict[str, Any] = {"answers": answering("point-1")}
    scenario.round(0.95, planned(**answered), criticised(**answered)).owing("report report-2")
    scenario.does(RecordReport, answer=ReportAnswer(content="# Late"), number=1).then().stands(Status.REPORTING)
    scenario.does(RecordReport, answer=ReportAnswer(content="# The plan"), number=2).stands(Status.CONVERGED)
    assert scenario.state.report is not None
    assert (scenario.state.report.content, scenario.state.report.number) == ("# The plan", 2)
    scenario.objects("And now?").round(0.95).closes().owing()
    assert scenario.state.status is Status.ARGUING


def test_raised_while_the_last_round_is_reported_it_stands_in_the_report_as_open() -> None:
    scenario = in_round(5).round(0.95).closes().owing("report report-1").objects("Where do children play?")
    scenario.then(DeliberationReopened, PointRaised, ClosingBegun).owing("report report-2")
    scenario.does(RecordReport, answer=ReportAnswer(content="# The plan"), number=2)
    scenario.stands(Status.TERMINATED, number=5, reason=Reason.MAX_ROUNDS)
    assert any("Where do children play?" in each for each in scenario.event(ReportWritten).summary.open_disagreements)


def test_an_objection_to_what_was_stopped_is_heard_too() -> None:
    scenario = in_round(2).stops().stands(Status.REPORTING).objects().then(DeliberationReopened, PointRaised)
    scenario.stands(Status.ARGUING, number=3)
    assert scenario.state.stopped_by == ""


def test_where_nobody_has_made_a_plan_an_objection_to_its_report_is_refused() -> None:
    scenario = opened().stops().stands(Status.TERMINATED)
    scenario.objects().is_refused(IllegalStep, "no plan")


# ── objections to a plan that is finished ─────────────────────────────────────────────────────────────────────────


def agreed() -> Scenario:
    return in_round(2).round(0.95).closes().reports().stands(Status.CONVERGED, reason=Reason.AGREED)


def test_an_objection_reopens_a_plan_that_is_finished() -> None:
    scenario = agreed().later(3_600).objects().then(DeliberationReopened, PointRaised).owing("revise planner-3")
    scenario.stands(Status.ARGUING, number=3)
    assert scenario.state.reason is None
    assert {each.name: each.due for each in scenario.last.alarms} == {
        "turn": scenario.state.turn_due,
        "end": scenario.now + 1_800_000,
    }
    answered: dict[str, Any] = {"answers": answering("point-1")}
    scenario.both(planned(**answered), criticised(**answered)).compared(0.95).decided(Action.CONVERGE, Reason.AGREED)
    scenario.then(PositionsCompared, HostDecided, ClosingBegun).owing("report report-2")
    scenario.reports().stands(Status.CONVERGED, reason=Reason.AGREED)
    assert any("children" in each for each in scenario.event(ReportWritten).summary.resolved_concerns)


def test_until_both_have_answered_it_it_is_not_agreed_again() -> None:
    agreed().objects().round(0.95).decided(Action.CONTINUE, Reason.OPEN_POINT)


def test_where_no_round_is_left_it_is_reported_anew_with_the_objection_as_open() -> None:
    scenario = in_round(5).round(0.79).closes().reports().stands(Status.TERMINATED, number=5)
    scenario.objects("Where do children play?").then(DeliberationReopened, PointRaised, ClosingBegun)
    scenario.owing("report report-2").reports().stands(Status.TERMINATED, number=5, reason=Reason.MAX_ROUNDS)
    assert any("Where do children play?" in each for each in scenario.event(ReportWritten).summary.open_disagreements)


def test_it_gets_a_round_more_than_it_was_given_and_never_more_than_five_in_all() -> None:
    short = in_round(1, policy=Policy(max_rounds=1, host_speaks=False)).round(0.8).closes().reports()
    for number in (2, 3, 4, 5):
        short.objects(f"And {number}?").stands(Status.ARGUING, number=number)
        short.round(0.75 + number / 100).reports().stands(Status.TERMINATED, number=number, reason=Reason.MAX_ROUNDS)
    short.objects("And now?").stands(Status.REPORTING, number=5)


def test_what_was_chosen_is_open_again() -> None:
    scenario = diverged().chooses(PLANNER).reports().stands(Status.CONVERGED, reason=Reason.USER_DECIDED)
    scenario.objects().stands(Status.ARGUING)
    assert scenario.state.choice is None
    scenario.chooses(CRITIC).reports().stands(Status.CONVERGED, reason=Reason.USER_DECIDED)


def test_it_can_be_stopped_again() -> None:
    agreed().objects().stops().reports().stands(Status.TERMINATED, reason=Reason.USER_STOP)


@pytest.mark.parametrize("by", [EVE, ""])
def test_nobody_else_reopens_it(by: str) -> None:
    agreed().objects(by=by).is_refused(NotAllowed)


def test_where_there_is_no_plan_or_words_were_erased_nothing_is_reopened() -> None:
    nothing = opened().says(PLANNER, None).says(CRITIC, None).stands(Status.TERMINATED, reason=Reason.NO_PLAN)
    nothing.objects().is_refused(IllegalStep, "no plan")
    agreed().does(EraseWords, whose=ANN).objects().is_refused(IllegalStep, "no plan")


# ── questions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def asks(scenario: Scenario, by: str = ANN, text: str = "Why?") -> Scenario:
    return scenario.does(AskCritic, by=by, text=text)


def test_a_question_is_asked_beside_the_rounds() -> None:
    scenario = asks(in_round(2).says(PLANNER, planned())).then(CriticAsked).owing("reply question-1")
    scenario.says(CRITIC, criticised()).owing("compare compare-2")
    reply = CriticReply(content="Because.", arguments=("need-1", "made-up"))
    scenario.does(RecordReply, question_id="question-1", answer=reply).then(CriticReplied)
    [asked] = scenario.state.questions
    assert (asked.by, asked.reply, asked.arguments) == (ANN, "Because.", ("need-1",))


def test_afterwards_it_can_still_be_asked_and_nothing_is_waited_for() -> None:
    scenario = in_round(2).round(0.95).closes().reports()
    scenario.does(AskCritic, by=ANN, text="Why?", reopens=False).then(CriticAsked).owing("reply question-1")
    scenario.stands(Status.CONVERGED)
    assert not scenario.last.alarms


@pytest.mark.parametrize("is_reporting", [False, True])
def test_asked_about_a_finished_plan_it_reopens_it(is_reporting: bool) -> None:
    scenario = in_round(2).round(0.95).closes()
    if not is_reporting:
        scenario.reports()
    asks(scenario).then(DeliberationReopened, CriticAsked).owing("reply question-1", "revise planner-3")
    scenario.stands(Status.ARGUING, number=3)
    scenario.does(RecordReply, question_id="question-1", answer=CriticReply(content="Because.")).then(CriticReplied)
    scenario.says(PLANNER, planned()).says(CRITIC, criticised()).compared(0.95)
    scenario.decided(Action.CONVERGE, Reason.AGREED).stands(Status.REPORTING)


def test_both_are_told_what_was_asked_and_replied_since_they_spoke() -> None:
    scenario = asks(in_round(2).round(0.95).closes().reports(), text="Why the roof?")
    scenario.does(RecordReply, question_id="question-1", answer=CriticReply(content="It does not rain."))
    for told in (revise_given(scenario.state).instructions, instructions_given(scenario.state, CRITIC)):
        [asked] = told.asked
        assert (asked.by, asked.question, asked.reply) == ("Ann", "Why the roof?", "It does not rain.")
    scenario.later(1).says(PLANNER, planned())
    assert instructions_given(scenario.state, PLANNER).asked == ()


def test_where_no_round_is_left_a_question_is_only_answered() -> None:
    asks(in_round(5).round(0.79).closes().reports()).then(CriticAsked).stands(Status.TERMINATED, number=5)


def test_where_nobody_has_argued_a_question_is_only_answered() -> None:
    drafts = (planned(), drafted())
    scenario = opened().says(PLANNER, drafts[0], model=RULES).says(CRITIC, drafts[1], model=RULES).reports()
    scenario.stands(Status.TERMINATED, reason=Reason.NOT_ARGUED)
    asks(scenario).then(CriticAsked).stands(Status.TERMINATED)


def test_a_question_that_nobody_could_answer_says_so() -> None:
    scenario = asks(in_round(2)).fails("question-1").then(CriticReplied)
    assert scenario.state.questions[0].reply == ""
    asks(scenario).does(RecordReply, question_id="question-2", answer=None).then(CriticReplied)


def test_a_reply_counts_once() -> None:
    scenario = asks(in_round(2)).does(RecordReply, question_id="question-1", answer=CriticReply(content="Because."))
    scenario.does(RecordReply, question_id="question-1", answer=CriticReply(content="Or not.")).then()
    scenario.fails("question-1").then()
    scenario.does(RecordReply, question_id="question-9", answer=CriticReply(content="What?")).then()


def test_before_there_is_a_plan_there_is_nothing_to_ask_about() -> None:
    asks(opened()).is_refused(IllegalStep, "no plan yet")


@pytest.mark.parametrize("by", [EVE, ""])
def test_only_whoever_takes_part_may_ask(by: str) -> None:
    asks(in_round(2), by).is_refused(NotAllowed)


def test_a_question_needs_words() -> None:
    asks(in_round(2), text=" ").is_refused(InvalidInput, "question")


def test_there_are_only_so_many_questions() -> None:
    scenario = in_round(2)
    for _ in range(MOST_POINTS):
        asks(scenario).then(CriticAsked)
    asks(scenario).is_refused(InvalidPoint)


# ── choosing between two positions ────────────────────────────────────────────────────────────────────────────────


def test_the_requesters_choice_ends_it_while_they_argue() -> None:
    scenario = disagreeing().compared(0.8).chooses(CRITIC, why="Bo has the key.")
    scenario.then(PositionChosen, ClosingBegun).stands(Status.CLOSING).closes().owing("report report-1").reports()
    scenario.stands(Status.CONVERGED, reason=Reason.USER_DECIDED)
    final = final_plan(scenario.state)
    assert final is not None
    assert [each.owner for each in final.plan.tasks] == ["bo"]


def test_chosen_is_the_planners_latest_plan_though_another_one_was_better() -> None:
    scenario = in_round(2).round(0.75).both(planned(plan("talk")), criticised("it rains", decision="no_go"))
    scenario.compared(0.75)
    assert scenario.state.best == 2
    scenario.chooses(PLANNER)
    final = final_plan(scenario.state)
    assert final is not None
    assert ([each.task_id for each in final.plan.tasks], final.is_valid) == (["talk"], False)


def test_while_they_close_it_the_choice_counts_and_nobody_is_asked_again() -> None:
    scenario = disagreeing().compared(0.5).round(0.5, planned(), criticised(suggestions=[BO_DOES_IT]))
    scenario.stands(Status.CLOSING).states(PLANNER).chooses(CRITIC).then(PositionChosen).owing()
    scenario.states(CRITIC).owing("report report-1").reports().stands(Status.CONVERGED, reason=Reason.USER_DECIDED)


def test_after_a_divergent_end_it_is_reported_anew() -> None:
    scenario = diverged().chooses(PLANNER).then(PositionChosen, ClosingBegun).owing("report report-2")
    scenario.stands(Status.REPORTING).reports("# As decided").then(ReportWritten, DeliberationEnded)
    scenario.stands(Status.CONVERGED, reason=Reason.USER_DECIDED)
    assert scenario.state.report is not None
    assert (scenario.state.report.content, scenario.state.report.is_divergent) == ("# As decided", False)
    assert scenario.state.closing is not None
    assert scenario.state.closing.stated["planner"] == (("the weather",), "")


def test_a_first_report_that_comes_late_is_not_taken_for_the_second_one() -> None:
    scenario = disagreeing().compared(0.5).round(0.5, planned(), criticised(suggestions=[BO_DOES_IT])).closes()
    scenario.turn_is_over().stands(Status.TERMINATED).chooses(PLANNER)
    scenario.does(RecordReport, answer=ReportAnswer(content="# Late"), number=1).then().stands(Status.REPORTING)


def test_an_admin_may_choose() -> None:
    disagreeing().chooses(PLANNER, EVE, as_admin=True).then(PositionChosen, ClosingBegun)


@pytest.mark.parametrize("by", [ANN, EVE, ""])
def test_nobody_else_may_choose(by: str) -> None:
    disagreeing().chooses(PLANNER, by).is_refused(NotAllowed)


def test_only_the_planner_and_the_critic_have_positions() -> None:
    disagreeing().chooses(Agent.HOST).is_refused(IllegalStep, "nobody else")


def test_without_two_positions_there_is_nothing_to_choose_between() -> None:
    opened().says(PLANNER, planned()).chooses(PLANNER).is_refused(IllegalStep, "nothing to choose")


def test_where_both_hold_the_same_there_is_nothing_to_choose_between() -> None:
    in_round(2).both().chooses(PLANNER).is_refused(IllegalStep, "nothing to choose")


def test_another_decision_is_a_difference() -> None:
    in_round(2).both(None, criticised(decision="no_go")).chooses(CRITIC).then(PositionChosen, ClosingBegun)


def test_what_was_agreed_is_not_chosen() -> None:
    in_round(2).round(0.95).closes().reports().chooses(PLANNER).is_refused(IllegalStep, "have agreed")


def test_while_the_report_is_written_nothing_is_chosen() -> None:
    scenario = disagreeing().stops().stands(Status.REPORTING)
    scenario.chooses(PLANNER).is_refused(IllegalStep, "being written")


def test_it_is_chosen_once() -> None:
    disagreeing().chooses(PLANNER).chooses(CRITIC).is_refused(IllegalStep, "already")


def test_a_position_that_has_changed_since_it_was_shown_is_not_chosen() -> None:
    scenario = disagreeing().compared(0.8).says(PLANNER, planned(plan("room", "talk")))
    scenario.chooses(PLANNER, round=2).is_refused(Outdated)
    scenario.chooses(PLANNER, round=3).then(PositionChosen, ClosingBegun)


def test_the_position_that_was_not_chosen_stays_in_the_report() -> None:
    scenario = disagreeing().compared(0.8).chooses(PLANNER).closes().reports()
    assert any("Critic" in each for each in scenario.event(ReportWritten).summary.dissent)
