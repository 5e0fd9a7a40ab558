"""A move names its argument, and changes to a plan change just that."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deliberation.answers import (
    MOST_TASKS,
    Critique,
    Move,
    NamedDay,
    NamedNumber,
    Plan,
    PlanPhase,
    PlanTask,
    Position,
    SlotChange,
    Suggestion,
)
from engine.deliberation.rounds.plans import (
    Change,
    changed,
    changed_slots,
    differing,
    position_plan,
    suggested_changes,
    unexplained_changes,
)
from engine.deliberation.state import Output
from engine.deliberation.terms import Agent

from .scenario import CRITIC, PLANNER, criticised, drafted, in_round, opened, plan, planned, task

DAYS = ["", "2027-03-01", "2027-03-05", "2027-04-01"]
IDS = ["room", "talk", "food"]
TASKS = st.builds(
    PlanTask,
    task_id=st.sampled_from(IDS),
    title=st.sampled_from(["Find a room", "Give a talk", "Cook"]),
    owner=st.sampled_from(["", "ann", "bo"]),
    estimated_hours=st.sampled_from([0.0, 1.5, 8.0]),
    starts=st.sampled_from(DAYS),
    deadline=st.sampled_from(DAYS),
    depends_on=st.lists(st.sampled_from(IDS), max_size=2, unique=True).map(tuple),
)


def _phased(tasks: list[PlanTask], cut: int) -> Plan:
    phases = [part for part in (tasks[:cut], tasks[cut:]) if part]
    return Plan(title="It", phases=tuple(PlanPhase(phase_name="Phase", tasks=tuple(part)) for part in phases))


PLANS = st.builds(
    _phased,
    st.lists(TASKS, max_size=3, unique_by=(lambda each: each.task_id, lambda each: each.title)),
    st.integers(0, 3),
)
CHANGES = st.builds(
    SlotChange,
    slot=st.sampled_from(["task", "start", "deadline", "hours", "owner", "decision", "choice", "conclusion"]),
    task_id=st.sampled_from([*IDS, "music", ""]),
    value=st.sampled_from(["", "2027-03-03", "no day", "3", "-1", "1e9", "nan", "bo", "Play music"]),
)


def said(made: Plan | None = None, *moves: Move, agent: Agent = PLANNER, **position: Any) -> Output:
    holds = Position(**{"conclusion": "It works."} | position)
    return Output(agent=agent, round=1, at=0, content="", position=holds, plan=made, moves=moves)


# ── what changed ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "after", "slot"),
    [
        pytest.param(task("room"), task("room", deadline="2027-03-01"), "deadline", id="deadline"),
        pytest.param(task("room"), task("room", starts="2027-03-01"), "start", id="start"),
        pytest.param(task("room"), task("room", owner="bo"), "owner", id="owner"),
        pytest.param(task("room"), task("room", estimated_hours=3.0), "hours", id="hours"),
    ],
)
def test_a_slot_of_a_task_that_is_otherwise_has_changed(before: PlanTask, after: PlanTask, slot: str) -> None:
    [change] = changed_slots(said(plan(before)), said(plan(after)))
    assert (change.slot, change.task_id) == (slot, "room")


def test_a_task_that_comes_or_goes_has_changed_and_its_slots_are_not_told_besides() -> None:
    changes = changed_slots(said(plan("room")), said(plan("talk")))
    assert changes == (Change("task", "room", "Do room", ""), Change("task", "talk", "", "Do talk"))


@pytest.mark.parametrize(
    ("position", "slot"),
    [
        ({"decision": "no_go"}, "decision"),
        ({"choice": "Lisbon"}, "choice"),
        ({"conclusion": "It does not work."}, "conclusion"),
    ],
)
def test_what_a_position_holds_may_change(position: dict[str, Any], slot: str) -> None:
    assert [each.slot for each in changed_slots(said(), said(**position))] == [slot]


@pytest.mark.parametrize("conclusion", ["it works", "It works!", " It  works. "])
def test_case_blanks_and_punctuation_are_no_change(conclusion: str) -> None:
    assert changed_slots(said(), said(conclusion=conclusion)) == ()


def test_an_output_without_a_plan_changes_none() -> None:
    assert changed_slots(said(plan("room")), said()) == ()


@given(PLANS, PLANS)
def test_plans_differ_in_nothing_only_where_their_tasks_say_the_same(one: Plan, other: Plan) -> None:
    def told(made: Plan) -> set[tuple[object, ...]]:
        return {(each.task_id, each.starts, each.deadline, each.owner, each.estimated_hours) for each in made.tasks}

    assert bool(differing(one, other)) == (told(one) != told(other))
    there = {(each.slot, each.task_id, each.before, each.after) for each in differing(one, other)}
    assert there == {(each.slot, each.task_id, each.after, each.before) for each in differing(other, one)}


# ── whether an argument moved it ──────────────────────────────────────────────────────────────────────────────────

LATER = plan(task("room", deadline="2027-03-01"))
ROOM = plan("room")


@pytest.mark.parametrize(
    ("moves", "explained"),
    [
        pytest.param((), False, id="no move"),
        pytest.param((Move(slot="deadline", task_id="room", argument="r1"),), True, id="of this slot"),
        pytest.param((Move(slot="owner", task_id="room", argument="r1"),), False, id="of another slot"),
        pytest.param((Move(slot="deadline", task_id="talk", argument="r1"),), False, id="of another task"),
        pytest.param((Move(slot="task", task_id="room", argument="r1"),), True, id="of the whole task"),
        pytest.param((Move(slot="task", argument="r1"),), False, id="of no task"),
    ],
)
def test_a_move_explains_the_slot_that_it_is_about(moves: tuple[Move, ...], explained: bool) -> None:
    assert (unexplained_changes(said(ROOM), said(LATER, *moves)) == ()) is explained


def test_another_conclusion_needs_no_argument_of_its_own_where_another_change_has_one() -> None:
    move = Move(slot="deadline", task_id="room", argument="r1")
    assert unexplained_changes(said(ROOM), said(LATER, move, conclusion="It works later.")) == ()


def test_another_conclusion_alone_needs_none_since_nobody_compares_sentences() -> None:
    assert unexplained_changes(said(), said(conclusion="It does not work.")) == ()


DAY: dict[str, Any] = {
    "dates": (NamedDay(name="opening", day="2027-03-01"),),
    "quantities": (NamedNumber(name="guests", number=50),),
}


@pytest.mark.parametrize(
    ("moves", "left"),
    [
        pytest.param((), ["deadline", "hours"], id="no move"),
        pytest.param((Move(slot="deadline", task_id="opening", argument="r1"),), ["hours"], id="of one kind"),
        pytest.param((Move(slot="task", task_id="room", argument="r1"),), [], id="of a whole task"),
    ],
)
def test_a_day_or_a_number_that_a_position_names_needs_an_argument_too(
    moves: tuple[Move, ...], left: list[str]
) -> None:
    later = said(
        None,
        *moves,
        dates=(NamedDay(name="opening", day="2027-03-08"),),
        quantities=(NamedNumber(name="guests", number=60),),
    )
    assert [each.slot for each in unexplained_changes(said(None, **DAY), later)] == left


def test_a_day_that_is_named_for_the_first_time_has_not_changed() -> None:
    assert unexplained_changes(said(), said(None, **DAY)) == ()


def test_one_explained_change_does_not_explain_another() -> None:
    move = Move(slot="deadline", task_id="room", argument="r1")
    [change] = unexplained_changes(said(ROOM), said(LATER, move, decision="no_go"))
    assert change.slot == "decision"


@pytest.mark.parametrize(
    ("argument", "kept"),
    [
        pytest.param("need-1", True, id="a fact"),
        pytest.param("r1-critic-reason-1", True, id="a reason of the other one"),
        pytest.param("r1-planner-reason-1", False, id="a reason of its own"),
        pytest.param("r7-risk-1", False, id="one that was never there"),
    ],
)
def test_only_a_move_that_names_an_argument_which_is_there_is_kept(argument: str, kept: bool) -> None:
    scenario = opened().says(PLANNER, planned(key_reasons=("cheap",)))
    scenario.says(CRITIC, drafted(key_reasons=("central",))).compared(0.8)
    scenario.says(PLANNER, planned(moves=[Move(slot="owner", task_id="room", argument=argument)]))
    output = scenario.state.last_output(PLANNER)
    assert output is not None
    assert bool(output.moves) is kept


# ── what changes make of a plan ───────────────────────────────────────────────────────────────────────────────────


def test_suggestions_say_what_they_would_change() -> None:
    change = SlotChange(slot="owner", task_id="room", value="bo")
    critique = Critique(suggestions=(Suggestion(solution="Bo does it.", changes=(change,)), Suggestion(solution="?")))
    output = Output(agent=CRITIC, round=2, at=0, content="", position=Position(conclusion="So."), critique=critique)
    assert suggested_changes(output) == (change,)


@given(PLANS, st.lists(CHANGES, max_size=6))
def test_every_id_stays_one_tasks_and_no_phase_is_left_empty(made: Plan, changes: list[SlotChange]) -> None:
    after = changed(made, changes)
    ids = [each.task_id for each in after.tasks]
    assert len(ids) == len(set(ids)) <= MOST_TASKS
    assert all(ids)
    assert all(each.tasks for each in after.phases)
    for each in after.tasks:
        assert {each.starts, each.deadline} <= {*DAYS, "2027-03-03"}
        assert 0 <= each.estimated_hours <= 10_000


@given(PLANS, CHANGES)
def test_a_change_changes_nothing_but_what_it_is_about(made: Plan, change: SlotChange) -> None:
    after = changed(made, [change])
    for each in differing(made, after):
        assert each.task_id == change.task_id
        coupled = {"start", "deadline"}
        assert each.slot == change.slot or {each.slot, change.slot} == coupled


@given(PLANS, CHANGES)
def test_a_change_made_twice_is_made_once(made: Plan, change: SlotChange) -> None:
    once = changed(made, [change])
    assert changed(once, [change]) == once


@given(PLANS, st.sampled_from(IDS))
def test_nothing_waits_for_a_task_that_was_taken_away(made: Plan, task_id: str) -> None:
    after = changed(made, [SlotChange(slot="task", task_id=task_id)])
    assert all(task_id not in (each.task_id, *each.depends_on) for each in after.tasks) or task_id not in {
        each.task_id for each in made.tasks
    }


@pytest.mark.parametrize(
    ("slot", "value", "after"),
    [
        pytest.param("start", "2027-03-09", ("2027-03-09", "2027-03-09"), id="begins behind its end"),
        pytest.param("deadline", "2027-02-09", ("2027-02-09", "2027-02-09"), id="ends before its beginning"),
        pytest.param("start", "2027-03-02", ("2027-03-02", "2027-03-05"), id="begins later"),
        pytest.param("deadline", "", ("2027-03-01", ""), id="without an end"),
        pytest.param("start", "soon", ("2027-03-01", "2027-03-05"), id="no date"),
    ],
)
def test_no_task_ends_before_it_begins(slot: Any, value: str, after: tuple[str, str]) -> None:
    made = plan(task("room", starts="2027-03-01", deadline="2027-03-05"))
    [only] = changed(made, [SlotChange(slot=slot, task_id="room", value=value)]).tasks
    assert (only.starts, only.deadline) == after


def test_a_plan_takes_no_more_tasks_than_it_may_have() -> None:
    full = plan(*(f"task-{number}" for number in range(MOST_TASKS)))
    assert changed(full, [SlotChange(slot="task", task_id="more", value="One more")]) == full


def test_what_the_critic_would_change_is_its_position() -> None:
    change = SlotChange(slot="owner", task_id="room", value="bo")
    suggestion = Suggestion(solution="Bo does it.", changes=(change,))
    scenario = in_round(2).both(critic=criticised(suggestions=[suggestion]))
    theirs = position_plan(scenario.state, CRITIC)
    assert theirs is not None
    assert [each.owner for each in theirs.plan.tasks] == ["bo"]
