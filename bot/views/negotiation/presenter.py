"""The negotiation's `Presenter`, by which `bot/posts` knows what to post, and how it stands in short.

Lists the posts that a negotiation should have, as a pure function of its state and its readers' languages.

Reports whom a round has reached: the silence of people who were never reached is no consent.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.texts import Texts, texts_in
from bot.views.kit.post import Post, StepEnd
from bot.views.kit.presenter import (
    AddressOf,
    Delivery,
    KnownLanguage,
    Reaction,
    Readers,
    SessionStatus,
    no_address,
    no_known_language,
)
from bot.views.negotiation.afterwards import check_in_messages, given_up_posts, late_posts, stops_taken_back
from bot.views.negotiation.agreement.forwarded import step_end
from bot.views.negotiation.agreement.outcome import announcement, may_be_announced, outcome
from bot.views.negotiation.demand.question import is_no_demand, questions
from bot.views.negotiation.direct_messages import endings, reminders, steps, thanks
from bot.views.negotiation.names import with_marks
from bot.views.negotiation.offers.offers import (
    decisions,
    help_offers,
    is_discarded_offer,
    offers,
    own_offers,
    twin_offers,
)
from bot.views.negotiation.plan.times import no_time_messages
from bot.views.negotiation.rescheduling import asking_messages, asking_posts, conflict_messages
from bot.views.negotiation.root import root, standing
from bot.views.negotiation.voting import delegates
from bot.views.negotiation.voting.delegates import delegates_of
from bot.views.negotiation.voting.participant_card import participant_cards, reports
from bot.views.negotiation.voting.rounds import round_post
from bot.views.negotiation.voting.votes import agreed_by_rules
from engine.kernel import Command, Millis, Place
from engine.llm.port import Pause
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import Negotiation, Seat, Status, Wait
from engine.negotiation.terms import Outcome


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
    wanted += asking_posts(state, texts)
    if _is_announced(state) and may_be_announced(state):
        wanted.append(announcement(state, texts))
    return tuple(wanted)


def _is_announced(state: Negotiation) -> bool:
    """Whether the channel is told that the plan is carried out, or was told so and that was taken back."""
    if state.proceeded is not None:
        return state.proceeded.announce or state.reversals.was_announced
    return state.reversals.was_announced


def _direct(state: Negotiation, readers: Readers) -> list[Post]:
    """The direct messages to linked people and to their delegates."""
    wanted = [*help_offers(state, readers), *own_offers(state, readers), *twin_offers(state, readers)]
    wanted += thanks(state, readers)
    wanted += no_time_messages(state, readers)
    for number in range(len(state.rounds)):
        wanted += participant_cards(state, number, readers)
        wanted += delegates.delegate_cards(state, number, readers)
        wanted += delegates.for_requester(state, number, readers)
        wanted += reminders(state, number, readers)
        wanted += delegates.reminders(state, number, readers)
        wanted += steps(state, number, readers)
    wanted += delegates.votes_for_others(state, readers)
    wanted += endings(state, readers)
    wanted += check_in_messages(state, readers)
    wanted += conflict_messages(state, readers)
    wanted += asking_messages(state, readers)
    wanted += delegates.endings(state, readers)
    return wanted


class NegotiationPresenter:
    """A `Presenter` (bot/views/kit/presenter.py)."""

    def place(self, state: Negotiation) -> Place | None:
        """Return where the thread is. Without a channel there is none; linked people get direct messages all the same,
        since they are waited for.
        """
        return state.place

    def origin(self, state: Negotiation) -> str:
        """Return the negotiation that a subnet, or what was taken up again, came from."""
        if not state.place.channel:
            return ""
        return state.parent.channel_id if state.parent else state.reopened_from

    def language(self, state: Negotiation) -> str:
        return state.language

    def readers(self, state: Negotiation) -> Sequence[str]:
        people = (*state.invited.values(), *state.joined.values())
        helping = [each.offered.by for each in state.volunteers.values()]
        speaks = any(seat.prepares and not seat.user_id for each in state.rounds for seat in each.seats.values())
        is_told = helping or speaks or state.conflicts or state.times or (state.rounds and not state.is_open)
        told = (state.requester_id, *helping) if is_told else ()
        return (*(each.user_id or "" for each in people), *delegates_of(state), *told)

    def requester(self, state: Negotiation) -> str:
        return state.requester_id

    def posts(
        self, state: Negotiation, known: KnownLanguage, pause: Pause | None = None, address: AddressOf = no_address
    ) -> Sequence[Post]:
        return posts(state, known, pause, address)

    def standing(self, state: Negotiation, texts: Texts) -> str:
        return standing(state, texts)

    def session(self, state: Negotiation) -> SessionStatus | None:
        return session(state)

    def reaction(self, state: Negotiation) -> Reaction | None:
        return reaction(state)

    def step_end(self, state: Negotiation, texts: Texts) -> StepEnd | None:
        return step_end(state, texts)

    def instead(self, state: Negotiation, key: str, texts: Texts) -> str:
        if state.is_erased:
            return texts.say("(erased)")
        if is_discarded_offer(state, key):
            return texts.say("The demand was edited: everybody is asked anew")
        return ""

    def reports(self, state: Negotiation, deliveries: Mapping[str, Delivery], at: Millis) -> Sequence[Command]:
        return reports(state, deliveries, at)


WITH_A_PLAN: Final = frozenset({Outcome.CONSENSUS, Outcome.PARTIAL_CONSENSUS})


def reaction(state: Negotiation) -> Reaction | None:
    """Return None for one that has not begun, and for the search for what another one lacks: that is not the demand."""
    if not state.exists or state.parent is not None:
        return None
    if state.is_open:
        return Reaction.WAITING
    if state.outcome is Outcome.CANCELLED:
        return Reaction.STOPPED
    if state.outcome not in WITH_A_PLAN:
        return Reaction.FAILED
    return Reaction.DRAFTED if agreed_by_rules(state) else Reaction.AGREED


PEOPLE = frozenset({Wait.PEOPLE, Wait.CORRECTIONS, Wait.REQUESTER})
"""What the collecting of offers waits for where nothing goes on before people have decided."""


def session(state: Negotiation) -> SessionStatus | None:
    """Return None for a negotiation that has not begun."""
    if not state.exists:
        return None
    return SessionStatus.SUSPENDED if _awaits_people(state) else _of_machines(state)


def _of_machines(state: Negotiation) -> SessionStatus:
    return SessionStatus.PROCESSING if state.is_open or state.is_searching else SessionStatus.CLOSED


def _awaits_people(state: Negotiation) -> bool:
    """Return whether nothing but a person, or the end of their time, moves it on."""
    if state.current is not None:
        return not any(_is_asked(each) for each in state.current.seats.values())
    return state.awaits_answer or (state.status is Status.COLLECTING and state.wait in PEOPLE)


def _is_asked(seat: Seat) -> bool:
    """Return whether a twin still owes its vote."""
    return seat.twin_asked and seat.human is None
