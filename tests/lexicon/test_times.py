"""Days and hours, read from texts that were written on Sunday 22 November 2026."""

from datetime import date

import pytest

from engine.lexicon.reading.asked import Asked
from engine.lexicon.reading.times import main_time, times_in

ASKED = Asked(date(2026, 11, 22), "Asia/Shanghai")


def read(text: str, asked: Asked = ASKED) -> str:
    """The time that a text is about: its days and hours, what is not known as ``?``, ``-`` if it names none."""
    when = main_time(times_in(text, asked))
    if when is None:
        return "-"
    if when.exact in ("vague", "unknown") and not when.start and not when.end:
        return when.exact
    days = (
        when.first
        if when.first == when.last
        else f"{when.first or '?'}..{when.last or '?'}"
        if when.first or when.last
        else ""
    )
    hours = f"{when.start or '?'}-{when.end or '?'}" if when.start or when.end else ""
    return f"{days} {hours}".strip()


CHINESE = {
    "下周六": "2026-11-28",
    "下周六办聚会": "2026-11-28",
    "明年五月": "2027-05-01..2027-05-31",
    "五月第二周": "2027-05-10..2027-05-16",
    "国庆期间": "2027-10-01..2027-10-07",
    "十一期间": "2027-10-01..2027-10-07",
    "周五之前": "?..2026-11-27",
    "周五前交付": "?..2026-11-27",
    "五月之前": "?..2027-04-30",
    "月底": "2026-11-25..2026-11-30",
    "下个月初": "2026-12-01..2026-12-10",
    "三月十四号晚上": "2027-03-14 18:00-22:00",
    "除夕": "2027-02-05",
    "大年初一": "2027-02-06",
    "春节后": "2027-02-13..?",
    "元宵节": "2027-02-20",
    "端午节": "2027-06-09",
    "中秋": "2027-09-15",
    "明年中秋节": "2027-09-15",
    "清明节": "2027-04-05",
    "圣诞节": "2026-12-25",
    "五一": "2027-05-01..2027-05-05",
    "双十一": "2027-11-11",
    "3月15日办聚会": "2027-03-15",
    "12月1日": "2026-12-01",
    "2027年5月1日": "2027-05-01",
    "二〇二七年三月": "2027-03-01..2027-03-31",
    "5月3日到5日": "2027-05-03..2027-05-05",
    "10月1-7号": "2027-10-01..2027-10-07",
    "3月到5月": "2027-03-01..2027-05-31",
    "三到五月": "2027-03-01..2027-05-31",
    "周一到周三": "2026-11-23..2026-11-25",
    "12月第一个周末": "2026-12-05..2026-12-06",
    "下个月最后一个周五": "2026-12-25",
    "7月下旬": "2027-07-21..2027-07-31",
    "六月中旬": "2027-06-11..2027-06-20",
    "15号": "2026-12-15",
    "下月15号": "2026-12-15",
    "本周五": "2026-11-27",
    "这个周末": "2026-11-28..2026-11-29",
    "下下周三": "2026-12-02",
    "明天下午三点半": "2026-11-23 15:30-?",
    "后天上午": "2026-11-24 08:00-12:00",
    "明晚八点": "2026-11-23 20:00-?",
    "下周六晚上七点到九点": "2026-11-28 19:00-21:00",
    "上午九点到十一点": "09:00-11:00",
    "下午2点到5点": "14:00-17:00",
    "19:00-21:00": "19:00-21:00",
    "晚上8点以后": "20:00-?",
    "十点之前": "?-10:00",
    "两周内": "2026-11-22..2026-12-06",
    "两个月内上线": "2026-11-22..2027-01-22",
    "半年内": "2026-11-22..2027-05-22",
    "未来三个月": "2026-11-22..2027-02-22",
    "三天后": "2026-11-25",
    "三个月后": "2027-02-01..2027-02-28",
    "年底": "2026-12-15..2026-12-31",
    "明年年初": "2027-01-01..2027-03-31",
    "明年上半年": "2027-01-01..2027-06-30",
    "明年春天": "2027-03-01..2027-05-31",
    "明年一季度": "2027-01-01..2027-03-31",
    "Q1上线": "2027-01-01..2027-03-31",
    "Q3发布会，下周四开": "2026-11-26",
    "从下周一开始": "2026-11-23..?",
    "最晚下周五": "?..2026-11-27",
    "不早于3月1日": "2027-03-01..?",
    "春节前两周": "2027-01-22",
    "24小时内恢复": "2026-11-22..2026-11-23",
    "12月5日（周六）下午": "2026-12-05 12:00-18:00",
    "不要周一": "-",
    "尽快": "vague",
    "近期": "vague",
    "2月30日": "unknown",
    "2023年5月1日": "unknown",
    "办一个周报系统": "-",
    "周边产品": "-",
    "有三点建议": "-",
    "早一点说": "-",
    "第三天路口": "-",
    "我们有两个月的经验": "-",
    "上周五开过会": "-",
}
ENGLISH = {
    "next Thursday": "2026-11-26",
    "by Friday": "?..2026-11-27",
    "before Friday": "?..2026-11-26",
    "no later than 3 December": "?..2026-12-03",
    "second week of May": "2027-05-10..2027-05-16",
    "mid June": "2027-06-11..2027-06-20",
    "the second half of June": "2027-06-16..2027-06-30",
    "first half of June": "2027-06-01..2027-06-15",
    "mid-June": "2027-06-11..2027-06-20",
    "early December": "2026-12-01..2026-12-10",
    "the evening of 14 March": "2027-03-14 18:00-22:00",
    "14 March in the evening": "2027-03-14 18:00-22:00",
    "between 9 and 11 in the morning": "09:00-11:00",
    "in six weeks": "2026-12-28..2027-01-03",
    "in the next six weeks": "2026-11-22..2027-01-03",
    "within two weeks": "2026-11-22..2026-12-06",
    "in a couple of weeks": "2026-11-30..2026-12-06",
    "in three days": "2026-11-25",
    "3 weeks from now": "2026-12-07..2026-12-13",
    "end of Q3": "2027-09-25..2027-09-30",
    "by the end of Q1": "?..2027-03-31",
    "in Q2": "2027-04-01..2027-06-30",
    "tomorrow 3pm": "2026-11-23 15:00-?",
    "tomorrow at 3": "2026-11-23 15:00-?",
    "noon tomorrow": "2026-11-23 12:00-?",
    "first weekend of December": "2026-12-05..2026-12-06",
    "the second Saturday of next month": "2026-12-12",
    "the last Friday of January": "2027-01-29",
    "Q3 launch, the demo is next Thursday": "2026-11-26",
    "help us with the Q3 launch": "-",
    "14 March": "2027-03-14",
    "a party on June 14th": "2027-06-14",
    "a party on 14 June 2027": "2027-06-14",
    "the fourteenth of March": "2027-03-14",
    "on 2026-12-24": "2026-12-24",
    "12/24/2026": "2026-12-24",
    "24.12.2026": "2026-12-24",
    "on 12/24": "2026-12-24",
    "from 3 to 5 May": "2027-05-03..2027-05-05",
    "May 3-5": "2027-05-03..2027-05-05",
    "Dec 28 to Jan 3": "2026-12-28..2027-01-03",
    "Monday to Wednesday": "2026-11-23..2026-11-25",
    "Friday or Saturday": "2026-11-27..2026-11-28",
    "in May": "2027-05-01..2027-05-31",
    "in may": "2027-05-01..2027-05-31",
    "May 2028": "2028-05-01..2028-05-31",
    "an October launch": "2027-10-01..2027-10-31",
    "before Christmas": "?..2026-12-24",
    "Thanksgiving": "2026-11-26",
    "Easter 2027": "2027-03-26..2027-03-29",
    "Chinese New Year": "2027-02-05..2027-02-12",
    "4th of July": "2027-07-04",
    "this weekend": "2026-11-28..2026-11-29",
    "next week": "2026-11-23..2026-11-29",
    "the week after next": "2026-11-30..2026-12-06",
    "next month": "2026-12-01..2026-12-31",
    "the end of the month": "2026-11-25..2026-11-30",
    "by the end of the year": "?..2026-12-31",
    "early next year": "2027-01-01..2027-03-31",
    "in the spring": "2027-03-01..2027-05-31",
    "this Friday at 18:30": "2026-11-27 18:30-?",
    "Friday evening": "2026-11-27 18:00-22:00",
    "from 9am to 5pm": "09:00-17:00",
    "11-2pm": "11:00-14:00",
    "only after 6pm": "18:00-?",
    "until 10 p.m.": "?-22:00",
    "all night": "22:00-06:00",
    "next Thursday we hold a workshop, 3pm to 5pm": "2026-11-26 15:00-17:00",
    "starting next Monday": "2026-11-23..?",
    "the day after tomorrow": "2026-11-24",
    "within 48 hours": "2026-11-22..2026-11-24",
    "in an hour": "2026-11-22",
    "not before March": "2027-03-01..?",
    "two weeks before Christmas": "2026-12-11",
    "on the 15th": "2026-12-15",
    "Saturday 5 December, 14:00–17:00": "2026-12-05 14:00-17:00",
    "Tuesday, 8 December 2026": "2026-12-08",
    "8/12/2026": "2026-12-08",
    "the first Thursday of the month": "2026-12-03",
    "H1 2027": "2027-01-01..2027-06-30",
    "we meet every second Tuesday": "-",
    "any day, but not on Monday": "-",
    "asap": "vague",
    "soon": "vague",
    "31 April": "unknown",
    "14 March 2023": "unknown",
    "may I have a party": "-",
    "they march on and we may 5 times": "-",
    "wait a second": "-",
    "24/7 support for Python 3.12": "-",
    "one of the best": "-",
    "every Monday": "-",
    "April and June will help": "-",
    "call 555-1234": "-",
    "12 Main Street": "-",
    "good morning": "-",
    "the sun sat on the wall": "-",
    "fall in love": "-",
    "a 16:9 screen": "-",
}


@pytest.mark.parametrize(("text", "expected"), CHINESE.items(), ids=CHINESE)
def test_chinese_times(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), ENGLISH.items(), ids=ENGLISH)
def test_english_times(text: str, expected: str) -> None:
    assert read(text) == expected
