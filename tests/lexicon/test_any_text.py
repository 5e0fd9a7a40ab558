"""Any text is read, in little time, and nothing of the reader is loaded before a text is read."""

import subprocess
import sys
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts.asked import Asked
from engine.lexicon.reading.reader import read

ASKED = Asked(date(2026, 11, 22), "Asia/Shanghai")
_CHINESE = "周 3 12 人 元 到 - 点 半 万 ， 的 十 年 月 号 个 五月 第二 下周六 之前 晚上 预算 $ 1,200 . / : \x00 \ud800"
_ENGLISH = "next Thursday May 14 th of to between people in am first week a hundred -person Berlin Q3 2027"
PIECES = (*_CHINESE.split(), *(f" {word}" for word in _ENGLISH.split()))
LONG = [
    "1" * 4000,
    "一" * 4000,
    "1," * 2000,
    "1-" * 2000,
    "the " * 1000,
    "a hundred and " * 280,
    "twenty-" * 570,
    "周" * 4000,
    "下" * 4000,
    " " * 4000,
    "May " * 1000,
    "14 May to " * 400,
    "in the next " * 330,
    "budget of about " * 250,
    "New York " * 440,
    "预算大概" * 1000,
    "3个" * 2000,
    "we need 3 very " * 260,
    "9-11-" * 800,
    "A" * 4000,
    "3到" * 2000,
]


@given(st.text(max_size=400) | st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_nothing_raises_and_no_day_is_over(text: str) -> None:
    for when in read(text, ASKED).times:
        assert all(day >= ASKED.day.isoformat() for day in (when.first, when.last) if day)
        assert not (when.first and when.last) or when.first <= when.last
        assert when.said.strip("\ud800") in text


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.sampled_from(
    ["下周六", "14 March", "29 February", "除夕", "Easter", "end of Q3", "月底", "31号", "mid June", "周末"]
))  # fmt: skip
def test_on_any_day_what_was_said_lies_ahead(day: date, text: str) -> None:
    when = read(text, Asked(day)).when
    assert when is not None
    assert when.last >= when.first >= day.isoformat()


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:12])
def test_a_long_text_takes_bounded_time(text: str) -> None:
    _ = read(text, ASKED).quantities
    began = time.process_time()
    _ = read(text, ASKED).quantities
    assert time.process_time() - began < 2


def test_a_demand_is_read_in_five_milliseconds() -> None:
    text = (
        "We run a 25-person retrospective workshop in Berlin on the second Friday of March, from 3pm to 5pm, with"
        " two facilitators and 3 data labelers; the budget is 2,000 euros. 下周六前请回复，谢谢大家的帮助。"
    )
    _ = read(text, ASKED).quantities
    took = []
    for _ in range(20):
        began = time.process_time()
        _ = read(text, ASKED).quantities
        took.append(time.process_time() - began)
    assert min(took) < 0.005


@pytest.mark.parametrize(
    ("module", "unloaded"),
    [
        ("engine.negotiation.rules", {"engine.lexicon.reading"}),
        ("bot.command_line", {"engine.lexicon.reading.times", "engine.lexicon.reading.people"}),
    ],
)
def test_what_does_not_read_texts_does_not_load_the_reader(module: str, unloaded: set[str]) -> None:
    code = f"import {module}, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert module in (loaded := set(run.stdout.split()))
    assert unloaded.isdisjoint(loaded)
