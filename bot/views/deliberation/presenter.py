"""The deliberation's `Presenter`, by which `bot/posts` knows what to post."""

from collections.abc import Mapping, Sequence

from bot.texts import Texts, texts_in
from bot.views.deliberation import thread
from bot.views.deliberation.root import status_line
from bot.views.kit.mrkdwn import safe_line
from bot.views.kit.post import Post, StepEnd
from bot.views.kit.presenter import AddressOf, Delivery, KnownLanguage, Reaction, SessionStatus, no_address
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import Reason
from engine.facts.language import catalogue_of
from engine.kernel import Command, Millis, Place
from engine.llm.port import Pause


def session(state: Deliberation) -> SessionStatus | None:
    """Return None for one that has not begun. People may join in at any time, and nobody is waited for."""
    if not state.exists:
        return None
    return SessionStatus.PROCESSING if state.is_open else SessionStatus.CLOSED


def reaction(state: Deliberation) -> Reaction | None:
    """Return None for one that has not begun, and for one about the plan of another stream."""
    if not state.exists or state.brief.origin:
        return None
    if state.is_open:
        return Reaction.WAITING
    if state.status is Status.CONVERGED:
        return Reaction.AGREED
    return Reaction.STOPPED if state.reason is Reason.USER_STOP else Reaction.FAILED


class DeliberationPresenter:
    """A `Presenter` (bot/views/kit/presenter.py). Everybody reads the same in the thread; nobody is written to."""

    def place(self, state: Deliberation) -> Place | None:
        return state.place if state.place.channel else None

    def origin(self, state: Deliberation) -> str:
        """Return the stream that was planned from: its thread is this one's, too."""
        return state.brief.origin if state.place.channel else ""

    def language(self, state: Deliberation) -> str:
        return state.language

    def readers(self, state: Deliberation) -> Sequence[str]:
        return ()

    def requester(self, state: Deliberation) -> str:
        return state.requester_id

    def posts(
        self, state: Deliberation, known: KnownLanguage, pause: Pause | None = None, address: AddressOf = no_address
    ) -> Sequence[Post]:
        spoken = catalogue_of(state.language) if state.language else known(state.requester_id, "") or "en"
        return thread.posts(state, texts_in(spoken), pause, address)

    def standing(self, state: Deliberation, texts: Texts) -> str:
        title = safe_line(state.brief.title, 120)
        return texts.say("“{what}”: {detail}", what=title, detail=status_line(state, texts))

    def session(self, state: Deliberation) -> SessionStatus | None:
        return session(state)

    def reaction(self, state: Deliberation) -> Reaction | None:
        return reaction(state)

    def step_end(self, state: Deliberation, texts: Texts) -> StepEnd | None:
        return None

    def instead(self, state: Deliberation, key: str, texts: Texts) -> str:
        return texts.say("(erased)") if state.erased else ""

    def reports(self, state: Deliberation, deliveries: Mapping[str, Delivery], at: Millis) -> Sequence[Command]:
        return ()
