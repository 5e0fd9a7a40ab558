"""What an agreed plan hands to a protocol that goes on from it.

It is taken from the plan, from the offers of those who are in it and from the decision record, so that it holds nothing
that whoever reads the plan may not read: neither what a profile tells its twin alone, nor a twin's reasons where others
read along, nor a secret vote.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.facts.circumstances import When
from engine.facts.quoting import sentences
from engine.facts.shortening import shorten
from engine.kernel import HandedPerson, HandedTask, Handover
from engine.negotiation.agreement.handed_facts import LONGEST, contribution, facts_of
from engine.negotiation.answers import Milestone
from engine.negotiation.ids import PROTOCOL
from engine.negotiation.plan.moving import circles
from engine.negotiation.plan.parts import day_of, iso_day
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import LONGEST_DEMAND, Assigned, Proposal

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
        protocol=PROTOCOL,
        requester_id=state.requester_id,
        title=_title(state.demand_text),
        goal=shorten(state.demand_text, LONGEST_DEMAND),
        language=state.language,
        place=state.place,
        time_zone=state.time_zone,
        starts=starts,
        ends=ends,
        people=tuple(_person(state, each) for each in plan.assignments),
        facts=facts_of(state, plan),
        tasks=tuple(_tasks(state, plan)),
    )


def _title(demand: str) -> str:
    first = next((each for each in sentences(demand) if each.strip()), "")
    return _line(first.rstrip(" \n.。;；"))


def _line(text: str) -> str:
    return shorten(" ".join(text.split()), LONGEST_LINE)


def _person(state: Negotiation, seat: Assigned) -> HandedPerson:
    known, offer = state.known_person(seat.agent_id), state.offers.get(seat.agent_id)
    return HandedPerson(
        person_id=seat.agent_id,
        user_id=(known.user_id if known else "") or "",
        name=state.name_of(seat.agent_id),
        role=_line(seat.role),
        brings=shorten(contribution(state, seat), LONGEST),
        hours=float(offer.hours) if offer and offer.hours else None,
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
    said = (iso_day(plan.timeline.start_date), *map(day_of, plan.timeline.milestones))
    found = [each for each in said if each]
    return (min(found).isoformat(), max(found).isoformat()) if found else ("", "")


# ── what is to be done ────────────────────────────────────────────────────────────────────────────────────────────


def _tasks(state: Negotiation, plan: Proposal) -> Iterator[HandedTask]:
    """Each seat's part of the plan, then each step of its timeline that says what is to be done."""
    seats = {each.agent_id: f"task-{number}" for number, each in enumerate(plan.assignments, 1)}
    for seat in plan.assignments:
        starts, deadline = _said_days(seat.when)
        yield HandedTask(
            task_id=seats[seat.agent_id],
            title=_line(seat.role) or _line(seat.responsibility) or _line(state.name_of(seat.agent_id)),
            owner=seat.agent_id,
            starts=starts,
            deadline=deadline,
            hours=float(seat.hours) if seat.hours else None,
            depends_on=tuple(seats[each] for each in _needed_first(seat, plan.assignments)),
            expected_output=shorten(seat.responsibility, LONGEST) if seat.role else "",
        )
    steps = [each for each in plan.timeline.milestones if _line(each.name) or _line(each.deliverable)]
    for number, step in enumerate(steps, len(seats) + 1):
        yield _task(f"task-{number}", step, plan.assignments)


def _task(task_id: str, step: Milestone, seats: Sequence[Assigned]) -> HandedTask:
    day = day_of(step)
    return HandedTask(
        task_id=task_id,
        title=_line(step.name) or _line(step.deliverable),
        owner=step.agent_id if any(each.agent_id == step.agent_id for each in seats) else "",
        deadline=day.isoformat() if day else "",
        expected_output=shorten(step.deliverable, LONGEST) if step.name else "",
    )


def _needed_first(seat: Assigned, seats: Sequence[Assigned]) -> Iterator[str]:
    """Return the ids of those from whom somebody needs something first, but for those who need something of them."""
    circle = {each for ids in circles(seats) for each in ids}
    for each in seats:
        if each.agent_id in seat.after and not (each.agent_id in circle and seat.agent_id in circle):
            yield each.agent_id
