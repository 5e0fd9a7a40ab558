"""Prompts 7 and 8 without a model: what a plan lacks, and whether it is worth asking others for."""

import pytest
from msgspec.structs import replace

from engine.negotiation.answers import (
    Assignment,
    Circumstances,
    EstimatedCost,
    Gap,
    GapAnalysis,
    ProposalDraft,
    RecursionAnswer,
    Understanding,
)

from .mini_negotiation import TODAY, ask, understood

CHEAP = EstimatedCost(tokens=5_000, time_seconds=30)


def plan(*roles: str) -> ProposalDraft:
    seats = tuple(
        Assignment(agent_id=f"a{number}", display_name=f"A{number}", role=role) for number, role in enumerate(roles)
    )
    return ProposalDraft(summary="A plan", assignments=seats)


def lacks(demand: Understanding, proposal: ProposalDraft) -> dict[str, int]:
    said = ask(GapAnalysis, "gaps", demand=demand, proposal=proposal, feedbacks=[], today=TODAY)
    assert said.analysis
    assert said.is_complete is not any(each.importance >= 60 for each in said.gaps)
    return {each.gap_type: each.importance for each in said.gaps}


def weighed(demand: Understanding, proposal: ProposalDraft, gaps: list[Gap], cost: EstimatedCost) -> RecursionAnswer:
    return ask(
        RecursionAnswer, "recurse", demand=demand, gaps=gaps, proposal=proposal, estimated_cost=cost, today=TODAY
    )


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        pytest.param("A meetup for 20 people in Berlin", "More hands", id="in English"),
        pytest.param("在北京办一场20人的聚会", "现场人手", id="in Chinese"),
    ],
)
def test_one_participant_is_too_few_for_twenty_people(text: str, hands: str) -> None:
    demand = understood(text)
    assert demand.context.expected_attendees == 20
    assert lacks(demand, plan("event planning, venue and MC"))[hands] >= 60
    assert hands not in lacks(demand, plan("venue", "event planning"))


def test_for_nineteen_one_is_enough() -> None:
    demand = understood("A meetup for 20 people in Berlin")
    fewer = replace(demand, context=Circumstances(expected_attendees=19))
    assert "More hands" not in lacks(fewer, plan("event planning"))


@pytest.mark.parametrize(
    ("text", "role"),
    [
        pytest.param("A meetup in Berlin; I need a venue and a photographer", "Photographer", id="in English"),
        pytest.param("在北京办一场聚会，需要场地和摄影", "摄影师", id="in Chinese"),
    ],
)
def test_a_photographer_who_was_asked_for_is_missed(text: str, role: str) -> None:
    demand = understood(text)
    assert lacks(demand, plan("venue", "活动策划", "event planner"))[role] >= 60
    assert role not in lacks(demand, plan("venue", role, "event planner"))


def test_what_nobody_asked_for_by_name_matters_less() -> None:
    found = lacks(understood("A meetup in Berlin; I need a photographer"), plan("Photographer"))
    assert found
    assert max(found.values()) < 60


def test_a_gap_that_was_asked_for_is_worth_it_and_says_what_is_wanted() -> None:
    demand = understood("I want to hold a meetup for 50 people in Berlin; I need a venue and a photographer")
    gap = Gap(gap_type="Photographer", importance=80, suggested_capability_tags=("photography",))
    said = weighed(demand, plan("venue"), [gap], CHEAP)
    assert said.should_recurse
    assert (said.condition_1_met, said.condition_2_met, said.condition_3_met) == (True, True, True)
    [asked] = said.sub_demands
    assert (asked.gap_type, asked.capability_tags, asked.priority) == ("Photographer", ("photography",), "high")
    assert "Photographer" in asked.description
    assert "meetup for 50 people in Berlin" in asked.description


@pytest.mark.parametrize(
    ("importance", "roles", "tokens", "unmet"),
    [
        pytest.param(65, ("venue",), 5_000, 1, id="good enough without it"),
        pytest.param(80, ("venue", "photography"), 5_000, 2, id="somebody can already"),
        pytest.param(80, ("venue",), 50_000, 3, id="too dear"),
    ],
)
def test_each_condition_can_fail_alone(importance: int, roles: tuple[str, ...], tokens: int, unmet: int) -> None:
    demand = understood("A meetup in Berlin; I need a venue and a photographer")
    gap = Gap(gap_type="Photographer", importance=importance, suggested_capability_tags=("photography",))
    said = weighed(demand, plan(*roles), [gap], EstimatedCost(tokens=tokens, time_seconds=30))
    met = [said.condition_1_met, said.condition_2_met, said.condition_3_met]
    assert [number for number, holds in enumerate(met, 1) if not holds] == [unmet]
    assert not said.should_recurse
    assert said.sub_demands == ()
