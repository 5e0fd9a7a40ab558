"""What an agreed plan hands to a protocol that goes on from it.

It is taken from the plan, from the offers of those who are in it and from the decision record, so that it holds nothing
that whoever reads the plan may not read: neither what a profile tells its twin alone, nor a twin's reasons where others
read along, nor a secret vote.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from engine.facts.circumstances import When
from engine.facts.quoting import sentences
from engine.facts.shortening import shorten
from engine.kernel import HandedPerson, HandedTask, Handover
from engine.lexicon.constraint_patterns import hours_given
from engine.lexicon.written_days import read_days
from engine.negotiation.answers import Milestone, normalized_gap
from engine.negotiation.decision_record import name_of
from engine.negotiation.handed_facts import LONGEST, contribution, facts_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned, Proposal

LONGEST_LINE: Final = 120
"""Characters of a title or a role."""

Days = tuple[str, str]
"""The first and the last, as ISO dates; empty where one is not known."""


def hands_over(state: Negotiation) -> bool:
    """Whether another protocol may go on from it. Telling that is cheap."""
    return state.final is not None and state.parent is None and not state.is_plan_erased


def hand_over(state: Negotiation) -> Handover | None:
    """Return what was agreed; None where nothing was, where it is erased, and for a part of another plan."""
    if state.final is None or not hands_over(state):
        return None
    plan = state.final.final_proposal
    starts, ends = _days(state, plan)
    return Handover(
        origin=state.channel_id,
        requester_id=state.requester_id,
        title=_title(state.demand_text),
        goal=state.demand_text,
        place=state.place,
        time_zone=state.time_zone,
        starts=starts,
        ends=ends,
        people=tuple(_person(state, each) for each in plan.assignments),
        facts=facts_of(state, plan),
        tasks=tuple(_tasks(plan)),
    )


def _title(demand: str) -> str:
    first = next((each for each in sentences(demand) if each.strip()), "")
    return _line(first.rstrip(" \n.。;；"))


def _line(text: str) -> str:
    return shorten(" ".join(text.split()), LONGEST_LINE)


def _person(state: Negotiation, seat: Assigned) -> HandedPerson:
    known, offer = state.known_person(seat.agent_id), state.offers.get(seat.agent_id)
    said = (offer.contribution, *offer.conditions) if offer else ()
    return HandedPerson(
        person_id=seat.agent_id,
        user_id=(known.user_id if known else "") or "",
        name=name_of(state, seat.agent_id),
        role=_line(seat.role),
        brings=shorten(contribution(state, seat), LONGEST),
        hours=min((hours for text in said for hours in hours_given(text.lower())), default=None),
    )


# ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _days(state: Negotiation, plan: Proposal) -> Days:
    """Return when it takes place: as the plan says, else as the demand does, else from the plan's first step to its
    last.
    """
    asked_for = state.understanding.context.when if state.understanding else When()
    return next((days for each in (plan.when, asked_for) if any(days := _said_days(each))), None) or _steps_days(plan)


def _said_days(when: When) -> Days:
    if when.exact == "vague" or (when.last and when.first > when.last):
        return "", ""
    return when.first, when.last


def _steps_days(plan: Proposal) -> Days:
    said = (plan.timeline.start_date, *(each.date for each in plan.timeline.milestones))
    found = [days for each in said if (days := read_days(each))]
    return (min(found)[0].isoformat(), max(last for _, last in found).isoformat()) if found else ("", "")


# ── what is to be done ────────────────────────────────────────────────────────────────────────────────────────────


def _tasks(plan: Proposal) -> Iterator[HandedTask]:
    """Each seat's part of the plan, then each step of its timeline."""
    seats = {each.agent_id: f"task-{number}" for number, each in enumerate(plan.assignments, 1)}
    for seat in plan.assignments:
        starts, deadline = _said_days(seat.when)
        yield HandedTask(
            task_id=seats[seat.agent_id],
            title=_line(seat.role or seat.responsibility),
            owner=seat.agent_id,
            starts=starts,
            deadline=deadline,
            depends_on=tuple(seats[each.agent_id] for each in _needed_first(seat, plan.assignments)),
            expected_output=shorten(seat.responsibility, LONGEST) if seat.role else "",
        )
    for number, step in enumerate(plan.timeline.milestones, len(seats) + 1):
        yield _task(f"task-{number}", step, plan.assignments)


def _task(task_id: str, step: Milestone, seats: Sequence[Assigned]) -> HandedTask:
    days = read_days(step.date)
    owners = list(_named(f"{step.name}\n{step.deliverable}", seats))
    return HandedTask(
        task_id=task_id,
        title=_line(step.name or step.deliverable),
        owner=owners[0].agent_id if len(owners) == 1 else "",
        starts=_iso(days[0]) if days and days[0] < days[1] else "",
        deadline=_iso(days[1]) if days else "",
        expected_output=shorten(step.deliverable, LONGEST) if step.name else "",
    )


def _iso(day: date) -> str:
    return day.isoformat()


def _needed_first(seat: Assigned, seats: Sequence[Assigned]) -> Iterator[Assigned]:
    """Return those from whom somebody needs something first: who is named, or what they are called in the plan."""
    roles = {normalized_gap(each) for each in seat.dependencies}
    named = {each.agent_id for each in _named("\n".join(seat.dependencies), seats)}
    for each in seats:
        is_meant = each.agent_id in named or (each.role and normalized_gap(each.role) in roles)
        if is_meant and each.agent_id != seat.agent_id:
            yield each


def _named(text: str, seats: Iterable[Assigned]) -> Iterator[Assigned]:
    for each in seats:
        names = [name for name in (each.display_name.strip(), each.agent_id) if name]
        if any(re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text) for name in names):
            yield each
