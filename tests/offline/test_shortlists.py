"""Prompt 2, offline: whom to ask."""

import pytest

from engine.negotiation.answers import Understanding
from engine.offline.negotiation.abilities import abilities
from tests.offline.demands import HOPELESS, MEETUP, OTHERS, PROTOTYPE
from tests.offline.mini_negotiation import PEOPLE, shortlisted, understood


def asked(text: str) -> list[str]:
    return [each.agent_id for each in shortlisted(understood(text)).definitely_related]


def able(text: str, topic: str) -> list[str]:
    return [agent_id for agent_id in asked(text) if topic in abilities(PEOPLE[agent_id])]


def test_the_meetup_asks_for_rooms_speakers_a_planner_and_a_host() -> None:
    for topic in ("venue", "speaker", "planning", "host"):
        assert able(MEETUP, topic)


def test_the_prototype_asks_for_design_and_engineering() -> None:
    for topic in ("ux", "mobile", "backend"):
        assert able(PROTOTYPE, topic)


def test_the_two_teams_have_nobody_in_common() -> None:
    assert not set(asked(MEETUP)).intersection(asked(PROTOTYPE))


@pytest.mark.parametrize("text", [MEETUP, PROTOTYPE, *OTHERS])
def test_nobody_is_on_both_lists_and_none_is_longer_than_asked_for(text: str) -> None:
    found = shortlisted(understood(text), most=4)
    first = [each.agent_id for each in found.definitely_related]
    reserve = [each.agent_id for each in found.possibly_related]
    assert len(first) <= 4
    assert len(reserve) <= 4
    assert len({*first, *reserve}) == len(first) + len(reserve)


@pytest.mark.parametrize("text", [MEETUP, PROTOTYPE, *OTHERS])
def test_each_is_told_why(text: str) -> None:
    assert all(each.reason and each.display_name for each in shortlisted(understood(text)).definitely_related)


def test_with_few_places_every_ability_gets_one_before_any_gets_two() -> None:
    found = shortlisted(understood(MEETUP), most=4).definitely_related
    assert {abilities(PEOPLE[each.agent_id])[0] for each in found} >= {"venue", "planning", "host"}
    assert any("speaker" in abilities(PEOPLE[each.agent_id]) for each in found)


def test_one_ability_never_fills_the_list() -> None:
    found = shortlisted(Understanding(surface_demand="Need AI speakers", capability_tags=("speakers",)))
    assert len(found.definitely_related) == 3


def test_who_cannot_be_there_is_not_asked_for_what_takes_being_there() -> None:
    assert "user_agent_emma_clarke" not in asked("上海的聚会需要摄影")
    assert "user_agent_emma_clarke" in asked("A meetup in London needs a photographer")


def test_a_person_is_found_across_the_languages() -> None:
    assert "user_agent_mei_tan" in asked("We need a poster for our concert")
    assert "user_agent_jonas_weber" in asked("做一个应用，需要交互设计")


@pytest.mark.parametrize("text", HOPELESS)
def test_nobody_is_asked_for_what_nobody_can_make_out(text: str) -> None:
    found = shortlisted(understood(text))
    assert (found.definitely_related, found.possibly_related) == ((), ())
    assert found.analysis


def test_what_the_topics_do_not_know_is_found_by_its_words() -> None:
    assert asked("周末想找人一起去爬山") == ["user_agent_chen_mo"]


def test_a_tag_that_names_the_theme_does_not_ask_for_engineers() -> None:
    demand = Understanding(surface_demand=MEETUP, capability_tags=("场地", "AI演讲嘉宾"))
    asked_ = [each.agent_id for each in shortlisted(demand).definitely_related]
    assert all({"venue", "speaker"} & set(abilities(PEOPLE[agent_id])) for agent_id in asked_)
