"""The negotiation's `Presenter`, by which `bot/posts` knows what to post."""

from collections.abc import Mapping, Sequence

from bot.texts import Texts, texts_in
from bot.views.kit.post import Post
from bot.views.kit.presenter import Delivery
from bot.views.kit.reaction import Reaction
from bot.views.kit.readers import AddressOf, KnownLanguage, no_address
from bot.views.kit.session import SessionStatus
from bot.views.negotiation import thread
from bot.views.negotiation.reaction import reaction
from bot.views.negotiation.session import session
from bot.views.negotiation.standing import standing
from bot.views.negotiation.voting.delegates import delegates_of
from bot.views.negotiation.voting.delivery_receipts import reports
from engine.kernel import Command, Millis, Place
from engine.llm.port import Pause
from engine.negotiation.state import Negotiation


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
        told = (state.requester_id, *helping) if helping else ()
        return (*(each.user_id or "" for each in people), *delegates_of(state), *told)

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

    def erased(self, state: Negotiation) -> str:
        return texts_in(state.language).say("(erased)") if state.is_erased else ""

    def reports(self, state: Negotiation, deliveries: Mapping[str, Delivery], at: Millis) -> Sequence[Command]:
        return reports(state, deliveries, at)
