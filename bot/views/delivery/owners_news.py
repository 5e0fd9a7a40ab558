"""Short messages to whoever has a ticket, where an edit of their ticket alone might go unseen."""

from collections.abc import Iterator, Sequence
from functools import partial

from bot.texts import Texts
from bot.views.delivery.owners_words import failure_text, owner_name, ticket_name
from bot.views.delivery.ticket_card import finish_button
from bot.views.delivery.ticket_status import NOT_FAILURES, dropped_text, is_going_on, is_theirs, is_workable
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, bold, mention
from bot.views.kit.post import Post
from bot.views.kit.presenter import Readers
from engine.delivery.state import Attempt, Delivery, Ticket, TicketStatus, WorkReport
from engine.delivery.terms import MANAGER, EndReason, ReviewDecision


def news(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    yield from _handed(state, ticket, readers)
    yield from _refused(state, ticket, readers)
    yield from _changes(state, ticket, readers)
    yield from _answered(state, ticket, readers)
    yield from _due(state, ticket, readers)
    yield from _over(state, ticket, readers)


def ended(state: Delivery, readers: Readers) -> Iterator[Post]:
    """The whole was ended while people had tickets: one message for each of them."""
    if state.reason in (None, EndReason.ALL_DONE):
        return
    left: dict[str, list[Ticket]] = {}
    for each in state.tickets.values():
        if each.is_open and each.is_a_persons and each.owner.user_id and each.instructions:
            left.setdefault(each.owner.user_id, []).append(each)
    for user, tickets in left.items():
        key = f"ended/{user}"
        texts = readers.texts(user, key)
        goal = Fit().line(state.brief.title or state.brief.goal, 200) or "…"
        text = texts.say("🛑 “{goal}” was ended. Nothing more is expected of you for these tickets:", goal=goal)
        yield Post.from_card(key, text, partial(_left, text, tickets), stream=state.session_id, texts=texts, to=user)


def _left(text: str, tickets: Sequence[Ticket], fit: Fit) -> list[Block]:
    return [
        blocks.section(text),
        *blocks.sections((f"• {ticket_name(each, fit)}" for each in fit.first(tickets, 20)), most=4),
    ]


def _note(
    state: Delivery, ticket: Ticket, key: str, user: str, text: str, texts: Texts, *, details: tuple[str, ...] = (),
    is_late: bool = False, is_newest: bool = False,
) -> Post:  # fmt: skip
    """
    Args:
        details: lines below it, of people or models.
        is_newest: whether somebody is to do something: *Done…* stands beside it, while it can be done.
    """
    is_too_late = is_late or (is_newest and not is_going_on(state))

    def card(fit: Fit) -> list[Block]:
        drawn = [blocks.section(text)]
        lines = [f"• {line}" for each in fit.first(details, 12) if (line := fit.text(each, 1_000))]
        drawn += blocks.sections(lines, most=4)
        can_be_done = is_newest and is_theirs(ticket, user) and is_workable(ticket) and is_going_on(state)
        return [*drawn, blocks.actions(finish_button(state, ticket, texts, is_main=True))] if can_be_done else drawn

    return Post.from_card(key, text, card, stream=state.session_id, texts=texts, to=user, is_late=is_too_late)


def _handed(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """Whoever handed it over is told what the colleague says."""
    for number, asked in enumerate(ticket.hand_overs, 1):
        if asked.is_taken is None:
            continue
        key = f"handed-{ticket.ticket_id}-{number}"
        texts = readers.texts(asked.by, key)
        told = {"who": mention(asked.to), "ticket": ticket_name(ticket, Fit())}
        if asked.is_taken:
            text = texts.say("🤝 {who} has taken {ticket} over.", **told)
        elif asked.by in ticket.holders:
            text = texts.say("{who} cannot take {ticket}; it is still yours.", **told)
        else:
            text = texts.say("{who} cannot take {ticket}; it stays where it was.", **told)
        yield _note(state, ticket, key, asked.by, text, texts)


def _refused(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """What somebody has shown could not be taken."""
    for each in ticket.attempts:
        if each.by not in ticket.holders or not each.ended_at or each.outcome in NOT_FAILURES:
            continue
        key = f"refused-{ticket.ticket_id}-{each.number}"
        texts = readers.texts(each.by, key)
        why = failure_text(each.outcome, each.detail, texts, Fit())
        text = texts.say(
            "⚠️ What you have shown for {ticket} was not taken. {why}", ticket=ticket_name(ticket, Fit()), why=why
        )
        is_newest = each is ticket.attempts[-1]
        yield _note(
            state, ticket, key, each.by, text, texts,
            is_late=not is_newest or not _can_go_on(ticket, each), is_newest=is_newest,
        )  # fmt: skip


def _can_go_on(ticket: Ticket, attempt: Attempt) -> bool:
    return is_theirs(ticket, attempt.by) and is_workable(ticket)


def _changes(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """Changes are requested of what somebody has made."""
    for each in ticket.reports:
        review = each.review
        if each.by not in ticket.holders or review is None or review.decision is ReviewDecision.APPROVED:
            continue
        key = f"changes-{ticket.ticket_id}-{each.number}"
        texts = readers.texts(each.by, key)
        is_newest = each is ticket.reports[-1]
        text = _who_wants_changes(review.by, ticket, texts)
        details = tuple(one for one in (review.notes, *review.requested_changes) if one.strip())
        is_late = not is_newest or not _is_to_change(ticket, each)
        yield _note(state, ticket, key, each.by, text, texts, details=details, is_late=is_late, is_newest=is_newest)


def _who_wants_changes(by: str, ticket: Ticket, texts: Texts) -> str:
    name = ticket_name(ticket, Fit())
    if by == MANAGER:
        return texts.say("✏️ The Manager requests changes of {ticket}.", ticket=name)
    return texts.say("✏️ {who} requests changes of {ticket}.", who=mention(by) or "?", ticket=name)


def _is_to_change(ticket: Ticket, report: WorkReport) -> bool:
    return ticket.status is TicketStatus.IN_PROGRESS and is_theirs(ticket, report.by)


def _answered(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """What somebody lacked was answered. Only the newest answer is told here: the ticket has all of them."""
    blocked = [each for each in ticket.attempts if each.outcome == "blocked"]
    if not ticket.answers or not blocked or not is_theirs(ticket, blocked[-1].by):
        return
    user = blocked[-1].by
    key = f"answer-{ticket.ticket_id}-{len(ticket.answers)}"
    texts = readers.texts(user, key)
    text = texts.say("💡 You have an answer about {ticket}.", ticket=ticket_name(ticket, Fit()))
    is_late = ticket.status is not TicketStatus.IN_PROGRESS or len(ticket.attempts) > blocked[-1].number
    yield _note(state, ticket, key, user, text, texts, details=ticket.answers[-1:], is_late=is_late, is_newest=True)


def _due(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """One message for both: that the last day is near, and that it is over."""
    if not (ticket.reminded or ticket.overdue) or not ticket.is_a_persons or not ticket.owner.user_id:
        return
    user = ticket.owner.user_id
    key = f"due-{ticket.ticket_id}-{len(ticket.holders)}"
    texts = readers.texts(user, key)
    name = ticket_name(ticket, Fit())
    if ticket.overdue:
        text = texts.say("⏰ The last day of {ticket} is over. Show what is done, or say what you lack.", ticket=name)
    else:
        text = texts.say("⏳ The last day of {ticket} is near.", ticket=name)
    is_waited_for = ticket.instructions > 0 and is_workable(ticket)
    yield _note(state, ticket, key, user, text, texts, is_late=not is_waited_for, is_newest=True)


def _over(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """Somebody who had it was told of it, and it was taken from them or dropped."""
    if not ticket.instructions or not ticket.holders:
        return
    handed = {each.by for each in ticket.hand_overs if each.is_taken}
    for number, user in enumerate(ticket.holders, 1):
        key = f"over-{ticket.ticket_id}-{number}"
        texts = readers.texts(user, key)
        if number == len(ticket.holders) and is_theirs(ticket, user):
            if ticket.status is TicketStatus.DROPPED and ticket.dropped_by != user:
                what = dropped_text(ticket, texts, Fit())
                yield _note(state, ticket, key, user, f"{bold(ticket_name(ticket, Fit()))}\n{what}", texts)
        elif user not in handed:
            who = owner_name(ticket.owner, texts, Fit())
            text = texts.say(
                "{ticket} is not yours any more: {who} has it now.", ticket=ticket_name(ticket, Fit()), who=who
            )
            yield _note(state, ticket, key, user, text, texts, is_late=number < len(ticket.holders) - 1)
