"""The shortlist by words alone."""

from collections.abc import Iterable

import pytest

from engine.lexicon.matching import rank_profiles
from engine.negotiation.answers import Understanding
from tests.offline.demands import MEETUP, PROTOTYPE
from tests.offline.mini_negotiation import PEOPLE
from tests.profiles.people import person

EVERYBODY = list(PEOPLE.values())


def found(wanted: str | Iterable[str], most: int = 5) -> list[str]:
    return [match.profile.agent_id.removeprefix("user_agent_") for match in rank_profiles(wanted, EVERYBODY, most)]


@pytest.mark.parametrize(
    ("wanted", "who"),
    [
        ("望京的活动空间", "lin_xiao"),
        ("someone who takes pictures at events in London", "emma_clarke"),
        ("LLM evaluation talk", "chen_mo"),
        ("隐私政策", "feng_lan"),
        ("React Native", "carlos_mendes"),
        ("机器人硬件打样", "wang_siyuan"),
        (["poster", "book design"], "mei_tan"),
        ("报名小程序和签到", "sun_hao"),
    ],
)
def test_the_obvious_person_comes_first(wanted: str | list[str], who: str) -> None:
    assert found(wanted)[0] == who


def test_the_languages_meet_over_their_topics() -> None:
    assert "ma_chao" in found("I need quality assurance")
    assert "emma_clarke" in found("需要摄影")


def test_a_match_says_which_tags_matched() -> None:
    match = rank_profiles("需要摄影", EVERYBODY, 1)[0]
    assert "摄影" in match.matched
    assert match.score > 0


def test_an_understood_demand_is_searched_by_its_text_and_tags() -> None:
    demand = Understanding(surface_demand="Please help", capability_tags=("translation",))
    assert found(demand.search_terms)[0] == "anna_kowalska"


@pytest.mark.parametrize("text", [MEETUP, PROTOTYPE])
def test_the_order_does_not_depend_on_the_order_of_the_profiles(text: str) -> None:
    backwards = rank_profiles(text, reversed(EVERYBODY), 30)
    assert [match.profile.agent_id for match in rank_profiles(text, EVERYBODY, 30)] == [
        match.profile.agent_id for match in backwards
    ]


@pytest.mark.parametrize("text", ["", "🎉", "asdf qwer", "的了吗", "I want to"])
def test_nonsense_matches_nobody(text: str) -> None:
    assert found(text) == []


def test_no_more_than_asked_for() -> None:
    assert len(found(MEETUP, 3)) == 3
    assert found(MEETUP, 0) == []


def test_among_equals_the_id_decides() -> None:
    twins = [person("bo"), person("ada")]
    assert [match.profile.agent_id for match in rank_profiles("venue", twins, 2)] == ["user_agent_ada", "user_agent_bo"]


def test_of_nobody_nobody_is_found() -> None:
    assert rank_profiles("venue", [], 5) == []
