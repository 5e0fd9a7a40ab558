"""Writes an iCalendar file (RFC 5545) of whatever has days."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from icalendar import TRANSP, Calendar, Event, vText

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


def one_line(text: str) -> str:
    return " ".join(editable(with_emoji(as_slack_shows_it(text, with_marks=False)), UNLIMITED).split())
