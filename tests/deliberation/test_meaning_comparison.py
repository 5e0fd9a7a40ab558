"""The latest positions are compared beside the rules: how near they are, in what they differ, and who moved."""

from typing import Any, Final

import pytest

from engine.deliberation.answers import CriticDraft, Critique, Move, PlanTask
from engine.deliberation.commands import RecordComparison
from engine.deliberation.rounds.meaning_comparison import compared
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


def test_two_positions_are_as_near_as_their_sentences_and_agree_as_their_data_does() -> None:
    found = compare(blind(ROOM, FOOD, TALK, conclusion="Something quite different")).analysis
    assert found.agreed
    assert found.consensus_level < 0.9
    found = compare(blind(with_(ROOM, owner="bo"), FOOD, TALK)).analysis
    assert not found.agreed
    assert found.consensus_level == 1


def test_the_reasons_count_as_well() -> None:
    assert level(blind(ROOM, FOOD, TALK, key_reasons=("It is cheap", "Everybody is there"))) < 1


# ── in what they differ ───────────────────────────────────────────────────────────────────────────────────────────


def test_differences_are_data() -> None:
    critics = (with_(ROOM, owner="bo"), with_(FOOD, deadline="2027-01-26"), TALK)
    found = compare(blind(*critics, decision="go_with_changes"))
    told = {(each.slot, each.about): (each.planner, each.critic) for each in found.differences}
    assert told == {
        ("decision", ""): ("go", "go_with_changes"),
        ("owner", "Book the room"): ("ann", "bo"),
        ("date", "Order the food"): ("2027-01-25", "2027-01-26"),
    }


# ── who moved ─────────────────────────────────────────────────────────────────────────────────────────────────────

LATER: Final = with_(TALK, deadline="2027-01-29")
MOVED: Final = (Move(slot="deadline", task_id="task-3", argument="need-1"),)


def test_whoever_says_the_same_again_is_as_before() -> None:
    scenario = second_round().says(PLANNER, planned(plan(ROOM, FOOD, TALK), **HELD)).says(CRITIC, criticised(**HELD))
    assert repeats(scenario)["planner"] == 1


def test_whoever_changes_its_data_does_not_repeat_itself_though_its_sentences_do() -> None:
    moved = planned(plan(ROOM, FOOD, LATER), moves=MOVED, **HELD)
    scenario = second_round().says(PLANNER, moved).says(CRITIC, criticised(**HELD))
    assert repeats(scenario)["planner"] < 0.9


def repeats(scenario: Scenario) -> dict[str, float]:
    return {each.name: each.level for each in compare(scenario).analysis.self_similarity}


def test_a_change_that_names_no_argument_brings_nobody_nearer() -> None:
    agrees = criticised(conclusion="Meet in the garden instead")
    gave_in = planned(plan(ROOM, FOOD, LATER), conclusion="Meet in the garden instead")
    argued = planned(plan(ROOM, FOOD, LATER), moves=MOVED, conclusion="Meet in the garden instead")
    unmoved = second_round().says(PLANNER, gave_in).says(CRITIC, agrees)
    moved = second_round().says(PLANNER, argued).says(CRITIC, agrees)
    assert compare(unmoved).analysis.unexplained == (Agent.PLANNER,)
    assert level(unmoved) < 0.9 < level(moved) == 1


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


def test_without_an_encoder_the_share_of_equal_slots_stands_in_and_that_is_said() -> None:
    half = compare(blind(with_(ROOM, owner="bo"), FOOD, TALK), no_encoder()).analysis
    assert 0.5 < half.consensus_level < 1
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
