"""What is on the page of one story. Each protocol says it in these values; whoever draws them knows no protocol.

All texts are mrkdwn, as the views make it for the thread: what people and models wrote is escaped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from typing import Any, Final, Generic, Protocol, TypeVar

from bot.descriptions import Telling
from bot.texts import Texts
from bot.views.kit.blocks import Block
from bot.views.kit.fit import draw_whole
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.post import Post
from engine.kernel import Event, Millis

_MENTION: Final = re.compile(r"<@([A-Z0-9_]+)>")

Stream = TypeVar("Stream")
State = TypeVar("State", contravariant=True)


@dataclass(frozen=True, slots=True)
class Words:
    """Lines of text; those that begin with a bullet are a list."""

    text: str


@dataclass(frozen=True, slots=True)
class Cards:
    """The blocks of a card in the thread, without its buttons."""

    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names, each with what it is."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Table:
    """Each row has a cell for each of ``head``; the first one names the row."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts beside each other in each row, with what the row is about."""

    caption: str
    before: str
    after: str
    rows: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that takes one or several days, both included."""

    label: str
    """In plain words."""
    first: date
    last: date
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Schedule:
    """A picture of what happens when, and the same as a table."""

    title: str
    """In plain words."""
    bars: Sequence[Bar]
    undated: Sequence[tuple[str, str]] = ()
    """What has no day that can be drawn, with what is said of its time; in plain words."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Something that is shown once its title is clicked."""

    key: str
    """Unique in its section, so that it stays open when the page changes."""
    title: str
    parts: "Sequence[Part]"
    is_open: bool = False


Part = Words | Cards | Facts | Table | Comparison | Schedule | Fold


@dataclass(frozen=True, slots=True)
class Section:
    key: str
    """Unique in its chapter."""
    title: str
    """In plain words."""
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of the timeline."""

    at: Millis
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """An event, with what it says that may be read by everybody who may read the page."""

    at: Millis
    event: Event


@dataclass(frozen=True, slots=True)
class Narration(Generic[Stream]):
    """With what a line of the timeline is worded."""

    state: Stream
    texts: Texts
    fit: Fit

    def say(self, text: str, **values: Any) -> str:
        return self.texts.say(text, **values)

    def count(self, one: str, more: str, number: int, **values: Any) -> str:
        return self.texts.count(one, more, number, **values)

    def timeline(self, tellings: Mapping[str, Telling[Any]], happened: Sequence[Told]) -> Sequence[Happening]:
        """Return a line for each event that people would tell of, the newest first. Nobody's words are in it.

        Args:
            tellings: by event type.
        """
        rows = ((each, tellings.get(each.event.event_type)) for each in reversed(happened))
        lines = ((each, row.line(each.event, self)) for each, row in rows if row is not None and row.line is not None)
        return [Happening(each.at, text) for each, text in lines if text]


@dataclass(frozen=True, slots=True)
class Reading:
    """Who reads, and in which language."""

    user: str
    texts: Texts


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one protocol says of the story."""

    title: str
    """In plain words: what was asked, or what it does."""
    status: str
    sections: Sequence[Section]
    timeline: Sequence[Happening] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """What users are called whom Slack does not name, by id; in plain words."""
    is_live: bool = True
    """Whether more is going to happen."""
    language: str = ""
    """The tag of the title's language; empty where that is not known."""

    @property
    def shown(self) -> Sequence[Any]:
        """Whatever in it is mrkdwn."""
        return (self.status, self.sections, self.timeline)


class StoryPart(Protocol[State]):
    """What a protocol adds to the page. Everything in it is pure."""

    def may_read(self, state: State, user: str) -> bool:
        """Return whether a user may have the page: they take part, or the thread is open to them."""

    def takes_part(self, state: State, user: str) -> bool:
        """Return whether a user asked for it, or decides or does something in it."""

    def comes_from(self, state: State) -> str:
        """Return the stream whose story this one goes on with; empty where a story begins with it."""

    def follows(self, stream: str) -> str:
        """Return the name of this protocol's stream that goes on from another stream, whether it has begun or not;
        empty where none can.
        """

    def chapter(self, state: State, happened: Sequence[Told], reading: Reading) -> Chapter:
        """Return the chapter as this reader may see it."""


AnyPart = StoryPart[Any]


def mentioned(value: Any) -> Iterator[str]:
    """Yield the ids of all users whom a part of the page mentions."""
    if isinstance(value, str):
        yield from _MENTION.findall(value)
    elif isinstance(value, Mapping):
        yield from (user for each in value.values() for user in mentioned(each))
    elif isinstance(value, Sequence):
        yield from (user for each in value for user in mentioned(each))
    elif is_dataclass(value):
        yield from (user for each in fields(value) for user in mentioned(getattr(value, each.name)))


def whole_card(post: Post) -> list[Block]:
    """Return the blocks of a post below its title."""
    drawn = draw_whole(post.card) if post.card else [*post.plain_blocks]
    return [each for number, each in enumerate(drawn) if number or each["type"] != "header"]
