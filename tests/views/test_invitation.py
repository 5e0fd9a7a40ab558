"""The invitation to what was agreed: a calendar that has it changes it, or takes it out, with the plan."""

from datetime import UTC, date, datetime

import msgspec
import pytest
from icalendar import Calendar, Event

from bot.texts import texts_in
from bot.views.kit.export.form import Format
from bot.views.negotiation.export.file import formats
from bot.views.negotiation.export.invitation import Invited, Sent, invitation, meeting
from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment
from engine.negotiation.commands import GiveUpSeat
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Negotiation
from tests.negotiation.scenario import NOON, REQUESTER
from tests.views.stories import Story, voting

ENGLISH = texts_in("en")
AYA = "U0AYA"


def on(first: str = "2027-03-14", last: str = "", **said: str) -> When:
    return msgspec.convert({"first": first, "last": last or first, "exact": "day", **said}, When)


def agreed(when: When, own: When | None = None) -> Story:
    story = voting("aya", "bo", linked={"aya": AYA}, policy=PRESETS["balanced"])
    story.twin("aya", "negotiate", "I would rather cook", "an earlier end").twin("bo", "negotiate", wish="less work")
    seats = tuple(Assignment(agent_id=each, role="Host", when=own or When()) for each in ("aya", "bo"))
    story.time_is_up().drafted("aya", "bo", summary="An evening", when=when, room="Blue room", assignments=seats)
    return story.twin("aya", "accept", "that suits me").twin("bo", "accept").time_is_up()


def sent(state: Negotiation, user: str = AYA, before: Invited | None = None, *, is_wanted: bool = True) -> Sent | None:
    return invitation(state, user, "Dana", before, NOON, ENGLISH, is_wanted=is_wanted)


def read(made: Sent | None) -> tuple[str, Event]:
    assert made is not None
    found = Calendar.from_ical(made.file.content)
    assert isinstance(found, Calendar)
    [event] = found.events
    assert not event.errors
    return str(found["METHOD"]), event


EVENING = on(start="19:00", end="01:00", time_zone="Europe/Berlin")


def test_whoever_takes_part_has_it_in_their_calendar() -> None:
    method, event = read(sent(agreed(EVENING).state))
    assert (method, str(event["STATUS"]), str(event["TRANSP"])) == ("REQUEST", "CONFIRMED", "OPAQUE")
    assert (event["UID"], event["SEQUENCE"]) == ("d-00000001-U0AYA@towow", 0)
    assert (event.start, event.end) == (datetime(2027, 3, 14, 18, tzinfo=UTC), datetime(2027, 3, 15, 0, tzinfo=UTC))
    assert str(event["SUMMARY"]) == "An AI meetup for 50 people"
    assert str(event["LOCATION"]) == "Blue room"
    assert str(event["ORGANIZER"]).endswith("@towow.invalid")
    assert event["ORGANIZER"].params["CN"] == "Dana"
    assert str(event["ATTENDEE"]) == "mailto:u0aya@towow.invalid"
    assert event["ATTENDEE"].params["RSVP"] == "FALSE"


def test_whoever_asked_is_invited_too_and_nobody_else() -> None:
    state = agreed(EVENING).state
    assert read(sent(state, REQUESTER))[1]["UID"] != read(sent(state))[1]["UID"]
    assert sent(state, "U0EVE") is None


@pytest.mark.parametrize(
    ("when", "start", "end"),
    [
        pytest.param(on(), date(2027, 3, 14), date(2027, 3, 15), id="a day"),
        pytest.param(
            on(start="09:00", time_zone="Asia/Tokyo"), datetime(2027, 3, 14, 0, tzinfo=UTC), None, id="no end"
        ),
        pytest.param(
            on("2027-03-28", start="01:30", end="03:30", time_zone="Europe/Berlin"),
            datetime(2027, 3, 28, 0, 30, tzinfo=UTC),
            datetime(2027, 3, 28, 1, 30, tzinfo=UTC),
            id="while the clocks go forward",
        ),
    ],
)
def test_days_and_hours(when: When, start: date | datetime, end: date | datetime | None) -> None:
    found = meeting(agreed(when).state, AYA)
    assert found is not None
    assert (found.start, found.end) == (start, end)
    _, event = read(sent(agreed(when).state))
    assert str(event["TRANSP"]) == ("OPAQUE" if isinstance(start, datetime) else "TRANSPARENT")


def test_hours_without_a_zone_are_where_the_plan_is() -> None:
    own = on(start="17:30", end="18:30")
    found = meeting(agreed(EVENING, own).state, AYA)
    assert found is not None
    assert (found.start, found.end) == (
        datetime(2027, 3, 14, 16, 30, tzinfo=UTC),
        datetime(2027, 3, 14, 17, 30, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "when",
    [
        pytest.param(When(), id="nothing"),
        pytest.param(on("2027-03-14", "2027-03-20"), id="some days"),
        pytest.param(on(exact="vague"), id="about then"),
    ],
)
def test_where_the_day_is_not_known_there_is_nothing_to_invite_to(when: When) -> None:
    state = agreed(when).state
    assert sent(state) is None
    assert Format.INVITATION not in formats(state)
    assert Format.INVITATION in formats(agreed(EVENING).state)


def test_the_same_plan_is_the_same_event_and_is_sent_again_to_whoever_wants_it() -> None:
    state = agreed(EVENING).state
    first = sent(state)
    assert first is not None
    assert sent(state, before=first.invited, is_wanted=False) is None
    again = sent(state, before=first.invited)
    assert again is not None
    assert (again.file.content, again.invited) == (first.file.content, first.invited)


def test_another_time_changes_the_event() -> None:
    first = sent(agreed(EVENING).state)
    assert first is not None
    method, event = read(sent(agreed(on("2027-03-15")).state, before=first.invited, is_wanted=False))
    assert (method, event["UID"], event["SEQUENCE"]) == ("REQUEST", "d-00000001-U0AYA@towow", 1)
    assert event.start == date(2027, 3, 15)


def test_whoever_gives_their_part_up_has_it_no_longer() -> None:
    story = agreed(EVENING)
    first = sent(story.state)
    assert first is not None
    story.obeys(GiveUpSeat(command_id="give-up", at=NOON + 1, by=AYA, agent_id="aya", reason=""))

    off = sent(story.state, before=first.invited, is_wanted=False)

    method, event = read(off)
    assert (method, str(event["STATUS"])) == ("CANCEL", "CANCELLED")
    assert (event["UID"], event["SEQUENCE"]) == ("d-00000001-U0AYA@towow", 1)
    assert event.start == datetime(2027, 3, 14, 18, tzinfo=UTC)
    assert off is not None
    assert sent(story.state, before=off.invited, is_wanted=False) is None
    back = sent(agreed(EVENING).state, before=off.invited)
    assert read(back)[1]["SEQUENCE"] == 2
    assert sent(agreed(EVENING).state, before=off.invited, is_wanted=False) is None
