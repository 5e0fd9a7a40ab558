"""What of a delivery is erased where somebody is forgotten, or all of it.

A delivery is forgotten as a whole with whoever asked for it, and with what it was made of. Of any other one, it is what
they have said and shown, and whatever was written since, which may quote them. What other people have said by hand
stays.
"""

from collections.abc import Sequence
from typing import Final

from engine.delivery import events as happened
from engine.delivery.commands import EraseWords, StopDelivery
from engine.delivery.state import Delivery, Status
from engine.delivery.terms import Brief, Task
from engine.kernel import OPERATOR, Command, Event, Forgetter, Link, Millis, Part, Whose

BY_HAND: Final = (
    happened.ClarificationAnswered,
    happened.TicketAdded,
    happened.TicketDropped,
    happened.CheckingChanged,
    happened.WorkClaimed,
    happened.WorkBlocked,
    happened.ProposalAnswered,
    happened.Unblocked,
    happened.ReviewGiven,
)
"""What people write themselves, unless a machine or the Manager did it."""


def _twins_of(state: Delivery, user_id: str) -> frozenset[str]:
    return frozenset(each.person_id for each in state.brief.people if user_id and each.user_id == user_id)


def _part_of(state: Delivery, whose: Whose) -> Part | None:
    if whose.user_id and whose.user_id == state.requester_id:
        return Part.WHOLE
    acted = {each.by for ticket in state.tickets.values() for each in ticket.attempts}
    acted |= {ticket.owner.user_id for ticket in state.tickets.values()}
    acted |= {each.by for each in state.clarifications}
    is_known = _is_in(state.brief, (), whose) or (whose.user_id and whose.user_id in acted)
    return Part.OWN if is_known else None


def _is_in(brief: Brief, tasks: Sequence[Task], whose: Whose) -> bool:
    named = {name for each in brief.people for name in (each.person_id, each.user_id)}
    named |= {each.by for each in brief.facts} | {each.owner for each in brief.tasks}
    named |= {name for each in tasks for name in (each.owner.user_id, each.owner.person_id)}
    return not named.isdisjoint({*whose.agent_ids, whose.user_id} - {""})


def _links(state: Delivery) -> tuple[Link, ...]:
    origin = state.brief.origin
    return (Link(origin, is_later=False, is_part=False),) if origin else ()


def _quotes(state: Delivery, whose: Whose) -> bool:
    """Whoever took part in what the delivery was made of may be quoted in it."""
    return state.exists


def _leave(state: Delivery, part: Part, whose: Whose, *, command_id: str, at: Millis) -> tuple[Command, ...]:
    """Stop what goes on: it is made of their words."""
    goes_on = state.is_open and state.status is not Status.REPORTING
    return (StopDelivery(command_id=command_id, at=at, by=OPERATOR, as_admin=True),) if goes_on else ()


def _quoting(history: Sequence[Event], part: Part, whose: Whose) -> frozenset[int]:
    if part is Part.WHOLE:
        return frozenset(range(len(history)))
    found: set[int] = set()
    is_known = part is Part.QUOTED
    for number, event in enumerate(history):
        is_theirs = bool(whose.user_id) and getattr(event, "by", "") == whose.user_id
        if isinstance(event, happened.DeliveryOpened):
            is_known = is_known or _is_in(event.brief, (), whose)
        elif isinstance(event, happened.PlanReceived):
            is_known = is_known or _is_in(Brief(title="", goal=""), event.tasks, whose)
        is_known = is_known or is_theirs
        by_another = isinstance(event, BY_HAND) and _is_user(getattr(event, "by", ""))
        if is_theirs or (is_known and not by_another):
            found.add(number)
    return frozenset(found)


def _files(history: Sequence[Event], quoting: frozenset[int]) -> frozenset[str]:
    """The tickets of which something that was made, or may have been, is spoken of there."""
    made = (happened.WorkClaimed, happened.WorkReported, happened.WorkBlocked, happened.AttemptFailed)
    events = (history[number] for number in quoting)
    return frozenset(each.ticket_id for each in events if isinstance(each, made))


def _is_user(by: str) -> bool:
    return by[:1] in ("U", "W")


def _erase(state: Delivery, part: Part, whose: Whose, *, command_id: str, at: Millis) -> tuple[EraseWords]:
    named = "" if part is Part.WHOLE else whose.user_id or min(whose.agent_ids, default="")
    return (EraseWords(command_id=command_id, at=at, whose=named),)


FORGETTER: Final = Forgetter(
    twins_of=_twins_of,
    part_of=_part_of,
    links=_links,
    quotes=_quotes,
    leave=_leave,
    quoting=_quoting,
    erase=_erase,
    files=_files,
)
