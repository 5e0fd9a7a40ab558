"""Whoever is asked again about their part reads what changed of it: the task, its times, its place, its conditions."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from bot.texts import texts_in
from bot.views.kit.mrkdwn import Fit
from bot.views.negotiation.names import when_text
from bot.views.negotiation.voting.participant_card import changed_lines, own_part, plan_lines
from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment, Circumstances, Milestone, Need, ProposalDraft, Timeline
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldCondition, Proposal
from engine.negotiation.voting.carrying import part

from .stories import Story

NEEDS = (Need(need_id="need_1", what="a venue"), Need(need_id="need_2", what="a projector"))
EVENING = When(
    first="2027-05-03", last="2027-05-03", start="19:00", end="21:00", time_zone="Europe/Berlin", exact="day"
)
SEAT = Assignment(
    agent_id="aya", role="Host", responsibility="the hall in Berlin", dependencies=("a key",), covers=("need_1",)
)
PLAN = ProposalDraft(
    summary="An evening together", assignments=(SEAT,), when=EVENING, timeline=Timeline(start_date="2027-04-01")
)
ENGLISH = texts_in("en")


def version() -> tuple[Negotiation, Proposal]:
    context = Circumstances(location="Berlin")
    story = Story(policy=Policy(human_window=60)).demand().understood(needs=NEEDS, context=context).shortlisted("aya")
    story.offers("aya", "conditional", conditions=("a key to the hall",), covers=("need_1", "need_2")).proposed(PLAN)
    proposal = story.state.proposal
    assert proposal is not None
    held = HeldCondition(agent_id="aya", condition="a key to the hall", met=True, status="met")
    return story.state, replace(proposal, conditions=(held,))


def changed(**fields: Any) -> tuple[list[str], bool]:
    """What is told of a version that differs in these fields, and whether its person has to be asked about it."""
    state, before = version()
    of_seat = {name: value for name, value in fields.items() if hasattr(SEAT, name) and name != "when"}
    seat = replace(before.assignments[0], **of_seat)
    if "seat_when" in fields:
        seat = replace(seat, when=fields["seat_when"])
    of_plan = {name: value for name, value in fields.items() if name not in (*of_seat, "seat_when")}
    after = replace(before, assignments=(seat,), **of_plan)
    parts = own_part(state, before, "aya"), own_part(state, after, "aya")
    assert parts[1] is not None
    return changed_lines(parts[0], parts[1], ENGLISH, Fit()), part(before, "aya") != part(after, "aya")


UNMET = (HeldCondition(agent_id="aya", condition="a key to the hall", met=False, status="broken"),)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        pytest.param({"role": "Speaker"}, ["The part was: the hall in Berlin"], id="role"),
        pytest.param({"dependencies": ()}, ["It depended on: a key"], id="dependencies"),
        pytest.param({"notes": "bring a cable"}, ["The note on it was: …"], id="notes"),
        pytest.param({"covers": ("need_2",)}, ["It covered: a venue"], id="needs"),
        pytest.param(
            {"when": replace(EVENING, first="2027-05-04", last="2027-05-04")},
            ["When: Monday, May 3 19:00–21:00 (Berlin) → Tuesday, May 4 19:00–21:00 (Berlin)"],
            id="the plan's day",
        ),
        pytest.param(
            {"seat_when": replace(EVENING, start="20:00")},
            ["When: Monday, May 3 19:00–21:00 (Berlin) → Monday, May 3 20:00–21:00 (Berlin)"],
            id="the seat's hours",
        ),
        pytest.param(
            {"timeline": Timeline(start_date="2027-04-08")}, ["It was to start: Thursday, April 1"], id="start"
        ),
        pytest.param({"conditions": UNMET}, ["○ No longer met: a key to the hall"], id="a condition"),
        pytest.param({"conditions": ()}, ["No condition any more: a key to the hall"], id="a condition left out"),
    ],
)
def test_what_somebody_is_asked_about_again_is_told(fields: dict[str, Any], told: list[str]) -> None:
    lines, is_asked = changed(**fields)
    assert lines == told
    assert is_asked


def test_another_room_is_told_also_where_nobody_has_to_be_asked_about_it() -> None:
    assert changed(room="Hall 2")[0] == ["Where: Berlin → Hall 2, Berlin"]


def test_what_is_met_now_is_told() -> None:
    state, after = version()
    before = own_part(state, replace(after, conditions=UNMET), "aya")
    now = own_part(state, after, "aya")
    assert now is not None
    assert changed_lines(before, now, ENGLISH, Fit()) == ["✓ Now met: a key to the hall"]


def test_what_is_the_same_is_not_told() -> None:
    assert changed() == ([], False)
    assert changed(notes="  ")[0] == []


def test_the_plan_has_the_dates_of_its_steps() -> None:
    state, proposal = version()
    steps = (Milestone(name="Kick-off", date="2026-11-24"), Milestone(name="Demo"))
    now = own_part(state, replace(proposal, timeline=Timeline(milestones=steps)), "aya")
    assert now is not None
    assert plan_lines(now, ENGLISH, Fit())[-2:] == ["• Tuesday, November 24, 2026: Kick-off", "• Demo"]


def test_the_plan_says_when_and_where_the_person_is_needed() -> None:
    state, proposal = version()
    now = own_part(state, proposal, "aya")
    assert now is not None
    assert plan_lines(now, ENGLISH, Fit())[1:3] == ["📅 Monday, May 3 19:00–21:00 (Berlin)", "📍 Berlin"]


@pytest.mark.parametrize(
    ("last", "told"), [("2027-05-03", ["📅 Monday, May 3"]), ("2027-05-09", [])], ids=["one day", "some day of a week"]
)
def test_a_plan_without_a_time_is_on_the_day_that_was_asked_for(last: str, told: list[str]) -> None:
    context = Circumstances(when=When(first="2027-05-03", last=last))
    story = Story().demand().understood(context=context).shortlisted("aya").offers("aya").drafted("aya")
    assert story.state.proposal is not None
    now = own_part(story.state, story.state.proposal, "aya")
    assert now is not None
    assert [each for each in plan_lines(now, ENGLISH, Fit()) if each.startswith("📅")] == told


@pytest.mark.parametrize(
    ("location", "told"), [("北京", "Beijing"), ("望京的一间会议室", "望京的一间会议室"), ("Room 5", "Room 5")]
)
def test_a_city_is_told_in_the_reader_s_language_and_anything_more_as_it_was_said(location: str, told: str) -> None:
    state, proposal = version()
    now = own_part(state, proposal, "aya")
    assert now is not None
    lines = plan_lines(dataclasses.replace(now, location=location), ENGLISH, Fit())
    assert f"📍 {told}" in lines


@pytest.mark.parametrize(
    ("when", "text"),
    [
        (When(), ""),
        (When(said="soon", exact="vague"), "soon"),
        (When(first="2027-05-03", last="2027-05-07", exact="span"), "Monday, May 3 to Friday, May 7"),
        (When(last="2027-05-07", exact="span"), "by Friday, May 7"),
        (When(start="19:00", said="in the evening"), "19:00"),
    ],
)
def test_a_time_is_told_as_far_as_it_is_known(when: When, text: str) -> None:
    assert when_text(when, ENGLISH, "2027-01-01") == text
