"""What follows by itself once something has happened: tickets are prepared, begun and left to people, and it ends."""

from collections.abc import Iterator
from typing import Final

from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import (
    BudgetSpent,
    OwnerChanged,
    PersonNeeded,
    ProposalNeeded,
    ReportBegun,
    TicketFailed,
    TicketReset,
    WorkStarted,
)
from engine.delivery.outstanding import COMMANDS, is_ready, wants_proposal
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import SCHEDULER, EndReason, Owner, PersonNeed, Role, WorkerKind, as_failure
from engine.delivery.tickets.owners import is_peoples_to_review
from engine.kernel import Millis

# ── who gets a ticket ─────────────────────────────────────────────────────────────────────────────────────────────────
# Who gets a ticket that nobody was named for, and who may work at the same time.


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


# ── what follows ──────────────────────────────────────────────────────────────────────────────────────────────────────


WORKABLE: Final = (TicketStatus.PENDING, TicketStatus.DISCUSSING, TicketStatus.IN_PROGRESS, TicketStatus.BLOCKED)
"""Where somebody has to have a ticket."""


def advance(draft: DeliveryDraft, at: Millis) -> None:
    """Do whatever is due; each ticket moves as far as it can by itself."""
    if draft.state.status is not Status.WORKING:
        return
    _watch_budget(draft, at)
    for ticket_id in tuple(draft.state.tickets):
        while draft.state.status is Status.WORKING and _moved(draft, draft.state.tickets[ticket_id], at):
            pass
    if all(not each.is_open for each in draft.state.tickets.values()):
        draft.happens(ReportBegun(**draft.ids, reason=EndReason.ALL_DONE, at=at))


def _moved(draft: DeliveryDraft, ticket: Ticket, at: Millis) -> bool:
    """Move a ticket one step; whether there was one."""
    state = draft.state
    match ticket.status:
        case _ if ticket.status in WORKABLE and ticket.owner.kind is WorkerKind.NOBODY:
            return _find_owner(draft, ticket, at)
        case TicketStatus.PENDING if is_ready(state, ticket) and wants_proposal(state, ticket):
            draft.happens(ProposalNeeded(**draft.of(ticket, at)))
        case TicketStatus.IN_PROGRESS if is_overspent(state, ticket) and _may_begin(ticket, at):
            draft.happens(PersonNeeded(**draft.of(ticket, at), need=PersonNeed.BUDGET))
        case TicketStatus.IN_PROGRESS if _may_begin(ticket, at) and has_slot(state, ticket):
            draft.happens(
                WorkStarted(**draft.of(ticket, at), attempt=len(ticket.attempts) + 1, by=ticket.owner.role_id)
            )
        case TicketStatus.IN_PROGRESS if ticket.is_stuck and state.policy.manager_user:
            draft.happens(PersonNeeded(**draft.of(ticket, at), need=PersonNeed.FAILED))
        case TicketStatus.IN_PROGRESS if ticket.is_stuck and ticket.escalations >= state.policy.escalations:
            last = ticket.attempts[-1].outcome if ticket.attempts else ""
            draft.happens(TicketFailed(**draft.of(ticket, at), code=as_failure(last)))
        case TicketStatus.ERROR if ticket.need is None:
            # Somebody else has it since it failed, who tries.
            draft.happens(TicketReset(**draft.of(ticket, at), by=SCHEDULER))
        case TicketStatus.BLOCKED if ticket.need is None and (
            ticket.is_a_persons or (ticket.is_stuck and is_given_to_people(state, ticket))
        ):
            draft.happens(PersonNeeded(**draft.of(ticket, at), need=PersonNeed.BLOCKED))
        case TicketStatus.AWAITING_REVIEW if ticket.need is None and (is_peoples_to_review(state, ticket)):
            draft.happens(PersonNeeded(**draft.of(ticket, at), need=PersonNeed.REVIEW))
        case _:
            return False
    return True


def is_given_to_people(state: Delivery, ticket: Ticket) -> bool:
    """Whether a person advises on it: the Manager is one, or has advised as often as it may."""
    return bool(state.policy.manager_user) or ticket.escalations >= state.policy.escalations


def _find_owner(draft: DeliveryDraft, ticket: Ticket, at: Millis) -> bool:
    role = role_for(draft.state, ticket)
    if role is not None:
        draft.happens(OwnerChanged(**draft.of(ticket, at), by=SCHEDULER, owner=owner_of(role), why="chosen"))
        return True
    if ticket.need is None:
        draft.happens(PersonNeeded(**draft.of(ticket, at), need=PersonNeed.OWNER, is_together=True))
        return True
    return False


def _may_begin(ticket: Ticket, at: Millis) -> bool:
    """Whether a machine is to begin, or to begin again."""
    is_idle = ticket.running is None and ticket.claim is None and not ticket.is_stuck and ticket.need is None
    return is_machine(ticket) and is_idle and ticket.retry_at <= at


def is_overspent(state: Delivery, ticket: Ticket) -> bool:
    """Whether it has cost what one ticket may."""
    policy = state.policy
    tokens, usd = policy.ticket_tokens, policy.ticket_usd
    return bool(
        (tokens and ticket.spent.tokens >= tokens + state.tokens_raised)
        or (usd and ticket.spent.usd >= usd + state.usd_raised)
    )


def _watch_budget(draft: DeliveryDraft, at: Millis) -> None:
    state, policy = draft.state, draft.state.policy
    tokens, usd = policy.delivery_tokens, policy.delivery_usd
    is_over = (tokens and state.spent.tokens >= tokens + state.tokens_raised) or (
        usd and state.spent.usd >= usd + state.usd_raised
    )
    if is_over and not state.is_spent:
        draft.happens(BudgetSpent(**draft.ids, at=at))
