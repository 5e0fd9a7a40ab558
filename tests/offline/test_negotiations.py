"""Prompts 1 to 6 in a loop: most demands end in agreement within three rounds, and some do not."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.directory.profile import Profile
from engine.errors import ModelUnavailable
from engine.kernel import ModelAnswer, encode, plain
from engine.llm.port import Question
from engine.negotiation.answers import FeedbackType, OfferDecision, Understanding
from tests.negotiation.prompts import PROMPTS
from tests.offline.demands import HOPELESS, MEETUP, OTHERS, PROTOTYPE
from tests.offline.mini_negotiation import PEOPLE, Story, negotiate, offered, story_of
from tests.offline.model import OFFLINE
from tests.profiles.people import person

DEMANDS = (MEETUP, PROTOTYPE, *OTHERS)
EACH = [pytest.param(text, id=text[:40]) for text in DEMANDS]


@pytest.fixture
def story(text: str) -> Story:
    return story_of(text)


def roles(text: str) -> set[str]:
    return {seat.role for seat in story_of(text).versions[-1].assignments}


def test_the_meetup_ends_with_a_room_speakers_and_a_host() -> None:
    assert story_of(MEETUP).outcome == "finalized"
    assert {"场地提供者", "分享嘉宾", "活动统筹", "主持人"} <= roles(MEETUP)


def test_the_prototype_ends_with_design_and_engineering() -> None:
    assert story_of(PROTOTYPE).outcome == "finalized"
    assert {"UX designer", "Mobile engineer", "Backend engineer", "Product lead"} <= roles(PROTOTYPE)


def test_the_two_demands_have_different_teams() -> None:
    assert not story_of(MEETUP).team & story_of(PROTOTYPE).team


@pytest.mark.parametrize("text", [MEETUP, PROTOTYPE], ids=["the meetup", "the prototype"])
def test_both_show_a_second_round_with_a_change(text: str) -> None:
    story = story_of(text)
    assert len(story.rounds) == 2
    summary = story.versions[-1].adjustment_summary
    assert summary is not None
    assert summary.changes_made
    assert summary.requests_addressed


def test_in_the_meetup_a_request_is_declined_for_a_reason_and_its_author_stays() -> None:
    summary = story_of(MEETUP).versions[-1].adjustment_summary
    assert summary is not None
    declined = summary.requests_declined[0]
    assert declined.reason
    assert [each.feedback_type for each in story_of(MEETUP).rounds[-1] if each.agent_id == declined.agent_id] == [
        FeedbackType.ACCEPT
    ]


def test_most_demands_agree_within_three_rounds_and_some_do_not() -> None:
    stories = [story_of(text) for text in DEMANDS]
    outcomes = Counter(story.outcome for story in stories)
    quick = [each for each in stories if each.outcome == "finalized" and len(each.rounds) <= 3]
    assert len(quick) >= 0.6 * len(stories)
    assert len(outcomes) >= 2


def test_all_three_decisions_and_all_three_votes_occur() -> None:
    stories = [*map(story_of, DEMANDS), negotiate("在深圳办一场80人的AI大会，需要嘉宾")]
    votes = {vote.feedback_type for story in stories for votes in story.rounds for vote in votes}
    decisions = {each.decision for story in stories for each in story.answers.values()}
    assert votes >= {FeedbackType.ACCEPT, FeedbackType.NEGOTIATE, FeedbackType.WITHDRAW}
    assert decisions == set(OfferDecision)


def test_who_insists_to_the_end_makes_a_forced_end() -> None:
    stubborn = {
        "asks": [{"change": "报销打车费用", "because": "住得远", "if_declined": "negotiate"}],
    }
    people = [
        person("ada", tags=["venue"], capabilities={"venue": "60人的场地"}),
        person("bo", tags=["主持"], capabilities={"主持": "主持全场"}, preferences=stubborn),
        person("cy", tags=["演讲嘉宾"], capabilities={"演讲嘉宾": "讲大模型"}),
    ]
    story = negotiate(MEETUP.replace("在北京", ""), {each.agent_id: each for each in people})
    assert (story.outcome, len(story.rounds)) == ("force_finalized", 5)


@pytest.mark.parametrize("text", HOPELESS)
def test_what_nobody_can_make_out_finds_nobody(text: str) -> None:
    assert negotiate(text).outcome == "no_candidates"


@pytest.mark.parametrize("text", EACH)
def test_whatever_is_requested_is_answered_in_the_next_version(story: Story) -> None:
    for votes, plan in zip(story.rounds, story.versions[1:], strict=False):
        assert plan.adjustment_summary is not None
        answered = {each.agent_id for each in plan.adjustment_summary.requests_addressed}
        answered |= {each.agent_id for each in plan.adjustment_summary.requests_declined}
        assert answered == {each.agent_id for each in votes if each.feedback_type is FeedbackType.NEGOTIATE}


@pytest.mark.parametrize("text", EACH)
def test_nobody_is_named_who_was_not_asked(story: Story) -> None:
    strangers = {each.user_name for each in PEOPLE.values()} - {
        each.display_name for each in (*story.shortlist.definitely_related, *story.shortlist.possibly_related)
    }
    for plan in story.versions:
        text = encode(plan)
        assert [name for name in strangers if name in text] == []


@pytest.mark.parametrize("text", EACH)
def test_every_text_is_in_the_demands_language(story: Story) -> None:
    chinese = re.search(r"[\u4e00-\u9fff]", story.demand.surface_demand) is not None
    names = [each.user_name for each in PEOPLE.values()]
    said: list[ModelAnswer] = [
        *story.answers.values(),
        *story.versions,
        *(vote for votes in story.rounds for vote in votes),
    ]
    for text in _texts([plain(each) for each in said]):
        for name in names:
            text = text.replace(name, "")
        if chinese:
            assert re.search(r"[\u4e00-\u9fff]", text) or not re.search(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}", text), text
        else:
            assert not re.search(r"[\u4e00-\u9fff]", text), text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in ("agent_id", "display_name"):
                yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def test_the_same_demand_has_the_same_story() -> None:
    assert negotiate(MEETUP) == story_of(MEETUP)


@given(st.text(max_size=300), st.sampled_from(list(PEOPLE.values())))
def test_any_tags_and_texts_are_answered(text: str, profile: Profile) -> None:
    demand = Understanding(surface_demand=text or "x", capability_tags=(text, "venue"), confidence="low")
    assert offered(demand, profile).decision in OfferDecision


@given(st.lists(st.sampled_from([*OTHERS, MEETUP, PROTOTYPE, *HOPELESS]), min_size=1, max_size=3).map("。".join))
def test_any_mixture_of_demands_comes_to_an_end(text: str) -> None:
    assert negotiate(text).outcome


async def test_a_prompt_without_rules_is_refused() -> None:
    unknown = replace(PROMPTS["negotiation/understand"], name="delivery/plan")
    with pytest.raises(ModelUnavailable, match="no rules for delivery/plan"):
        await OFFLINE.answer(Question(unknown, {}, Understanding))
