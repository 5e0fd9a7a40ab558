"""A plan is held against data: days, hours, sums, numbers, order and ids; what it leaves open breaks nothing."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.deliberation.answers import FactRead, Plan, PlanTask
from engine.deliberation.rounds.check_texts import TEXTS
from engine.deliberation.rounds.plan_check import findings
from engine.deliberation.rounds.plans import changed
from engine.deliberation.terms import Brief
from engine.facts.circumstances import Money, People
from engine.facts.data import Days, Deadline, Effort
from engine.kernel import HandedPerson, HandedTask

from .plans import BO, MEI, brief, fact, plan, says, task


def codes(made: Plan, of: Brief | None = None, *read: FactRead, choice: str = "") -> list[tuple[str, str, str]]:
    return [(each.code, each.severity, each.task_id) for each in findings(made, of or brief(), read, choice)]


# ── days and order ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        pytest.param({"deadline": "2026-11-20"}, ("past_deadline", "high"), id="over"),
        pytest.param({"starts": "2026-11-20", "deadline": "2026-12-01"}, ("past_start", "medium"), id="begun"),
        pytest.param({"starts": "2026-12-02", "deadline": "2026-12-01"}, ("start_after_deadline", "high"), id="turned"),
        pytest.param({"deadline": "2026-12-21"}, ("after_end", "high"), id="after the end"),
        pytest.param({"deadline": "2026-12-01", "stage": "event"}, ("event_day", "high"), id="before it may begin"),
    ],
)
def test_a_day_that_cannot_be_is_found_with_one_that_can(fields: dict[str, str], code: tuple[str, str]) -> None:
    of = brief(starts="2026-12-10", ends="2026-12-20")
    [found] = findings(plan(task(**fields)), of)
    assert (found.code, found.severity) == code
    assert found.changes
    cured = changed(plan(task(**fields)), found.changes)
    assert found.code not in {each.code for each in findings(cured, of)}


def test_what_comes_afterwards_may_be_later_than_the_end() -> None:
    assert not codes(plan(task(deadline="2026-12-21", stage="after")), brief(ends="2026-12-20"))


def test_an_agreed_day_is_the_latest() -> None:
    agreed = brief(tasks=(HandedTask(task_id="task-1", title="Posters", owner="bo", deadline="2026-12-01"),))
    assert codes(plan(task(deadline="2026-12-02")), agreed) == [("agreed_day", "high", "task-1")]
    assert not codes(plan(task(deadline="2026-11-30")), agreed)


def test_what_was_agreed_stands_in_the_plan() -> None:
    agreed = brief(tasks=(HandedTask(task_id="task-7", title="Posters"),))
    assert ("missing_task", "medium", "") in codes(plan(task(deadline="2026-12-02")), agreed)


def test_a_task_that_waits_for_itself_is_found() -> None:
    one, two = task("task-1", depends_on=("task-2",)), task("task-2", depends_on=("task-1",))
    assert codes(plan(one, two)) == [("cycle", "high", "task-1"), ("cycle", "high", "task-2")]


def test_what_is_needed_first_is_done_first() -> None:
    early = task("task-1", deadline="2026-12-01", depends_on=("task-2",))
    assert codes(plan(early, task("task-2", deadline="2026-12-02"))) == [("dependency_order", "high", "task-1")]
    assert not codes(plan(early, task("task-2", deadline="2026-12-01")))


def test_nothing_begins_before_what_it_needs_is_done() -> None:
    first = task("task-2", deadline="2026-12-02")
    early = task("task-1", starts="2026-12-01", deadline="2026-12-03", depends_on=("task-2",))
    assert codes(plan(early, first)) == [("dependency_start", "high", "task-1")]
    assert not codes(plan(replace(early, starts="2026-12-02"), first))
    assert not codes(plan(replace(early, starts=""), first))


def test_a_task_that_is_nowhere_is_waited_for_in_vain() -> None:
    assert codes(plan(task(depends_on=("task-9",)))) == [("unknown_dependency", "medium", "task-1")]


# ── people ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_owner_is_one_of_the_people() -> None:
    assert codes(plan(task(owner="kai"))) == [("unknown_owner", "high", "task-1")]
    assert codes(plan(task(owner=""))) == [("no_owner", "low", "task-1")]


@pytest.mark.parametrize(("hours", "too_many"), [(10.0, False), (10.5, True)])
def test_nobody_has_more_hours_than_they_give(hours: float, too_many: bool) -> None:
    of = brief(people=(HandedPerson(person_id="bo", name="Bo", hours=20),))
    made = plan(task("task-1", estimated_hours=10), task("task-2", estimated_hours=hours))
    assert bool(codes(made, of)) is too_many


def test_a_week_has_the_hours_that_somebody_gives_a_week() -> None:
    week = says("fact-1", Effort(hours=5, per="week"), person_id="bo")
    first = task("task-1", starts="2026-11-30", deadline="2026-12-04", estimated_hours=4)
    same = task("task-2", starts="2026-12-01", deadline="2026-12-03", estimated_hours=2)
    other = task("task-2", starts="2026-12-07", deadline="2026-12-08", estimated_hours=2)
    open_ = task("task-2", deadline="2026-12-03", estimated_hours=2)
    assert codes(plan(first, same), None, week) == [("load", "high", "task-1")]
    assert not codes(plan(first, other), None, week)
    assert not codes(plan(first, open_), None, week)


# ── facts that were read ──────────────────────────────────────────────────────────────────────────────────────────

AWAY = says("fact-1", Days(first="2026-12-01", last="2026-12-04", allowed=False), person_id="bo")


@pytest.mark.parametrize(
    ("fields", "broken"),
    [
        pytest.param({"starts": "2026-12-02", "deadline": "2026-12-03"}, True, id="all of it while they are away"),
        pytest.param({"starts": "2026-11-30", "deadline": "2026-12-03"}, False, id="part of it"),
        pytest.param({"deadline": "2026-12-03"}, False, id="only the end is known"),
        pytest.param({"deadline": "2026-12-03", "stage": "event"}, True, id="it takes place then"),
        pytest.param({"starts": "2026-12-02", "deadline": "2026-12-03", "owner": "mei"}, False, id="somebody else's"),
    ],
)
def test_what_binds_somebody_is_held_against_their_own_tasks(fields: dict[str, Any], broken: bool) -> None:
    found = findings(plan(task(**fields)), brief(facts=(fact("fact-1", "Bo is away"),)), (AWAY,))
    assert [each.code for each in found] == (["date_owner"] if broken else [])
    assert all(each.facts == ("fact-1",) for each in found)


def test_what_binds_nobody_alone_is_held_against_the_tasks_that_cite_it() -> None:
    closed = says("fact-1", Days(weekdays=("sun",), allowed=False))
    sunday = {"starts": "2026-12-06", "deadline": "2026-12-06"}
    assert codes(plan(task(because=("fact-1",), **sunday)), None, closed) == [("date_fact", "high", "task-1")]
    assert not codes(plan(task(**sunday)), None, closed)


def test_a_deadline_of_all_of_it_is_held_against_every_task_but_what_comes_afterwards() -> None:
    by = says("brief", Deadline(day="2026-12-10"))
    made = plan(task("task-1", deadline="2026-12-11"), task("task-2", deadline="2026-12-12", stage="after"))
    assert codes(made, None, by) == [("too_late", "high", "task-1")]
    assert not codes(plan(task(deadline="2026-12-10")), None, by)


def test_what_has_to_be_done_before_an_agreed_task_is() -> None:
    first = says("fact-1", before="task-2")
    late = task("task-1", deadline="2026-12-09", because=("fact-1",))
    assert codes(plan(late, task("task-2", deadline="2026-12-08")), None, first) == [("order_fact", "high", "task-1")]
    assert not codes(plan(late, task("task-2", deadline="2026-12-09")), None, first)


@pytest.mark.parametrize(("coming", "broken"), [(40, False), (41, True)])
def test_as_many_come_as_there_is_room_for(coming: int, broken: bool) -> None:
    read = (says("fact-1", People(at_most=40)), says("fact-2", people=coming))
    assert codes(plan(task()), None, *read) == ([("capacity", "high", "")] if broken else [])


@pytest.mark.parametrize(("cost", "currency", "broken"), [(600, "EUR", False), (601, "EUR", True), (900, "CNY", False)])
def test_the_costs_are_within_the_budget_of_their_currency(cost: int, currency: str, broken: bool) -> None:
    read = (
        says("fact-1", Money(amount=1000, currency="EUR")),
        says("fact-2", cost=Money(amount=400, currency="EUR")),
        says("fact-3", cost=Money(amount=cost, currency=currency)),
    )
    assert codes(plan(task()), None, *read) == ([("budget", "high", "")] if broken else [])


@pytest.mark.parametrize(("coming", "broken"), [(12, False), (11, True), (0, False)])
def test_as_many_come_as_it_takes(coming: int, broken: bool) -> None:
    read = (says("fact-1", People(at_least=12)), says("fact-2", people=coming))
    assert codes(plan(task()), None, *read) == ([("too_few", "high", "")] if broken else [])


@pytest.mark.parametrize(("coming", "broken"), [(20, False), (21, True), (0, False)])
def test_what_each_costs_is_counted_for_all_who_come(coming: int, broken: bool) -> None:
    read = (
        says("fact-1", Money(amount=300, currency="EUR")),
        says("fact-2", cost=Money(per_head=15, currency="EUR")),
        says("fact-3", people=coming),
    )
    assert codes(plan(task()), None, *read) == ([("budget", "high", "")] if broken else [])


def test_what_is_about_another_option_demands_nothing() -> None:
    of = brief(options=("Aula", "Cellar"))
    read = (says("fact-1", People(at_most=60), option_id="option-2"), says("fact-2", people=90))
    made = plan(task(because=("option-1", "option-2")))
    assert not codes(made, of, *read, choice="Aula")
    assert codes(made, of, *read, choice="Cellar") == [("capacity", "high", "")]


def test_what_is_chosen_stands_in_the_tasks() -> None:
    of = brief(options=("Aula", "Cellar"))
    assert codes(plan(task()), of, choice="Cellar") == [("choice_left_out", "medium", "")]
    assert not codes(plan(task(because=("option-2",))), of, choice="Cellar")
    assert not codes(plan(task()), of)


# ── whatever it is ────────────────────────────────────────────────────────────────────────────────────────────────

DAY = st.dates(date(2026, 11, 1), date(2027, 1, 31)).map(date.isoformat)
TASKS = st.builds(
    PlanTask,
    task_id=st.sampled_from(["task-1", "task-2", "task-3"]),
    title=st.sampled_from(["Room", "场地", "קייטרינג"]),
    owner=st.sampled_from(["", "bo", "mei", "kai"]),
    estimated_hours=st.sampled_from([0.0, 3.0, 60.0]),
    starts=st.just("") | DAY,
    deadline=st.just("") | DAY,
    stage=st.sampled_from(["before", "event", "after"]),
    depends_on=st.lists(st.sampled_from(["task-1", "task-2", "task-9"]), max_size=2).map(tuple),
    because=st.lists(st.sampled_from(["fact-1", "option-1"]), max_size=2).map(tuple),
)
PLANS = st.lists(TASKS, max_size=3, unique_by=lambda each: each.task_id).map(lambda tasks: plan(*tasks))
DATA = st.one_of(
    st.builds(Days, first=DAY, last=DAY, allowed=st.booleans()),
    st.builds(Deadline, day=DAY),
    st.builds(Effort, hours=st.sampled_from([1, 50]), per=st.sampled_from(["day", "week", "whole"])),
    st.builds(People, at_most=st.integers(0, 50)),
    st.builds(Money, amount=st.integers(0, 50), currency=st.sampled_from(["EUR", "CNY"])),
)
READ = st.builds(
    FactRead,
    fact_id=st.sampled_from(["fact-1", "brief"]),
    person_id=st.sampled_from(["", "bo"]),
    option_id=st.sampled_from(["", "option-1"]),
    before=st.sampled_from(["", "task-2"]),
    people=st.integers(0, 60),
    cost=st.builds(Money, amount=st.integers(0, 60), currency=st.just("EUR")),
    demands=st.lists(DATA, max_size=2).map(tuple),
)
BRIEF = brief(facts=(fact("fact-1", "…"),), options=("Aula", "Cellar"), ends="2026-12-31")


@given(PLANS, st.lists(READ, max_size=3), st.sampled_from(["", "Aula", "Cellar"]), st.sampled_from(["", "de", "zh-CN"]))
def test_any_plan_is_checked_in_any_language(made: Plan, read: list[FactRead], choice: str, language: str) -> None:
    found = findings(made, BRIEF, read, choice, language=language)
    assert all(each.code in TEXTS and each.text for each in found)
    assert [each.severity for each in found] == sorted(
        (each.severity for each in found), key=["high", "medium", "low"].index
    )
    plain = findings(made, BRIEF, read, choice)
    assert [(each.code, each.task_id, each.changes) for each in found] == [
        (each.code, each.task_id, each.changes) for each in plain
    ]


@given(PLANS, st.lists(READ, max_size=3))
def test_what_is_said_in_other_words_is_checked_the_same(made: Plan, read: list[FactRead]) -> None:
    other = plan(
        *(PlanTask(**{**{n: getattr(each, n) for n in each.__struct_fields__}, "title": "ⵣ"}) for each in made.tasks)
    )
    assert [(each.code, each.task_id) for each in findings(made, BRIEF, read)] == [
        (each.code, each.task_id) for each in findings(other, BRIEF, read)
    ]


@given(PLANS)
def test_without_data_only_the_plan_itself_is_checked(made: Plan) -> None:
    facts = {"date_owner", "date_fact", "too_late", "load", "order_fact", "capacity", "budget"}
    assert not facts & {each.code for each in findings(made, BRIEF)}


@given(st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_a_chain_of_tasks_in_order_has_nothing_wrong_with_it(lengths: list[int]) -> None:
    at, tasks = date(2026, 11, 24), []
    for number, length in enumerate(lengths, 1):
        due = at + timedelta(length)
        before = (f"task-{number - 1}",) if number > 1 else ()
        tasks.append(task(f"task-{number}", starts=at.isoformat(), deadline=due.isoformat(), depends_on=before))
        at = due
    assert not findings(plan(*tasks), brief(people=(BO, MEI)))
