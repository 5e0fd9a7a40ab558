"""People, money, quantities and places, read from texts in both languages."""

from datetime import date

import pytest

from engine.facts.asked import Asked
from engine.lexicon.reading.numbers import amount
from engine.lexicon.reading.places import ONLINE, place_in, same_place
from engine.lexicon.reading.reader import read

ASKED = Asked(date(2026, 11, 22), "Asia/Shanghai")


def people(text: str) -> tuple[int, int] | None:
    found = read(text, ASKED).people
    return (found.at_least, found.at_most) if found else None


def money(text: str) -> str:
    found = read(text, ASKED).money
    if found is None:
        return "-"
    if found.none:
        return "none"
    each = f" each {found.per_head}" if found.per_head else ""
    return f"{found.amount} {found.currency}".strip() + each


PEOPLE = {
    "30 colleagues": (30, 30),
    "a team of 12": (12, 12),
    "party of 12": (12, 12),
    "we are relocating 30 colleagues to a new floor": (30, 30),
    "Two people for a podcast episode": None,
    "We are a team of five. A workshop for about 24 people": (24, 24),
    "我们团队现在有四个人，两个是兼职。这次五十个人左右": (50, 50),
    "去年办过三十个人的，今年想办八十人的": (80, 80),
    "around fifty guests": (50, 50),
    "a meetup for about fifty people": (50, 50),
    "200+ attendees": (200, 0),
    "dinner for 20 to 30 guests": (20, 30),
    "between 40 and 60 guests": (40, 60),
    "no more than 20 people": (0, 20),
    "at least 100 people": (100, 0),
    "20 people max": (0, 20),
    "a 50-person meetup": (50, 50),
    "an offsite for our 12-person team": (12, 12),
    "dinner for eight": (8, 8),
    "12 of us": (12, 12),
    "a room for 10 on Friday": (10, 10),
    "training for 20 new engineers": (20, 20),
    "looking for 3 engineers": None,
    "1,200 attendees": (1200, 1200),
    "a dozen friends": (12, 12),
    "a hundred and fifty guests": (150, 150),
    "May 5: 30 people": (30, 30),
    "80位宾客": (80, 80),
    "40-60人": (40, 60),
    "不超过20人": (0, 20),
    "20人以内": (0, 20),
    "至少100人": (100, 0),
    "十几个人": (11, 19),
    "五六个人": (5, 6),
    "给60位老师做培训": (60, 60),
    "三四十人": (30, 40),
    "二十多人": (20, 0),
    "五十人的沙龙": (50, 50),
    "一百二十人的沙龙": (120, 120),
    "大概８０人左右的聚会": (80, 80),
    "两百名员工": (200, 200),
    "我们12个人": (12, 12),
    "人数50": (50, 50),
    "12月30日，30个同事": (30, 30),
    "几十人的聚会": None,
    "需要3位嘉宾": None,
    "招3个人": None,
    "找一个5人的团队帮忙": None,
    "预算3000人民币": None,
    "一个人来就行": None,
    "need 3 speakers and a 4-person team": None,
    "need 3 people to label data": None,
    "for two hours": None,
    "since 2024": None,
    "for 2027": None,
    "Python 3.12, 24/7, call +49 30 123456": None,
    "budget of 2000": None,
    "12 Main Street": None,
}
MONEY = {
    "budget 2000": "2000",
    "a 2000 budget": "2000",
    "budget of $3,000": "3000 USD",
    "we have 500 euros": "500 EUR",
    "5k EUR": "5000 EUR",
    "€1.200": "1200 EUR",
    "$2,000-3,000": "3000 USD",
    "between 2000 and 3000 euros": "3000 EUR",
    "1.5 million USD": "1500000 USD",
    "two thousand dollars": "2000 USD",
    "up to HK$800": "800 HKD",
    "500 per head": "0 each 500",
    "30 dollars each": "0 USD each 30",
    "500 per head for 20 guests": "10000 each 500",
    "no budget": "none",
    "without a budget": "none",
    "预算两万": "20000",
    "预算3万元": "30000 CNY",
    "预算大概是5000块": "5000 CNY",
    "¥3,000 以内": "3000 CNY",
    "预算2-3万": "30000",
    "5000日元": "5000 JPY",
    "20万人民币": "200000 CNY",
    "人均500": "0 each 500",
    "30人，每人200元": "6000 CNY each 200",
    "没有预算": "none",
    "不花钱": "none",
    "a budget would be nice": "-",
    "budget for 30 people": "-",
    "2 pounds of flour": "-",
    "3个月": "-",
    "Python 3.12 and 24/7": "-",
    "call 555-1234": "-",
}
QUANTITIES = {
    "3 data labelers by Friday": [(3, "data labelers")],
    "two speakers for 50 guests": [(2, "speakers")],
    "200 chairs and 20 round tables": [(200, "chairs"), (20, "round tables")],
    "we need one designer": [(1, "designer")],
    "3 or 4 photographers": [(4, "photographers")],
    "three days, 24 hours": [],
    "one of the best ideas": [],
    "5名设计师": [(5, "设计师")],
    "三位嘉宾和两个后端": [(3, "嘉宾"), (2, "后端")],
    "需要两名懂德语的翻译": [(2, "懂德语的翻译")],
    "招3个人": [(3, "人")],
    "办一个聚会": [],
    "两个月内": [],
}
PLACES = {
    "在中关村办聚会": "Beijing",
    "a party in Kreuzberg": "Berlin",
    "paris or lyon": "Paris",
    "we meet in Zürich": "Zürich",
    "New York City": "New York",
    "在旧金山": "San Francisco",
    "慕尼黑的办公室": "Munich",
    "臺北": "Taipei",
    "a talk in Nice": "Nice",
    "线上分享会": "online",
    "a virtual talk": "online",
    "an app for remote teams": "-",
    "a meetup in Atlantis": "-",
    "a nice party": "-",
    "reading group": "-",
    "of mobile apps": "-",
    "平安夜": "-",
}
NUMBERS = {
    "50": 50,
    "1,200": 1200,
    "twenty-five": 25,
    "a hundred and fifty": 150,
    "half a dozen": 6,
    "十": 10,
    "廿三": 23,
    "一百零五": 105,
    "一百二": 120,
    "两万五": 25000,
    "一万二千": 12000,
    "1.5万": 15000,
    "1万5": 15000,
    "二〇二七": 2027,
    "": None,
    "none": None,
}


@pytest.mark.parametrize(("text", "expected"), PEOPLE.items(), ids=PEOPLE)
def test_people(text: str, expected: tuple[int, int] | None) -> None:
    assert people(text) == expected


@pytest.mark.parametrize(("text", "expected"), MONEY.items(), ids=MONEY)
def test_money(text: str, expected: str) -> None:
    assert money(text) == expected


@pytest.mark.parametrize(("text", "expected"), QUANTITIES.items(), ids=QUANTITIES)
def test_quantities(text: str, expected: list[tuple[int, str]]) -> None:
    assert [(each.count, each.what) for each in read(text, ASKED).quantities] == expected


@pytest.mark.parametrize(("text", "expected"), PLACES.items(), ids=PLACES)
def test_places(text: str, expected: str) -> None:
    place = place_in(text)
    assert (place.en if place else "-") == expected


@pytest.mark.parametrize(("text", "expected"), NUMBERS.items(), ids=[text or "nothing" for text in NUMBERS])
def test_numbers(text: str, expected: float | None) -> None:
    assert amount(text) == expected


def test_a_place_has_the_time_zone_in_which_its_hours_are() -> None:
    when = read("dinner in Berlin tomorrow at 7pm", ASKED).when
    assert when is not None
    assert (when.start, when.time_zone) == ("19:00", "Europe/Berlin")


def test_what_is_online_has_the_time_zone_of_whoever_asks() -> None:
    when = read("an online talk tomorrow at 7pm", ASKED).when
    assert when is not None
    assert when.time_zone == "Asia/Shanghai"
    assert place_in("线上") == ONLINE


def test_places_are_the_same_in_both_languages() -> None:
    assert same_place("柏林", "Kreuzberg, Berlin")
    assert not same_place("柏林", "Paris")
    assert same_place("Room 12", "room 12 ")
