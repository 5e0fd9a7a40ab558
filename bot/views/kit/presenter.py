"""What a protocol says about its posts, and how a stream stands. Whoever keeps Slack up to date (`bot.posts`) knows no
more of it than this.

How it stands is told as Slack tells it of agents, and as a reaction on the message that asked. Each reader of direct
messages has a language, and is led to the thread.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from bot.texts import Texts, texts_in
from bot.views.kit.post import Post, StepEnd
from engine.kernel import Command, Millis, Place
from engine.llm.port import Pause

KnownLanguage = Callable[[str, str], str | None]
"""A user and the key of a post -> the locale in which the user reads it, if it is known: ``de_DE``."""


AddressOf = Callable[[str], str]
"""The key of a post, or nothing for the thread -> its address on the web; empty where it has none yet."""


def no_address(key: str) -> str:
    """For where nothing is posted."""
    return ""


def no_known_language(user: str, key: str) -> None:
    """For where no languages are known."""


@dataclass(frozen=True, slots=True)
class Readers:
    known: KnownLanguage
    otherwise: str
    """The tag of the demand's language, which everybody who takes part can read."""
    address: AddressOf = no_address

    def language(self, user: str, key: str) -> str:
        return self.known(user, key) or self.otherwise

    def texts(self, user: str, key: str) -> Texts:
        return texts_in(self.language(user, key))


class SessionStatus(StrEnum):
    """Named as ``agents.sessions.setStatus`` takes them."""

    PROCESSING = "processing"
    """Machines work; Slack shows how long, and a button *Stop*."""
    SUSPENDED = "suspended"
    """Nothing goes on before a person has done something, or their time is over."""
    CLOSED = "closed"


_STATUSES: Final = (SessionStatus.PROCESSING, SessionStatus.SUSPENDED, SessionStatus.CLOSED)


def joint_status(statuses: Iterable[SessionStatus]) -> SessionStatus:
    """Return how a thread stands in which several streams are shown: machines that work come first.

    Args:
        statuses: each stream's; at least one.
    """
    return min(statuses, key=_STATUSES.index)


class Reaction(StrEnum):
    """Named as Slack names the emoji."""

    WAITING = "hourglass_flowing_sand"
    AGREED = "white_check_mark"
    """There is a plan, or it is done."""
    DRAFTED = "memo"
    """There is what people are still to be asked about."""
    STOPPED = "octagonal_sign"
    """Somebody has stopped it."""
    FAILED = "x"


_REACTIONS: Final = (Reaction.WAITING, Reaction.AGREED, Reaction.DRAFTED, Reaction.STOPPED, Reaction.FAILED)


def joint_reaction(reactions: Iterable[Reaction]) -> Reaction:
    """Return how a demand stands that several streams are about, as where it was taken up again.

    Args:
        reactions: each stream's; at least one.
    """
    return min(reactions, key=_REACTIONS.index)


State = TypeVar("State", contravariant=True)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one post in Slack."""

    ts: str
    """Where it stands; empty where it never got into Slack."""
    refusal: str = ""
    """Slack's code, where Slack has refused it for good."""
    is_gone: bool = False
    """It was refused because the account of its reader was closed."""


class Presenter(Protocol[State]):
    """What should be posted about a stream of one protocol. Every method is pure."""

    def place(self, state: State) -> Place | None:
        """Return where the thread belongs; None for a stream that nobody is shown."""

    def origin(self, state: State) -> str:
        """Return the stream whose thread this one joins; empty for a stream with a thread of its own."""

    def language(self, state: State) -> str:
        """Return the tag of the stream's language: whose language nobody knows is answered in this one."""

    def readers(self, state: State) -> Iterable[str]:
        """Return the users who may be written to, so that their languages are looked up first."""

    def requester(self, state: State) -> str:
        """Return the user who asked: they are told by direct message where Slack does not let the thread stand."""

    def posts(
        self, state: State, known: KnownLanguage, pause: Pause | None = None, address: AddressOf = no_address
    ) -> Sequence[Post]:
        """Return every post that should exist, each conversation's in its order.

        Args:
            pause: why its model is not asked just now.
            address: says where a post can be read, for links to it.
        """

    def standing(self, state: State, texts: Texts) -> str:
        """Return what whoever asks in its thread is told: how it stands, what is missing, until when."""

    def session(self, state: State) -> SessionStatus | None:
        """Return how the stream stands as Slack tells it of agents; None for a stream that has no such standing."""

    def reaction(self, state: State) -> Reaction | None:
        """Return how it stands, as a reaction on the message that asked shows it; None where another one tells it."""

    def step_end(self, state: State, texts: Texts) -> StepEnd | None:
        """Return how the step of a workflow ends that began the stream; None while it goes on, or where none did.

        Args:
            texts: in the language of whoever asked.
        """

    def instead(self, state: State, key: str, texts: Texts) -> str:
        """Return what is shown in the place of a post that is not wanted any more: it may quote what was erased, or ask
        what is not asked any more. Empty where it stays as it is.
        """

    def reports(self, state: State, deliveries: Mapping[str, Delivery], at: Millis) -> Sequence[Command]:
        """Return what the engine must be told about who has been reached.

        The same facts make commands with the same ids, so that telling them twice changes nothing.

        Args:
            deliveries: what became of each post, by the post's key.
        """
