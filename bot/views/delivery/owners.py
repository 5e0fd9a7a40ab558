"""What the people are written to who work on tickets: their ticket, what they are asked, and what has become of it."""

from collections.abc import Iterator, Mapping

from bot.views.delivery.owners_asked import check_key, proposal_key, proposals, takeovers, to_check
from bot.views.delivery.owners_news import ended, news
from bot.views.delivery.ticket_card import card_key, ticket_card
from bot.views.kit.post import Post
from bot.views.kit.presenter import Delivery as Delivered
from bot.views.kit.presenter import KnownLanguage, Readers
from engine.delivery.commands import CheckerUnreachable, OwnerUnreachable
from engine.delivery.state import Delivery, Ticket
from engine.kernel import Command, Millis


def posts(state: Delivery, known: KnownLanguage) -> list[Post]:
    """Direct messages, each person's in their order; nothing where no words are left."""
    if not state.exists or state.erased == "*":
        return []
    whoever = Readers(known, state.brief.spoken)
    told = (post for ticket in state.tickets.values() for post in _of_ticket(state, ticket, whoever))
    return [*told, *ended(state, whoever)]


def readers(state: Delivery) -> list[str]:
    found = (
        user
        for each in state.tickets.values()
        for user in (*each.holders, *(one.to for one in each.hand_overs), each.task.checked_by)
    )
    return [*dict.fromkeys(user for user in found if user)]


def unreachable(state: Delivery, deliveries: Mapping[str, Delivered], at: Millis) -> list[Command]:
    """Report whoever has a ticket, or is to approve it, and cannot be told, since their account was closed."""
    found: list[Command] = [
        OwnerUnreachable(
            command_id=f"unreachable:{key}", at=at, ticket_id=ticket.ticket_id, user_id=ticket.owner.user_id
        )
        for ticket in state.tickets.values()
        for key in _keys(ticket)
        if _is_unreachable(deliveries.get(key))
    ]
    found += [
        CheckerUnreachable(command_id=f"unreachable:{key}", at=at, ticket_id=each.ticket_id, user_id=user)
        for each in state.tickets.values()
        if (user := each.task.checked_by) and _is_unreachable(deliveries.get(key := check_key(each)))
    ]
    return found


def _is_unreachable(delivery: Delivered | None) -> bool:
    return delivery is not None and delivery.is_gone and not delivery.ts


def _keys(ticket: Ticket) -> tuple[str, ...]:
    """The posts by which whoever has it now is told of it."""
    if not ticket.is_a_persons or not ticket.is_open or not ticket.holders:
        return ()
    return (card_key(ticket, len(ticket.holders)), proposal_key(ticket, len(ticket.proposals), ticket.owner.user_id))


def _of_ticket(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    yield from takeovers(state, ticket, readers)
    yield from proposals(state, ticket, readers)
    if ticket.instructions:
        for number, user in enumerate(ticket.holders, 1):
            texts = readers.texts(user, card_key(ticket, number))
            yield ticket_card(state, ticket, number, texts)
    yield from to_check(state, ticket, readers)
    yield from news(state, ticket, readers)
