"""Exports a plan's days as an iCalendar file (RFC 5545)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from icalendar import TRANSP, Calendar, Event, vText

from bot.texts import Texts
from bot.views.kit.fit import UNLIMITED
from bot.views.kit.mrkdwn import editable
from bot.views.negotiation.export.ended import EndedNegotiation
from bot.views.negotiation.export.steps import Step, steps
from engine.kernel import Millis
from engine.lexicon.written_days import Day

PRODUCT: Final = "-//ToWow//ToWow//EN"


def calendar(ended: EndedNegotiation, texts: Texts) -> bytes:
    """An event for each step that has a day. The same negotiation gives the same bytes, so that importing it twice adds
    nothing."""
    assert ended.plan is not None, "there is nothing to put into a calendar"  # noqa: S101 - see `has_days`
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("x-wr-calname", vText(_line(ended.demand)))
    if missing := without_day(ended, texts):
        made.add("description", vText("\n".join([texts.say("Without a date that a calendar can read:"), *missing])))
    for step in steps(ended.plan, texts):
        if (day := step.day) is not None:
            made.add_component(_event(ended, step, day, texts))
    content: bytes = made.to_ical()
    return content


def has_days(ended: EndedNegotiation, texts: Texts) -> bool:
    """Whether there is anything to put into a calendar."""
    return ended.plan is not None and any(each.day is not None for each in steps(ended.plan, texts))


def without_day(ended: EndedNegotiation, texts: Texts) -> Sequence[str]:
    """The steps without a day that a calendar can show."""
    planned = steps(ended.plan, texts) if ended.plan else ()
    return [_without_day(each, texts) for each in planned if each.day is None]


def _event(ended: EndedNegotiation, step: Step, day: Day, texts: Texts) -> Event:
    said = _line(step.said)
    lines = [_line(step.result), "" if said == day.isoformat() else said, _line(ended.demand)]
    made = Event.new(
        uid=f"{ended.state.demand_id}-{step.number}@towow",
        stamp=_second(ended.at),
        start=day,
        summary=_line(step.name) or texts.say("Milestone"),
        description="\n".join(each for each in lines if each),
        transparency=TRANSP.TRANSPARENT,  # a milestone takes nobody's day
    )
    assert isinstance(made, Event)  # noqa: S101 - what the library's types leave open
    return made


def _without_day(step: Step, texts: Texts) -> str:
    name, said = _line(step.name) or texts.say("Milestone"), _line(step.said)
    return texts.say("{what}: {detail}", what=name, detail=said) if said else name


def _second(at: Millis) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)


def _line(text: str) -> str:
    return " ".join(editable(text, UNLIMITED).split())
