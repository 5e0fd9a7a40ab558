"""What code finds wrong with a plan, and that it finds nothing wrong with an ordinary one."""

import pytest

from engine.deliberation.events import Finding
from engine.deliberation.plan_changes import changed
from engine.deliberation.plan_check import findings
from engine.kernel import FactKind, HandedPerson, HandedTask

from .plans import BO, MEI, brief, fact, plan, task

DAY = task("day", "Hold the meetup", "2026-12-12", owner="mei", tags=("event",), estimated_hours=8)
POSTER = task("poster", "Design the poster", "2026-12-04", owner="bo", estimated_hours=8)
HALL = task("hall", "Book the hall", "2026-11-27", owner="mei", estimated_hours=2)
ORDINARY = plan(HALL, POSTER, DAY)


def codes(found: tuple[Finding, ...]) -> list[str]:
    return [each.code for each in found]


def test_an_ordinary_plan_has_nothing_wrong() -> None:
    facts = (
        fact("We met there on 5 December last year.", fact_id="a"),
        fact("The venue is free on 12 December.", fact_id="b"),
        fact("I can bring a projector.", FactKind.OFFER, "Bo", "c"),
        fact("A poster", FactKind.NEED, fact_id="d"),
        fact("The hall seats 90 people.", fact_id="e"),
        fact("I'm away from 14 to 18 December.", FactKind.LIMIT, "Mei", "f"),
    )
    assert findings(ORDINARY, brief("Hold an AI meetup for 80 people in December."), facts) == ()


@pytest.mark.parametrize(
    ("said", "by", "which", "cure"),
    [
        pytest.param("I'm away from 3 to 7 December.", "Bo", "poster", "2026-12-02", id="away"),
        pytest.param("Bo is away 3 to 7 Dec", "", "poster", "2026-12-02", id="somebody else says so"),
        pytest.param("not on Fridays", "Bo", "poster", "2026-12-03", id="weekdays"),
        pytest.param("I can only work on weekends", "Bo", "poster", "2026-12-05", id="only on weekdays"),
        pytest.param("only after 5 Dec", "Bo", "poster", "2026-12-06", id="only after"),
        pytest.param("The hall is free only on 11 or 19 December.", "", "day", "2026-12-11", id="two days"),
        pytest.param("The hall is closed on 12 December.", "", "day", "2026-12-11", id="closed"),
        pytest.param("No meetup may take place on Saturdays.", "", "day", "2026-12-11", id="the whole"),
        pytest.param("我12月3日到7日出差", "Bo", "poster", "2026-12-02", id="zh away"),
        pytest.param("周五不行", "Bo", "poster", "2026-12-03", id="zh weekday"),
        pytest.param("12月5日之后才能开始", "Bo", "poster", "2026-12-06", id="zh only after"),
    ],
)
def test_a_date_that_a_fact_rules_out_is_found_with_the_next_one_that_it_allows(
    said: str, by: str, which: str, cure: str
) -> None:
    held = fact(said, FactKind.LIMIT, by)
    found = findings(ORDINARY, brief(), (held,))

    assert [(each.task_id, each.severity, each.facts) for each in found] == [(which, "high", ("fact-1",))]
    assert {each.value for each in found[0].changes if each.slot == "deadline"} == {cure}
    cured = changed(ORDINARY, found[0].changes)
    assert not [each for each in findings(cured, brief(), (held,)) if "fact-1" in each.facts]


def test_what_only_prepares_a_room_may_be_done_while_the_room_is_closed() -> None:
    assert findings(ORDINARY, brief(), (fact("The hall is closed from 24 to 30 November."),)) == ()


@pytest.mark.parametrize(
    ("broken", "code", "change"),
    [
        pytest.param(task("hall", "Book the hall", "2026-11-20"), "past_deadline", "2026-11-23", id="over"),
        pytest.param(task("hall", "Book the hall", "2026-12-24"), "after_end", "2026-12-20", id="after the end"),
        pytest.param(
            task("hall", "Book the hall", "2026-12-01", starts="2026-12-03"), "start_after_deadline", "2026-12-01",
            id="it ends before it starts",
        ),
    ],
)  # fmt: skip
def test_impossible_dates_are_found(broken: object, code: str, change: str) -> None:
    found = findings(plan(broken), brief(people=()), ())  # type: ignore[arg-type]
    assert [(each.code, each.severity) for each in found] == [(code, "high")]
    assert [each.value for each in found[0].changes] == [change]


def test_what_comes_afterwards_may_be_after_the_end() -> None:
    review = task("review", "Look back", "2026-12-28", tags=("after",))
    assert findings(plan(review), brief(people=()), ()) == ()


def test_what_is_needed_first_has_to_end_first() -> None:
    first = task("first", "Design the poster", "2026-12-05")
    then = task("then", "Print the poster", "2026-12-03", depends_on=("first",))
    (found,) = findings(plan(first, then), brief(people=()), ())
    assert (found.code, found.task_id, found.changes[0].value) == ("dependency_order", "then", "2026-12-05")


def test_tasks_that_wait_for_each_other_or_for_nothing_are_found() -> None:
    one = task("one", "Write", depends_on=("two",))
    two = task("two", "Read", depends_on=("one", "three"))
    found = findings(plan(one, two), brief(people=()), ())
    assert codes(found) == ["cycle", "cycle", "unknown_dependency"]


def test_a_week_with_too_much_in_it_goes_to_whoever_can_take_some() -> None:
    much = task(
        "poster", "Graphic design of posters", "2026-12-04", owner="bo", starts="2026-11-30", estimated_hours=38
    )
    more = task("flyer", "Graphic design of flyers", "2026-12-04", owner="bo", starts="2026-11-30", estimated_hours=10)
    (found,) = findings(plan(much, more), brief(), ())
    assert (found.code, found.severity, found.changes[0].value) == ("load", "medium", "mei")
    assert findings(changed(plan(much, more), found.changes), brief(), ()) == ()


def test_hours_that_somebody_names_count_instead_of_forty() -> None:
    said = fact("I can give 5 hours a week.", FactKind.LIMIT, "Bo")
    (found,) = findings(plan(task("poster", "Design", "2026-11-27", owner="bo", estimated_hours=8)), brief(), (said,))
    assert (found.code, found.severity, found.facts) == ("load", "high", ("fact-1",))
    few = brief(people=(HandedPerson(person_id="bo", name="Bo", hours=5),))
    (found,) = findings(plan(task("poster", "Design", "2026-12-12", owner="bo", estimated_hours=6)), few, ())
    assert (found.code, found.severity) == ("load", "medium")


def test_whoever_is_not_there_or_cannot_is_no_owner() -> None:
    (found,) = findings(plan(task("t", "Translation of the menu", owner="eve")), brief(), ())
    assert (found.code, found.severity, found.changes[0].value) == ("unknown_owner", "high", "mei")

    said = fact("I can't do any design any more.", FactKind.LIMIT, "Bo")
    (found,) = findings(plan(task("t", "Design the poster", owner="bo")), brief(), (said,))
    assert (found.code, found.facts, found.changes[0].value) == ("owner_ruled_out", ("fact-1",), "mei")

    (found,) = findings(plan(task("t", "Translation of the menu")), brief(), ())
    assert (found.code, found.severity, found.changes[0].value) == ("no_owner", "low", "mei")


def test_a_need_that_no_task_covers_becomes_a_task() -> None:
    need = fact("Live captions", FactKind.NEED)
    (found,) = findings(ORDINARY, brief(), (need,))
    assert found.code == "missing_need"
    assert [(each.slot, each.value) for each in found.changes] == [("task", "Arrange: Live captions")]
    assert [each.code for each in findings(changed(ORDINARY, found.changes), brief(), (need,))] == ["no_owner"]
    cited = plan(task("t", "Everything else", "2026-12-01", owner="bo", because=("fact-1",)))
    assert findings(cited, brief(), (need,)) == ()


def test_too_small_a_room_and_too_little_money_are_found() -> None:
    facts = (fact("The hall seats 60 people.", fact_id="a"), fact("The hall costs 6000 euros.", fact_id="b"))
    found = findings(ORDINARY, brief("A meetup for 80 people in December. The budget is 5000 euros."), facts)
    assert [(each.code, each.facts) for each in found] == [("capacity", ("a",)), ("budget", ("b",))]


@pytest.mark.parametrize(
    ("choice", "codes_"),
    [("Hall A", ["option_ruled_out"]), ("Hall B", []), ("", ["no_choice"])],
)
def test_an_option_that_a_fact_rules_out_is_found(choice: str, codes_: list[str]) -> None:
    asked = brief("Which hall: Hall A or Hall B?", options=("Hall A", "Hall B"), people=())
    facts = (
        fact("Hall A is closed for renovation.", fact_id="a"),
        fact("Hall B is close to the station.", fact_id="b"),
    )
    found = findings(plan(), asked, facts, choice=choice)
    assert codes(found) == codes_
    assert all(each.changes[0].value == "Hall B" for each in found)


def test_it_speaks_the_language_of_the_brief() -> None:
    late = plan(task("t", "预订场地", "2026-11-20"))
    (found,) = findings(late, brief("办一场聚会", title="聚会", people=()), ())
    assert found.text == "“预订场地”的截止日11月20日（周五）已经过去（今天是11月23日（周一））。"
    (found,) = findings(plan(task("t", "Book", "2026-11-20")), brief(people=(BO, MEI)[:0]), ())
    assert found.text == "“Book” is due Fri 20 Nov, before today (Mon 23 Nov)."


def test_what_somebody_wants_some_days_before_gets_a_task_that_is_done_by_then() -> None:
    wanted = fact("Tell me the final headcount three days before the event.", FactKind.CONDITION, "Mei")
    (found,) = findings(ORDINARY, brief(), (wanted,))
    assert (found.code, found.severity, found.changes[1].value) == ("too_late", "medium", "2026-12-09")
    assert found.changes[0].value.startswith("Keep to what Mei asked: ")
    cured = changed(ORDINARY, found.changes)
    assert [each.code for each in findings(cured, brief(), (wanted,)) if each.severity != "low"] == []

    refused = fact("Pay my taxi three days before the event. (not met: no money)", FactKind.REQUEST, "Mei")
    assert findings(ORDINARY, brief(), (refused,)) == ()


def test_what_was_agreed_to_be_later_than_the_end_may_be() -> None:
    agreed = HandedTask(task_id="t", title="Send the pictures", deadline="2026-12-24")
    assert findings(plan(task("t", "Send the pictures", "2026-12-24")), brief(people=(), tasks=(agreed,)), ()) == ()
    assert findings(plan(task("r", "Look back", "2026-12-24")), brief(people=()), ()) == ()


def test_what_a_fact_says_of_the_room_is_about_the_event_whatever_the_plan_calls_the_room() -> None:
    held = task("day", "Hold the event", "2026-12-12", tags=("event",))
    (found,) = findings(plan(held), brief(people=()), (fact("The auditorium is closed on 12 December."),))
    assert (found.task_id, found.changes[0].value) == ("day", "2026-12-11")


def test_whoever_can_do_it_only_a_week_away_gives_it_to_somebody_who_can_now() -> None:
    away = fact("I'm away from 23 November to 20 December.", FactKind.LIMIT, "Bo")
    (found,) = findings(plan(task("t", "Graphic design of the flyer", "2026-12-04", owner="bo")), brief(), (away,))
    assert [(each.slot, each.value) for each in found.changes] == [("owner", "mei")]


@pytest.mark.parametrize(
    ("said", "by"),
    [
        ("I can't design the poster without the logo.", "Bo"),
        ("Bo can't do the poster alone.", ""),
        ("I won't design more than one poster.", "Bo"),
        ("Each table seats 8 people.", ""),
        ("The small room seats 10 people, the hall seats 120 people.", ""),
        ("No more than 20 people, please. (not met: 80 are invited)", "Mei"),
        ("If the hall is closed on 12 December, we meet at my place.", ""),
        ("Bo was away from 3 to 7 December last year.", ""),
        ("The caterer is closed on Mondays.", ""),
    ],
)
def test_what_only_sounds_like_an_obstacle_is_none(said: str, by: str) -> None:
    about = brief("Hold an AI meetup for 80 people in December.")
    assert findings(ORDINARY, about, (fact(said, FactKind.LIMIT, by),)) == ()
