"""Holds what models say of time, as data, against the day on which somebody asked: no plan has a day that is over.

What is no data stays in the words in which it was said.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from engine.facts.asked import Asked
from engine.facts.circumstances import When
from engine.facts.places import time_zone_of
from engine.kernel import Millis
from engine.negotiation.answers import Milestone, ProposalDraft, Understanding
from engine.negotiation.plan.parts import ISO
from engine.negotiation.state import Negotiation

TBD: Final = "[TBD]"
"""What stands for a day that is not known yet."""


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


def completed(value: Understanding, asked: Asked) -> Understanding:
    """Number the needs anew, and take out of a model's answer what is over already."""
    context = value.context
    when = _ahead(context.when, asked)
    if (when.first or when.last or when.start) and not when.time_zone:
        there = time_zone_of(context.place.city or context.location or "")
        when = replace(when, time_zone=there or asked.time_zone)
    return replace(
        value,
        # Their ids are told to everybody, so that they are never words of a model.
        needs=tuple(
            replace(each, need_id=f"need_{number}", deadline=_day_ahead(each.deadline, asked))
            for number, each in enumerate(value.needs, 1)
        ),
        context=replace(context, when=when, deadline=_day_ahead(context.deadline, asked)),
    )


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
    dates += [(f"timeline.milestones {where}", each) for where, each in _milestone_dates(timeline.milestones)]
    found = [f"{where} says {said}" for where, said in dates if not _is_possible(said, asked)]
    whens = [("when", draft.when), *(("assignments.when", each.when) for each in draft.assignments)]
    found += [f"{where} says {_days_said(each)}" for where, each in whens if is_over(each, asked.day)]
    if is_first and is_outside(draft.when, demand):
        found.append(f"when says {_days_said(draft.when)}, and the demand asks for {_days_said(demand)}")
    if not found:
        return ""
    limits = f", and {_days_said(demand)} is asked for" if demand.first or demand.last else ""
    return "\n".join((*dict.fromkeys(found), f"these dates cannot be: today is {asked.day.isoformat()}{limits}"))


def _milestone_dates(milestones: tuple[Milestone, ...]) -> Iterator[tuple[str, str]]:
    for each in milestones:
        yield from (("day", each.day), ("date", each.date))


def _days_said(when: When) -> str:
    return " to ".join(dict.fromkeys(filter(None, (when.first, when.last))))


def is_outside(when: When, demand: When) -> bool:
    """Whether a time is not within the days that a demand asks for, as far as either says them."""
    first, last = when.first or when.last, when.last or when.first
    return bool(first and ((demand.first and first < demand.first) or (demand.last and last > demand.last)))


def without_wrong_dates(draft: ProposalDraft, asked: Asked) -> ProposalDraft:
    """Take out the days that are over or do not exist: a text that is such a date becomes `TBD`.

    The very same object where every day stands.
    """
    timeline = draft.timeline
    dated = replace(
        draft,
        timeline=replace(
            timeline,
            start_date=_possible(timeline.start_date, asked),
            milestones=tuple(
                replace(each, date=_possible(each.date, asked), day=_day_ahead(each.day, asked))
                for each in timeline.milestones
            ),
        ),
        when=_ahead(draft.when, asked),
        assignments=tuple(
            replace(each, when=_ahead(each.when, asked)) if is_over(each.when, asked.day) else each
            for each in draft.assignments
        ),
    )
    return draft if dated == draft else dated


def _ahead(when: When, asked: Asked) -> When:
    return When(said=when.said) if is_over(when, asked.day) else when


def _day_ahead(day: str, asked: Asked) -> str:
    return day if day >= asked.day.isoformat() else ""


def _possible(said: str, asked: Asked) -> str:
    return said if _is_possible(said, asked) else TBD


def _is_possible(said: str, asked: Asked) -> bool:
    plain = ISO.fullmatch(said)  # any other text is left as it is
    if plain is None:
        return True
    try:
        return date.fromisoformat(plain[1]) >= asked.day
    except ValueError:
        return False
