"""What a protocol adds to somebody's App Home."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from bot.texts import Texts
from bot.views.kit.blocks import Block
from bot.views.kit.digest import DigestPart
from bot.views.kit.mrkdwn import channel_link, web_link

State = TypeVar("State")

MOST: Final = 10
"""Streams of each kind that are shown."""
COUNTED: Final = 100
"""Older streams that are counted: with more of them, nobody is told how many there are."""


@dataclass(frozen=True, slots=True)
class Agenda(Generic[State]):
    """The streams of one protocol that somebody's Home is about."""

    asked: Sequence[State] = ()
    """Streams that asked them for something they can still answer."""
    undecided: Sequence[State] = ()
    """Streams that wait for a decision of theirs."""
    own: Sequence[State] = ()
    """Streams that they began; the last changed comes first."""
    older: int = 0
    """How many more of their own there are; one more than `COUNTED` stands for any greater number."""
    promised: Sequence[State] = ()
    """Streams in which they have promised something for today or later, the soonest first."""
    threads: Mapping[str, str] = field(default_factory=dict)
    """Stream -> the address of its thread; empty, or left out, where it has none."""

    def thread(self, stream: str) -> str:
        """Return the address of a stream's thread; empty where it has none."""
        return self.threads.get(stream, "")


def where_line(channel: str, address: str, texts: Texts) -> str:
    """The channel, and a link to the thread in it; empty where it is among somebody's direct messages."""
    named = channel_link(channel)
    if not named or not address:
        return named
    link = web_link(address, texts.say("Thread"))
    return f"{named} · {link}"


def older_line(older: int, texts: Texts) -> str:
    if older > COUNTED:
        return texts.say("…and more than {n} older ones", n=COUNTED)
    return texts.count("…and {n} older one", "…and {n} older ones", older)


@dataclass(frozen=True, slots=True)
class HomeSections:
    """The blocks of an agenda; empty where there is nothing to show."""

    asked: Sequence[Block] = ()
    undecided: Sequence[Block] = ()
    promised: Sequence[Block] = ()
    own: Sequence[Block] = ()
    """Below a heading of its own."""


@dataclass(frozen=True, slots=True)
class HomePart:
    """Where the agenda is stored, and how it is drawn.

    Most fields are kinds of records (`Store.records`). The key of each record begins with its user's id and a slash,
    and its value names the stream under ``stream``; that of an own stream says under ``since`` when it moved.
    """

    own: str
    undecided: str
    ended: str
    """Own streams that have ended: their keys are in the order of ``since``, and only the last ones are read."""
    draw: Callable[[Agenda[Any], str, Texts], HomeSections]
    """Called with the user's id, too. Pure."""
    asked: str = ""
    """Empty where nobody is asked for anything."""
    promised: str = ""
    """Its keys go on with a day and a slash, and its values say under ``last`` until when it is promised; empty where
    nobody promises anything.
    """
    twin_votes: str = ""
    """Its keys go on with a time and a slash, and its values say under ``was_overruled`` what became of a vote of their
    twin; empty where twins do not vote."""
    digest: DigestPart | None = None
    """What is listed in digests of what is undecided; None where that comes by itself for everybody."""
