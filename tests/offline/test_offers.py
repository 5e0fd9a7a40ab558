"""Prompt 3, offline: twins answer from their profiles."""

import pytest

from engine.facts.language import language_of
from engine.negotiation.answers import OfferAnswer, OfferDecision, Understanding
from tests.offline.demands import MEETUP, PROTOTYPE
from tests.offline.mini_negotiation import PEOPLE, offered, understood
from tests.profiles.people import person


def answer(name: str, text: str) -> OfferAnswer:
    return offered(understood(text), PEOPLE[f"user_agent_{name}"])


def test_over_thirty_people_every_decision_occurs() -> None:
    for text in (MEETUP, PROTOTYPE):
        decisions = {offered(understood(text), each).decision for each in PEOPLE.values()}
        assert decisions == set(OfferDecision)


def test_more_decline_than_take_part_when_everybody_is_asked() -> None:
    answers = [offered(understood(MEETUP), each) for each in PEOPLE.values()]
    assert sum(each.decision is OfferDecision.DECLINE for each in answers) > len(answers) / 2


def test_a_speaker_offers_what_the_profile_says() -> None:
    given = answer("chen_mo", MEETUP)
    assert given.decision is OfferDecision.PARTICIPATE
    assert "大模型评测与幻觉" in given.contribution
    assert given.conditions == ()


def test_an_english_demand_is_answered_in_english_by_somebody_who_writes_chinese() -> None:
    given = answer("zheng_kai", PROTOTYPE)
    assert given.contribution.startswith("I can take on backend: Services in Go or Python")
    assert [each.text for each in given.conditions] == ["What this version will not do is written down before we start"]
    assert language_of(given.reasoning) == "en"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("zhao_lei", MEETUP, "30"),
        ("liu_yang", MEETUP, "80"),
        ("alex_kim", PROTOTYPE, "parental leave"),
        ("emma_clarke", "在北京办聚会，需要摄影", "伦敦"),
        ("jonas_weber", MEETUP, "交互设计"),
        ("carlos_mendes", "Build a blockchain app, need mobile development", "blockchain"),
        ("gao_ning", "在北京办50人的聚会，没有预算，需要茶歇", "没有预算"),
    ],
    ids=["too many people", "too few people", "busy", "too far", "not their trade", "a word they refuse", "no money"],
)
def test_a_decline_names_its_reason(name: str, text: str, why: str) -> None:
    given = answer(name, text)
    assert given.decision is OfferDecision.DECLINE
    assert why in given.decline_reason
    assert (given.contribution, given.conditions) == ("", ())


def test_who_lives_from_it_asks_for_a_fee_while_the_budget_is_unknown() -> None:
    given = answer("gao_ning", "在北京办50人的聚会，需要茶歇")
    assert given.decision is OfferDecision.CONDITIONAL
    assert "报酬" in given.conditions[0].text
    assert answer("gao_ning", "在北京办50人的聚会，预算5000元，需要茶歇").decision is OfferDecision.PARTICIPATE


def test_a_condition_is_said_only_where_it_concerns_them() -> None:
    assert answer("wang_siyuan", "智能硬件原型，需要硬件").conditions == ()
    assert "差旅" in answer("wang_siyuan", "在北京办聚会，需要嘉宾").conditions[0].text


def test_who_can_do_it_from_afar_does_not_mind_the_place() -> None:
    assert answer("mei_tan", "在北京办聚会，需要海报").decision is not OfferDecision.DECLINE


def test_an_online_event_is_near_everybody() -> None:
    online = "线上分享会，需要主持"
    assert answer("zhou_yu", online).decision is not OfferDecision.DECLINE


def test_people_do_not_all_say_the_same() -> None:
    text = "I want to build a website, need frontend, backend, UX design, QA and documentation"
    answers = [offered(understood(text), each) for each in PEOPLE.values()]
    said = [each.reasoning for each in answers if each.decision is not OfferDecision.DECLINE]
    assert len(set(said)) >= 4


def test_the_same_question_has_the_same_answer() -> None:
    assert [offered(understood(MEETUP), each) for each in PEOPLE.values()] == [
        offered(understood(MEETUP), each) for each in PEOPLE.values()
    ]


def test_tags_that_the_topics_do_not_know_are_matched_by_their_words() -> None:
    demand = Understanding(surface_demand="Who can tune a harpsichord?", capability_tags=("harpsichord tuning",))
    tuner = person(tags=["harpsichord tuning"], capabilities={"harpsichord tuning": "A fork and two hours"})
    assert "A fork and two hours" in offered(demand, tuner).contribution
