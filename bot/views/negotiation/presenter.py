"""The negotiation's `Presenter`, by which `bot/posts` knows what to post, and how it stands in short."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.texts import Texts
from bot.views.kit.post import Post
from bot.views.kit.presenter import Delivery
from bot.views.kit.reaction import Reaction
from bot.views.kit.readers import AddressOf, KnownLanguage, no_address
from bot.views.kit.session import SessionStatus
from bot.views.kit.workflow_step import StepEnd
from bot.views.negotiation import thread
from bot.views.negotiation.agreement.hands import agreed_by_rules
from bot.views.negotiation.agreement.step_end import step_end
from bot.views.negotiation.offers.own_offers import is_discarded_offer
from bot.views.negotiation.standing import standing
from bot.views.negotiation.voting.delegates import delegates_of
from bot.views.negotiation.voting.delivery_receipts import reports
from engine.kernel import Command, Millis, Place
from engine.llm.port import Pause
from engine.negotiation.state import Negotiation, Seat, Status, Wait
from engine.negotiation.terms import Outcome


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
        told = (state.requester_id, *helping) if helping or speaks else ()
        return (*(each.user_id or "" for each in people), *delegates_of(state), *told)

    def requester(self, state: Negotiation) -> str:
        return state.requester_id

    def posts(
        self, state: Negotiation, known: KnownLanguage, pause: Pause | None = None, address: AddressOf = no_address
    ) -> Sequence[Post]:
        return thread.posts(state, known, pause, address)

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
