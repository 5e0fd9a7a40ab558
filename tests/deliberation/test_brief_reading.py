"""A goal in a person's own words becomes a brief: dates, options, one fact a sentence."""

import re

import pytest

from engine.deliberation.brief_reading import LONGEST_FACT, read_brief
from engine.deliberation.terms import LONGEST_GOAL, MOST_FACTS, Brief
from engine.kernel import FactKind


def read(text: str, **given: object) -> Brief:
    return read_brief(text, today="2026-11-23", time_zone="Asia/Shanghai", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "starts", "ends"),
    [
        ("Prepare for IELTS in 3 months, 7.0", "2026-11-23", "2027-02-23"),
        ("3个月备考雅思，目标7.0", "2026-11-23", "2027-02-23"),
        ("Launch the new product by the end of January", "", "2027-01-31"),
        ("Hold a meetup on 12 December.", "2026-12-12", "2026-12-12"),
        ("把网站迁移到新服务器，12月18日之前", "", "2026-12-18"),
        ("Learn to cook", "", ""),
    ],
)
def test_days_are_read_from_the_goal(said: str, starts: str, ends: str) -> None:
    brief = read(said)
    assert (brief.starts, brief.ends, brief.today, brief.time_zone) == (starts, ends, "2026-11-23", "Asia/Shanghai")


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("Which venue shall we take: Hall A, the Loft or Garden House?", ("Hall A", "the Loft", "Garden House")),
        ("团建去哪里：北京、杭州还是成都？", ("北京", "杭州", "成都")),
        ("我们该选北京还是上海？", ("北京", "上海")),
        ("Who should lead the migration?\nOptions:\n- Ana\n- Bo\n- Carl", ("Ana", "Bo", "Carl")),
        ("Where should people go?\nPossible answers: West School, North Hill, East Stadium",
         ("West School", "North Hill", "East Stadium")),
        ("选哪家供应商？\n候选：\n1. 宏远\n2. 天成", ("宏远", "天成")),
        ("Launch a product", ()),
    ],
)  # fmt: skip
def test_options_are_read_from_questions_and_lists(said: str, options: tuple[str, ...]) -> None:
    assert read(said).options == options


def test_each_further_sentence_is_a_fact_of_its_kind() -> None:
    said = "The budget is 5000 yuan. Bo is away 3 to 7 December.\n- Nobody has a projector.\n- We need a host."
    brief = read(f"Hold a meetup. {said}")
    assert brief.goal == "Hold a meetup."
    assert [(each.fact_id, each.kind) for each in brief.facts] == [
        ("fact-1", FactKind.CONSTRAINT),
        ("fact-2", FactKind.LIMIT),
        ("fact-3", FactKind.GAP),
        ("fact-4", FactKind.NEED),
    ]


def test_what_the_caller_gives_wins() -> None:
    brief = read("Which: A1 or B2? It rains.", facts=("A1 is dry.",), options=("A1", "B2", "C3"), title="Choice")
    assert (brief.title, brief.options) == ("Choice", ("A1", "B2", "C3"))
    assert [each.text for each in brief.facts] == ["A1 is dry."]
    assert "It rains." in brief.goal


@pytest.mark.parametrize(
    "said",
    [
        "Hold a meetup. " + " and then ".join(f"guest {number} wants a chair" for number in range(60)) + ".",
        "办一次聚会。" + "，".join(f"第{number}位客人要一把椅子" for number in range(150)) + "。",
        "Hold a meetup.\n" + "\n".join(f"- Guest {number} comes." for number in range(180)),
    ],
    ids=["a long sentence", "a long sentence in Chinese", "many short ones"],
)
def test_nothing_that_fits_into_a_goal_is_dropped(said: str) -> None:
    assert len(said) <= LONGEST_GOAL
    brief = read(said)
    told = " ".join((brief.goal, *(each.text for each in brief.facts)))
    assert set(re.findall(r"\d+", said)) <= set(re.findall(r"\d+", told))
    assert len(brief.facts) <= MOST_FACTS
    assert all(len(each.text) <= LONGEST_FACT for each in brief.facts)


def test_it_is_bounded_and_never_fails() -> None:
    assert read("").title == "?"
    long = read(
        "A goal. " + "One more thing is known. " * 900 + "\n".join(f"- fact number {each}" for each in range(900))
    )
    assert len(long.goal) <= LONGEST_GOAL
    assert len(long.facts) <= MOST_FACTS
    assert len(long.title) <= 120
