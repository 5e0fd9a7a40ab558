"""The latest positions are compared beside the rules: how near they are, in what they differ, and who moved."""

from typing import Any, Final

import pytest

from engine.deliberation.answers import CriticDraft, Critique, Move, PlanTask, SlotChange, SlotKind, Suggestion
from engine.deliberation.commands import RecordComparison
from engine.deliberation.meaning_comparison import compared
from engine.deliberation.terms import Agent
from engine.llm.encoder import Meaning, NotKnownYet, only_known

from .encoders import counting, no_encoder
from .scenario import CRITIC, PLANNER, Scenario, criticised, drafted, opened, plan, planned, task

ROOM: Final = task("task-1", title="Book the room", owner="ann", estimated_hours=4, deadline="2027-01-20")
FOOD: Final = task("task-2", title="Order the food", owner="bo", estimated_hours=2, deadline="2027-01-25")
TALK: Final = task("task-3", title="Find two speakers", owner="ann", estimated_hours=6, deadline="2027-01-22")
HELD: Final[dict[str, Any]] = {"conclusion": "Hold the evening on 30 January in one room"}


def with_(each: PlanTask, **fields: Any) -> PlanTask:
    return task(
        each.task_id, **{name: getattr(each, name) for name in each.__struct_fields__ if name != "task_id"} | fields
    )


def suggests(slot: SlotKind, task_id: str, value: str) -> Suggestion:
    return Suggestion(solution="Change it", changes=(SlotChange(slot=slot, task_id=task_id, value=value),))


def draft_of(*tasks: PlanTask, **fields: Any) -> CriticDraft:
    return drafted(plan(*tasks), Critique(), **HELD | fields)


def compare(scenario: Scenario, encoder: Meaning | None = None) -> RecordComparison:
    return compared(scenario.state, encoder or counting()[0], command_id="c", at=0)


def level(scenario: Scenario) -> float:
    return compare(scenario).analysis.consensus_level


def second_round(first: Any = None) -> Scenario:
    """Both have taken their first positions, and are asked for the second ones."""
    scenario = opened().says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD))
    return scenario.says(CRITIC, first or draft_of(ROOM, FOOD, with_(TALK, deadline="2027-01-15"))).compared(0.75)


# ── how near they are ─────────────────────────────────────────────────────────────────────────────────────────────


def blind(*critics: PlanTask, **fields: Any) -> Scenario:
    scenario = opened().says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD))
    return scenario.says(CRITIC, draft_of(*critics, **fields))


def test_two_drafts_that_say_the_same_are_the_same_though_their_ids_differ() -> None:
    same = [
        PlanTask(task_id=f"task-{number}", title=each.title, owner=each.owner, estimated_hours=each.estimated_hours,
                 deadline=each.deadline)
        for number, each in enumerate((TALK, FOOD, ROOM), 1)
    ]  # fmt: skip
    found = compare(blind(*same))
    assert found.analysis.consensus_level == 1
    assert not found.differences


@pytest.mark.parametrize(
    "critics",
    [
        pytest.param((with_(ROOM, deadline="2027-01-10"), FOOD, TALK), id="another deadline"),
        pytest.param((with_(ROOM, owner="bo"), FOOD, TALK), id="another owner"),
        pytest.param((with_(ROOM, estimated_hours=12), FOOD, TALK), id="other hours"),
        pytest.param((ROOM, FOOD), id="a task less"),
        pytest.param((ROOM, FOOD, TALK, task("task-9", title="Rent microphones")), id="a task more"),
    ],
)
def test_drafts_that_differ_in_one_slot_do_not_agree_yet(critics: tuple[PlanTask, ...]) -> None:
    assert 0.5 < level(blind(*critics)) <= 0.90


def test_drafts_of_other_tasks_are_far_apart() -> None:
    others = [
        task(f"task-{number}", title=title) for number, title in enumerate(("Rent bikes", "Sew flags", "Cast bells"), 1)
    ]
    assert level(blind(*others)) <= 0.70


def test_opposite_decisions_are_far_apart_though_the_plans_are_the_same() -> None:
    assert level(blind(ROOM, FOOD, TALK, decision="no_go")) <= 0.70


def test_the_critics_position_is_the_plan_as_it_would_have_it() -> None:
    scenario = second_round().says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD))
    with_nothing = scenario.says(CRITIC, criticised(**HELD))
    assert level(with_nothing) == 1
    scenario = second_round().says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD))
    scenario.says(CRITIC, criticised(suggestions=[suggests("deadline", "task-3", "2027-01-15")], **HELD))
    found = compare(scenario)
    assert found.analysis.consensus_level < 0.9
    assert [(each.slot, each.about, each.planner, each.critic) for each in found.differences] == [
        ("deadline", "Find two speakers", "2027-01-22", "2027-01-15")
    ]


# ── in what they differ ───────────────────────────────────────────────────────────────────────────────────────────


def test_differences_are_told_in_words() -> None:
    critics = (
        with_(ROOM, owner="bo", starts="2027-01-12"),
        with_(FOOD, estimated_hours=5),
        task("task-9", title="Rent lights"),
    )
    found = compare(blind(*critics, decision="go_with_changes"))
    told = {(each.slot, each.about): (each.planner, each.critic) for each in found.differences}
    assert told[("owner", "Book the room")] == ("Ann", "Bo")
    assert told[("start", "Book the room")] == ("", "2027-01-12")
    assert told[("hours", "Order the food")] == ("2", "5")
    assert told[("task", "Find two speakers")] == ("Find two speakers", "")
    assert told[("task", "Rent lights")] == ("", "Rent lights")
    assert told[("decision", "")] == ("go", "go_with_changes")
    assert not [each for each in told if each[0] in ("owner", "deadline") and each[1] == "Rent lights"]


# ── who moved ─────────────────────────────────────────────────────────────────────────────────────────────────────

LATER: Final = with_(TALK, deadline="2027-01-29")
MOVED: Final = (Move(slot="deadline", task_id="task-3", argument="need-1"),)


def test_whoever_changes_away_from_what_the_other_held_has_moved_away() -> None:
    first = draft_of(ROOM, FOOD, TALK)
    scenario = second_round(first).says(PLANNER, planned(plan(ROOM, FOOD, LATER), moves=MOVED, **HELD))
    scenario.says(CRITIC, criticised(suggestions=[suggests("deadline", "task-3", "2027-01-22")], **HELD))
    assert compare(scenario).analysis.moved_away == (Agent.PLANNER,)


def test_whoever_takes_what_the_other_held_has_not() -> None:
    sooner = with_(TALK, deadline="2027-01-15")
    scenario = second_round().says(PLANNER, planned(plan(ROOM, FOOD, sooner), moves=MOVED, **HELD))
    scenario.says(CRITIC, criticised(**HELD))
    found = compare(scenario).analysis
    assert found.moved_away == ()
    assert found.consensus_level == 1


def test_the_critic_does_not_move_by_what_the_planner_changes() -> None:
    scenario = second_round(draft_of(ROOM, FOOD, TALK))
    objects = criticised(suggestions=[suggests("deadline", "task-2", "2027-01-23")], **HELD)
    scenario.says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD)).says(CRITIC, objects).compared(0.8)
    scenario.says(PLANNER, planned(plan(with_(ROOM, owner="bo"), FOOD, LATER), **HELD)).says(CRITIC, objects)
    found = compare(scenario).analysis
    repeats = {each.name: each.level for each in found.self_similarity}
    assert CRITIC not in found.moved_away
    assert repeats["critic"] == 1
    assert repeats["planner"] < 0.9


def test_whoever_says_the_same_again_is_as_before() -> None:
    scenario = second_round().says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD)).says(CRITIC, criticised(**HELD))
    assert {each.name: each.level for each in compare(scenario).analysis.self_similarity}["planner"] == 1


def test_a_change_that_names_no_argument_does_not_raise_the_level() -> None:
    sooner = planned(plan(ROOM, FOOD, with_(TALK, deadline="2027-01-15")), **HELD)
    agrees = criticised(suggestions=[suggests("deadline", "task-3", "2027-01-15")], **HELD)

    unmoved = second_round().says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD)).says(CRITIC, agrees)
    gave_in = second_round().says(PLANNER, sooner).says(CRITIC, agrees)
    argued = second_round().says(PLANNER, planned(sooner.plan, moves=MOVED, **HELD)).says(CRITIC, agrees)

    assert compare(gave_in).analysis.unexplained == (Agent.PLANNER,)
    assert level(gave_in) <= level(unmoved) + 0.01 < level(argued) == 1


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(plan(ROOM, FOOD), id="a task that is gone"),
        pytest.param(plan(ROOM, FOOD, TALK, task("task-4", title="Rent lights")), id="a task that is new"),
        pytest.param(plan(with_(ROOM, owner="bo"), FOOD, TALK), id="another owner"),
    ],
)
def test_what_is_not_explained_is_compared_as_it_was(now: Any) -> None:
    scenario = (
        second_round().says(PLANNER, planned(now, **HELD | {"decision": "no_go"})).says(CRITIC, criticised(**HELD))
    )
    found = compare(scenario).analysis
    assert found.unexplained == (Agent.PLANNER,)
    assert found.consensus_level < 0.9


# ── vectors ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_positions_vector_is_computed_once_and_the_analysis_says_how_many() -> None:
    encoder, embedder = counting()
    scenario = opened()
    computed = 0
    for number in range(1, 6):
        scenario.says(PLANNER, planned(conclusion=f"The plan number {number} works"))
        critic = drafted if number == 1 else criticised
        scenario.says(CRITIC, critic(conclusion=f"The plan number {number} fails"))
        found = compare(scenario, encoder).analysis
        assert found.dimension == 64
        computed += found.vectors_computed
        scenario.compared(0.75 + 0.03 * number)
    assert set(embedder.encoded.values()) == {1}
    assert len(embedder.encoded) == computed == 10


def test_without_an_encoder_words_are_compared_and_that_is_said() -> None:
    found = compare(blind(ROOM, FOOD, TALK), no_encoder())
    assert found.analysis.by_keywords
    assert (found.analysis.dimension, found.analysis.vectors_computed) == (0, 0)
    assert found.error is not None
    assert (found.error.error, found.error.tool) == ("tool_execution_failed", "compare_positions")
    assert found.analysis.consensus_level == 1


def test_nobody_waits_for_the_encoder_where_others_are_served() -> None:
    encoder, _ = counting()
    scenario = blind(ROOM, FOOD, TALK, conclusion="Something else")
    with pytest.raises(NotKnownYet):
        only_known(lambda: compare(scenario, encoder))
    compare(scenario, encoder)
    assert only_known(lambda: compare(scenario, encoder)).analysis.vectors_computed == 0


def test_the_same_state_is_always_compared_the_same() -> None:
    scenario = blind(with_(ROOM, owner="bo"), FOOD)
    assert compare(scenario, counting()[0]) == compare(scenario, counting()[0])
