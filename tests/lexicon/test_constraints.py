"""What conditions, wishes and limits demand, and whether a plan meets them."""

import time
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People
from engine.lexicon.constraint_patterns import subjects_in
from engine.lexicon.constraint_texts import read_constraints
from engine.lexicon.constraints import ONLINE, UNKNOWN, Facts, Prepared, TimeOfDay, hold, hold_reading

SUNDAY, THURSDAY = date(2027, 3, 14), date(2027, 3, 18)
EVENING = Facts(first=SUNDAY, last=SUNDAY, opens=19 * 60, closes=22 * 60, time_zone="Asia/Shanghai")
MORNING = Facts(first=THURSDAY, last=THURSDAY, opens=9 * 60, closes=11 * 60, time_zone="Asia/Shanghai")
SOME_EVENING = Facts(opens=17 * 60, closes=24 * 60, core=(18 * 60 + 30, 23 * 60))
OVERNIGHT = Facts(opens=20 * 60, closes=6 * 60)
TWELVE, TWO_HUNDRED = Facts(people=People(at_least=12, at_most=12)), Facts(people=People(at_least=200, at_most=200))
FROM_WEEK_1, FROM_WEEK_2 = Facts(weeks=(1, 4)), Facts(weeks=(2, 4))
BEIJING, ZOOM = Facts(place="北京"), Facts(place=ONLINE)
LEEDS, OFFICE = Facts(place="a hall in Leeds"), Facts(place="our office")
EITHER, FROM_AFAR = Facts(place="Beijing or Shanghai"), Facts(place="北京", is_own_online=True)
WANGJING = Facts(place="望京")
POOR, RICH = Facts(money=Money(none=True)), Facts(money=Money(amount=5000, currency="CNY"))

CASES = [
    ("only between 9 and 11 in the morning", EVENING, "broken"),
    ("Only between 9 and 11 in the morning.", MORNING, "met"),
    ("I speak by video, between 9 and 11 in the morning Beijing time", EVENING, "broken"),
    ("I speak by video, between 9 and 11 in the morning Beijing time", MORNING, "unknown"),
    ("我用视频连线，安排在北京时间上午9点到11点之间", EVENING, "broken"),
    ("只能在上午九点到十一点", EVENING, "broken"),
    ("只能在上午九点到十一点", MORNING, "met"),
    ("between 9 and 11 in the morning London time", MORNING, "broken"),
    ("not in the evening", EVENING, "broken"),
    ("not in the evening", SOME_EVENING, "broken"),
    ("not in the evening", MORNING, "met"),
    ("晚上不行", EVENING, "broken"),
    ("别安排在晚上", MORNING, "met"),
    ("evenings only", SOME_EVENING, "met"),
    ("only between 9 and 11 in the morning", SOME_EVENING, "broken"),
    ("ends by 10pm", EVENING, "met"),
    ("it ends by 21:30", EVENING, "broken"),
    ("最晚21:30结束", EVENING, "broken"),
    ("ends by 10pm", SOME_EVENING, "unknown"),
    ("never overnight", OVERNIGHT, "broken"),
    ("never through the night", OVERNIGHT, "broken"),
    ("不通宵", OVERNIGHT, "broken"),
    ("不通宵", EVENING, "met"),
    ("evenings are fine too", MORNING, "unknown"),
    ("No loudspeakers after 21:30", EVENING, "unknown"),
    ("晚上九点半之后不开音响", EVENING, "unknown"),
    ("if more than 20 people come, I need an assistant", TWO_HUNDRED, "unknown"),
    ("weekends only", MORNING, "broken"),
    ("weekends only", EVENING, "met"),
    ("只有周末有空", MORNING, "broken"),
    ("周末不行", EVENING, "broken"),
    ("除了周末都不行", MORNING, "broken"),
    ("not on Mondays, Thursdays or Fridays", MORNING, "broken"),
    ("Monday to Friday, 9am-5pm", MORNING, "met"),
    ("Monday to Friday, 9am-5pm", EVENING, "broken"),
    ("weekends or evenings", MORNING, "broken"),
    ("weekends or mornings", MORNING, "met"),
    ("weekends only", Facts(first=SUNDAY, last=THURSDAY), "unknown"),
    ("weekdays only", Facts(first=SUNDAY, last=SUNDAY), "broken"),
    ("no more than 20 people", TWELVE, "met"),
    ("No more than 20 people!", TWO_HUNDRED, "broken"),
    ("人数不超过20人", TWELVE, "met"),
    ("最多二十个人", TWO_HUNDRED, "broken"),
    ("at least 30 participants", TWELVE, "broken"),
    ("between 10 and 20 people", TWELVE, "met"),
    ("fewer than 12 people", TWELVE, "broken"),
    ("no more than 20 people, and a projector", TWO_HUNDRED, "broken"),
    ("no more than 20 people, and a projector", TWELVE, "unknown"),
    ("no more than 5 people per table", TWELVE, "unknown"),
    ("no more than two rounds of changes", TWELVE, "unknown"),
    ("no more than 20 people", Facts(people=People(at_least=10, at_most=30)), "unknown"),
    ("only from week 2", FROM_WEEK_1, "broken"),
    ("only from week 2", FROM_WEEK_2, "met"),
    ("从第二周起", FROM_WEEK_1, "broken"),
    ("第一周没空", FROM_WEEK_2, "met"),
    ("not in the first week", FROM_WEEK_1, "broken"),
    ("not in week 3", FROM_WEEK_1, "unknown"),
    ("From week two on I get one working build every week", FROM_WEEK_1, "unknown"),
    ("only in Shanghai", BEIJING, "broken"),
    ("Only in Beijing.", BEIJING, "met"),
    ("It has to be in Beijing", BEIJING, "met"),
    ("只能在上海", BEIJING, "broken"),
    ("地点必须在北京", BEIJING, "met"),
    ("地点必须在北京", WANGJING, "met"),
    ("只能在望京", BEIJING, "unknown"),
    ("只能在浦东", BEIJING, "broken"),
    ("Peking only", BEIJING, "met"),
    ("I can only come to Shanghai", BEIJING, "broken"),
    ("I can't travel to Beijing", BEIJING, "broken"),
    ("I can't travel to Beijing", LEEDS, "met"),
    ("I can't travel to Beijing", ZOOM, "met"),
    ("我去不了北京", BEIJING, "broken"),
    ("我去不了上海", BEIJING, "met"),
    ("I don't travel outside Leeds", LEEDS, "met"),
    ("I don't travel outside of Shanghai", BEIJING, "broken"),
    ("上海以外的城市不去", BEIJING, "broken"),
    ("不离开北京", BEIJING, "met"),
    ("in Shanghai or Beijing", BEIJING, "met"),
    ("in Shanghai or Shenzhen", BEIJING, "broken"),
    ("只能在上海或者深圳", BEIJING, "broken"),
    ("on site in Shanghai", BEIJING, "broken"),
    ("on site in Beijing", BEIJING, "met"),
    ("only in Beijing", OFFICE, "unknown"),
    ("only in Beijing", EITHER, "unknown"),
    ("only in Leeds", EITHER, "broken"),
    ("only in Beijing", ZOOM, "broken"),
    ("I am only in Beijing that week", ZOOM, "unknown"),
    ("I'm in Shanghai", BEIJING, "unknown"),
    ("my team in Shanghai helps", BEIJING, "unknown"),
    ("between 9 and 11 in the morning Beijing time", LEEDS, "unknown"),
    ("if it is in Shanghai, I need a hotel", BEIJING, "unknown"),
    ("Shanghai is fine too", BEIJING, "unknown"),
    ("only in Shanghai, and not on Sundays", replace(BEIJING, first=THURSDAY, last=THURSDAY), "broken"),
    ("只能线上", BEIJING, "broken"),
    ("只能线上", OFFICE, "broken"),
    ("只能线上", ZOOM, "met"),
    ("only on site", BEIJING, "met"),
    ("我只能线上参加", BEIJING, "unknown"),
    ("我只能线上参加", FROM_AFAR, "met"),
    ("I can only join online", ZOOM, "met"),
    ("I come in person only", FROM_AFAR, "broken"),
    ("not online", ZOOM, "broken"),
    ("不要线上", ZOOM, "broken"),
    ("in person only", BEIJING, "met"),
    ("online only", BEIJING, "broken"),
    ("paid work only", POOR, "broken"),
    ("paid work only", RICH, "unknown"),
    ("800元保洁费由主办方承担", POOR, "broken"),
    ("A fee of 8000 yuan", RICH, "broken"),
    ("at most 5 hours a week", Facts(efforts=(("week", 10.0),)), "broken"),
    ("每周不超过5小时", Facts(efforts=(("week", 4.0),)), "met"),
    ("at most 3 hours", Facts(efforts=(("whole", 4.0),)), "broken"),
    ("I get the final headcount three days before", EVENING, "unknown"),
    ("I get the final headcount three days before", Facts(prepared=(Prepared(subjects_in("Headcount"), 5),)), "met"),
    ("活动前三天告诉我最终人数", Facts(prepared=(Prepared(subjects_in("确认人数"), 1),)), "broken"),
    ("I speak remotely", BEIJING, "unknown"),
    ("I join online", BEIJING, "unknown"),
    ("any day but Thursday", MORNING, "broken"),
    ("any day but Thursday", EVENING, "met"),
    ("weekday evenings and weekends", EVENING, "unknown"),
    ("工作日晚上和周末可用", EVENING, "unknown"),
    ("mornings, evenings", EVENING, "unknown"),
    ("mornings, evenings", Facts(opens=13 * 60, closes=15 * 60), "broken"),
    ("I speak before 20:00", EVENING, "unknown"),
    ("I speak before 20:00", replace(EVENING, is_own=True), "broken"),
    ("I speak before 18:00", EVENING, "broken"),
    ("I speak between 9 and 11 in the morning", Facts(opens=19 * 60), "broken"),
    ("I speak between 9 and 11 in the morning", Facts(opens=8 * 60), "unknown"),
    ("I speak between 9 and 11 in the morning", Facts(opens=9 * 60 + 30), "unknown"),
    ("If it ends late, my taxi home is paid", POOR, "unknown"),
    ("结束太晚的话，报销我回家的打车费用", POOR, "unknown"),
    ("至少要有20人", TWELVE, "broken"),
    ("I need a projector", EVENING, "unknown"),
    ("", EVENING, "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "facts", "status"), CASES)
def test_a_condition_is_held_against_what_is_known(text: str, facts: Facts, status: str) -> None:
    assert hold_reading(read_constraints(text), facts).status == status


@pytest.mark.parametrize(("text", "facts", "status"), [each for each in CASES if each[2] != "unknown"])
def test_nothing_is_known_of_an_empty_plan(text: str, facts: Facts, status: str) -> None:
    assert hold_reading(read_constraints(text), Facts()) == UNKNOWN


@pytest.mark.parametrize(("text", "facts", "status"), [each for each in CASES if each[2] != "unknown"])
def test_words_that_are_not_understood_make_nothing_met_and_break_nothing(text: str, facts: Facts, status: str) -> None:
    more = hold_reading(read_constraints(f"{text}; and the projector is new"), facts).status

    assert more == ("broken" if status == "broken" else "unknown")


ASKED = Asked(date(2027, 1, 15), "Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "facts", "status"),
    [
        ("only on 14 March", EVENING, "met"),
        ("only on 14 March", MORNING, "broken"),
        ("不要在3月14日", EVENING, "broken"),
        ("not before 18 March", EVENING, "broken"),
        ("not before 18 March", MORNING, "met"),
        ("I am away from 10 to 16 March", EVENING, "broken"),
        ("I am on holiday until 16 March", MORNING, "met"),
        ("3月15日以后", EVENING, "broken"),
        ("in March", EVENING, "met"),
        ("3月10日到16日出差", EVENING, "broken"),
        ("weekends in March", EVENING, "met"),
        ("only on 14 March", Facts(first=date(2027, 3, 10), last=date(2027, 3, 20)), "unknown"),
        ("the poster is ready on 10 March", EVENING, "unknown"),
    ],
)
def test_dates_count_from_the_day_of_asking(text: str, facts: Facts, status: str) -> None:
    assert hold_reading(read_constraints(text, ASKED), facts).status == status
    assert hold_reading(read_constraints(text), facts).status in ("unknown", status)


@given(st.text(max_size=900))
def test_any_text_can_be_read(text: str) -> None:
    assert hold_reading(read_constraints(text, ASKED), EVENING).status in ("met", "broken", "unknown")


PIECES = (
    *(
        "only",
        "not",
        "between",
        "9",
        "11",
        "and",
        "or",
        "in the morning",
        "19:00",
        "20",
        "people",
        "hours",
        "a week",
        "never",
    ),
    *(
        "until",
        "after",
        "mon",
        "tue",
        "online",
        "to",
        "-",
        "am",
        "pm",
        "周末",
        "不",
        "晚上",
        "第",
        "二",
        "周",
        "人",
        "最多",
        "元",
    ),
    *("前", "三", "天", "提前", "之后", "一", "二十三", "点", "半", "没有", ",", "，", "。"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=60), st.sampled_from(["", " "]))
def test_any_order_of_its_words_can_be_read(pieces: list[str], between: str) -> None:
    hold_reading(read_constraints(between.join(pieces), ASKED), EVENING)


@pytest.mark.parametrize(
    "unit", ["周一、", "not ", "9 and ", "between 9 ", "20 people ", "一", "9", "从第", "mon, ", "，", " "]
)
def test_nothing_keeps_the_reader_busy(unit: str) -> None:
    text = unit * 2000
    started = time.process_time()
    read_constraints(text, ASKED)

    assert time.process_time() - started < 0.5


@given(
    opens=st.integers(0, 1439), length=st.integers(1, 1439), start=st.integers(0, 1439), span=st.integers(1, 1439),
)  # fmt: skip
def test_what_is_allowed_and_what_is_refused_are_never_both_met(opens: int, length: int, start: int, span: int) -> None:
    facts = Facts(opens=opens, closes=(opens + length) % 1440)
    allowed = hold(TimeOfDay(start, start + span), facts).status
    refused = hold(TimeOfDay(start, start + span, allowed=False), facts).status

    assert not allowed == refused == "met"
