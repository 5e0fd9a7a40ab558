"""Whom a demand is put to, where there are many people."""

from engine.directory.profile import Profile, Profiles
from engine.llm.encoder import Meaning
from engine.shortlist.choosing import choose, named_in
from engine.shortlist.index import Index
from engine.shortlist.people import candidates
from tests.shortlist.test_keeper import crowd, profile

WELDER, SINGER = profile(901, "welding"), profile(902, "singing")
PEOPLE = crowd(WELDER, SINGER)


def anybody(_: Profile) -> bool:
    return True


def index_of(profiles: Profiles) -> Index:
    index = Index(Meaning(lambda: None))
    for each in profiles.values():
        index.put(each)
    return index


def test_each_need_has_its_candidates() -> None:
    chosen = choose(index_of(PEOPLE), PEOPLE, "gardening for all", (("welding",), ("a choir", "singing")), anybody, 6)
    assert {WELDER.agent_id, SINGER.agent_id} <= {each.agent_id for each in chosen}


def test_whoever_is_not_eligible_leaves_room_for_another() -> None:
    chosen = choose(index_of(PEOPLE), PEOPLE, "gardening", (), lambda each: each is not PEOPLE["user_agent_000"], 10)
    assert len(chosen) == 10
    assert PEOPLE["user_agent_000"] not in chosen


def test_whoever_is_named_comes_first() -> None:
    chosen = choose(index_of(PEOPLE), PEOPLE, "Gardening, and please ask person 901!", (), anybody, 3)
    assert chosen[0] == WELDER


def test_people_are_named_in_whole_words_in_either_language_or_by_slack() -> None:
    named = {
        "user_agent_ann": profile(1).model_copy(update={"user_name": "Ann Lee", "slack_user": "U_ANN"}),
        "user_agent_lin": profile(2).model_copy(update={"user_name": "林晓"}),
    }
    assert named_in("could ann  lee help", named) == ["user_agent_ann"]
    assert named_in("joann leeds", named) == []
    assert named_in("请林晓来帮忙", named) == ["user_agent_lin"]
    assert named_in("<@U_ANN> may know", named) == ["user_agent_ann"]


def test_a_changed_profile_is_found_by_what_it_says_now() -> None:
    index = index_of(PEOPLE)
    for turn in range(200):  # enough to make the index anew
        index.put(profile(901, "welding" if turn % 2 else "sailing"))
    [order] = index.orders([("welding",)])
    assert next(iter(order)) == WELDER.agent_id
    assert len(order) == len(PEOPLE)


def test_profiles_that_nobody_keeps_an_index_of_are_searched_too() -> None:
    for _ in range(2):
        found = candidates(PEOPLE, "a welding job", (), anybody)
        assert len(found) == 40
        assert found[0] == WELDER
