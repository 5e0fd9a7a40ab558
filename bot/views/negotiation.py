"""Which posts a negotiation's thread should have, in order: a pure function of its state."""

from bot.texts import texts
from bot.views.offers import offers
from bot.views.outcome import outcome
from bot.views.post import Post
from bot.views.root import root
from bot.views.rounds import round_post
from engine.language import language_of
from engine.negotiation.state import Negotiation


def posts(state: Negotiation) -> tuple[Post, ...]:
    """In the demand's language: the thread belongs to everybody in it."""
    if not state.exists:
        return ()
    words = texts(language_of(state.raw_input))
    wanted = [root(state, words)]
    if state.invited:
        wanted.append(offers(state, words))
    wanted += [round_post(state, number, words) for number in range(len(state.rounds))]
    if not state.is_open:
        wanted.append(outcome(state, words))
    return tuple(wanted)
