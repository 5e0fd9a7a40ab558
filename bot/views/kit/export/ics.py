"""Writes an iCalendar file (RFC 5545) of whatever has days."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from icalendar import TRANSP, Calendar, Event, vCalAddress, vText

from bot.texts import Texts
from bot.views.kit.markdown import as_slack_shows_it, with_emoji
from bot.views.kit.mrkdwn import UNLIMITED, editable
from engine.kernel import Millis

PRODUCT: Final = "-//ToWow//ToWow//EN"


class Entry(NamedTuple):
    """Something with a day or a time. Its texts are as people and models wrote them."""

    uid: str
    """The same whenever it is exported, so that importing it twice adds nothing."""
    day: date | datetime
    summary: str
    details: tuple[str, ...] = ()
    """Lines."""


def calendar_file(name: str, entries: Iterable[Entry], undated: Sequence[str], at: Millis, texts: Texts) -> bytes:
    """
    Args:
        name: what the calendar is called.
        undated: what is not in it, for want of a day.
        at: when what it holds was decided.
    """
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("x-wr-calname", vText(one_line(name)))
    if undated:
        made.add("description", vText("\n".join([texts.say("Without a date that a calendar can read:"), *undated])))
    for each in entries:
        made.add_component(_event(each, at, texts))
    content: bytes = made.to_ical()
    return content


def _event(entry: Entry, at: Millis, texts: Texts) -> Event:
    made = Event.new(
        uid=f"{entry.uid}@towow",
        stamp=datetime.fromtimestamp(at // 1000, UTC),
        start=entry.day,
        summary=one_line(entry.summary) or texts.say("Milestone"),
        description="\n".join(line for each in entry.details if (line := one_line(each))),
        transparency=TRANSP.TRANSPARENT,  # a milestone takes nobody's day
    )
    assert isinstance(made, Event)  # noqa: S101 - what the library's types leave open
    return made


class Guest(NamedTuple):
    """Somebody of a meeting. ToWow knows nobody's e-mail address, and calendars want one: it leads nowhere."""

    user: str
    name: str = ""

    def address(self) -> vCalAddress:
        made = vCalAddress(f"mailto:{self.user.lower()}@towow.invalid")
        if name := one_line(self.name):
            made.params["CN"] = name.replace('"', "'")
        return made


class Meeting(NamedTuple):
    """When somebody is needed, for their own calendar."""

    uid: str
    """The same for as long as the plan stands, so that a calendar changes what it has."""
    start: date | datetime
    """A day; or a moment, with its time zone."""
    end: date | datetime | None
    """None where nobody knows; the end is not part of it."""
    summary: str
    organizer: Guest
    guest: Guest
    details: tuple[str, ...] = ()
    """Lines."""
    place: str = ""


def meeting_file(meeting: Meeting, sequence: int, at: Millis, texts: Texts, *, is_off: bool = False) -> bytes:
    """Write what puts a meeting into a calendar, changes it there, or takes it out (RFC 5546).

    Args:
        sequence: a higher one counts before a lower one.
        is_off: whether it does not take place, or not with its guest.
    """
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("method", "CANCEL" if is_off else "REQUEST")
    event = Event()
    event.add("uid", f"{meeting.uid}@towow")
    event.add("sequence", sequence)
    event.add("dtstamp", datetime.fromtimestamp(at // 1000, UTC))
    event.add("dtstart", meeting.start)
    if meeting.end is not None:
        event.add("dtend", meeting.end)
    event.add("summary", one_line(meeting.summary) or texts.say("Meeting"))
    if details := "\n".join(line for each in meeting.details if (line := one_line(each))):
        event.add("description", details)
    if place := one_line(meeting.place):
        event.add("location", place)
    event.add("status", "CANCELLED" if is_off else "CONFIRMED")
    # A day as a whole takes nobody's time.
    event.add("transp", "OPAQUE" if isinstance(meeting.start, datetime) else "TRANSPARENT")
    event.add("organizer", meeting.organizer.address())
    guest = meeting.guest.address()
    guest.params |= {"ROLE": "REQ-PARTICIPANT", "PARTSTAT": "ACCEPTED", "RSVP": "FALSE"}
    event.add("attendee", guest)
    made.add_component(event)
    content: bytes = made.to_ical()
    return content


def one_line(text: str) -> str:
    return " ".join(editable(with_emoji(as_slack_shows_it(text, with_marks=False)), UNLIMITED).split())
