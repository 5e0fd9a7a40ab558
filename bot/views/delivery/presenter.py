"""The delivery's `Presenter`, by which `bot/posts` knows what to post."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.texts import Texts, texts_in
from bot.views.delivery import owners_asked, thread
from bot.views.delivery.board import status_line
from bot.views.kit.mrkdwn import mention, safe_line
from bot.views.kit.post import Post, StepEnd
from bot.views.kit.presenter import AddressOf, KnownLanguage, Reaction, SessionStatus, no_address
from bot.views.kit.presenter import Delivery as Delivered
from engine.delivery.outstanding import effects
from engine.delivery.state import Delivery, Status
from engine.kernel import Command, Millis, Place
from engine.llm.port import Pause


def session(state: Delivery) -> SessionStatus | None:
    """Return None for a delivery that has not begun.

    While it owes nothing, and no failed attempt is about to be made again, only people move it on.
    """
    if not state.exists:
        return None
    if not state.is_open:
        return SessionStatus.CLOSED
    is_at_work = bool(effects(state)) or any(each.retry_at and each.is_open for each in state.tickets.values())
    return SessionStatus.PROCESSING if is_at_work else SessionStatus.SUSPENDED


def reaction(state: Delivery) -> Reaction | None:
    """Return None for one that has not begun, and for one that carries out the plan of another stream."""
    if not state.exists or state.brief.origin:
        return None
    if state.is_open:
        return Reaction.WAITING
    if state.status is Status.COMPLETED:
        return Reaction.AGREED
    return Reaction.STOPPED if state.stopped_by else Reaction.FAILED


WITHOUT_THREAD: Final = "/alone"
"""At the end of the keys of what whoever asked gets where there is no thread."""


class DeliveryPresenter:
    """A `Presenter` (bot/views/kit/presenter.py). The thread is everybody's; tickets are told to whoever has them."""

    def place(self, state: Delivery) -> Place | None:
        """Return where the thread is. Without a channel there is none: whoever asked is told by direct message, and
        owners get their tickets all the same.
        """
        return state.place if state.exists else None

    def origin(self, state: Delivery) -> str:
        """Return the stream that it goes on from: its thread is this one's, too."""
        return state.brief.origin if state.place.channel else ""

    def language(self, state: Delivery) -> str:
        return state.brief.spoken

    def readers(self, state: Delivery) -> Sequence[str]:
        asked = [] if state.place.channel or not mention(state.requester_id) else [state.requester_id]
        return [*dict.fromkeys((*asked, *owners_asked.readers(state)))]

    def requester(self, state: Delivery) -> str:
        return state.requester_id

    def posts(
        self, state: Delivery, known: KnownLanguage, pause: Pause | None = None, address: AddressOf = no_address
    ) -> Sequence[Post]:
        if not state.exists or state.erased == "*":
            return ()
        if state.place.channel:
            told = thread.posts(state, texts_in(self.language(state)), pause)
        else:
            told = list(self._alone(state, known, pause))
        return (*told, *owners_asked.posts(state, known))

    def _alone(self, state: Delivery, known: KnownLanguage, pause: Pause | None) -> Iterator[Post]:
        """Yield what would stand in a thread, for whoever asked; nothing where Slack does not know them."""
        if not mention(to := state.requester_id):
            return
        language = known(to, WITHOUT_THREAD) or self.language(state)
        for each in thread.posts(state, texts_in(language), pause):
            yield replace(each, key=each.key + WITHOUT_THREAD, to=to, broadcast=False, language=language)

    def standing(self, state: Delivery, texts: Texts) -> str:
        title = safe_line(state.brief.title, 120)
        return texts.say("“{what}”: {detail}", what=title, detail=status_line(state, texts))

    def session(self, state: Delivery) -> SessionStatus | None:
        return session(state)

    def reaction(self, state: Delivery) -> Reaction | None:
        return reaction(state)

    def step_end(self, state: Delivery, texts: Texts) -> StepEnd | None:
        return None

    def instead(self, state: Delivery, key: str, texts: Texts) -> str:
        return texts.say("(erased)") if state.erased else ""

    def reports(self, state: Delivery, deliveries: Mapping[str, Delivered], at: Millis) -> Sequence[Command]:
        return owners_asked.unreachable(state, deliveries, at)
