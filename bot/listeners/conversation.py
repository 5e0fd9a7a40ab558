"""What people write to ToWow, and which protocol takes it."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import check_colleague, tenant_of
from bot.listeners.handing_over import ThreadStream
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.blocks import Block
from bot.views.kit.prompts import Prompt
from engine.errors import Refusal
from engine.kernel import Place, Tenant

HELP: Final = frozenset({"help", "帮助", "幫助"})

_MARK: Final = re.compile(r"<[@!][^<>]*>|:[^\s:<>]+:")
_WORD: Final = re.compile(r"[^\W_]+")


def answer_to(text: str, usage: Callable[[], str]) -> str | None:
    """Say how it is used to whoever asks for that and nothing else; None for anything that may be a demand."""
    said = " ".join(_WORD.findall(_MARK.sub(" ", text).casefold()))
    return usage() if said in HELP or set(text.split()) == {"?"} else None


class Group(NamedTuple):
    """A user group of Slack that somebody has mentioned."""

    id: str
    name: str
    """As people see it, with an @."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that somebody wrote to ToWow: with a mention, in a direct message, or behind the slash command."""

    services: Services
    context: AsyncBoltContext
    text: str
    """What was written, in words and without our own name."""
    actor: str
    """Who wrote it."""
    cause: str
    """Identifies it: the same utterance, delivered twice, has the same cause."""
    place: Callable[[], Awaitable[Place]]
    """Finds out where a thread about it belongs; may raise a `Refusal`."""
    texts: Texts
    """The interface in the language of whoever wrote it."""
    mentioned: tuple[str, ...] = ()
    """The users whom it mentions."""
    groups: tuple[Group, ...] = ()
    """The user groups that it mentions."""
    is_command: bool = False
    """Whether it was typed behind the slash command."""

    @property
    def tenant(self) -> Tenant:
        return tenant_of(self.context)

    @property
    def client(self) -> AsyncWebClient:
        client = self.context.client
        assert client is not None  # noqa: S101 - Bolt gives it to every listener
        return client

    def check_colleague(self) -> None:
        """Check that whoever writes is of this workspace."""
        check_colleague(self.context, self.actor)


@dataclass(frozen=True, slots=True)
class Conversation:
    """How a protocol deals with what people write to ToWow."""

    take: Callable[[Utterance], Awaitable[str | None]]
    """Acts on an utterance, and returns what only its author is told, if anything. May raise a `Refusal`."""
    refused: Callable[[Refusal, Utterance], str]
    """Words a refusal of ``take``."""
    usage: Callable[[str, Texts], str]
    """What it says of itself where somebody asks for help; it is given the name of the slash command."""
    first_words: frozenset[str] = frozenset()
    """What begins with one of these, in lower case, is for this protocol; a word that ends with a colon needs no blank
    behind it. With none, it takes whatever is left over."""
    command_words: frozenset[str] = frozenset()
    """The same for what is typed behind the slash command: there, a plain word is a subcommand, and elsewhere it may be
    how a sentence begins."""
    suggested: Callable[[Services, Tenant, str, Texts], Awaitable[Sequence[Prompt]]] | None = None
    """What a user can say to this protocol, in their language; None where nothing is suggested."""
    aside: Callable[[Utterance, Sequence[ThreadStream]], Awaitable[Block | None]] | None = None
    """Returns a button for whoever writes in a thread in which its streams are shown, and for nobody else; None for
    nothing."""
    reply: Callable[[Texts], str] | None = None
    """What somebody is told who replies in a thread of direct messages; None for nothing."""


def with_colon(words: Collection[str]) -> frozenset[str]:
    """Return the words as somebody speaks to a protocol by them anywhere, and not only behind the slash command."""
    return frozenset(f"{word}{colon}" for word in words for colon in ":：")


def without_word(text: str, words: Collection[str]) -> str:
    """Return what is said behind the one of these words that it begins with."""
    said = text.strip()
    for word in sorted(words, key=len, reverse=True):
        if said.casefold().startswith(word):
            return said[len(word) :].lstrip(" \t\n:：")
    return said


class Conversations:
    """The conversations of all protocols."""

    def __init__(self, conversations: Sequence[Conversation]) -> None:
        self._claims = {word: each for each in conversations for word in each.first_words}
        self._commands = {word: each for each in conversations for word in each.command_words}
        self._main = next((each for each in conversations if not each.first_words), None)
        self._all = conversations

    async def answer(self, utterance: Utterance, command: str) -> str | None:
        """Say how it is used, or let a protocol take it; return what only the author is told, if anything.

        Args:
            command: the name of the slash command.
        """
        texts = utterance.texts
        if answer := answer_to(utterance.text, lambda: self._usage(command, texts)):
            return answer
        taker = self._taker(utterance)
        if taker is None:
            return self._usage(command, texts)
        try:
            return await taker.take(utterance)
        except Refusal as refusal:
            return taker.refused(refusal, utterance)

    def _taker(self, utterance: Utterance) -> Conversation | None:
        """Whose an utterance is: by its first word, else the main one's."""
        claims = self._commands | self._claims if utterance.is_command else self._claims
        return self._claimed_by(utterance.text, claims) or self._main

    @staticmethod
    def _claimed_by(text: str, claims: Mapping[str, Conversation]) -> Conversation | None:
        first = next(iter(text.split(maxsplit=1)), "").casefold()
        claimed = next((word for word in claims if word[-1] in ":：" and first.startswith(word)), first)
        return claims.get(claimed)

    def is_claimed(self, text: str) -> bool:
        """Whether a text begins with a word by which a protocol is spoken to."""
        return self._claimed_by(text, self._claims) is not None

    async def aside(self, utterance: Utterance, streams: Sequence[ThreadStream]) -> Block | None:
        """Return a button for whoever writes in a thread; None where there is nothing for them to do."""
        for each in self._all:
            if each.aside is not None and (found := await each.aside(utterance, streams)) is not None:
                return found
        return None

    def reply(self, texts: Texts) -> str | None:
        """Return what is told to whoever replies in a thread of direct messages."""
        return self._main.reply(texts) if self._main and self._main.reply else None

    def _usage(self, command: str, texts: Texts) -> str:
        return "\n".join(each.usage(command, texts) for each in self._all)
