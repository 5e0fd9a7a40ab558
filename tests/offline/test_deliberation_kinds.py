"""Facts of many kinds, as people write them: the plan that both agree on keeps to each, or says why it cannot."""

from collections.abc import Callable
from datetime import date

import pytest

from engine.deliberation.answers import Position
from engine.deliberation.plan_check import findings
from engine.deliberation.terms import Agent
from engine.facts.language import language_of

from .whole_deliberation import Session, deliberated

Right = Callable[[Session], list[object]]


def position(session: Session) -> Position:
    said = session.state.last_output(Agent.PLANNER)
    assert said is not None
    return said.position


def owner(session: Session, task_id: str) -> str:
    names = {each.person_id: each.name for each in session.state.brief.people}
    return names.get(next(each.owner for each in session.plan.tasks if each.task_id == task_id), "")


def days(session: Session, *words: str) -> int:
    task = session.task(*words)
    return (date.fromisoformat(task.deadline) - date.fromisoformat(task.starts)).days


def waits(session: Session, then: str, first: str) -> bool:
    """Whether a task waits for another one, and is not done before it."""
    one, other = session.task(first), session.task(then)
    return one.task_id in other.depends_on and one.deadline <= other.deadline


def accepted_by(session: Session, said: str) -> list[str]:
    """The titles of the tasks that are accepted only if they meet what was said."""
    return [each.title for each in session.plan.tasks if any(said in one for one in each.acceptance_criteria)]


def open_points(session: Session) -> str:
    assert session.state.report is not None
    return "\n".join(session.state.report.summary.remaining_uncertainties)


VENUES = (
    "Which venue should we take for the workshop: Harbour Hall, Garden Loft or City Forum?\n"
    "- Harbour Hall is closed for renovation until May.\n- The workshop is in April.\n"
    "- Garden Loft seats 30 people.\n- We expect 60 people.\n- City Forum seats 80 and has a projector."
)
APP = (
    "Launch our mobile app by 15 March 2027. Maya can only work on Tuesdays. The app store review takes two weeks."
    " We need a press kit and a beta test with 50 users. The budget is 10,000 euros."
)
IELTS = "准备雅思考试，目标7分。考试在2027年3月6日。春节一周不能学习。写作是弱项。每天只能学两个小时"

CASES: dict[str, tuple[str, Right]] = {
    "a fact about an option that is not chosen": (
        VENUES,
        lambda s: [
            position(s).choice == "City Forum",
            position(s).decision == "go",
            "2027-04-01" <= s.event.deadline <= "2027-04-30",
            "“Hold the event”" not in open_points(s),
        ],
    ),
    "an exam with its day": (
        IELTS,
        lambda s: [
            s.event.deadline == "2027-03-06",
            s.state.brief.ends == "2027-03-06",
            s.task("写作").title == "集中训练弱项：写作",
            not any("2027-02-05" <= day <= "2027-02-12" for t in s.plan.tasks for day in (t.starts, t.deadline)),
            accepted_by(s, "期间暂停：春节一周不能学习"),
            accepted_by(s, "每天只能学两个小时"),
            s.plan.total_estimated_hours <= 2 * 110,
        ],
    ),
    "needs, a duration, a budget and somebody without a task": (
        APP,
        lambda s: [
            days(s, "App store review") >= 14,
            waits(s, "Launch", "App store review"),
            s.task("press kit").expected_output,
            "a beta test with 50 users" in s.task("beta test").expected_output,
            accepted_by(s, "The budget is 10,000 euros"),
            "Maya has no task yet" in open_points(s),
        ],
    ),
    "how long a check takes": (
        "Launch our website by 15 March 2027. The legal check takes two weeks.",
        lambda s: [days(s, "Legal check") >= 14, waits(s, "Launch", "Legal check")],
    ),
    "how long printing takes, zh": (
        "12月19日办一场读书分享会。海报印刷需要5天。",
        lambda s: [days(s, "海报印刷") >= 5, waits(s, "活动当天执行", "海报印刷")],
    ),
    "how long ahead something is ordered": (
        "Hold a conference on 5 March 2027. The name badges must be ordered three weeks in advance.",
        lambda s: [s.task("name badges").deadline == "2027-02-12", waits(s, "Hold the event", "name badges")],
    ),
    "the day in a further sentence": (
        "Prepare for IELTS in 3 months. The exam is on 6 March 2027. Listening is my weakest part.",
        lambda s: [s.event.deadline == "2027-03-06", s.task("listening")],
    ),
    "the day in a further sentence, zh": (
        "筹办公司年会。年会定在1月22日。预算是两万元。",
        lambda s: [s.event.deadline == "2027-01-22", accepted_by(s, "预算是两万元")],
    ),
    "days on which nobody works": (
        "Launch our app by 1 March 2027. Nobody works between Christmas and 3 January.",
        lambda s: [
            accepted_by(s, "It rests meanwhile"),
            not any("2026-12-25" <= day <= "2027-01-03" for t in s.plan.tasks for day in (t.starts, t.deadline)),
        ],
    ),
    "a holiday by name, zh": (
        "1月底之前发布新产品。元旦放假。",
        lambda s: [
            "2027-01-01" not in {day for t in s.plan.tasks for day in (t.starts, t.deadline)},
            accepted_by(s, "元旦放假"),
        ],
    ),
    "weekdays of somebody with a task": (
        "Launch our website by 15 March 2027. Bo writes the copy. Bo can only work on Tuesdays.",
        lambda s: [owner(s, s.task("copy").task_id) == "Bo", weekday(s.task("copy").deadline) == 1],
    ),
    "weekdays of somebody with a task, zh": (
        "12月19日办一场分享会。小王负责设计海报。小王只能周三工作。",
        lambda s: [owner(s, s.task("设计海报").task_id) == "小王", weekday(s.task("设计海报").deadline) == 2],
    ),
    "somebody is away": (
        "Launch our website by 15 March 2027. Bo writes the copy. Bo is away 25 January to 14 February.",
        lambda s: [
            owner(s, s.task("copy").task_id) == "Bo",
            not "2027-01-25" <= s.task("copy").deadline <= "2027-02-14",
            waits(s, "Launch", "Write the copy"),
        ],
    ),
    "somebody without a task, zh": (
        "1月底之前发布新产品。小李只能周三工作。",
        lambda s: ["小李还没有任务" in open_points(s)],
    ),
    "what comes first": (
        "Hold a workshop on 18 December. The contract must be signed before the invitations go out.",
        lambda s: [waits(s, "Invite people", "Contract signed")],
    ),
    "what comes first, zh": (
        "12月19日举办活动。先彩排再正式演出。",
        lambda s: [waits(s, "活动当天执行", "彩排")],
    ),
    "what cannot begin before something else": (
        "Move to the new office by 20 January. Packing cannot start until the boxes are delivered.",
        lambda s: [waits(s, "Pack and label", "Boxes")],
    ),
    "who does it": (
        "Hold a workshop on 18 December. Mei designs the poster. Carl is responsible for the catering.",
        lambda s: [
            owner(s, s.task("poster").task_id) == "Mei",
            owner(s, s.task("catering").task_id) == "Carl",
        ],
    ),
    "who leads what takes long": (
        "Ship version 2.0 by 28 February. Testing takes three weeks. Ravi leads the testing.",
        lambda s: [days(s, "Test it") >= 21, owner(s, s.task("Test it").task_id) == "Ravi"],
    ),
    "who does it and when they are not there, zh": (
        "新店3月8日开业。阿美负责招聘，她2月不在。",
        lambda s: [owner(s, s.task("招聘").task_id) == "阿美", s.task("招聘").deadline[:7] != "2027-02"],
    ),
    "whoever asks is not there": (
        "Prepare a conference talk for 10 February 2027. The slides must be submitted two weeks in advance."
        " I am travelling from 20 to 27 January.",
        lambda s: [s.task("Slides").deadline < "2027-01-20"],
    ),
    "an option that is too small, zh": (
        "选哪家酒店办年会：华美、锦江还是万豪？\n- 华美在装修，明年3月才开放。\n- 年会在1月15日。\n"
        "- 锦江最多坐80人。\n- 我们有120人。\n- 万豪可以坐150人。",
        lambda s: [position(s).choice == "万豪", s.event.deadline == "2027-01-15"],
    ),
    "a lead time, and what was done before": (
        "Renovate the kitchen by 15 April 2027. The tiles have a lead time of four weeks. The tap is ordered already."
        " Electricians must finish before the plumber starts.",
        lambda s: [
            days(s, "Tiles") >= 28,
            waits(s, "Plumber", "Electricians"),
            "Counted as done" in open_points(s),
        ],
    ),
    "needs of one sentence, and somebody on leave": (
        "Organise a hackathon on 20 March 2027. Leo is on parental leave until April."
        " We need three mentors, a prize and a projector.",
        lambda s: [s.task("mentors").title == "Find three mentors", s.task("prize"), s.task("projector")],
    ),
    "a need that an option meets": (
        "Which database should we use: Postgres, Mongo or Redis?\n- Mongo does not support transactions.\n"
        "- We need transactions.\n- The migration is on 12 January.\n- Redis is out of support.",
        lambda s: [
            position(s).choice == "Postgres",
            s.event.deadline == "2027-01-12",
            "transactions" not in titles(s),
        ],
    ),
    "a budget and what things cost": (
        "Hold a party for 60 people on 18 December. The budget is 3,000 euros. The hall costs 1,000 euros.",
        lambda s: [accepted_by(s, "The budget is 3,000 euros"), accepted_by(s, "The hall costs 1,000 euros")],
    ),
    "what is done already": (
        "Hold a conference on 18 December. The venue is booked already.",
        lambda s: ["Book the venue" not in titles(s), "Counted as done" in open_points(s)],
    ),
    "what is done already, zh": (
        "12月19日办一场聚会。场地已经订好了。",
        lambda s: ["预订场地" not in titles(s), "视为已完成" in open_points(s)],
    ),
    "a day for a part": (
        "Hold a conference on 18 December. The caterer needs the number of guests by 4 December.",
        lambda s: [s.task("Invite").deadline <= "2026-12-04"],
    ),
    "what the food and the room have to be like": (
        "Organise a dinner on 18 December. Two guests are vegetarian. The room must be wheelchair accessible.",
        lambda s: [
            accepted_by(s, "Two guests are vegetarian") == ["Order food and drinks"],
            accepted_by(s, "wheelchair accessible") == ["Book the venue"],
        ],
    ),
    "several needs, zh": (
        "12月19日办一场产品发布活动。我们需要一位主持人和一套音响。所有资料必须中英双语。",
        lambda s: [s.task("主持人"), s.task("音响"), accepted_by(s, "所有资料必须中英双语")],
    ),
    "what nothing follows from": (
        "Hold a workshop on 18 December. The last workshop was nice.",
        lambda s: ["The last workshop was nice" in open_points(s)],
    ),
}


def titles(session: Session) -> str:
    return "\n".join(each.title for each in session.plan.tasks)


def weekday(day: str) -> int:
    return date.fromisoformat(day).weekday()


@pytest.mark.parametrize(("text", "right"), CASES.values(), ids=CASES.keys())
def test_a_plan_keeps_to_facts_of_each_kind(text: str, right: Right) -> None:
    session = deliberated(text)

    assert all(right(session)), [right(session), titles(session), open_points(session)]
    assert session.rounds <= 3
    assert session.state.closing is not None
    assert not session.state.closing.is_divergent
    grave = findings(session.plan, session.state.brief, session.state.brief.facts, position(session).choice or None)
    assert [each.text for each in grave if each.severity != "low"] == []


@pytest.mark.parametrize(("text", "right"), CASES.values(), ids=CASES.keys())
def test_every_fact_is_in_the_plan_or_named_as_of_no_use(text: str, right: Right) -> None:
    session = deliberated(text)
    cited = {each for task in session.plan.tasks for each in task.because} | {*position(session).because}
    told = open_points(session)
    facts = [each for each in session.state.brief.facts if each.fact_id not in cited and each.text not in told]
    assert [each.text for each in facts if not any(one in each.text for one in session.state.brief.options)] == []


@pytest.mark.parametrize("text", [each[0] for each in CASES.values()], ids=CASES.keys())
def test_all_that_is_said_is_in_the_language_of_who_asks_and_nothing_twice(text: str) -> None:
    session = deliberated(text)
    spoken = language_of(text)
    assert session.state.report is not None
    summary = session.state.report.summary
    for listed in (summary.key_agreements, summary.resolved_concerns, summary.remaining_uncertainties):
        assert len(listed) == len(set(listed))
        for each in listed:
            before, _, after = each.partition(" → ")
            assert before != after
    assert {language_of(each) for each in titles(session).splitlines()} == {spoken}
    for said in session.state.rounds[-1].outputs.values():
        assert language_of(said.content) == spoken
        assert ".." not in said.content
