"""The export for calendars: a day is kept only where the plan names one; the same plan gives the same events."""

from datetime import UTC, date, datetime

from hypothesis import HealthCheck, assume, given, settings
from icalendar import Calendar, Event

from bot.texts import texts_in
from bot.views.kit.mrkdwn import UNLIMITED, editable
from bot.views.negotiation.export.file import calendar, has_days, without_day
from bot.views.negotiation.export.steps import EndedNegotiation
from engine.negotiation.answers import Milestone
from tests.examples import examples
from tests.views.ended_negotiations import agreed, ended, endings
from tests.views.stories import pieces

ENGLISH = texts_in("en")
any_ending = settings(
    max_examples=examples(13),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def read(over: EndedNegotiation) -> tuple[Calendar, list[Event]]:
    found = Calendar.from_ical(calendar(over, ENGLISH))
    assert isinstance(found, Calendar)
    assert not found.errors
    assert [each.errors for each in found.events] == [[]] * len(found.events)
    return found, found.events


PLAN = (
    Milestone(name="Room booked", date="4 weeks before", day="2026-10-17", deliverable="a signed paper; really, yes"),
    Milestone(name="Walk-through", date="shortly before"),
    Milestone(name="Doors open", date="2026-11-14 18:00", deliverable="food"),
    Milestone(date="2026-11-17", deliverable="Pictures"),
)


def test_each_step_with_a_day_is_an_event() -> None:
    story = agreed(*PLAN, start="2026-10-01")
    found, events = read(ended(story))
    assert found["VERSION"] == "2.0"
    assert str(found["X-WR-CALNAME"]) == "An AI meetup for 50 people"
    assert [(each.summary, each.start, each.uid) for each in events] == [
        ("Start", date(2026, 10, 1), "d-00000001-0@towow"),
        ("Room booked", date(2026, 10, 17), "d-00000001-1@towow"),
        ("Doors open", date(2026, 11, 14), "d-00000001-3@towow"),
        ("Pictures", date(2026, 11, 17), "d-00000001-4@towow"),
    ]
    assert {each.DTSTAMP for each in events} == {datetime(2027, 1, 15, 9, tzinfo=UTC)}
    assert {str(each["TRANSP"]) for each in events} == {"TRANSPARENT"}
    assert str(events[1].description) == ("a signed paper; really, yes\n4 weeks before\nAn AI meetup for 50 people")


def test_words_that_begin_with_a_day_are_an_event() -> None:
    _, events = read(ended(agreed(Milestone(name="Doors open", date="2027-05-20 (Thu) 19:00–21:00 Asia/Shanghai"))))
    [event] = events
    assert event.start == date(2027, 5, 20)
    assert "19:00–21:00" in str(event.description)


def test_what_has_no_day_is_named_and_not_made_up() -> None:
    over = ended(agreed(*PLAN))
    found, _ = read(over)
    assert without_day(over, ENGLISH) == ["Walk-through: shortly before"]
    assert str(found.description) == "Without a date that a calendar can read:\nWalk-through: shortly before"


def test_where_nothing_has_a_day_there_is_nothing_to_export() -> None:
    assert not has_days(ended(agreed(Milestone(name="Walk-through", date="soon"), start="at once")), ENGLISH)
    assert not has_days(ended(agreed()), ENGLISH)
    assert has_days(ended(agreed(start="2026-11-14")), ENGLISH)


@any_ending
@given(endings())
def test_whatever_was_said_it_can_be_read_and_is_the_same_every_time(over: EndedNegotiation) -> None:
    if over.plan is None:
        assert not has_days(over, ENGLISH)
        return
    _, events = read(over)
    assert bool(events) is has_days(over, ENGLISH)
    assert calendar(over, ENGLISH) == calendar(over, ENGLISH)


@settings(max_examples=examples(50), deadline=None)
@given(pieces, pieces)
def test_words_come_back_as_they_went_in(name: str, result: str) -> None:
    name, result = f"x{name}", f"y{result}"
    assume("\\N" not in name + result)  # what icalendar 7.3 takes for a new line
    over = ended(agreed(Milestone(name=name, date="2026-11-14", deliverable=result)))

    [event] = read(over)[1]

    assert str(event.summary) == " ".join(editable(name, UNLIMITED).split())
    assert str(event.description).split("\n")[0] == " ".join(editable(result, UNLIMITED).split())
    assert all(len(each) <= 75 and b"\n" not in each for each in calendar(over, ENGLISH).split(b"\r\n"))
