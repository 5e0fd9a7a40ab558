"""Data is said in the words and in the form of whoever reads it."""

import pytest

from bot.texts import isolated, runs_from_right, texts_in
from bot.views.kit.data_words import found_words, wanted_words, when_words
from engine.facts.circumstances import Money, People, When
from engine.facts.data import KINDS, Datum, Days, Deadline, Effort, Hours, Notice, Place, Weeks

TODAY = "2026-11-27"


@pytest.mark.parametrize(
    ("datum", "english", "chinese"),
    [
        (Days(weekdays=("mon",), allowed=False), "not on Mondays", "不在周一"),
        (Days(weekdays=("fri", "mon")), "only on Mondays and Fridays", "只能在周一和周五"),
        (Days(first="2026-12-01", last="2026-12-01"), "only on Tuesday, December 1", "只能在12月1日星期二"),
        (Days(last="2026-12-01"), "no later than Tuesday, December 1", "不晚于12月1日星期二"),
        (Days(first="2026-12-01", allowed=False), "not from Tuesday, December 1 on", "12月1日星期二起不行"),
        (Hours(end="18:00"), "no later than 18:00", "不晚于18:00"),
        (Hours(start="18:00", end="21:00", allowed=False), "not between 18:00 and 21:00", "不在18:00至21:00之间"),
        (Weeks(first=2, last=2, allowed=False), "not in week 2", "不在第2周"),
        (Weeks(first=1, last=3), "only in weeks 1 to 3", "只能在第1至第3周"),
        (People(at_most=20), "at most 20 people", "至多 20 人"),
        (People(at_least=1), "at least 1 person", "至少 1 人"),
        (Money(amount=300, currency="EUR"), "at least €300", "至少 €300"),
        (Place(city="柏林"), "only in Berlin", "只能在柏林"),
        (Place(city="Berlin", online=True), "only in Berlin or online", "只能在柏林或线上"),
        (Place(city="线上"), "only here: 线上", "只能在这里：线上"),
        (Place(city="Hall 3", allowed=False), "not here: Hall 3", "不能在这里：Hall 3"),
        (Place(city="Hall 3", online=True), "online, or only here: Hall 3", "线上，或只能在这里：Hall 3"),
        (Money(), "only if it is paid", "必须有报酬"),
        (Place(online=True, allowed=False), "not online", "不能线上"),
        (Notice(days=3), "at least 3 days ahead", "至少提前3天"),
        (Effort(hours=2.5, per="week"), "at most 2.5 h a week", "每周至多 2.5 小时"),
        (Deadline(day="2026-12-01"), "by Tuesday, December 1", "12月1日星期二 前完成"),
    ],
    ids=lambda each: str(each) if isinstance(each, str) else "",
)
def test_a_demand_is_said(datum: Datum, english: str, chinese: str) -> None:
    assert wanted_words(datum, texts_in("en"), TODAY) == english
    assert wanted_words(datum, texts_in("zh"), TODAY) == chinese


@pytest.mark.parametrize(
    ("datum", "english"),
    [
        (Days(first="2026-11-30", last="2026-11-30"), "Monday, November 30"),
        (Days(first="2026-11-30", last="2026-12-01"), "Monday, November 30 to Tuesday, December 1"),
        (Hours(start="19:00"), "19:00"),
        (Hours(start="19:00", end="21:00", time_zone="Asia/Shanghai"), "19:00–21:00 (Shanghai)"),
        (Weeks(first=3, last=3), "week 3"),
        (People(at_least=25, at_most=25), "25 people"),
        (Money(none=True), "no money"),
        (Money(per_head=10, currency="EUR"), "€10 a head"),
        (Place(city="Berlin"), "Berlin"),
        (Notice(days=1), "1 day ahead"),
        (Effort(hours=6), "6 h in all"),
        (Deadline(day="2027-01-04"), "Monday, January 4, 2027"),
    ],
    ids=lambda each: str(each) if isinstance(each, str) else "",
)
def test_what_a_plan_has_is_said(datum: Datum, english: str) -> None:
    assert found_words(datum, texts_in("en"), TODAY) == english


@pytest.mark.parametrize("kind", KINDS, ids=lambda each: str(each.__name__))
def test_a_datum_of_any_kind_can_be_said_also_when_it_is_empty(kind: type[Datum]) -> None:
    for locale in ("en", "zh-CN", "ja-JP", "ar-EG"):
        assert isinstance(wanted_words(kind(), texts_in(locale)), str)
        assert isinstance(found_words(kind(), texts_in(locale)), str)


@pytest.mark.parametrize(
    ("locale", "day", "hours", "money"),
    [
        ("en-US", "Tuesday, December 1", "no later than 6:00\u202fPM", "at least €12,000"),
        ("en-GB", "Tuesday 1 December", "no later than 18:00", "at least €12,000"),
        ("de-DE", "Dienstag, 1. Dezember", "no later than 18:00", "at least 12.000\xa0€"),
        ("ja-JP", "12月1日(火曜日)", "no later than 18:00", "at least €12,000"),
    ],
)
def test_days_hours_and_sums_are_in_the_form_of_the_readers_country(
    locale: str, day: str, hours: str, money: str
) -> None:
    texts = texts_in(locale)
    assert found_words(Deadline(day="2026-12-01"), texts, TODAY) == day
    assert wanted_words(Hours(end="18:00"), texts) == hours
    assert wanted_words(Money(amount=12_000, currency="EUR"), texts) == money


def test_what_is_written_from_right_to_left_is_isolated() -> None:
    assert found_words(Place(city="القاهرة"), texts_in("en")) == "\u2068القاهرة\u2069"
    assert runs_from_right(found_words(Deadline(day="2026-12-01"), texts_in("ar-EG"), TODAY).strip("\u2068\u2069"))
    assert isolated("Berlin") == "Berlin"
    assert isolated(isolated("שלום")) == "\u2068שלום\u2069"


def test_a_time_without_days_stays_in_the_words_in_which_it_was_said() -> None:
    assert when_words(When(said="im Frühling", exact="vague"), texts_in("en")) == "im Frühling"
    spanned = When(first="2026-12-01", last="2026-12-01", start="19:00", end="21:00", time_zone="Europe/Berlin")
    assert when_words(spanned, texts_in("en"), TODAY) == "Tuesday, December 1 19:00–21:00 (Berlin)"
    assert when_words(When(last="2026-12-01"), texts_in("en"), TODAY) == "by Tuesday, December 1"
