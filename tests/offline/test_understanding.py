"""Prompt 1, offline: what is said is found, and what is not said stays open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.negotiation.answers import Circumstances
from tests.offline.demands import HOPELESS, MEETUP, PROTOTYPE
from tests.offline.mini_negotiation import understood


def test_the_meetup_is_understood_as_seed_000_understands_it() -> None:
    demand = understood(MEETUP)
    assert demand.surface_demand == MEETUP
    assert demand.capability_tags[:3] == ("场地提供", "演讲嘉宾", "活动策划")
    assert demand.context.location == "北京"
    assert demand.context.expected_attendees == 50
    assert demand.confidence == "high"


def test_the_prototype_takes_design_and_engineering() -> None:
    demand = understood(PROTOTYPE)
    assert {"UX design", "mobile development", "backend"} <= set(demand.capability_tags)
    assert demand.context.date == "in the next six weeks"
    assert "retrospectives" in demand.deep_understanding.motivation


def test_what_is_missing_is_asked_and_never_invented() -> None:
    demand = understood("想办一场聚会")
    assert demand.context == Circumstances()
    assert len(demand.uncertainties) == 4
    assert all(question.startswith("[TBD]") for question in demand.uncertainties)


@pytest.mark.parametrize(
    ("text", "attendees"),
    [
        ("办一场五十人的沙龙", 50),
        ("办一场一百二十人的沙龙", 120),
        ("30-50人的聚会", 50),
        ("大概８０人左右的聚会", 80),
        ("a 50-person meetup", 50),
        ("a meetup for about fifty people", 50),
        ("dinner for 20 to 30 guests", 30),
        ("需要3位嘉宾", None),
        ("找一个5人的团队帮忙", None),
        ("need 3 speakers and a 4-person team", None),
        ("几十人的聚会", None),
        ("预算3000人民币的聚会", None),
    ],
)
def test_attendees_are_counted_and_helpers_are_not(text: str, attendees: int | None) -> None:
    assert understood(text).context.expected_attendees == attendees


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("3月15日办聚会", "3月15日"),
        ("2026年5月1日办聚会", "2026年5月1日"),
        ("下周六办聚会", "下周六"),
        ("国庆期间办聚会", "国庆期间"),
        ("两个月内上线", "两个月内"),
        ("a party on June 14th", "June 14th"),
        ("a party on 14 June 2026", "14 June 2026"),
        ("a party on 2026-06-14", "2026-06-14"),
        ("a party next Saturday", "next Saturday"),
        ("may I have a party", None),
        ("办一个周报系统", None),
    ],
)
def test_dates_keep_the_words_they_were_said_in(text: str, date: str | None) -> None:
    assert understood(text).context.date == date


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("预算3万元", "3万元"),
        ("预算大概是5000块", "5000块"),
        ("有￥2,000可以花", "￥2,000"),
        ("budget of $3,000", "$3,000"),
        ("we have 500 euros", "500 euros"),
        ("没有预算", "没有预算"),
        ("there is no budget", "no budget"),
        ("a budget would be nice", None),
    ],
)
def test_money_keeps_the_words_it_was_said_in(text: str, budget: str | None) -> None:
    assert understood(text).context.budget == budget


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("在中关村办聚会", "北京"),
        ("a party in Kreuzberg", "Berlin"),
        ("线上分享会", "线上"),
        ("an online talk", "online"),
        ("an app for remote teams", None),
        ("a meetup in Atlantis", None),
    ],
)
def test_places_are_told_in_the_demands_language(text: str, place: str | None) -> None:
    assert understood(text).context.location == place


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("办聚会，场地已经有了，需要嘉宾", "场地提供"),
        ("办聚会，我们不需要摄影", "摄影摄像"),
        ("已有场地，缺嘉宾", "场地提供"),
        ("a meetup, no catering, need a speaker", "catering"),
        ("a meetup, we already have a venue, need a speaker", "venue"),
        ("a conference, the photographer is booked", "photography"),
    ],
)
def test_what_they_have_or_do_not_want_is_not_looked_for(text: str, unwanted: str) -> None:
    assert unwanted not in understood(text).capability_tags


@pytest.mark.parametrize(
    ("text", "theme", "needed"),
    [
        ("AI主题聚会，需要场地", "机器学习", "场地提供"),
        ("前端技术沙龙，需要嘉宾", "前端开发", "演讲嘉宾"),
        ("a data science meetup, need a venue", "data analysis", "venue"),
        ("做一个记账小程序", "财务预算", "前端开发"),
    ],
)
def test_what_it_is_about_is_not_what_it_takes(text: str, theme: str, needed: str) -> None:
    tags = understood(text).capability_tags
    assert theme not in tags
    assert needed in tags


def test_a_product_launch_is_an_event() -> None:
    assert "场地提供" in understood("办一场产品发布会").capability_tags


def test_preferences_and_mood_come_from_the_text() -> None:
    deep = understood("第一次办活动，想要轻松一点，不想花太多，为了让新同事互相认识").deep_understanding
    assert deep.likely_preferences == ("轻松的氛围",)
    assert deep.emotional_context == "第一次做，心里没底"
    assert deep.motivation == "为了让新同事互相认识"


@pytest.mark.parametrize("text", HOPELESS)
def test_who_cannot_be_understood_is_asked(text: str) -> None:
    demand = understood(text)
    assert demand.surface_demand
    assert demand.confidence == "low"
    assert demand.capability_tags == ()
    assert demand.uncertainties


def test_a_long_demand_is_cut_for_people_and_read_to_the_end() -> None:
    text = "我们是一个读书小组，每周都见面，大家都很熟。" * 160 + "最后，需要一位摄影师。"
    demand = understood(text)
    assert len(demand.surface_demand) <= 300
    assert "摄影摄像" in demand.capability_tags


@given(st.text(max_size=4000))
def test_any_text_is_understood_somehow(text: str) -> None:
    demand = understood(text)
    assert demand.surface_demand.strip()
    assert len(demand.surface_demand) <= 300
    assert demand.uncertainties or demand.capability_tags


@given(
    st.lists(
        st.sampled_from(
            [
                "需要",
                "不需要",
                "场地",
                "AI",
                "聚会",
                "的",
                "，",
                "app",
                "50",
                "人",
                "fifty people",
                "in",
                "北京",
                "no",
                "budget",
                "$5",
            ]
        )
    )
)
def test_any_heap_of_telling_words_is_understood_somehow(words: list[str]) -> None:
    assert understood("".join(words)).surface_demand
    assert understood(" ".join(words)).surface_demand
