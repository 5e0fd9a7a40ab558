"""Reads demands without a model, and holds what models say of time against the day on which somebody asked."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People, When
from engine.facts.language import Language
from engine.kernel import Millis
from engine.negotiation.answers import Circumstances, Milestone, ProposalDraft, Understanding
from engine.negotiation.state import Negotiation

TBD: Final = "[TBD]"
LONGEST_AFTERWARDS: Final = timedelta(days=60)
"""How long after the last day of a demand something of its plan may be: a review, an invoice."""


def asked(state: Negotiation) -> Asked:
    """The day on which somebody asked, where they are."""
    return Asked.at(state.asked_at or _begun(state), state.time_zone)


def _begun(state: Negotiation) -> Millis:
    """About when it began: those of before this was kept know only when they end."""
    return max(0, state.until - round(1000 * state.policy.machine_time))


Today = Mapping[str, str]
"""``date``, ``weekday`` and ``time_zone`` of the day of asking, as models are told them."""


def today(state: Negotiation) -> Today:
    return _today(asked(state))


@lru_cache(maxsize=1024)
def _today(said: Asked) -> Today:
    return {"date": said.day.isoformat(), "weekday": said.day.strftime("%A"), "time_zone": said.time_zone}


def asked_on(today: Today) -> Asked:
    """The day of asking, out of what `today` tells models."""
    return Asked(date.fromisoformat(today["date"]), today["time_zone"])


def circumstances_in(text: str, asked: Asked, language: Language) -> Circumstances:
    """What a text says of place, size, time and money, in its words and as data."""
    from engine.lexicon.reading.reader import read  # the first text that is read loads the grammar

    reading = read(text, asked)
    when = reading.when
    is_dated = when is not None and bool(when.first or when.last or not (when.start or when.end))
    return Circumstances(
        location=reading.place.said_in(language) if reading.place else None,
        expected_attendees=reading.attendees,
        date=when.said if when and is_dated else None,
        budget=reading.money_said or None,
        when=when or When(),
        people=reading.people or People(),
        money=reading.money or Money(),
    )


def time_of(context: Circumstances, asked: Asked) -> When:
    """When it is to be: as data, or read from the words where a model gave only these."""
    if context.when.first or context.when.last or not context.date:
        return context.when
    return circumstances_in(context.date, asked, "en").when


def completed(value: Understanding, text: str, asked: Asked, language: Language) -> Understanding:
    """Add to a model's answer what it has left out of the text, and correct a date that is over."""
    said, read = value.context, circumstances_in(text, asked, language)
    is_dated = bool(said.when.first or said.when.last)
    when = said.when if is_dated and not is_over(said.when, asked.day) else read.when
    if when is said.when and not when.time_zone:
        when = replace(when, time_zone=asked.time_zone)
    known = said.expected_attendees is not None or said.people != People()
    return replace(
        value,
        # Their ids are told to everybody, so that they are never words of a model.
        needs=tuple(replace(each, need_id=f"need_{number}") for number, each in enumerate(value.needs, 1)),
        context=replace(
            said,
            location=said.location or read.location,
            expected_attendees=said.expected_attendees if known else read.expected_attendees,
            date=said.date or read.date,
            budget=said.budget or read.budget,
            when=when,
            people=said.people if said.people != People() or not _agree(said, read) else read.people,
            money=said.money if said.money != Money() else read.money,
        ),
    )


def _agree(said: Circumstances, read: Circumstances) -> bool:
    return said.expected_attendees in (None, read.expected_attendees)


def is_over(when: When, today: date) -> bool:
    """Whether any of its days is before that day."""
    if not (when.first or when.last):
        return False
    return any(day and day < today.isoformat() for day in (when.first, when.last))


def faults_of_dates(draft: ProposalDraft, demand: When, asked: Asked, *, is_first: bool) -> str:
    """Say which dates of a model's draft cannot be; empty where each can.

    Args:
        is_first: no version is out yet, so nobody has asked for another day than the demand's.
    """
    timeline = draft.timeline
    dates = [("timeline.start_date", timeline.start_date)]
    dates += [("timeline.milestones", each.date) for each in timeline.milestones]
    found = [f"{where} says {said}" for where, said in dates if _checked(said, demand, asked) != said]
    whens = [("when", draft.when), *(("assignments.when", each.when) for each in draft.assignments)]
    found += [f"{where} says {_days_said(each)}" for where, each in whens if is_over(each, asked.day)]
    if is_first and is_outside(draft.when, demand):
        found.append(f"when says {_days_said(draft.when)}, and the demand asks for {_days_said(demand)}")
    if not found:
        return ""
    limits = f", and {_days_said(demand)} is asked for" if demand.first or demand.last else ""
    return "\n".join((*dict.fromkeys(found), f"these dates cannot be: today is {asked.day.isoformat()}{limits}"))


def _days_said(when: When) -> str:
    return " to ".join(dict.fromkeys(filter(None, (when.first, when.last))))


def is_outside(when: When, demand: When) -> bool:
    """Whether a time is not within the days that a demand asks for, as far as either says them."""
    first, last = when.first or when.last, when.last or when.first
    return bool(first and ((demand.first and first < demand.first) or (demand.last and last > demand.last)))


def without_wrong_dates(draft: ProposalDraft, demand: When, asked: Asked, *, is_first: bool = False) -> ProposalDraft:
    """Replace days that are over, that do not exist or that are long after the demand by `TBD`.

    The very same object where every day stands.

    Args:
        is_first: no version is out yet, so nobody has asked for another day than the demand's.
    """
    timeline = draft.timeline
    when = When(said=draft.when.said) if is_first and is_outside(draft.when, demand) else draft.when
    dated = replace(
        draft,
        timeline=replace(
            timeline,
            start_date=_checked(timeline.start_date, demand, asked),
            milestones=tuple(_dated(each, demand, asked) for each in timeline.milestones),
        ),
        when=_ahead(when, asked),
        assignments=tuple(
            replace(each, when=_ahead(each.when, asked)) if is_over(each.when, asked.day) else each
            for each in draft.assignments
        ),
    )
    return draft if dated == draft else dated


def _dated(milestone: Milestone, demand: When, asked: Asked) -> Milestone:
    return replace(milestone, date=_checked(milestone.date, demand, asked))


def _ahead(when: When, asked: Asked) -> When:
    return When(said=when.said) if is_over(when, asked.day) else when


def _checked(said: str, demand: When, asked: Asked) -> str:
    if not any(each.isdecimal() for each in said):
        return said  # only a number can name a year that is over
    if (plain := _ISO.fullmatch(said)) is not None:
        return said if _is_possible(plain[1], demand, asked) else TBD
    from engine.lexicon.reading.times import times_in

    times = [each.value for each in times_in(said, asked)]
    if any(each.exact == "unknown" for each in times) or _is_late(times, demand):
        return TBD
    return said


_ISO: Final = re.compile(r"\s{0,100}(\d{4}-\d\d-\d\d)[^\d]*")
"""A date as `prompts` ask for it, perhaps with its weekday: it takes no grammar to read it."""


def _is_possible(day: str, demand: When, asked: Asked) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return day >= asked.day.isoformat() and not _is_late([When(first=day, last=day, exact="day")], demand)


def _is_late(times: list[When], demand: When) -> bool:
    if not demand.last:
        return False
    latest = (date.fromisoformat(demand.last) + LONGEST_AFTERWARDS).isoformat()
    return any(each.exact == "day" and each.first > latest for each in times)
