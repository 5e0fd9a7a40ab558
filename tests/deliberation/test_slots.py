"""The slots of a text are read in Chinese and English, with values that are the same in both."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deliberation.slots import NamedValue, read_slots
from engine.facts.asked import Asked
from engine.lexicon.measures import amounts_in, counts_in
from engine.lexicon.stances import stances_in

STANCES = [
    ("The plan is feasible.", "方案可行。", "yes"),
    ("The plan isn't feasible.", "方案并不可行。", "no"),
    ("It is unrealistic.", "这不现实。", "no"),
    ("We should not cancel it.", "不应取消。", "yes"),
    ("Cancel it.", "取消。", "no"),
    ("Do it only if legal agrees.", "只有法务同意才做。", "conditional"),
    ("Go ahead unless it rains.", "除非下雨，照常举办。", "conditional"),
    ("Don't hire anyone until May.", "五月之前不要招人。", "conditional"),
    ("The hall has a stage.", "大厅有舞台。", ""),
]


@pytest.mark.parametrize(("english", "chinese", "stance"), STANCES, ids=[each[0] for each in STANCES])
def test_the_stance_is_the_same_in_both_languages(english: str, chinese: str, stance: str) -> None:
    assert read_slots(english).decision == stance
    assert read_slots(chinese).decision == stance


AXES = [
    ("The hall is cheap.", "场地很便宜。", "cost", "low"),
    ("The hall is not cheap.", "场地并不便宜。", "cost", "high"),
    ("Bring the launch forward.", "发布提前。", "shift", "earlier"),
    ("Increase the budget.", "增加预算。", "amount", "more"),
    ("The money is not enough.", "钱不够。", "enough", "no"),
    ("Never skip the review.", "从不跳过评审。", "always", "never"),
    ("Meet online.", "线上开会。", "mode", "online"),
    ("Serve lunch rather than dinner.", "提供午餐而不是晚餐。", "meal", "lunch"),
]


@pytest.mark.parametrize(("english", "chinese", "axis", "value"), AXES, ids=[each[0] for each in AXES])
def test_where_a_text_stands_is_the_same_in_both_languages(english: str, chinese: str, axis: str, value: str) -> None:
    assert stances_in(english).sides[axis].said == {value}
    assert stances_in(chinese).sides[axis].said == {value}


def test_what_stands_after_rather_than_is_denied() -> None:
    assert stances_in("Serve lunch rather than dinner.").sides["meal"].denied == {"dinner"}
    assert "topic speaker" not in stances_in("能不能请讲师").denied


@pytest.mark.parametrize(
    "text",
    [
        "Train the staff before going live.",
        "Go live after training the staff.",
        "培训完员工再上线。",
        "上线之前培训员工。",
    ],
)
def test_what_comes_first_is_read_from_either_side(text: str) -> None:
    earlier, later = stances_in(text).orders[0]
    assert "train" in earlier
    assert "launch" in later


AMOUNTS = [
    ("two weeks", "两周", "duration", "336"),
    ("a fortnight", "14天", "duration", "336"),
    ("half an hour", "半小时", "duration", "0.5"),
    ("every other week", "隔周", "every", "14"),
    ("20 percent", "两成", "percent", "20"),
    ("¥50,000", "五万元", "money", "50000 CNY"),
    ("two contractors", "两名外包", "people", "2"),
    ("three stages", "三个阶段", "stage", "3"),
    ("twice", "两次", "times", "2"),
]


@pytest.mark.parametrize(("english", "chinese", "what", "value"), AMOUNTS, ids=[each[0] for each in AMOUNTS])
def test_quantities_have_one_unit_in_both_languages(english: str, chinese: str, what: str, value: str) -> None:
    expected = (NamedValue(name=what, value=value),)
    assert read_slots(f"It takes {english}.").quantities == expected
    assert read_slots(f"需要{chinese}。").quantities == expected


@pytest.mark.parametrize("text", ["Open on 3 February.", "2月3日开放。", "It opens on Feb 3."])
def test_dates_are_the_same_in_both_languages(text: str) -> None:
    assert [each.value for each in read_slots(text).dates] == ["2001-02-03"]
    assert read_slots(text).quantities == ()


def test_days_count_from_when_the_position_was_taken() -> None:
    asked = Asked(date(2026, 11, 23), "Asia/Shanghai")
    assert [each.value for each in read_slots("截止到12月1日", asked).dates] == ["/2026-12-01"]
    assert [each.value for each in read_slots("巡演放在四季度", asked).dates] == ["2026-11-23/2026-12-31"]


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("Maria should own the vendor talks.", "maria"),
        ("The vendor talks are Maria's responsibility.", "maria"),
        ("Ask Dr. Rossi to give the keynote.", "rossi"),
        ("由王芳负责谈判。", "王芳"),
        ("谈判交给王芳来做。", "王芳"),
        ("王芳牵头谈判。", "王芳"),
    ],
)
def test_owners_are_read(text: str, owner: str) -> None:
    assert [each.value for each in read_slots(text).owners] == [owner]


@pytest.mark.parametrize(
    "text", ["To get a seat, book early.", "由设计团队负责。", "Interviews should take place online."]
)
def test_who_is_no_person_owns_nothing(text: str) -> None:
    assert read_slots(text).owners == ()


def test_the_option_stands_after_the_stance() -> None:
    assert read_slots("Go ahead with the offsite in Lisbon.").decision == "yes: Lisbon"
    assert read_slots("后端用Rust写。").decision == ": rust"


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    slots = read_slots(text)
    assert read_slots(text) == slots
    assert len(amounts_in(text) + counts_in(text)) <= len(text)
