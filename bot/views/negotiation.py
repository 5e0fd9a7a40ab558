"""Which posts a negotiation should have, in order: a pure function of its state."""

from collections.abc import Iterator

from bot.texts import Texts, texts
from bot.views.letters import endings, reminders, thanks
from bot.views.offers import offers
from bot.views.outcome import outcome
from bot.views.parts import parts
from bot.views.post import Post
from bot.views.root import root
from bot.views.rounds import round_post
from engine.language import Language, language_of
from engine.negotiation.state import Negotiation


def posts(state: Negotiation) -> tuple[Post, ...]:
    """Those of the thread, and those in people's direct messages; each conversation's in its order."""
    if not state.exists:
        return ()
    language = language_of(state.raw_input)
    words = texts(language)
    return (*_thread(state, words), *_direct(state, language, words))


def _thread(state: Negotiation, words: Texts) -> tuple[Post, ...]:
    """In the demand's language: the thread belongs to everybody in it."""
    wanted = [root(state, words)]
    if state.invited or state.was_asked_otherwise:
        wanted.append(offers(state, words))
    wanted += [round_post(state, number, words) for number in range(len(state.rounds))]
    if not state.is_open:
        wanted.append(outcome(state, words))
    return tuple(wanted)


def _direct(state: Negotiation, language: Language, words: Texts) -> Iterator[Post]:
    """Each linked person's own; nobody else has any."""
    for each in thanks(state, words):
        if each.to:
            yield each
    for number in range(len(state.rounds)):
        yield from parts(state, number, language)
        yield from reminders(state, number, words)
    for each in endings(state, words):
        if each.to:
            yield each
