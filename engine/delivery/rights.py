"""Who may do what in a delivery."""

from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import WorkerKind


def may_lead(state: Delivery, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may decide about the whole, its tickets, reviews and permissions: whoever asked, and admins."""
    return bool(user) and (as_admin or user == state.requester_id)


def may_work_on(state: Delivery, ticket: Ticket, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may start it, say that it is blocked or done, and hand it over."""
    is_theirs = ticket.is_a_persons and bool(user) and ticket.owner.user_id == user
    return is_theirs or (ticket.is_a_persons and may_lead(state, user, as_admin=as_admin))


def is_own_work(state: Delivery, ticket: Ticket) -> bool:
    """Whether the Manager has done it itself: then it does not review it."""
    role = state.roles.get(ticket.owner.role_id)
    return ticket.owner.kind is not WorkerKind.PERSON and role is not None and role.is_manager
