"""How a person's ticket stands, as they read it."""

from collections.abc import Iterator

from bot.texts import Texts
from bot.views.delivery.names import blocked_for_them, claimed_for_them, shown_for_them, starter_if_not_owner, whoever
from bot.views.delivery.owners_words import artifact_text, failure_text, ticket_name
from bot.views.delivery.proof import unread_text
from bot.views.kit.mrkdwn import Fit, local_time, mention
from engine.delivery.state import Attempt, Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import MANAGER, Artifact, PersonNeed
from engine.delivery.tickets.owners import decider_of

NOT_FAILURES = ("", "reported", "blocked", "permission", "dropped", "reassigned", "approved", "stopped", "failed")
"""Outcomes of attempts that say nothing against what was shown."""


def is_theirs(ticket: Ticket, user: str) -> bool:
    return ticket.is_a_persons and bool(user) and ticket.owner.user_id == user


def is_going_on(state: Delivery) -> bool:
    """Whether tickets are still worked on."""
    return state.status is Status.WORKING


def is_workable(ticket: Ticket) -> bool:
    """Whether its owner can do something for it now."""
    return ticket.status is TicketStatus.IN_PROGRESS and ticket.claim is None


def made_before(state: Delivery, ticket: Ticket) -> list[tuple[Ticket, tuple[Artifact, ...]]]:
    """The tickets that it depends on, with what they have made."""
    needed = (state.ticket_of(each) for each in ticket.task.depends_on)
    return [(each, each.artifacts) for each in needed if each is not None and each.artifacts]


def refused_attempt(ticket: Ticket) -> Attempt | None:
    """The latest attempt, where what was shown in it was not taken."""
    last = ticket.attempts[-1] if ticket.attempts else None
    return last if last is not None and last.ended_at and last.outcome not in NOT_FAILURES else None


def standing(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> list[str]:
    """Lines: how it stands, and what follows from that; at least one."""
    lines = [*_standing(state, ticket, texts, fit)]
    if ticket.hand_over_to and ticket.is_open and is_going_on(state):
        lines.append(
            texts.say("{who} was asked to take it; it is yours until they do.", who=mention(ticket.hand_over_to))
        )
    return lines


def _standing(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[str]:
    if ticket.is_open and not is_going_on(state):
        yield texts.say("🛑 The whole was ended before this was done. Nothing more is expected of you.")
        return
    if ticket.is_open and ticket.overdue:
        yield texts.say("⏰ Its last day is over.")
    elif ticket.is_open and ticket.reminded and ticket.status in (TicketStatus.IN_PROGRESS, TicketStatus.BLOCKED):
        yield texts.say("⏳ Its last day is near.")
    match ticket.status:
        case TicketStatus.PENDING:
            yield _pending(state, ticket, texts, fit)
        case TicketStatus.DISCUSSING:
            yield texts.say("💬 How it is done is discussed first, since there are risks.")
        case TicketStatus.IN_PROGRESS:
            yield from _in_progress(state, ticket, texts, fit)
        case TicketStatus.BLOCKED:
            yield texts.say(
                "⛔ Blocked: {why}", why=texts.say("; ").join(fit.line(each, 300) for each in ticket.issues)
            )
            if by := blocked_for_them(state, ticket, texts, fit):
                yield texts.say("{by} has said so for you.", by=by)
            yield _who_is_asked(state, texts)
        case TicketStatus.AWAITING_REVIEW:
            yield from _reviewed_by(state, ticket, texts)
            yield from _shown(state, ticket, texts, fit)
        case TicketStatus.DONE:
            yield from _approved(state, ticket, texts, fit)
            yield from _shown(state, ticket, texts, fit)
        case TicketStatus.ERROR:
            yield texts.say(
                "It has come to nothing so far; {who} decides how it goes on.", who=mention(state.requester_id)
            )
        case TicketStatus.DROPPED:
            yield dropped_text(ticket, texts, fit)


def _pending(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    waits = [ticket_name(each, fit) for each in state.waits_for(ticket)]
    if not waits:
        return texts.say("It is being prepared…")
    return texts.say("It waits for {tickets}.", tickets=texts.say(", ").join(waits))


def _in_progress(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[str]:
    if ticket.claim is not None:
        if by := claimed_for_them(state, ticket, texts, fit):
            yield texts.say("🔎 What {by} has shown for you is being checked…", by=by)
        else:
            yield texts.say("🔎 What you have shown is being checked…")
        return
    if ticket.running is not None:
        moment = local_time(ticket.running.started_at, texts)
        if by := starter_if_not_owner(state, ticket, texts, fit):
            yield texts.say("▶️ Started {moment} for you by {by}", moment=moment, by=by)
        else:
            yield texts.say("▶️ Started {moment}", moment=moment)
    elif refused := refused_attempt(ticket):
        why = failure_text(refused.outcome, refused.detail, texts, fit)
        yield texts.say("⚠️ What you have shown was not taken. {why}", why=why)
    elif ticket.changes:
        yield texts.say("✏️ Changes are requested; see below.")
    else:
        yield texts.say("📋 Yours to do")


def _who_is_asked(state: Delivery, texts: Texts) -> str:
    return texts.say("{who} was asked, and what they answer will be told to you here.", who=mention(state.requester_id))


def _reviewed_by(state: Delivery, ticket: Ticket, texts: Texts) -> Iterator[str]:
    if ticket.need is PersonNeed.REVIEW:
        who = mention(decider_of(state, ticket, PersonNeed.REVIEW))
        yield texts.say("📨 Shown; {who} looks at it.", who=who)
    else:
        yield texts.say("📨 Shown; the Manager looks at it.")


def _approved(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[str]:
    review = ticket.report.review if ticket.report else None
    who = whoever(state, review.by, texts, fit) if review else ""
    yield (
        texts.say("✅ Done, and approved by {who}. Thank you!", who=who)
        if who
        else texts.say("✅ Done, and approved. Thank you!")
    )
    if review is not None and review.by != MANAGER and (left := unread_text(ticket, review.by, texts, fit)):
        yield left
    if review is not None and review.notes.strip():
        yield fit.text(review.notes, 600)


def _shown(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[str]:
    if by := shown_for_them(state, ticket, texts, fit):
        yield texts.say("{by} has shown it for you.", by=by)
    yield from (f"• {artifact_text(each, texts, fit)}" for each in fit.first(ticket.artifacts, 12))


def dropped_text(ticket: Ticket, texts: Texts, fit: Fit) -> str:
    why = fit.line(ticket.dropped_why, 300)
    if why:
        return texts.say("This is not needed any more: {why}", why=why)
    return texts.say("This is not needed any more. Nothing is expected of you.")
