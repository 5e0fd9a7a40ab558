"""Prompt 4, offline: weave the offers into one proposal."""

import asyncio

import pytest

from engine.errors import InvalidAnswer
from engine.llm.port import Question
from engine.negotiation.answers import OfferDecision, OfferMade, ProposalDraft
from tests.negotiation.prompts import PROMPTS
from tests.offline.demands import MEETUP, OTHERS, PROTOTYPE
from tests.offline.mini_negotiation import TODAY, Story, story_of, understood, woven
from tests.offline.model import OFFLINE


def offer(name: str, contribution: str, *conditions: str, covers: tuple[str, ...] = ()) -> OfferMade:
    return OfferMade(
        agent_id=f"user_agent_{name}",
        display_name=name.title(),
        decision=OfferDecision.CONDITIONAL if conditions else OfferDecision.PARTICIPATE,
        contribution=contribution,
        conditions=conditions,
        covers=covers,
    )


EACH = [pytest.param(text, id=text[:40]) for text in (MEETUP, PROTOTYPE, *OTHERS)]


@pytest.fixture
def story(text: str) -> Story:
    return story_of(text)


@pytest.mark.parametrize("text", EACH)
def test_only_people_who_offered_have_seats_and_nobody_has_two(story: Story) -> None:
    seats = [each.agent_id for each in story.versions[0].assignments]
    offered = {key for key, each in story.answers.items() if each.decision is not OfferDecision.DECLINE}
    assert len(seats) == len(set(seats))
    assert set(seats) <= offered


@pytest.mark.parametrize("text", EACH)
def test_who_offered_and_has_no_seat_is_named_in_the_rationale(story: Story) -> None:
    plan = story.versions[0]
    names = {each.agent_id: each.display_name for each in story.shortlist.definitely_related}
    seated = {each.agent_id for each in plan.assignments}
    for agent_id, answer in story.answers.items():
        if answer.decision is not OfferDecision.DECLINE and agent_id not in seated:
            assert names[agent_id] in plan.rationale


@pytest.mark.parametrize("text", EACH)
def test_every_condition_is_answered_once_with_a_reason(story: Story) -> None:
    plan = story.versions[0]
    seated = {each.agent_id for each in plan.assignments}
    offers = {key: each for key, each in story.answers.items() if key in seated}
    made = {(key, said.text) for key, each in offers.items() for said in each.conditions}
    assert {(each.agent_id, each.condition) for each in plan.conditions} == made
    assert all(each.reason for each in plan.conditions)


@pytest.mark.parametrize("text", EACH)
def test_the_notes_of_a_seat_name_each_of_its_conditions(story: Story) -> None:
    plan = story.versions[0]
    notes = {each.agent_id: each.notes.split("\n") for each in plan.assignments}
    for each in plan.conditions:
        assert any(each.condition in line for line in notes[each.agent_id])


@pytest.mark.parametrize("text", EACH)
def test_every_seat_has_a_role_and_a_task(story: Story) -> None:
    assert all(each.role and each.responsibility for each in story.versions[0].assignments)


@pytest.mark.parametrize("text", EACH)
def test_a_plan_has_steps_and_says_how_success_is_seen(story: Story) -> None:
    plan = story.versions[0]
    assert len(plan.timeline.milestones) >= 3
    assert plan.success_criteria
    assert plan.adjustment_summary is None


def test_the_only_room_is_core_and_one_of_two_speakers_is_not() -> None:
    plan = woven(
        understood(MEETUP),
        [offer("a", "场地我可以来：可坐60人"), offer("b", "演讲嘉宾我可以来"), offer("c", "演讲嘉宾我可以来")],
    )
    assert [(each.display_name, each.core) for each in plan.assignments] == [("A", True), ("B", False), ("C", False)]


def test_of_two_rooms_the_one_that_is_large_enough_is_taken_and_the_other_thanked() -> None:
    plan = woven(understood(MEETUP), [offer("a", "场地：可坐30人"), offer("b", "场地：可坐80人")])
    assert [each.display_name for each in plan.assignments] == ["B"]
    assert "A" in plan.rationale


def test_what_nobody_offers_is_a_gap_and_not_a_surprise_task() -> None:
    plan = woven(understood(MEETUP), [offer("a", "场地：可坐60人", covers=("need_1",))])
    assert [*plan.gaps] == ["演讲嘉宾", "活动策划", "主持人"]
    assert plan.assignments[0].responsibility == "可坐60人"


def test_one_who_can_do_two_things_does_both_where_nobody_else_can() -> None:
    plan = woven(understood("办聚会，需要场地和茶歇"), [offer("a", "场地：咖啡馆；茶歇：咖啡和点心")])
    assert plan.assignments[0].responsibility == "咖啡馆；咖啡和点心"


def test_a_condition_that_costs_money_is_met_only_where_there_is_some() -> None:
    condition = "往返差旅费用由主办方报销"
    offers = [offer("a", "演讲嘉宾我可以来", condition)]
    poor = woven(understood(MEETUP), offers).conditions[0]
    rich = woven(understood(MEETUP + "，预算2万元"), offers).conditions[0]
    assert (poor.met, rich.met) == (False, True)
    assert "2万元" in rich.reason


def test_a_condition_that_harms_the_demand_is_declined_with_a_reason() -> None:
    answer = woven(understood(MEETUP), [offer("a", "主持我可以来", "现场最多30人")]).conditions[0]
    assert not answer.met
    assert "50人" in answer.reason


def test_a_talk_gets_a_length_that_can_be_negotiated() -> None:
    plan = woven(understood(MEETUP), [offer("a", "演讲嘉宾我可以来：讲大模型")])
    assert "30分钟" in plan.assignments[0].responsibility


def test_an_offer_in_somebodys_own_free_words_keeps_them() -> None:
    plan = woven(understood(PROTOTYPE), [offer("a", "I'd love to bring cookies")])
    assert plan.assignments[0].responsibility == "I'd love to bring cookies"


def test_dates_are_as_exact_as_the_demand_and_no_more() -> None:
    days = [each.date for each in woven(understood(PROTOTYPE), [offer("a", "UX design")]).timeline.milestones]
    assert days[0].startswith("2026-11-2")
    assert days[-1] == "2027-01-03 (Sun)"
    open_ = woven(understood(MEETUP), [offer("a", "场地：60人")]).timeline.milestones
    assert all("[TBD]" in each.date for each in open_)


def test_a_plan_of_nobody_is_no_answer() -> None:
    prompt = PROMPTS["negotiation/aggregate"]
    question = Question(prompt, {"demand": understood(MEETUP), "offers": [], "today": TODAY}, ProposalDraft)
    with pytest.raises(InvalidAnswer):
        asyncio.run(OFFLINE.answer(question))
