"""Lists the posts that a negotiation should have, as a pure function of its state and its readers' languages."""

from collections.abc import Iterator

from bot.texts import Texts, texts_in
from bot.views.kit.post import Post
from bot.views.kit.readers import AddressOf, KnownLanguage, Readers, no_address, no_known_language
from bot.views.negotiation.afterwards.check_ins import check_in_messages, late_posts
from bot.views.negotiation.afterwards.commitments import given_up_posts
from bot.views.negotiation.afterwards.taken_back import stops_taken_back
from bot.views.negotiation.agreement.outcome import announcement, may_be_announced, outcome
from bot.views.negotiation.demand.question import is_no_demand, questions
from bot.views.negotiation.direct_messages import endings, reminders, thanks
from bot.views.negotiation.erased import with_marks
from bot.views.negotiation.offers.missing import decisions
from bot.views.negotiation.offers.offers import offers
from bot.views.negotiation.offers.own_offers import own_offers
from bot.views.negotiation.offers.twin_offers import twin_offers
from bot.views.negotiation.offers.volunteers import help_offers
from bot.views.negotiation.root import root
from bot.views.negotiation.steps import steps
from bot.views.negotiation.voting import delegates, spoken_for
from bot.views.negotiation.voting.participant_card import participant_cards
from bot.views.negotiation.voting.rounds import round_post
from engine.llm.port import Pause
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import Negotiation


def posts(
    state: Negotiation,
    known: KnownLanguage = no_known_language,
    pause: Pause | None = None,
    address: AddressOf = no_address,
) -> tuple[Post, ...]:
    """The posts of the thread and of direct messages, each conversation's in order."""
    if not state.exists:
        return ()
    language = state.language
    state = with_marks(state, texts_in(language))
    thread = _thread(in_public(state), texts_in(language), pause, address) if state.place.channel else ()
    return (*thread, *_direct(state, Readers(known, language, address)))


def _thread(state: Negotiation, texts: Texts, pause: Pause | None, address: AddressOf) -> tuple[Post, ...]:
    """The thread's posts, in the demand's language, since everybody shares them."""
    wanted = [root(state, texts, pause, address), *questions(state, texts)]
    if state.invited or state.was_asked_otherwise:
        wanted.append(offers(state, texts))
    wanted += decisions(state, texts)
    wanted += [round_post(state, number, texts) for number in range(len(state.rounds))]
    wanted += stops_taken_back(state, texts)
    is_answered = is_no_demand(state) and not state.invited
    if (
        not state.is_open and not state.parent and not is_answered
    ):  # how a subnet ended is on its own card, and in its parent's plan
        wanted.append(outcome(state, texts))
    wanted += given_up_posts(state, texts)
    wanted += late_posts(state, texts)
    if _is_announced(state) and may_be_announced(state):
        wanted.append(announcement(state, texts))
    return tuple(wanted)


def _is_announced(state: Negotiation) -> bool:
    """Whether the channel is told that the plan is carried out, or was told so and that was taken back."""
    if state.proceeded is not None:
        return state.proceeded.announce or state.reversals.was_announced
    return state.reversals.was_announced


def _direct(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """The direct messages to linked people and to their delegates."""
    yield from help_offers(state, readers)
    yield from own_offers(state, readers)
    yield from twin_offers(state, readers)
    yield from thanks(state, readers)
    for number in range(len(state.rounds)):
        yield from participant_cards(state, number, readers)
        yield from delegates.delegate_cards(state, number, readers)
        yield from spoken_for.for_requester(state, number, readers)
        yield from reminders(state, number, readers)
        yield from delegates.reminders(state, number, readers)
        yield from steps(state, number, readers)
    yield from delegates.votes_for_others(state, readers)
    yield from endings(state, readers)
    yield from check_in_messages(state, readers)
    yield from delegates.endings(state, readers)
