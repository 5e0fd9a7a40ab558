"""What the owner of a ticket does with it, and what agents ask leave for."""

from typing import Final
from urllib.parse import urlsplit

from msgspec.structs import replace

from engine.delivery.commands import (
    AnswerPermission,
    BlockTicket,
    DeclineTicket,
    FinishTicket,
    HandTicketOver,
    OwnersCommand,
    OwnerUnreachable,
    StartTicket,
    TakeTicket,
)
from engine.delivery.drafting import HOUR, DeliveryDraft, later
from engine.delivery.errors import InvalidEvidence, InvalidText
from engine.delivery.events import (
    HandOverAsked,
    HandOverDeclined,
    OwnerChanged,
    PermissionAnswered,
    PersonNeeded,
    WorkBlocked,
    WorkClaimed,
    WorkStarted,
)
from engine.delivery.outstanding import is_persons_to_discuss
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import LONGEST_TEXT, MOST_OUTPUTS, Evidence, Owner, PermissionChoice, PersonNeed, WorkerKind
from engine.delivery.work.working import can_be_read
from engine.errors import IllegalStep, NotAllowed, Outdated
from engine.facts.language import Language, catalogue_of
from engine.facts.shortening import without_surrogates


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


NOT_REACHED: Final = {
    "en": "{name} has no account in Slack any more, so nobody could be told.",
    "zh": "{name} 在 Slack 中已经没有账号，所以通知不到任何人。",
}


def said(text: str, what: str, most: int = LONGEST_TEXT, *, may_be_empty: bool = False) -> str:
    """Return what somebody wrote, without blanks around it."""
    written = without_surrogates(text).strip()
    if not written and not may_be_empty:
        raise InvalidText(f"The {what} has no words in it. Write a sentence.")
    if len(written) > most:
        raise InvalidText(f"The {what} has {len(written)} characters; {most} are the most. Use fewer words.")
    return written


def language(state: Delivery) -> Language:
    return catalogue_of(state.brief.spoken)


def not_reached(state: Delivery, name: str) -> str:
    return NOT_REACHED[language(state)].format(name=name)


def answer(draft: DeliveryDraft, command: AnswerPermission) -> None:
    state, ticket = draft.state, draft.ticket(command.ticket_id)
    if not may_permit(state, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever asked for this, or an admin, gives an agent leave.")
    asked = ticket.permissions.get(command.digest)
    if asked is None:
        raise Outdated("The agent asks for something else by now, or for nothing.")
    if asked.choice is not None:
        raise IllegalStep("This question has been answered already.")
    if ticket.status is not TicketStatus.IN_PROGRESS:
        raise IllegalStep("Nothing is worked on in this ticket, so there is nothing to permit.")
    holds = command.choice is PermissionChoice.TICKET
    draft.happens(
        PermissionAnswered(
            **draft.of(ticket, command.at),
            by=command.by,
            digest=command.digest,
            choice=command.choice,
            expires=later(command.at, state.policy.permission_hours * HOUR) if holds else 0,
        )
    )


LONGEST_LINK = 2_000


def start(draft: DeliveryDraft, command: StartTicket) -> None:
    ticket = _theirs(draft, command)
    check_workable(ticket)
    if ticket.running is not None:
        raise IllegalStep("It has been started already.")
    _start(draft, ticket, command)


def block(draft: DeliveryDraft, command: BlockTicket) -> None:
    ticket = _theirs(draft, command)
    check_workable(ticket)
    why = said(command.why, "reason")
    ticket = _start(draft, ticket, command) if ticket.running is None else ticket
    draft.happens(
        WorkBlocked(**draft.of(ticket, command.at), attempt=ticket.attempts[-1].number, by=command.by, issues=(why,))
    )


def finish(draft: DeliveryDraft, command: FinishTicket) -> None:
    """Take what they show; it is registered and checked before it counts."""
    ticket = _theirs(draft, command)
    check_workable(ticket)
    evidence = checked_evidence(ticket, command.evidence)
    summary = said(command.summary, "summary", may_be_empty=True)
    ticket = _start(draft, ticket, command) if ticket.running is None else ticket
    draft.happens(
        WorkClaimed(
            **draft.of(ticket, command.at),
            attempt=ticket.attempts[-1].number,
            by=command.by,
            evidence=evidence,
            summary=summary,
        )
    )


def hand_over(draft: DeliveryDraft, command: HandTicketOver) -> None:
    ticket = _theirs(draft, command)
    if not ticket.is_open:
        raise IllegalStep("This ticket is settled; there is nothing to hand over.")
    if command.to in ("", ticket.owner.user_id):
        raise IllegalStep("They have this ticket already. Choose somebody else.")
    draft.happens(HandOverAsked(**draft.of(ticket, command.at), by=command.by, to=command.to))


def take(draft: DeliveryDraft, command: TakeTicket) -> None:
    ticket = _asked_to_take(draft, command)
    owner = Owner(kind=WorkerKind.PERSON, user_id=command.by)
    draft.happens(OwnerChanged(**draft.of(ticket, command.at), by=command.by, owner=owner, why="taken"))


def decline(draft: DeliveryDraft, command: DeclineTicket) -> None:
    ticket = _asked_to_take(draft, command)
    draft.happens(HandOverDeclined(**draft.of(ticket, command.at), by=command.by))


def unreachable(draft: DeliveryDraft, command: OwnerUnreachable) -> None:
    """Let whoever leads choose somebody else for what is waited for, and nobody can be told."""
    ticket = draft.state.tickets.get(command.ticket_id)
    if ticket is None or ticket.need is not None or not ticket.is_a_persons:
        return
    is_waited_for = ticket.status is TicketStatus.IN_PROGRESS or is_persons_to_discuss(ticket)
    if is_waited_for and ticket.claim is None and ticket.owner.user_id == command.user_id:
        text = not_reached(draft.state, ticket.owner.name or command.user_id)
        draft.happens(PersonNeeded(**draft.of(ticket, command.at), need=PersonNeed.OWNER, text=text))


def _asked_to_take(draft: DeliveryDraft, command: TakeTicket | DeclineTicket) -> Ticket:
    ticket = draft.ticket(command.ticket_id)
    is_newest = command.number in (0, len(ticket.hand_overs))
    if not ticket.is_open or ticket.hand_over_to != command.by or not is_newest:
        raise IllegalStep("You are not asked to take this ticket any more.")
    return ticket


def _theirs(draft: DeliveryDraft, command: OwnersCommand) -> Ticket:
    ticket = draft.ticket(command.ticket_id)
    if not may_work_on(draft.state, ticket, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever has this ticket, or leads the delivery, can do that.")
    return ticket


def check_workable(ticket: Ticket) -> None:
    """Check that its owner can work on the ticket now."""
    if ticket.status is not TicketStatus.IN_PROGRESS:
        raise IllegalStep(f"There is nothing to be done on this ticket now: it is {ticket.status.replace('_', ' ')}.")
    if ticket.claim is not None:
        raise IllegalStep("What was shown as done is being checked.")


def _start(draft: DeliveryDraft, ticket: Ticket, command: OwnersCommand) -> Ticket:
    owner = ticket.owner.user_id
    draft.happens(
        WorkStarted(
            **draft.of(ticket, command.at),
            attempt=len(ticket.attempts) + 1,
            by=owner,
            started_by="" if command.by == owner else command.by,
        )
    )
    return draft.ticket(ticket.ticket_id)


def checked_evidence(ticket: Ticket, shown: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Return what was shown as proof, checked against what the ticket expects."""
    if len(shown) > MOST_OUTPUTS:
        raise InvalidEvidence(f"{MOST_OUTPUTS} pieces of evidence are the most for one ticket.")
    checked = tuple(_checked(each) for each in shown)
    expected = {each.label for each in ticket.task.outputs}
    if stray := [each.label for each in checked if each.label not in expected]:
        raise InvalidEvidence(f"{stray[0]!r} is not expected of this ticket. Expected: {', '.join(sorted(expected))}.")
    there = {each.label for each in checked}
    if missing := [each.label for each in ticket.task.outputs if each.label not in there]:
        raise InvalidEvidence(f"Nothing is shown for {missing[0]!r}. Give a text, a link or a file for it.")
    if len(there) < len(checked):
        raise InvalidEvidence("Give one piece of evidence for each expected output.")
    return checked


def _checked(shown: Evidence) -> Evidence:
    text, link = said(shown.text, "evidence", may_be_empty=True), shown.link.strip()
    given = [each for each in (text, link, shown.file_id) if each]
    if not given:
        raise InvalidEvidence(f"Nothing is shown for {shown.label!r}. Give a text, a link or a file for it.")
    if len(given) > 1:
        raise InvalidEvidence(f"Give one of text, link and file for {shown.label!r}.")
    if link and not is_address(link):
        raise InvalidEvidence("A link begins with https:// or http:// and names where it leads.")
    return replace(shown, text=text, link=link)


def is_address(link: str) -> bool:
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    is_plain = len(link) <= LONGEST_LINK and link.isprintable() and " " not in link
    return is_plain and parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
