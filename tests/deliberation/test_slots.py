"""Two positions agree where their data is equal; of two blind drafts the Host says which slots are the same thing."""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.deliberation.answers import (
    Critique,
    HostAnswer,
    NamedDay,
    NamedNumber,
    NamedOwner,
    Plan,
    PlanTask,
    SlotChange,
    SlotPair,
    Suggestion,
)
from engine.deliberation.commands import RecordHostWords
from engine.deliberation.events import AgentSkipped, HostSpoke
from engine.deliberation.rounds.positions import Standing, standing_of
from engine.deliberation.terms import RULES, Action, Reason
from engine.kernel import HandedTask

from .scenario import (
    BRIEF,
    CRITIC,
    PLANNER,
    QUIET,
    Scenario,
    criticised,
    drafted,
    in_round,
    opened,
    plan,
    planned,
    task,
)

ROOM: Final = task("task-1", title="Book the room", owner="ann", deadline="2027-01-20")
SAAL: Final = task("task-1", title="Den Saal mieten", owner="ann", deadline="2027-01-20")
EMPTY: Final = Plan(title="It")


def day(name: str, on: str) -> NamedDay:
    return NamedDay(name=name, day=on)


def standing(scenario: Scenario) -> Standing:
    found = standing_of(scenario.state)
    assert found is not None
    return found


def blind(planner: dict[str, Any], critic: dict[str, Any], one: Plan = EMPTY, other: Plan = EMPTY) -> Scenario:
    return opened().says(PLANNER, planned(one, **planner)).says(CRITIC, drafted(other, **critic))


def told(found: Standing) -> list[tuple[str, str, str, str]]:
    return [(each.slot, each.about, each.planner, each.critic) for each in found.differences]


# ── two blind drafts ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("planner", "critic", "difference"),
    [
        pytest.param({}, {"decision": "no_go"}, ("decision", "", "go", "no_go"), id="another decision"),
        pytest.param(
            {"dates": (day("opening", "2027-03-01"),)},
            {"dates": (day("Opening", "2027-03-02"),)},
            ("date", "opening", "2027-03-01", "2027-03-02"),
            id="another day",
        ),
        pytest.param(
            {"owners": (NamedOwner(name="music", person_id="ann"),)},
            {"owners": (NamedOwner(name="music", person_id="bo"),)},
            ("owner", "music", "ann", "bo"),
            id="another owner",
        ),
        pytest.param(
            {"quantities": (NamedNumber(name="guests", number=50),)},
            {"quantities": (NamedNumber(name="guests", number=60),)},
            ("quantity", "guests", "50", "60"),
            id="another number",
        ),
    ],
)
def test_what_differs_is_told_and_is_no_agreement(planner: Any, critic: Any, difference: Any) -> None:
    found = standing(blind(planner, critic))
    assert told(found) == [difference]
    assert not found.is_agreed


def test_what_only_one_names_contradicts_nothing() -> None:
    found = standing(blind({"dates": (day("opening", "2027-03-01"),)}, {}))
    assert found.is_agreed


def test_what_both_call_differently_is_open_until_the_host_has_said_whether_it_is_the_same() -> None:
    found = standing(blind({"dates": (day("opening", "2027-03-01"),)}, {"dates": (day("Eröffnung", "2027-03-01"),)}))
    assert (found.differences, found.is_open, found.is_agreed) == ((), True, False)


def test_another_one_of_the_given_options_is_another_choice() -> None:
    among = replace(BRIEF, options=("Lisbon", "Vienna"))
    scenario = opened(brief=among).says(PLANNER, planned(EMPTY, choice="Lisbon"))
    found = standing(scenario.says(CRITIC, drafted(EMPTY, choice="Vienna")))
    assert told(found) == [("choice", "", "Lisbon", "Vienna")]


def test_where_nobody_has_listed_the_options_the_host_says_whether_two_names_are_one() -> None:
    scenario = blind({"choice": "Lisbon"}, {"choice": "the south"}).owing("host layout-1")
    scenario.does(RecordHostWords, round=1, answer=laid_out(of_kind(scenario, "choice")))
    assert standing(scenario).is_agreed
    scenario = blind({"choice": "Lisbon"}, {"choice": "Vienna"})
    scenario.does(RecordHostWords, round=1, answer=laid_out())
    assert told(standing(scenario)) == [("choice", "", "Lisbon", "Vienna")]


def test_a_position_that_names_nothing_stands_by_its_tasks() -> None:
    later = task("task-9", title="book the ROOM", owner="bo", deadline="2027-01-25")
    found = standing(blind({}, {}, plan(ROOM), plan(later)))
    assert [each[0] for each in told(found)] == ["date", "owner"]


def test_equal_ids_of_blind_drafts_are_not_the_same_task_but_those_of_agreed_tasks_are() -> None:
    assert standing(blind({}, {}, plan(ROOM), plan(SAAL))).is_open
    agreed = replace(BRIEF, tasks=(HandedTask(task_id="task-1", title="The room"),))
    scenario = opened(brief=agreed).says(PLANNER, planned(plan(ROOM))).says(CRITIC, drafted(plan(SAAL)))
    assert standing(scenario).is_agreed


# ── the Host lays them side by side ───────────────────────────────────────────────────────────────────────────────


def laid_out(*pairs: tuple[str, str], content: str = "Both take a room.") -> HostAnswer:
    return HostAnswer(content=content, pairs=tuple(SlotPair(planner=one, critic=other) for one, other in pairs))


def asked_to_lay_out(**critic: Any) -> Scenario:
    return blind({}, critic, plan(ROOM), plan(SAAL)).owing("host layout-1")


def of_kind(scenario: Scenario, kind: str) -> tuple[str, str]:
    found = standing(scenario)
    one, other = (next(each.slot_id for each in side if each.kind == kind) for side in (found.planner, found.critic))
    return one, other


def test_where_only_names_differ_the_host_is_asked_once_and_then_it_is_compared() -> None:
    scenario = asked_to_lay_out()
    pairs = of_kind(scenario, "date"), of_kind(scenario, "owner")
    scenario.does(RecordHostWords, round=1, answer=laid_out(*pairs)).then(HostSpoke).owing("compare compare-1")
    assert standing(scenario).is_agreed


def test_what_the_host_does_not_pair_is_of_one_draft_alone() -> None:
    scenario = asked_to_lay_out().does(RecordHostWords, round=1, answer=laid_out())
    assert standing(scenario).is_agreed


def test_paired_slots_of_other_values_differ() -> None:
    scenario = blind(
        {}, {}, plan(ROOM), plan(task("task-1", title="Den Saal mieten", owner="bo", deadline="2027-01-20"))
    )
    pairs = of_kind(scenario, "date"), of_kind(scenario, "owner")
    scenario.does(RecordHostWords, round=1, answer=laid_out(*pairs))
    assert told(standing(scenario)) == [("owner", "Book the room", "ann", "bo")]


@pytest.mark.parametrize(
    "pair", [("p1", "c99"), ("p99", "c1"), ("p1", "c2")], ids=["unknown", "made up", "of two kinds"]
)
def test_a_pair_that_is_none_changes_nothing(pair: tuple[str, str]) -> None:
    scenario = asked_to_lay_out().does(RecordHostWords, round=1, answer=laid_out(pair))
    assert not standing(scenario).differences


def test_without_the_host_only_equal_names_are_the_same() -> None:
    scenario = asked_to_lay_out().does(RecordHostWords, round=1, answer=None).then(AgentSkipped)
    scenario.owing("compare compare-1")
    assert standing(scenario).is_open


def test_a_late_answer_of_the_host_is_no_second_one() -> None:
    scenario = asked_to_lay_out().does(RecordHostWords, round=1, answer=None)
    scenario.does(RecordHostWords, round=1, answer=laid_out()).then().owing()


def test_where_the_host_cannot_be_asked_any_more_it_goes_on_by_names() -> None:
    asked_to_lay_out().fails("layout-1").then(AgentSkipped).owing("compare compare-1")


def test_where_they_differ_anyway_nobody_is_asked() -> None:
    blind({}, {"decision": "no_go"}, plan(ROOM), plan(SAAL)).owing("compare compare-1")


@pytest.mark.parametrize("no", ["feasible", "realistic", "complete"])
def test_where_something_holds_it_back_anyway_nobody_is_asked(no: str) -> None:
    critique = criticised(no=[no]).critique
    scenario = opened().says(PLANNER, planned(plan(ROOM))).says(CRITIC, drafted(plan(SAAL), critique))
    scenario.owing("compare compare-1")


def test_what_the_host_said_there_is_not_said_again() -> None:
    speaking = QUIET.model_copy(update={"host_speaks": True})
    scenario = opened(speaking).says(PLANNER, planned(plan(ROOM))).says(CRITIC, drafted(plan(SAAL)))
    scenario.does(RecordHostWords, round=1, answer=laid_out()).compared(0.8, agreed=True)
    scenario.decided(Action.CONVERGE, Reason.EARLY_AGREEMENT).owing("report report-1")


# ── one plan, argued about ────────────────────────────────────────────────────────────────────────────────────────


def suggests(priority: Any, value: str = "2027-01-15") -> Suggestion:
    change = SlotChange(slot="deadline", task_id="task-1", value=value)
    return Suggestion(solution="Earlier", priority=priority, changes=(change,))


def second_round(*suggestions: Suggestion, **critic: Any) -> Scenario:
    return in_round(2).says(PLANNER, planned(plan(ROOM))).says(CRITIC, criticised(suggestions=suggestions, **critic))


def test_the_critics_position_is_the_plan_as_it_would_have_it() -> None:
    assert standing(second_round()).is_agreed
    found = standing(second_round(suggests("medium")))
    assert told(found) == [("deadline", "Book the room", "2027-01-20", "2027-01-15")]


def test_what_the_critic_holds_for_unimportant_itself_keeps_nobody_from_agreeing() -> None:
    assert standing(second_round(suggests("low"))).is_agreed


def test_in_one_plan_other_names_are_other_things() -> None:
    scenario = in_round(2).says(PLANNER, planned(plan(ROOM), dates=(day("opening", "2027-03-01"),)))
    assert standing(scenario.says(CRITIC, criticised(dates=(day("party", "2027-03-02"),)))).is_agreed


# ── any positions ─────────────────────────────────────────────────────────────────────────────────────────────────

NAMES = st.sampled_from(["opening", "music", "会场", "task-1"])


def named(kind: Any, **fields: Any) -> Any:
    each = st.builds(kind, name=NAMES, **fields)
    return st.lists(each, max_size=3, unique_by=lambda made: made.name).map(tuple)


HELD = st.fixed_dictionaries(
    {
        "decision": st.sampled_from(["go", "no_go"]),
        "dates": named(NamedDay, day=st.sampled_from(["2027-03-01", "2027-03-02"])),
        "owners": named(NamedOwner, person_id=st.sampled_from(["ann", "bo"])),
        "quantities": named(NamedNumber, number=st.sampled_from([1.0, 2.5])),
    }
)
PLANS = st.lists(
    st.builds(
        PlanTask,
        task_id=st.sampled_from(["task-1", "task-2"]),
        title=st.sampled_from(["Room", "Saal"]),
        owner=st.sampled_from(["", "ann", "bo"]),
        deadline=st.sampled_from(["", "2027-01-20"]),
    ),
    max_size=2,
    unique_by=(lambda each: each.task_id, lambda each: each.title),
).map(lambda tasks: plan(*tasks) if tasks else EMPTY)


@given(HELD, PLANS)
def test_whoever_says_the_same_agrees(held: dict[str, Any], made: Plan) -> None:
    found = standing(blind(held, held, made, made))
    same_names = [tuple((each.kind, each.name) for each in side) for side in (found.planner, found.critic)]
    assert same_names[0] == same_names[1]
    assert not found.differences
    assert not found.is_open


@given(HELD, PLANS, HELD, PLANS)
def test_which_is_which_makes_no_difference(
    one: dict[str, Any], first: Plan, other: dict[str, Any], second: Plan
) -> None:
    found, turned = standing(blind(one, other, first, second)), standing(blind(other, one, second, first))
    assert found.is_agreed == turned.is_agreed
    assert sorted(told(found)) == sorted((slot, about, b, a) for slot, about, a, b in told(turned))


# ── without a model ───────────────────────────────────────────────────────────────────────────────────────────────


def test_where_rules_spoke_nobody_has_argued_and_it_ends_at_once() -> None:
    scenario = opened().says(PLANNER, planned(EMPTY), model=RULES).says(CRITIC, drafted(EMPTY, Critique()), model=RULES)
    scenario.decided(Action.TERMINATE, Reason.NOT_ARGUED).owing("report report-1")
    assert scenario.state.closing is not None
    assert not scenario.state.closing.is_divergent


def test_one_model_is_enough_to_be_argued_with() -> None:
    scenario = opened().says(PLANNER, planned(EMPTY), model="claude").says(CRITIC, drafted(EMPTY), model=RULES)
    scenario.owing("compare compare-1")
