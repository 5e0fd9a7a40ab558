"""What the offline model says in a deliberation: two that know different halves, and move by what the other knows."""

import pytest
from msgspec.structs import replace

from engine.deliberation.answers import CriticAnswer, PlannerAnswer
from engine.deliberation.brief_reading import read_brief
from engine.deliberation.given import Addressed
from engine.deliberation.plan_check import findings
from engine.deliberation.terms import Brief
from engine.facts.language import language_of
from engine.kernel import FactKind, HandedFact, HandedPerson, HandedTask

from .small_deliberation import SmallDeliberation

PEOPLE = (
    HandedPerson(person_id="bo", name="Bo", brings="venue and equipment"),
    HandedPerson(person_id="mei", name="Mei", brings="invitations and sign-ups"),
)


def asked(text: str, **fields: object) -> Brief:
    return replace(read_brief(text, today="2026-11-23", time_zone="Asia/Shanghai"), **fields)


MEETUP = asked(
    "Hold a 50-person AI meetup. The venue is closed on 20 December. Bo is away 1 to 7 December."
    " We need a poster. Mei can do posters.",
    ends="2026-12-20",
    people=PEOPLE,
)


def test_each_plans_from_its_half_and_the_plan_of_both_keeps_to_all_that_was_said() -> None:
    held = SmallDeliberation(MEETUP).run()

    assert (held.rounds, held.is_agreed) == (2, True)
    planner, critic = held.said[0], held.said[1]
    assert all(findings(each.plan, MEETUP, MEETUP.facts) for each in (planner, critic))  # type: ignore[union-attr]
    assert held.planner is not None
    assert [each for each in findings(held.planner.plan, MEETUP, MEETUP.facts) if each.severity != "low"] == []
    cited = {fact for task in held.planner.plan.tasks for fact in task.because}
    assert {each.fact_id for each in MEETUP.facts[:3]} <= cited


def test_every_change_names_the_argument_that_moved_it() -> None:
    held = SmallDeliberation(MEETUP).run()
    first, revised = held.said[0], held.said[2]
    assert isinstance(first, PlannerAnswer)
    assert isinstance(revised, PlannerAnswer)
    known = {*held.arguments, *(each.fact_id for each in MEETUP.facts)}

    before = {each.task_id: each for each in first.plan.tasks}
    changed = {
        (slot, task.task_id)
        for task in revised.plan.tasks
        if (was := before.get(task.task_id)) is not None
        for slot, one, other in (("deadline", was.deadline, task.deadline), ("owner", was.owner, task.owner))
        if one != other
    }
    assert changed
    assert changed <= {(each.slot, each.task_id) for each in revised.moves}
    assert all(each.argument in known and each.why for each in revised.moves)


def test_the_critic_holds_what_the_planner_holds_once_nothing_is_wrong() -> None:
    held = SmallDeliberation(MEETUP).run()
    assert isinstance(held.critic, CriticAnswer)
    assert held.planner is not None
    assert held.critic.position == held.planner.position
    assert held.critic.critique.risks == ()


def test_what_cannot_be_is_told_and_not_agreed_to() -> None:
    impossible = asked(
        "Hold a party. The venue is free only on 24 December. The party has to be over by 20 December.",
        ends="2026-12-20",
    )
    held = SmallDeliberation(impossible).run()

    assert held.rounds == 5
    assert not held.is_agreed
    assert held.critic is not None
    assert held.critic.position.decision == "no_go"
    assert not held.critic.critique.validity_check.feasible
    assert "24 December" in held.critic.content


def test_an_objection_of_a_person_is_answered_by_name_and_changes_the_plan() -> None:
    point = Addressed(argument="point-1", text="I can't do 8 to 11 December.", by="Mei")
    held = SmallDeliberation(MEETUP, points=(point,)).run()

    assert held.planner is not None
    assert held.critic is not None
    said = [each for each in held.said if isinstance(each, PlannerAnswer) and each.answers]
    assert said[0].answers[0].answer.startswith("Mei: ")
    assert [each for each in said[0].moves if each.argument == "point-1" or "8 to 11" in each.why]
    own = [each for each in held.planner.plan.tasks if each.owner == "mei"]
    assert own
    assert not any("2026-12-08" <= each.deadline <= "2026-12-11" for each in own)
    assert held.critic.answers[0].argument == "point-1"


def test_agreed_tasks_keep_their_ids_owners_and_dates() -> None:
    tasks = (
        HandedTask(task_id="task-1", title="Venue", owner="bo", deadline="2026-12-01", hours=4),
        HandedTask(task_id="task-2", title="Invitations", owner="mei", depends_on=("task-1",)),
        HandedTask(task_id="task-3", title="The event", deadline="2026-12-18"),
    )
    held = SmallDeliberation(asked("An AI meetup", ends="2026-12-18", people=PEOPLE, tasks=tasks)).run()
    assert held.planner is not None
    made = {each.task_id: each for each in held.planner.plan.tasks}
    assert [*made] == ["task-1", "task-2", "task-3"]
    assert (made["task-1"].owner, made["task-1"].deadline, made["task-1"].estimated_hours) == ("bo", "2026-12-01", 4)
    assert "2026-12-01" <= made["task-2"].deadline <= "2026-12-18"
    assert all(each.acceptance_criteria and each.expected_output for each in held.planner.plan.tasks)


KINDS = [
    pytest.param("Prepare for IELTS in 3 months, 7.0", id="study"),
    pytest.param("3个月备考雅思，目标7.0", id="study zh"),
    pytest.param("Launch the new app by the end of January", id="launch"),
    pytest.param("1月底之前发布新产品", id="launch zh"),
    pytest.param("Migrate the database to the cloud by 18 December", id="migration"),
    pytest.param("两个月内招聘一名设计师", id="hiring zh"),
    pytest.param("Hire a designer in two months", id="hiring"),
    pytest.param("Move to the new office by 20 January", id="move"),
    pytest.param("12月19日全家去三亚旅行", id="trip zh"),
    pytest.param("A weekend trip to Hangzhou on 19 December", id="trip"),
    pytest.param("12月19日办一场读书分享会", id="event zh"),
    pytest.param("Write the yearly report within 6 weeks", id="generic"),
]


@pytest.mark.parametrize("goal", KINDS)
def test_a_goal_of_each_kind_gets_a_staged_plan_with_real_dates(goal: str) -> None:
    brief = asked(goal)
    held = SmallDeliberation(brief).run()

    assert held.is_agreed
    assert held.planner is not None
    plan = held.planner.plan
    (last,) = (each for each in plan.tasks if "event" in each.tags)
    assert len(plan.phases) >= 2
    assert [each for each in findings(plan, brief, brief.facts) if each.severity != "low"] == []
    assert last.deadline == (brief.ends or max(each.deadline for each in plan.tasks))
    assert all(each.deadline >= "2026-11-23" and each.estimated_hours > 0 for each in plan.tasks)
    for said in held.said:
        assert language_of(said.content) == language_of(goal)
        assert language_of(said.position.conclusion) == language_of(goal)
        assert len(said.content) < 900
    assert {each.title for each in plan.tasks} == {each.title for each in held.said[0].plan.tasks}  # type: ignore[union-attr]


def test_options_are_chosen_by_what_both_know() -> None:
    brief = asked(
        "Which venue: Hall A, the Loft or Garden House? Hall A is closed for renovation. The Loft has no room for 80"
        " people, it seats 40. Hall A is cheap and everybody likes it. Garden House is a bit far. 80 people come.",
    )
    held = SmallDeliberation(brief).run()
    assert held.planner is not None
    assert (held.planner.position.choice, held.is_agreed) == ("Garden House", True)


def test_no_ids_are_in_what_people_read() -> None:
    ids = {each.fact_id for each in MEETUP.facts} | {"bo", "mei"}
    for said in SmallDeliberation(MEETUP).run().said:
        texts = [said.content, said.position.conclusion, *said.position.key_reasons]
        assert not [each for each in ids for text in texts if each in text.split()]


def test_a_reason_names_whoever_said_what_it_rests_on() -> None:
    fact = HandedFact(fact_id="limit-1", kind=FactKind.LIMIT, text="I'm away from 28 November to 3 December.", by="bo")
    held = SmallDeliberation(replace(MEETUP, facts=(fact,))).run()
    assert any("(Bo)" in reason for said in held.said for reason in said.position.key_reasons)
