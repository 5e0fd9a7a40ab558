"""A digest: one direct message that lists what waits for somebody's decision, in place of a message for each."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import MOST_BLOCKS
from bot.views.kit.post import Post
from engine.kernel import Millis, Validated

LONGEST: Final = 9_000
"""Bytes of blocks as JSON in UTF-8: what Slack takes for certain."""


class DigestItem(Validated):
    """What names a decision for ever."""

    stream: str
    item: str
    """Which one of the stream's, such as a round and a seat of it."""
    post: str
    """The key of the post that asks for the same, where its reader wants no digests."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A decision that somebody can make now."""

    item: DigestItem
    asked: Millis
    until: Millis


@dataclass(frozen=True, slots=True)
class Row:
    """How a decision is listed."""

    text: str
    buttons: tuple[Block, ...] = ()
    """Empty where there is nothing to decide any more."""
    until: Millis = 0


class DigestPart(Protocol):
    """What a protocol lists in digests. Every method is pure."""

    def readers(self, state: Any) -> Collection[str]:
        """Return the users whose decisions it asks for, or may ask for."""

    def waiting(self, state: Any, user: str) -> Sequence[Waiting]:
        """Return what somebody can decide now."""

    def language(self, state: Any) -> str:
        """Return the tag of its language: a reader whose language nobody knows is written to in this one."""

    def row(self, state: Any, item: str, user: str, texts: Texts) -> Row:
        """Return how a decision is listed, also once it is made or over."""

    def together(self, items: Sequence[tuple[Any, str]], user: str, texts: Texts) -> Sequence[Block]:
        """Return buttons that decide several at once; none where there is nothing to decide so.

        Args:
            items: each state with the item of it.
        """


@dataclass(frozen=True, slots=True)
class Listed:
    """An item with what it is about."""

    part: DigestPart
    state: Any
    item: str


def digest_key(number: int, user: str) -> str:
    return f"digest-{number}/{user}"


def digest(number: int, listed: Sequence[Listed], hidden: int, user: str, texts: Texts) -> Post:
    """The newest digest of somebody.

    Args:
        number: from 1.
        hidden: how many decisions wait that are not listed.
    """
    rows = [each.part.row(each.state, each.item, user, texts) for each in listed]
    open_rows = [each for each in rows if each.buttons]
    until = min((each.until for each in open_rows), default=0)
    text = (
        texts.count("{n} decision is waiting for you", "{n} decisions are waiting for you", len(open_rows))
        if open_rows
        else texts.say("Nothing of this is waiting for you any more")
    )
    shown = [blocks.header(text), *_together(listed, user, texts)]
    is_filled = len(shown) > 1
    for row in rows:
        shown.append(blocks.section(row.text))
        if row.buttons:
            shown.append(blocks.actions(*(_outlined(row.buttons) if is_filled else row.buttons)))
            is_filled = True
    if hidden:
        shown.append(
            blocks.context(texts.count("…and {n} more, in the Home tab", "…and {n} more, in the Home tab", hidden))
        )
    return Post(
        digest_key(number, user),
        text,
        tuple(shown),
        restored=bool(open_rows),
        to=user,
        is_late=not open_rows,
        language=texts.locale,
        texts=texts,
        until=until,
    )


def replaced_digest(number: int, user: str, texts: Texts) -> Post:
    """A digest after which there is a newer one: it has no buttons."""
    text = texts.say("What is still waiting for you is in the newer list below.")
    key = digest_key(number, user)
    return Post(key, text, (blocks.context(text),), to=user, is_late=True, language=texts.locale, texts=texts)


def fits(post: Post) -> bool:
    return len(post.blocks) <= MOST_BLOCKS and _size(post) <= LONGEST


def _size(post: Post) -> int:
    return len(json.dumps(post.blocks, ensure_ascii=False).encode(errors="surrogatepass"))


def _outlined(buttons: Sequence[Block]) -> Iterator[Block]:
    """The buttons with none filled: what stands out is the first decision, or all of them at once."""
    for each in buttons:
        yield {name: value for name, value in each.items() if (name, value) != ("style", "primary")}


def _together(listed: Sequence[Listed], user: str, texts: Texts) -> list[Block]:
    by_part: dict[int, list[Listed]] = {}
    for each in listed:
        by_part.setdefault(id(each.part), []).append(each)
    buttons = [
        button
        for those in by_part.values()
        for button in those[0].part.together([(each.state, each.item) for each in those], user, texts)
    ]
    return [blocks.actions(*buttons)] if buttons else []
