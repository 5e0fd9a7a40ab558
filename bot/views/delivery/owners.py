"""What the people are written to who work on tickets: their ticket, what they are asked, and what has become of it."""

from collections.abc import Iterator

from bot.views.delivery.owners_asked import proposals, takeovers
from bot.views.delivery.owners_news import ended, news
from bot.views.delivery.owners_words import readers_language
from bot.views.delivery.ticket_card import card_key, ticket_card
from bot.views.kit.post import Post
from bot.views.kit.readers import KnownLanguage, Readers
from engine.delivery.state import Delivery, Ticket


def posts(state: Delivery, known: KnownLanguage) -> list[Post]:
    """Direct messages, each person's in their order; nothing where no words are left."""
    if not state.exists or state.erased == "*":
        return []
    whoever = Readers(known, readers_language(state))
    told = (post for ticket in state.tickets.values() for post in _of_ticket(state, ticket, whoever))
    return [*told, *ended(state, whoever)]


def readers(state: Delivery) -> list[str]:
    """Return the users who may be written to."""
    found = (user for each in state.tickets.values() for user in (*each.holders, *(one.to for one in each.hand_overs)))
    return [*dict.fromkeys(user for user in found if user)]


def _of_ticket(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    yield from takeovers(state, ticket, readers)
    yield from proposals(state, ticket, readers)
    if ticket.instructions:
        for number, user in enumerate(ticket.holders, 1):
            texts = readers.texts(user, card_key(ticket, number))
            yield ticket_card(state, ticket, number, texts)
    yield from news(state, ticket, readers)
