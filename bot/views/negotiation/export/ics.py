"""Exports a plan's days as an iCalendar file."""

from collections.abc import Sequence
from datetime import date

from bot.texts import Texts
from bot.views.kit.export.ics import Entry, calendar_file, one_line
from bot.views.negotiation.export.ended import EndedNegotiation
from bot.views.negotiation.export.steps import Step, steps


def calendar(ended: EndedNegotiation, texts: Texts) -> bytes:
    """An event for each step that has a day. The same negotiation gives the same bytes."""
    assert ended.plan is not None, "there is nothing to put into a calendar"  # noqa: S101 - see `has_days`
    entries = [_entry(ended, each, each.day) for each in steps(ended.plan, texts) if each.day is not None]
    return calendar_file(ended.demand, entries, without_day(ended, texts), ended.times.ended_at, texts)


def has_days(ended: EndedNegotiation, texts: Texts) -> bool:
    """Whether there is anything to put into a calendar."""
    return ended.plan is not None and any(each.day is not None for each in steps(ended.plan, texts))


def without_day(ended: EndedNegotiation, texts: Texts) -> Sequence[str]:
    """The steps without a day that a calendar can show."""
    planned = steps(ended.plan, texts) if ended.plan else ()
    return [_without_day(each, texts) for each in planned if each.day is None]


def _entry(ended: EndedNegotiation, step: Step, day: date) -> Entry:
    said = one_line(step.said)
    details = (step.result, "" if said == day.isoformat() else said, ended.demand)
    return Entry(f"{ended.state.demand_id}-{step.number}", day, step.name, details)


def _without_day(step: Step, texts: Texts) -> str:
    name, said = one_line(step.name) or texts.say("Milestone"), one_line(step.said)
    return texts.say("{what}: {detail}", what=name, detail=said) if said else name
