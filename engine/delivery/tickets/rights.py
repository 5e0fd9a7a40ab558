"""Who may do what in a delivery."""

from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import PersonNeed, WorkerKind
from engine.delivery.work.proof import can_be_read


def may_lead(state: Delivery, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may decide about the plan, its tickets and reviews: whoever asked, a person who is the Manager,
    and admins.
    """
    return may_permit(state, user, as_admin=as_admin) or (bool(user) and user == state.policy.manager_user)


def may_permit(state: Delivery, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may give agents leave, let it cost more, and stop it: whoever asked, and admins."""
    return bool(user) and (as_admin or user == state.requester_id)


def may_review(state: Delivery, ticket: Ticket, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may approve a ticket: whom it names for that, and who leads; but a person who is the Manager
    none of their own.
    """
    if user and user == checker_of(state, ticket):
        return True
    is_own = ticket.is_a_persons and ticket.owner.user_id == user == state.policy.manager_user
    return may_lead(state, user, as_admin=as_admin) and (not is_own or may_permit(state, user, as_admin=as_admin))


def may_approve(state: Delivery, ticket: Ticket, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody's click makes it done: where it names anybody, only that of `checker_of`, or of an admin who did
    not do it where nobody else is left; else `may_review`.
    """
    if checker := checker_of(state, ticket):
        return user == checker
    is_another = not ticket.task.checked_by or (as_admin and user not in doers(ticket))
    return is_another and may_review(state, ticket, user, as_admin=as_admin)


def checker_of(state: Delivery, ticket: Ticket) -> str:
    """Return the user who alone approves it, where the task names somebody: them, unless they did it themselves, or
    their account was closed; then whoever asked, or a person who is the Manager. Empty where it names nobody, or
    nobody of these can.
    """
    named, did = ticket.task.checked_by, doers(ticket) | {ticket.checker_gone}
    able = (user for user in (named, state.requester_id, state.policy.manager_user) if user and user not in did)
    return next(able, "") if named else ""


def doers(ticket: Ticket) -> frozenset[str]:
    """The users whose work it is, and who showed it for somebody else: where it names somebody to approve it, it wants
    another pair of eyes than theirs.
    """
    shown = (each.hand for each in (ticket.claim, ticket.report) if each is not None)
    return frozenset(user for user in (ticket.owner.user_id, *shown) if user)


def decider_of(state: Delivery, ticket: Ticket, need: PersonNeed) -> str:
    """Who is asked: to approve it, `checker_of`; else a person who is the Manager, unless it is their own
    ticket, or costs what is not theirs.
    """
    if need is PersonNeed.REVIEW and (checker := checker_of(state, ticket)):
        return checker
    manager = state.policy.manager_user
    is_requesters = need in (PersonNeed.PERMISSION, PersonNeed.BUDGET) or ticket.owner.user_id == manager
    return state.requester_id if is_requesters or not manager else manager


def may_work_on(state: Delivery, ticket: Ticket, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may start it, say that it is blocked or done, and hand it over."""
    is_theirs = ticket.is_a_persons and bool(user) and ticket.owner.user_id == user
    return is_theirs or (ticket.is_a_persons and may_lead(state, user, as_admin=as_admin))


def may_answer_proposal(state: Delivery, ticket: Ticket, user: str, *, as_admin: bool = False) -> bool:
    """Whether somebody may say how a risky ticket is to be done: who has it, and who leads where it needs a person."""
    is_led = ticket.need is PersonNeed.CONSENT and may_lead(state, user, as_admin=as_admin)
    return is_led or may_work_on(state, ticket, user, as_admin=as_admin)


def is_peoples_to_review(state: Delivery, ticket: Ticket) -> bool:
    """Whether people review it, and no model: it names somebody, a person is the Manager, the Manager did it itself, or
    something was shown that is to be opened.
    """
    is_asked_for = bool(ticket.task.checked_by or state.policy.manager_user)
    return is_asked_for or is_own_work(state, ticket) or not can_be_read(ticket)


def is_own_work(state: Delivery, ticket: Ticket) -> bool:
    """Whether the Manager has done it itself: then it does not review it."""
    role = state.roles.get(ticket.owner.role_id)
    return ticket.owner.kind is not WorkerKind.PERSON and role is not None and role.is_manager
