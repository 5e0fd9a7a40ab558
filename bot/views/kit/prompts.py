"""What Slack suggests that somebody says to ToWow, above the composer of their direct messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.texts import Texts

MOST: Final = 4
"""Slack takes no more."""
LONGEST_TITLE: Final = 75
"""Characters of a title, so that it fits on a button."""


@dataclass(frozen=True, slots=True)
class Prompt:
    title: str
    message: str
    """What is sent as if they had written it."""
    waits: bool = False
    """Whether it is about something that waits for this person."""


def shown(prompts: Iterable[Prompt], texts: Texts) -> Sequence[Prompt]:
    """Return as many as Slack takes: what waits for this person first, and the help last."""
    ordered = sorted(prompts, key=lambda each: not each.waits)
    return (*ordered[: MOST - 1], Prompt(texts.say("What can you do?"), texts.say("help")))


def heading(texts: Texts) -> str:
    return texts.say("What do you need?")
