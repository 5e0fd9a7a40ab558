"""What waits to be handled by one stream."""

import asyncio
from collections import deque
from dataclasses import dataclass

from engine.kernel import Command, Event
from engine.store.port import Alarm, PendingEffect, StalledStream


@dataclass(frozen=True, slots=True)
class Receipt:
    """The command is on disk. ``duplicate``: it was before, and nothing happened now."""

    version: int
    events: tuple[Event, ...] = ()
    duplicate: bool = False


@dataclass(slots=True)
class Item:
    """A command on its way to its stream."""

    command: Command
    protocol: str = ""
    """Of the stream, if the command may begin it."""
    outcome_of: PendingEffect | None = None
    """The effect whose outcome this is: nobody waits for it."""
    alarm: Alarm | None = None
    """The alarm whose ring this is."""
    stalled: StalledStream | None = None
    """What the command is to move."""
    is_urgent: bool = False
    """Whether a person waits for it."""
    reply: asyncio.Future[Receipt] | None = None

    @property
    def outcome_id(self) -> str | None:
        return None if self.outcome_of is None else self.outcome_of.effect_id

    def answer(self, answer: Receipt | Exception) -> None:
        reply = self.reply
        if reply is None or reply.done():
            return
        if isinstance(answer, Receipt):
            reply.set_result(answer)
        else:
            reply.set_exception(answer)
            reply.exception()  # marked as seen: the caller may have gone


class Mailbox:
    def __init__(self, first: Item) -> None:
        self._items = deque([first])

    def put(self, item: Item) -> None:
        self._items.append(item)

    def take(self) -> list[Item]:
        """Everything that waits."""
        items = list(self._items)
        self._items.clear()
        return items
