"""What waits to be handled by one stream."""

import asyncio
from collections import deque
from collections.abc import Iterable

import msgspec

from engine.errors import Refusal
from engine.kernel import Command, EffectFailed, Event
from engine.runtime.streams import Loaded
from engine.runtime.tracing import Span
from engine.runtime.turns import Turns
from engine.store.port import Alarm, PendingEffect, StalledStream


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """The command is on disk. ``duplicate``: it was before, and nothing happened now."""

    version: int
    events: tuple[Event, ...] = ()
    duplicate: bool = False


class Item(msgspec.Struct, eq=False):
    """A command on its way to its stream."""

    command: Command
    protocol: str = ""
    """Of the stream, where somebody says which."""
    begins: bool = True
    """Whether the command may begin the stream."""
    outcome_of: PendingEffect | None = None
    """The effect whose outcome this is: nobody waits for it."""
    alarm: Alarm | None = None
    """The alarm whose ring this is."""
    stalled: StalledStream | None = None
    """What the command is to move."""
    is_urgent: bool = False
    """Whether a person waits for it."""
    reply: asyncio.Future[Receipt] | None = None
    span: Span | None = None
    """Where traces are collected: from its arrival until it is answered."""

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
        self._is_urgent = first.is_urgent
        """Whether a person waits for anything that is here."""
        self._expected: dict[str, set[str]] = {}
        """By scope, the ids of the effects whose outcomes are still to come, while somebody waits for them."""
        self._is_due: asyncio.Future[None] | None = None
        self._place: asyncio.Future[None] | None = None
        """In the line of those who take turns."""

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item) -> None:
        self._items.append(item)
        if self._is_due is not None and not self._leaves_time(item):
            self.hurry()
        if item.is_urgent:
            self._is_urgent = True
            if self._place is not None:
                resolve(self._place)

    def hurry(self) -> None:
        """What waits is handled now."""
        if self._is_due is not None:
            resolve(self._is_due)

    async def turn(self, turns: Turns) -> None:
        """Return when it is the turn of what waits here: at once as soon as a person waits for any of it."""
        if self._is_urgent:
            return
        self._place = turns.place()
        if self._place is not None:
            await self._place
            self._place = None

    def take(self) -> list[Item]:
        """Everything that waits."""
        items = list(self._items)
        self._items.clear()
        self._is_due = None
        self._is_urgent = False
        return items

    def due(self, running: Iterable[PendingEffect]) -> asyncio.Future[None] | None:
        """When what waits here is to be handled at the latest, as far as more outcomes may come that go with it.

        Args:
            running: effects of the stream whose outcomes may come at any moment, or are here.

        Returns:
            None: now. Something else than an outcome is here, or the last outcome of a scope, which things depend on.
        """
        self._expected = {}
        for each in running:
            self._expected.setdefault(each.scope, set()).add(each.effect_id)
        if not self._items or not min(self._leaves_time(item) for item in self._items):
            return None
        self._is_due = asyncio.get_running_loop().create_future()
        return self._is_due

    def _leaves_time(self, item: Item) -> bool:
        pending = item.outcome_of
        if pending is None or isinstance(item.command, EffectFailed):
            return False
        expected = self._expected.get(pending.scope, set())
        expected.discard(pending.effect_id)
        return bool(expected)


def resolve(due: asyncio.Future[None]) -> None:
    """What waits for it goes on, if it does not already."""
    if not due.done():
        due.set_result(None)


def known_answer(loaded: Loaded, item: Item) -> Receipt | Refusal | None:
    """The answer to what was handled before, or means nothing any more; None for what is to be decided."""
    refusal: Refusal | None = None
    if item.outcome_of is not None:
        # Voided while it was running, or delivered before: nobody wants to know.
        is_known = item.outcome_of.effect_id not in loaded.outbox
    elif item.alarm is not None:
        is_known = not loaded.is_current(item.alarm)
    elif item.command.command_id in loaded.commands:
        is_known, refusal = True, loaded.refused_before(item.command.command_id)
    else:
        is_known = item.stalled is not None and not loaded.is_stalled(item.stalled)  # it has moved since
    return (refusal or Receipt(loaded.version, duplicate=True)) if is_known else None
