"""Who gets a ticket that nobody was named for, and who may work at the same time."""

from collections.abc import Iterator

from engine.delivery.outstanding import COMMANDS
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Owner, Role, WorkerKind


def role_for(state: Delivery, ticket: Ticket) -> Role | None:
    """Return the worker that can do all that the ticket needs; of several, the one with the fewest open tickets."""
    needed = set(ticket.task.capabilities)
    if not needed:
        return None
    able = [each for each in state.roles.values() if not each.is_manager and needed <= set(each.capabilities)]
    return min(able, key=lambda role: (_load(state, role.role_id), role.role_id), default=None)


def owner_of(role: Role) -> Owner:
    return Owner(kind=role.kind, role_id=role.role_id, name=role.name)


def _load(state: Delivery, role_id: str) -> int:
    return sum(each.is_open and each.owner.role_id == role_id for each in state.tickets.values())


def has_slot(state: Delivery, ticket: Ticket) -> bool:
    """Whether a machine may begin to work on it now."""
    working = list(_working(state))
    if len(working) >= state.policy.workers_at_once or state.is_spent:
        return False
    role = state.roles.get(ticket.owner.role_id)
    if role is None or role.has_instances:
        return True
    return all(each.owner.role_id != role.role_id for each in working)


def _working(state: Delivery) -> Iterator[Ticket]:
    for each in state.tickets.values():
        if each.running is not None and is_machine(each):
            yield each


def is_machine(ticket: Ticket) -> bool:
    return ticket.owner.kind in COMMANDS or ticket.owner.kind is WorkerKind.MODEL
