"""One message that should exist in Slack."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import Final, Self

from bot.texts import Texts, texts_in
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import SHOW_ALL, Page
from bot.views.kit.fit import Card, Drawn, as_json, fit_to_message, fit_without_newer
from bot.views.kit.mrkdwn import escaped
from engine.kernel import Millis


@dataclass(frozen=True, eq=False)
class Post:
    """A new direct message notifies its reader, so `until`, `is_step` and `in_digest` decide when it goes out, by what
    its reader has chosen. An edit notifies nobody and never waits.
    """

    key: str
    """Identifies the post for ever: ``root``, ``offers``, ``round-2``, ``outcome``, ``part-2/user_agent_aya``."""
    text: str
    """The text of notifications and screen readers."""
    content: tuple[Block, ...] | Callable[[], Drawn] = field(compare=False, repr=False)
    """Its blocks, or what draws them once somebody looks: many a post never goes out."""
    restored: bool = False
    """Whether it is posted again if somebody deletes it, because people are voting in it."""
    to: str = ""
    """The user who gets it as a direct message; empty for the thread."""
    is_late: bool = False
    """Whether it is too late to post it; a post that exists stays."""
    broadcast: bool = False
    """Whether it is also shown in the channel."""
    language: str | None = None
    """The locale of a direct message's reader; None in the thread."""
    card: Card | None = field(default=None, compare=False, repr=False)
    """Draws it again within other limits; None where nothing is ever cut."""
    texts: Texts = field(default_factory=lambda: texts_in("en"), compare=False, repr=False)
    """The language in which it is drawn."""
    until: Millis = 0
    """When the time ends in which its reader may decide what it asks; 0 where it asks for nothing."""
    is_step: bool = False
    """Whether only those get it who want to hear of each step."""
    reminds: tuple[str, Millis] | None = None
    """The key of the post that it reminds of, and when it is time to: it does not go out where that post is not there,
    or came later."""
    is_for_participants: bool = False
    """Whether it says nothing to whoever asked that another post of the thread does not say."""
    in_digest: bool = False
    """Whether the digest of its reader lists what it asks, so that whoever wants digests does not get it by itself."""
    is_urgent: bool = False
    """Whether people can vote in it: where Slack's rates make posts wait, it goes before those that only tell."""

    without_newer: Callable[[], tuple[Block, ...]] | None = field(default=None, compare=False, repr=False)
    """Draws it without Slack's newer blocks; None where it never has any."""

    @classmethod
    def from_card(
        cls,
        key: str,
        text: str,
        card: Card,
        *,
        stream: str,
        texts: Texts,
        restored: bool = False,
        to: str = "",
        is_late: bool = False,
        broadcast: bool = False,
        until: Millis = 0,
        is_step: bool = False,
        reminds: tuple[str, Millis] | None = None,
        is_for_participants: bool = False,
        in_digest: bool = False,
        is_urgent: bool = False,
        whole: str = "",
    ) -> Self:
        """A post with as much of the card as fits into a message, and a button for the rest.

        Args:
            whole: what the button is called; *Show all* where it is left out.
        """
        show_all = blocks.button(whole or texts.say("Show all"), SHOW_ALL, Page(stream=stream, post=key).value())
        return cls(
            key,
            text,
            partial(fit_to_message, card, show_all),
            restored,
            to,
            is_late,
            broadcast,
            texts.locale if to else None,
            card,
            texts,
            until,
            is_step,
            reminds,
            is_for_participants,
            in_digest,
            is_urgent,
            partial(fit_without_newer, card, show_all),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Post) and self._compared == other._compared

    def __hash__(self) -> int:
        return hash((self.key, self.to))

    @property
    def _compared(self) -> tuple[object, ...]:
        return self.blocks, *(getattr(self, each.name) for each in fields(self) if each.compare)

    @cached_property
    def _drawn(self) -> Drawn:
        return self.content() if callable(self.content) else Drawn(self.content)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self._drawn.blocks

    @property
    def has_newer(self) -> bool:
        """Whether a workspace that lacks Slack's newer blocks gets another drawing."""
        return self.without_newer is not None and self._drawn.has_newer

    @cached_property
    def plain_blocks(self) -> tuple[Block, ...]:
        """The blocks for a workspace that lacks Slack's newer ones; the same where none of those is used."""
        return self.without_newer() if self.without_newer and self.has_newer else self.blocks

    @cached_property
    def digest(self) -> str:
        """Identifies the content: equal posts have the same."""
        return hashlib.sha256(as_json([self.text, self.blocks])).hexdigest()[:16]

    @property
    def as_text(self) -> str:
        """The blocks as text, for where Slack refuses them; cut between lines so that no mark is broken."""
        kept: list[str] = []
        left = 3_500
        for each in (line for text in _texts(self.plain_blocks) for line in text.split("\n")):
            left -= len(each) + 1
            if left < 0:
                return "\n".join([*kept, "…"])
            kept.append(each)
        return "\n".join(kept) or self.text


def _texts(card: Iterable[Block]) -> Iterable[str]:
    for block in card:
        match block["type"]:
            case "header":
                yield escaped(block["text"]["text"])
            case "section" if block.get("text", {}).get("type") == "plain_text":
                yield escaped(block["text"]["text"])
            case "section":
                yield from (each["text"] for each in (block.get("text"), *block.get("fields", ())) if each)
            case "context":
                yield from (each["text"] for each in block["elements"])


LONGEST_TEXT: Final = 3_000
"""Characters of what the next step of the workflow is given."""


@dataclass(frozen=True, slots=True)
class StepEnd:
    run: str
    """The run of the step, as Slack calls it."""
    text: str
    """What came of it, or why nothing did."""
    status: str = ""
    """How it ended, in a word for the workflow's branches; empty where the workflow cannot go on."""
    link: str = ""
    """Where the thread is; empty where that is not known."""

    @property
    def is_error(self) -> bool:
        return not self.status
