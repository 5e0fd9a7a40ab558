"""Whoever comes late reads the root card alone: who does what, when, where, what is missing, until when to vote."""

import re
from typing import Any

import pytest

from bot.local_slack.blocks import block_problems
from bot.views.kit.fit import LONGEST_MESSAGE, size
from bot.views.kit.post import Post
from engine.facts.circumstances import When
from engine.negotiation.answers import AdjustmentSummary, Assignment, Change, Circumstances, Milestone, Need, Timeline
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.views.message_contents import shown
from tests.views.stories import Story, post_of

CHINESE = "在北京办一场五十人的人工智能交流会，需要场地、嘉宾和主持人"
TASK = "提前到场布置，负责签到、接待嘉宾与全程协调。" * 6
UNTIL = re.compile(r"votes until <!date\^(\d+)\^|截[止至] <!date\^(\d+)\^")
SEATS = (
    Assignment(agent_id="aya", role="Venue host", responsibility="A room for sixty", covers=("need_1",), core=True),
    Assignment(agent_id="bo", role="Speaker", responsibility="A talk of half an hour"),
)


def meetup(demand: str = "An AI meetup for 50 people in Beijing") -> Story:
    story = Story(linked={"aya": "U_AYA"}).demand(demand)
    needs = (Need(need_id="need_1", what="a venue"), Need(need_id="need_2", what="catering"))
    story.understood(
        surface_demand=demand, context=Circumstances(location="Beijing", expected_attendees=50), needs=needs
    )
    story.shortlisted("aya", "bo").offers("aya", covers=("need_1",)).offers("bo")
    while story.state.status is Status.COLLECTING:
        story.now = story.state.offers_due
        story.rings("offers")
    when = When(first="2027-03-14", start="18:00", end="21:00")
    steps = (Milestone(name="Room booked", date="2027-03-05"),)
    return story.drafted(assignments=SEATS, when=when, timeline=Timeline(milestones=steps))


def read(story: Story) -> str:
    return shown(post_of(story, "root"))


def test_while_it_is_voted_on_everything_is_there() -> None:
    story = meetup().twin("aya", "accept")
    text = read(story)
    assert "📍 Beijing   👥 50 people" in text
    assert "Sunday, March 14 18:00–21:00" in text
    assert "• Friday, March 5: Room booked" in text
    assert "✅ *Aya* accepts (twin) · ⭐ Venue host: A room for sixty" in text
    assert "⏳ *Bo* is being asked · Speaker: A talk of half an hour" in text
    assert "❌ Missing: catering" in text
    found = UNTIL.search(text)
    assert found is not None
    assert int(found[1]) * 1000 == story.state.rounds[-1].window.deadline


def test_of_many_steps_the_first_and_the_day_that_was_asked_for_are_there() -> None:
    story = Story().demand("An AI meetup").understood(context=Circumstances(when=When(first="2027-03-14")))
    story.shortlisted("aya").offers("aya")
    days = {"2027-03-01": "Room booked", "2027-03-07": "Content fixed", "2027-03-14 (Sun)": "The event"}
    steps = tuple(Milestone(name=name, date=day) for day, name in {**days, "2027-03-17": "Looking back"}.items())
    text = read(story.drafted("aya", timeline=Timeline(milestones=steps)))
    assert "• Monday, March 1: Room booked\n• Sunday, March 14: The event" in text
    assert "Looking back" not in text


def test_what_somebody_brings_stays_on_their_line_in_chinese_too() -> None:
    long = Assignment(agent_id="aya", role="活动统筹", responsibility="把活动拆成任务表和流程单，当天做总控")
    short = Assignment(agent_id="bo", role="主持", responsibility="开场和问答")
    story = Story().demand(CHINESE, "zh").understood().shortlisted("aya", "bo").offers("aya").offers("bo")
    text = read(story.drafted(assignments=(long, short)))
    assert "· 活动统筹\n" in text
    assert "· 主持：开场和问答" in text


def test_what_changed_last_is_there_until_it_is_agreed() -> None:
    story = meetup().twin("aya", "accept").twin("bo", "negotiate", wish="later").time_is_up()
    summary = AdjustmentSummary(changes_made=(Change(aspect="Start", before="18:00", after="19:00"),))
    story.drafted(assignments=SEATS, adjustment_summary=summary)
    assert "🔁 Changed last: Start: 18:00 → 19:00" in read(story)


@pytest.mark.parametrize("people", [12, 20])
def test_nobody_is_left_out_of_a_large_plan_in_chinese(people: int) -> None:
    names = [f"agent{number}" for number in range(people)]
    story = Story(policy=Policy(max_candidates=people)).demand(CHINESE, "zh").understood().shortlisted(*names)
    for each in names:
        story.offers(each)
    seats = tuple(
        Assignment(
            agent_id=each,
            role="现场协调与嘉宾接待负责人",
            responsibility=TASK,
        )
        for each in names
    )
    story.drafted(assignments=seats)
    for each in names[: people // 2]:
        story.twin(each, "accept")
    card = post_of(story, "root")
    lines = shown(card).split("\n")
    for each in names:
        assert any(re.search(rf"\b{each.title()}\b", line) for line in lines), each
    assert size(card.blocks) <= LONGEST_MESSAGE


def planned(people: int, *, votes: bool = False) -> Story:
    names = [f"agent{number}" for number in range(people)]
    story = Story(policy=Policy(max_candidates=people)).demand().understood().shortlisted(*names)
    for each in names:
        story.offers(each)
    story.drafted(assignments=tuple(Assignment(agent_id=each, role="Tea", responsibility="Brews") for each in names))
    for each in names if votes else ():
        story.twin(each, "accept")
    return story


def tables(post: Post) -> list[dict[str, Any]]:
    return [each for each in post.blocks if each["type"] == "data_table"]


@pytest.mark.parametrize("where", ["root", "round-1"])
def test_more_than_ten_people_stand_in_a_table_and_ten_on_lines(where: str) -> None:
    few, many = (post_of(planned(people, votes=True), where) for people in (10, 11))
    [table] = tables(many)
    assert not tables(few)
    assert len(table["rows"]) == 12
    assert {len(row) for row in table["rows"]} == {2}
    assert all(cell["text"] for row in table["rows"] for cell in row)
    assert not [each for each in many.plain_blocks if each["type"] == "data_table"]
    assert "Agent10" in many.as_text
    assert block_problems(list(many.blocks), "message") == []


def test_a_plan_of_many_is_a_table_once_it_is_agreed() -> None:
    story = planned(12, votes=True).time_is_up()
    [table] = tables(post_of(story, "outcome"))
    assert [cell["text"] for cell in table["rows"][0]] == ["Who", "Part"]
    assert len(table["rows"]) == 13
