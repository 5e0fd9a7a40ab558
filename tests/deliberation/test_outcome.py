"""What is said of how a deliberation ended is what its data shows: agreed, decided by whom, or disagreed on what."""

from typing import Any

import pytest

from engine.deliberation.answers import NamedDay, NamedOwner, ReportAnswer, Risk, SlotChange, Suggestion
from engine.deliberation.closing.decision_record import decision_record
from engine.deliberation.commands import RecordReport
from engine.deliberation.events import Difference, ReportWritten
from engine.deliberation.policy import Policy
from engine.deliberation.rounds.people import may_choose_now
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.rounds.positions import standing_of
from engine.deliberation.state import Status
from engine.deliberation.terms import Brief, Reason

from .scenario import (
    BRIEF,
    CRITIC,
    PLANNER,
    REQUESTER,
    Scenario,
    criticised,
    drafted,
    in_round,
    opened,
    plan,
    planned,
    task,
)

SAME = "The Garden Hall, on the second day."
BO_DOES_IT = Suggestion(
    solution="Bo does it.", changes=(SlotChange(slot="owner", task_id="room", value="bo"),), priority="high"
)
LATER = Suggestion(
    solution="A day later.", changes=(SlotChange(slot="deadline", task_id="room", value="2027-03-02"),), priority="low"
)


def differing(scenario: Scenario) -> tuple[Difference, ...]:
    found = standing_of(scenario.state)
    assert found is not None
    return found.differences


def diverged(**said: Any) -> Scenario:
    """Both say the same sentence, and the Critic would have somebody else do it."""
    sides = (planned(plan("room"), conclusion=SAME), criticised(suggestions=[BO_DOES_IT], conclusion=SAME))
    scenario = in_round(2).round(0.5, *sides, agreed=False).both(*sides)
    scenario.compared(0.5, *differing(scenario))
    return scenario.closes().reports(**said).stands(Status.TERMINATED, reason=Reason.DIVERGED)


def held_back() -> Scenario:
    """Both hold the same to the last round, and a high risk is open."""
    return in_round(5).round(0.95, critic=criticised("it rains")).closes().reports().stands(Status.TERMINATED)


# ── what is a disagreement ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("planner", "critic"),
    [
        pytest.param("Garden Hall", "garden hall", id="in another case"),
        pytest.param("Garden Hall", "Garden Hall.", id="with a full stop"),
        pytest.param("花园厅", "花园厅。", id="with a Chinese full stop"),
    ],
)
@pytest.mark.parametrize("options", [(), ("Garden Hall", "Roof"), ("花园厅", "屋顶")])
def test_one_option_written_in_two_ways_is_no_difference(planner: str, critic: str, options: tuple[str, ...]) -> None:
    brief = Brief(title=BRIEF.title, goal=BRIEF.goal, options=options)
    scenario = Scenario(brief=brief).opens().both().compared(0.8)
    found = standing_of(scenario.both(planned(choice=planner), criticised(choice=critic)).state)
    assert found is not None
    assert found.differences == ()


def test_where_nothing_that_matters_differs_there_is_nothing_to_choose_between() -> None:
    """A suggestion that the Critic holds for unimportant itself is no other position."""
    scenario = in_round(5).round(0.95, critic=criticised("it rains", suggestions=[LATER])).closes().reports()
    assert scenario.stands(Status.TERMINATED).state.reason is Reason.MAX_ROUNDS
    assert not may_choose_now(scenario.state)


def test_two_blind_drafts_that_nobody_has_laid_side_by_side_may_be_chosen_between() -> None:
    first, second = (NamedDay(name=name, day="2027-03-01") for name in ("the last check", "final test"))
    scenario = opened().both(planned(dates=(first,)), drafted(dates=(second,)))
    assert may_choose_now(scenario.state)


def test_a_day_that_is_named_by_the_id_of_a_task_is_told_by_its_title() -> None:
    """Also in two blind drafts, where the same id may be another task."""
    first, second = NamedDay(name="room", day="2027-03-01"), NamedDay(name="room", day="2027-03-05")
    other = plan(task("room", title="Something else"))
    scenario = opened().both(planned(plan("room"), dates=(first,)), drafted(other, dates=(second,)))
    assert differing(scenario) == ()
    scenario.compared(0.8).both(planned(plan("room"), dates=(first,)), criticised(dates=(second,)))
    assert [each.about for each in differing(scenario)] == ["Do room"]


def test_what_the_critic_names_stands_in_the_plan_once_its_position_is_chosen() -> None:
    dates = (NamedDay(name="room", day="2027-03-05"), NamedDay(name="the party", day="2027-04-01"))
    owners = (NamedOwner(name="do  ROOM", person_id="bo"), NamedOwner(name="talk", person_id=""))
    made = plan(task("room", deadline="2027-03-01", starts="2027-02-01"), "talk")
    scenario = in_round(2).both(planned(made), criticised(dates=dates, owners=owners)).chooses(CRITIC)
    final = final_plan(scenario.state)
    assert final is not None
    assert [(each.deadline, each.owner) for each in final.plan.tasks] == [("2027-03-05", "bo"), ("", "ann")]


# ── how it ended ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_both_hold_the_same_and_something_is_open_is_no_disagreement() -> None:
    record = decision_record(held_back().state)
    assert (record.how, record.disagreed_on) == ("not_settled", ())
    assert record.still_open == ("it rains",)


def test_where_both_differ_the_record_says_in_what() -> None:
    record = decision_record(diverged().state)
    assert record.how == "disagreed"
    assert [(each.slot, each.about, each.planner, each.critic) for each in record.disagreed_on] == [
        ("owner", "Do room", "ann", "bo")
    ]


def test_what_the_requester_decided_is_decided_by_them_and_nobody_has_agreed() -> None:
    scenario = diverged().chooses(PLANNER).reports()
    record = decision_record(scenario.state)
    assert (record.how, record.by, record.decided_by) == ("decided", "requester", REQUESTER)


def test_what_a_position_has_taken_up_since_the_last_comparison_is_no_difference_any_more() -> None:
    """It is stopped after the Planner has taken up what both differed in, before anybody compares them again."""
    scenario = in_round(2).both(planned(plan("room")), criticised(suggestions=[BO_DOES_IT]))
    scenario.compared(0.8, *differing(scenario))
    scenario.says(PLANNER, planned(plan(task("room", owner="bo")))).stops().reports()
    assert decision_record(scenario.state).disagreed_on == ()
    assert not any("Do room" in each for each in scenario.event(ReportWritten).summary.open_disagreements)


# ── what the report lists ─────────────────────────────────────────────────────────────────────────────────────────


def test_only_what_data_shows_to_be_agreed_is_listed_as_agreed() -> None:
    """A model that goes on saying what it said before the choice is not believed against the data."""
    scenario = diverged().chooses(PLANNER).reports(key_agreements=("Planner and Critic agree after 3 rounds.",))
    assert scenario.event(ReportWritten).summary.key_agreements == ("Both would carry the plan out.",)


def test_a_report_of_another_end_word_for_word_is_not_taken_for_that_of_this_end() -> None:
    said = "# The plan\n\nPlanner and Critic agree after 3 rounds."
    scenario = diverged(content=said).chooses(PLANNER)
    scenario.does(RecordReport, answer=ReportAnswer(content=said), number=2)
    assert scenario.event(ReportWritten).content == "# An evening about AI"


def test_a_disagreement_that_no_data_shows_is_listed_as_uncertain() -> None:
    scenario = in_round(2).round(0.95).closes().reports(open_disagreements=("Whether it rains.",))
    summary = scenario.event(ReportWritten).summary
    assert summary.open_disagreements == ()
    assert "Whether it rains." in summary.remaining_uncertainties


def test_the_position_that_was_not_chosen_is_told_by_what_is_other_in_it() -> None:
    scenario = diverged().chooses(PLANNER).reports()
    dissent = scenario.event(ReportWritten).summary.dissent
    assert not any(SAME in each for each in dissent)
    assert any("Do room" in each and "Bo" in each for each in dissent)


def test_a_disagreement_that_a_model_tells_in_other_letters_is_listed_once() -> None:
    scenario = diverged(open_disagreements=("Do room (who does it):  the Planner has Ann, the Critic Bo",))
    listed = scenario.event(ReportWritten).summary.open_disagreements
    assert sum("Do room" in each for each in listed) == 1


def test_what_keeps_it_open_is_all_named() -> None:
    scenario = in_round(5).round(0.95, critic=criticised(Risk(risk="it rains", severity="high"), no=("realistic",)))
    listed = scenario.closes().reports().event(ReportWritten).summary.open_disagreements
    assert any("it rains" in each for each in listed)
    assert any("not realistic" in each for each in listed)


# ── counts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_in_which_nobody_has_spoken_is_not_counted() -> None:
    scenario = in_round(3).stops().reports()
    assert len(scenario.state.rounds) == 3
    assert decision_record(scenario.state).rounds == 2


def test_stopped_at_once_there_was_no_round() -> None:
    scenario = Scenario(policy=Policy(host_speaks=False)).opens().stops()
    assert decision_record(scenario.state).rounds == 0


def test_whose_position_is_chosen_is_the_plan_that_is_handed_over() -> None:
    scenario = diverged().chooses(CRITIC).reports()
    assert scenario.event(ReportWritten).summary.todo == ("Do room (Bo, 2 h)",)
