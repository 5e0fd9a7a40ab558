"""Demands of any kind, in either language: what they need, whom they reach, and when their steps are."""

import re
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.negotiation.answers import OfferDecision, OfferMade, ProposalDraft
from engine.offline.negotiation.phrasing import in_third_person, is_first_person
from engine.offline.negotiation.timelines import steps
from tests.offline.mini_negotiation import PEOPLE, TODAY, made, offered, shortlisted, understood, woven
from tests.profiles.people import person


def asked(text: str) -> set[str]:
    found = shortlisted(understood(text)).definitely_related
    return {each.agent_id.removeprefix("user_agent_") for each in found}


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("Our office is relocating in March, somebody has to coordinate it", {"event planning", "office relocation"}),
        ("公司下个月搬办公室", {"活动策划", "搬迁统筹"}),
        ("We want to hire an accountant", {"finance"}),
        ("我们要招人，需要有人筛简历", {"人才招聘"}),
        ("The shop keeps crashing since noon", {"backend"}),
        ("网站崩溃了，急需运维", {"运维部署"}),
        ("five annotators for our street images", {"data labelling"}),
        ("两周内标注一万张图片", {"数据标注"}),
        ("A webinar on solar power next month", {"speakers", "MC"}),
        ("办一场线上讲座，讲园艺", {"演讲嘉宾", "主持人"}),
        ("想办一个陶艺工作坊", {"工作坊引导", "场地提供"}),
        ("A masterclass in calligraphy for 10 people", {"facilitation", "venue"}),
        ("We get married in June and need flowers and a band", {"venue", "decoration", "live music"}),
        ("三月份想组织一次春游", {"活动策划"}),
        ("A penetration test before we go live", {"security testing"}),
        ("帮我们采购五十台电脑", {"采购"}),
        ("A small survey among our members", {"survey"}),
        ("Need someone to check a lease, a lawyer would be best", {"legal and privacy"}),
    ],
)
def test_what_it_cannot_be_without_is_essential(text: str, needed: set[str]) -> None:
    assert needed <= {each.what for each in understood(text).needs if each.essential}


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("We need a clown and a face painter for a children's party", {"clown", "face painter"}),
        ("Looking for a piano tuner", {"piano tuner"}),
        ("3 sommeliers by Friday", {"sommeliers"}),
        ("需要一位修表师傅", {"修表师傅"}),
        ("Fix my tractor", {"Fix my tractor"}),
        ("找人修拖拉机", {"修拖拉机"}),
    ],
)
def test_what_no_topic_knows_is_a_need_in_its_own_words(text: str, needed: set[str]) -> None:
    assert needed <= {each.what for each in understood(text).needs}


def test_numbers_of_helpers_stand_beside_what_they_do() -> None:
    assert {each.what: each.quantity for each in understood("3 data labelers by Friday").needs} == {"data labelling": 3}
    assert [each.quantity for each in understood("只需要两位嘉宾，线上分享").needs] == [2]


@pytest.mark.parametrize(
    ("text", "not_needed"),
    [
        ("We have a room already, only missing an MC for the annual dinner", "venue"),
        ("茶歇我们自己解决，办一场聚会，需要场地", "餐饮茶歇"),
        ("A meetup in Berlin; a photographer would be nice but is optional, need a room", "photography"),
        ("An app for photographers, need a designer", "photography"),
    ],
)
def test_what_is_there_or_optional_is_not_essential(text: str, not_needed: str) -> None:
    assert not_needed not in {each.what for each in understood(text).needs if each.essential}


def test_having_none_is_not_having_one() -> None:
    assert "venue" in {each.what for each in understood("We plan a meetup but have no venue").needs}


@pytest.mark.parametrize(
    "text", ["I need help", "帮忙", "Can we do something nice?", "最近很累，想搞点什么", "asdf qwer"]
)
def test_where_nothing_can_be_made_out_one_question_is_asked(text: str) -> None:
    demand = understood(text)
    assert demand.needs == ()
    assert demand.question.count("？") + demand.question.count("?") == 1
    assert not asked(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("北京，80人的晚会，需要场地", {"lin_xiao", "zhao_lei"}),
        ("A dinner for 12 in Beijing, need a room", {"liu_yang"}),
        ("User research for our shop, two interviews", {"omar_haddad"}),
        ("A concert in London, need a photographer", {"xu_fan"}),
    ],
)
def test_nobody_is_asked_whom_their_time_place_or_size_rules_out(text: str, never: set[str]) -> None:
    assert not asked(text) & never


def test_people_are_found_by_meaning_where_their_words_differ() -> None:
    ada = person("ada", tags=["pottery classes"], capabilities={"pottery classes": "Clay for beginners"})
    bo = person("bo", tags=["海报设计"], capabilities={"海报设计": "活动海报"})
    demand = understood("Looking for a ceramics course")
    found = shortlisted(demand, {each.agent_id: each for each in (ada, bo)})
    assert [each.agent_id for each in found.definitely_related] == [ada.agent_id]
    assert [each.need_id for each in offered(demand, ada).covers] == ["need_1"]
    assert offered(demand, bo).decision is OfferDecision.DECLINE


@pytest.mark.parametrize(
    ("text", "last", "has"),
    [
        (
            "3月14日晚上八点在北京办一场50人的分享会，需要场地和嘉宾",
            "2027-03-17",
            "2027-03-14（周日） 20:00 Asia/Shanghai",
        ),
        ("Translate our manual into German by 10 December", "2026-12-10", "2026-12-10 (Thu)"),
        ("A website for our choir by 31 January, need a frontend engineer", "2027-01-31", "2027-01-31 (Sun)"),
    ],
)
def test_steps_have_real_dates_in_order_and_none_that_is_over(text: str, last: str, has: str) -> None:
    plan = _plan(text)
    days = [date.fromisoformat(each.date[:10]) for each in plan.timeline.milestones]
    assert days == sorted(days)
    assert days[0] >= date.fromisoformat(TODAY["date"])
    assert days[-1].isoformat() == last
    assert any(each.date.startswith(has) for each in plan.timeline.milestones)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("A prototype of a mobile app; I need design and engineering in six weeks", "2027-01-03"),
        ("Translate our manual into German within two months", "2027-01-22"),
        ("三周内把官网改版做完，需要设计和前端", "2026-12-13"),
        ("六周做出一个App原型，需要设计和开发", "2027-01-03"),
        ("We have only three weeks for a website, need a frontend engineer", "2026-12-13"),
        ("Label 5000 images by the end of the quarter", "2026-12-31"),
        ("季度末之前把官网改版，需要前端工程师", "2026-12-31"),
        ("We need to hire a data engineer before Christmas", "2026-12-24"),
        ("年底之前招一位后端工程师，需要人面试", "2026-12-31"),
        ("From 7 December on we hire a backend engineer and need a colleague for the interviews", "2027-01-18"),
    ],
)
def test_a_span_gives_steps_up_to_its_end(text: str, last: str) -> None:
    days = [date.fromisoformat(each.date[:10]) for each in _plan(text).timeline.milestones]
    assert len(days) >= 3
    assert days == sorted(days)
    assert days[0] >= date.fromisoformat(TODAY["date"])
    assert days[-1].isoformat() == last


def test_where_only_a_beginning_is_known_no_step_is_before_it() -> None:
    dates = [
        each.date for each in _plan("From 7 December on, a prototype with design and engineering").timeline.milestones
    ]
    assert dates[0].startswith("2026-12-07")
    assert {*dates[1:]} == {"[TBD]"}


def test_an_outage_is_told_in_hours_and_a_hire_in_weeks() -> None:
    outage = _plan("The API has been down since 7, we need a backend engineer now")
    assert "minutes" in outage.timeline.milestones[0].date
    hire = _plan("We are hiring a backend engineer and need a backend colleague for the interviews")
    assert [each.date for each in hire.timeline.milestones] == ["week 1", "week 2", "week 4", "week 6"]


def _plan(text: str) -> ProposalDraft:
    demand = understood(text)
    offers: list[OfferMade] = []
    for each in shortlisted(demand).definitely_related:
        answer = offered(demand, PEOPLE[each.agent_id])
        if answer.decision is not OfferDecision.DECLINE:
            offers.append(made(PEOPLE[each.agent_id], answer))
    return woven(demand, offers)


@pytest.mark.parametrize("kind", sorted(steps()))
def test_every_kind_has_steps_in_both_languages(kind: str) -> None:
    assert all(set(each["name"]) == set(each["deliverable"]) == {"zh", "en"} for each in steps()[kind])


def test_nobody_speaks_of_themselves_in_a_plan() -> None:
    ada = person("ada", tags=["venue"], capabilities={"venue": "I run a space in Mitte, seats 60. My cat lives there"})
    demand = understood("A party for 30 people, need a venue")
    seat = woven(demand, [made(ada, offered(demand, ada))]).assignments[0]
    assert seat.responsibility == "seats 60"
    assert not is_first_person(in_third_person("我有一间教室，可坐30人；we open at 9. A piano"))


TELLING = ["need", "需要", "a", "和", "and", "、", "3", "人", "by", "Friday", "room", "找", "on", "线上", "will"]


@given(st.text(max_size=2000) | st.lists(st.sampled_from(TELLING)).map(" ".join))
def test_any_text_is_read_in_bounded_time_and_never_raises(text: str) -> None:
    begun = time.process_time()
    shortlisted(understood(text))
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("unit", ["need a ", "需要", "and a ", "、", "a", "我", "needneed", " for "])
def test_long_repetitions_take_bounded_time(unit: str) -> None:
    begun = time.process_time()
    understood((unit * 4000)[:4000])
    assert time.process_time() - begun < 5


def test_no_plan_text_holds_the_keys_of_topics() -> None:
    demand = understood("Need a juggler for our street festival")
    assert not re.search(r"need_\d", " ".join(each.what for each in demand.needs))


@pytest.mark.parametrize(
    ("text", "needed", "not_needed"),
    [
        (
            "I want a podcast of six episodes on soil, need host, editor and guests",
            {"MC", "speakers", "editor"},
            "podcast",
        ),
        ("办一个三十人的读书会，需要地方和主持", {"场地提供", "主持人"}, "地方"),
        ("A weekend away for the team in Porto, with somewhere to stay", {"accommodation"}, "somewhere to stay"),
        ("Our web shop is down, we need somebody to restore it at once", {"backend"}, "restore"),
        ("We would like to host friends from Oslo, need a place and a camera", {"venue", "photography"}, "MC"),
    ],
)
def test_a_list_names_abilities_in_words_that_mean_something_else_elsewhere(
    text: str, needed: set[str], not_needed: str
) -> None:
    found = {each.what for each in understood(text).needs}
    assert needed <= found
    assert not_needed not in found


@pytest.mark.parametrize(
    ("text", "recruiting", "judged"),
    [
        ("Hire two backend engineers by the end of January", "recruiting", "backend"),
        ("招三名产品经理，一月底前到岗", "人才招聘", "产品管理"),
    ],
)
def test_those_who_are_to_be_hired_are_not_those_who_help(text: str, recruiting: str, judged: str) -> None:
    quantities = {each.what: each.quantity for each in understood(text).needs}
    assert quantities[recruiting] == 0
    assert quantities[judged] == 0, "a colleague can judge candidates, and is not two of them"


def test_a_service_is_hired_for_an_event() -> None:
    found = {each.what for each in understood("We want to hire a photographer for Saturday").needs}
    assert "photography" in found


def test_what_is_broken_is_what_its_twins_take_on() -> None:
    demand = understood("The production database is down, we need somebody who can help")
    backend = next(each.need_id for each in demand.needs if each.what == "backend")
    assert backend in {each.need_id for each in offered(demand, PEOPLE["user_agent_sara_lindqvist"]).covers}


def test_whoever_says_nothing_of_an_ability_does_not_say_when_they_are_free_instead() -> None:
    helper = person("eve", tags=("volunteers",), availability="Evenings after eight")
    demand = understood("A street party for 80 people in Berlin on 5 June, need volunteers")
    answer = offered(demand, helper)
    assert "Evenings" not in answer.contribution
    (seat,) = woven(demand, [made(helper, answer)]).assignments
    assert seat.responsibility == "volunteers"


def test_what_no_topic_knows_is_told_of_others_in_the_third_person() -> None:
    tuner = person("eve", tags=("piano tuning",))
    demand = understood("Looking for a piano tuning before Friday")
    (seat,) = woven(demand, [made(tuner, offered(demand, tuner))]).assignments
    assert not is_first_person(seat.responsibility)


def test_text_that_is_left_without_its_circumstances_reads_like_a_sentence() -> None:
    (need,) = understood("Glaze the old window in Lisbon for 300 euros, without a scratch").needs
    assert need.what == "Glaze the old window, without a scratch"


def _days_of(text: str, *conditions: str) -> dict[str, str]:
    demand = understood(text)
    host = OfferMade(
        agent_id="a",
        display_name="A",
        decision=OfferDecision.CONDITIONAL,
        contribution="I can take on MC: the whole evening; I can also help with venue: a hall",
        conditions=conditions,
    )
    return {each.name: each.date for each in woven(demand, [host]).timeline.milestones}


def test_an_event_within_a_month_is_on_a_day_that_is_still_open() -> None:
    days = _days_of("A two-day offsite in Lisbon for 14 people in March")
    assert days["The event"] == "between 2027-03-01 (Mon) and 2027-03-31 (Wed) (day [TBD])"
    assert days["Looking back"] == "2027-04-03 (Sat)", "not before it is over"
    assert _days_of("A party before Christmas")["The event"] == "by 2026-12-24 (Thu) (day [TBD])"
    assert _days_of("A party on 5 and 6 December")["The event"] == "2026-12-05 (Sat) – 2026-12-06 (Sun)"


def test_what_somebody_wants_days_before_comes_as_early_as_that() -> None:
    wanted = "I get the final run sheet three days ahead"
    assert _days_of("A party on 20 March")["Walk-through"] == "2027-03-19 (Fri)"
    assert _days_of("A party on 20 March", wanted)["Walk-through"] == "2027-03-17 (Wed)"
    assert _days_of("A party", wanted)["Walk-through"] == "3 days before (date [TBD])"
    assert _days_of("A party on 24 November", wanted)["Walk-through"] == "2026-11-22 (Sun)", "not in the past"


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("下个月给公司做一次消防安全培训，60人，需要讲师和会议室", "消防安全"),
        ("办一场线上讲座，讲园艺", "园艺"),
        ("A webinar on solar power next month", "solar power"),
        ("Organise a negotiation skills workshop for 12 managers", "negotiation skills"),
        ("Run a workshop in Berlin for 20 people on 5 March", ""),
        ("A half-day team training for 20 people next week", ""),
        ("我想在北京办一场50人的AI主题聚会，需要场地和嘉宾", ""),
    ],
)
def test_who_teaches_has_to_know_the_subject(text: str, subject: str) -> None:
    known = [each for each in understood(text).needs if subject and each.tags == (subject,)]
    assert [each.essential for each in known] == [True] * bool(subject)
    assert not subject or subject in known[0].what
    assert subject or all(each.tags for each in understood(text).needs), "only what topics know"


def test_nobody_is_asked_to_talk_about_what_they_do_not_know() -> None:
    demand = understood("A webinar on beekeeping next month, 40 people")
    assert not {"chen_mo", "huang_rui", "priya_raman"} & asked("A webinar on beekeeping next month, 40 people")
    keeper = person("eve", tags=("speakers", "beekeeping"), capabilities={"beekeeping": "Twelve hives and a talk"})
    covered = {each.need_id for each in offered(demand, keeper).covers}
    assert {each.what for each in demand.needs if each.need_id in covered} == {
        "speakers",
        "somebody who knows beekeeping",
    }


def test_what_feedback_is_wanted_on_is_what_is_needed() -> None:
    (need,) = understood("I need feedback on my pitch deck before my investor meeting on Thursday at 3pm").needs
    assert need.what == "pitch deck"


def test_where_no_place_is_named_everybody_who_has_to_be_there_is_in_one() -> None:
    text = "A party for 80 colleagues on Friday at 6pm, need a room, an MC and photos"
    found = shortlisted(understood(text)).definitely_related
    assert len(found) >= 3
    assert {PEOPLE[each.agent_id].location for each in found} == {"北京"}


def test_who_works_from_afar_is_asked_wherever_they_are() -> None:
    assert {"carlos_mendes", "sun_hao"} <= asked("A party on Friday, need a room and two frontend engineers")


@pytest.mark.parametrize(
    "text", ["需要一名摄影师拍产品照片", "A photographer for product photos, please", "产品培训需要讲师"]
)
def test_what_is_made_of_a_product_is_no_product(text: str) -> None:
    assert not {"product management", "产品管理", "UX design", "交互设计"} & {
        each.what for each in understood(text).needs
    }
