"""Keeps everything that is posted about one negotiation equal to what its views want, each conversation by itself."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from bot.posts.conversation_reconciler import FIRST_PAUSE, ConversationReconciler, Tools
from bot.posts.delivery_receipts import reports
from bot.posts.difference import joined
from bot.posts.post_records import PostRecord, PostRecords
from bot.views.kit.post import Post
from bot.views.negotiation.delegates import delegates_of
from bot.views.negotiation.thread import posts
from engine.errors import EngineError, StoreError
from engine.kernel import Command, Place, StreamKey
from engine.lexicon.language import Language
from engine.negotiation.state import Negotiation
from engine.runtime.log_context import about
from engine.store.port import Store

log = logging.getLogger(__name__)

Read = Callable[[StreamKey], Awaitable[tuple[Any, int]]]
"""A stream's committed state and version."""

Report = Callable[[StreamKey, Command], Awaitable[object]]
"""Hands a command to its stream; returns when it is committed."""

NOTHING: Final[tuple[Post, ...]] = ()


class StreamReconciler:
    """
    Args:
        report: tells the engine whom a round has reached, where it must know.
    """

    def __init__(self, key: StreamKey, store: Store, read: Read, report: Report, tools: Tools) -> None:
        self.noticed = asyncio.Event()
        self._key = key
        self._store = store
        self._read = read
        self._report = report
        self._tools = tools
        self._table = PostRecords(store, key)
        self._shown: dict[str, PostRecord] | None = None
        self._version = 0
        """Of the state whose posts are wanted."""
        self._wanted: Mapping[str, Sequence[Post]] = {}
        self._state = Negotiation()
        self._place: Place | None = None
        """Where the thread is, once that is known."""
        self._read_in: dict[str, Language | None] = {}
        """User -> the language that was known when their posts were drawn."""
        self._strands: dict[str, ConversationReconciler] = {}
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._broken: dict[str, int] = {}
        """Conversations that failed for a reason of ours, with the version for which they are not tried again."""
        self._reported: set[str] = set()
        self._is_closing = False

    async def catch_up(self) -> None:
        """Returns when everything wanted is shown, or was given up, and nobody has noticed anything new."""
        with about(self._key):
            await self._catch_up()

    async def _catch_up(self) -> None:
        try:
            while not self._is_closing:
                self.noticed.clear()
                try:
                    if await self._look() and not self.noticed.is_set():
                        return
                except StoreError as error:
                    log.warning("posts of %s wait for the store: %s", self._key.stream, error)
                    await self._tools.patience.until(self._tools.patience.clock.now() + FIRST_PAUSE)
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def close(self) -> None:
        """What is being called ends, and is written down; nothing new begins."""
        self._is_closing = True
        self.noticed.set()
        for task, to in self._tasks.items():
            strand = self._strands[to]
            strand.is_closing = True
            if not strand.is_calling:
                task.cancel()

    async def _look(self) -> bool:
        """Whether nothing is left to do."""
        if self._shown is None:
            self._shown = await self._table.read()
        state, version = await self._read(self._key)
        if not isinstance(state, Negotiation) or not state.place.channel:
            await self._store.mark_shown(self._key, version)  # it has no thread, and nobody is written to
            return True
        if self._place is None:
            self._place = await self._located(state)
        if self._place is None:
            patience = self._tools.patience
            await patience.until_or(patience.clock.now() + FIRST_PAUSE, self.noticed)
            return False
        if version != self._version:
            people = (*state.invited.values(), *state.joined.values())
            for user in (*(each.user_id or "" for each in people), *delegates_of(state)):
                await self._tools.languages.recall(self._key.tenant, user)
            self._want(state, version)
        for to in self._wanted:
            if to not in self._strands and self._broken.get(to) != version:
                await self._begin(to, self._shown)
        if await self._tell(state, self._shown):
            return False
        if self._strands:
            await self._tools.patience.rest(self.noticed)
            return False
        if not self._broken:
            await self._store.mark_shown(self._key, version)
        return True

    async def _located(self, state: Negotiation) -> Place | None:
        """The posts of a subnet, and of what was taken up again, are in the thread of the negotiation that it came
        from, as soon as there is one."""
        origin = state.parent.channel_id if state.parent else state.reopened_from
        if not origin:
            return state.place
        shown = await PostRecords(self._store, StreamKey(self._key.tenant, origin)).read()
        return joined(state.place, shown)

    def _want(self, state: Negotiation, version: int) -> None:
        wanted: dict[str, list[Post]] = {}
        for post in posts(state, self._language):
            wanted.setdefault(post.to, []).append(post)
        self._wanted, self._state, self._version = wanted, state, version
        for strand in self._strands.values():
            strand.noticed.set()

    def _wants(self, to: str) -> tuple[Sequence[Post], Place]:
        """Drawn again where it was learned meanwhile which language somebody reads."""
        if to in self._read_in and self._read_in[to] != self._known(to):
            self._want(self._state, self._version)
        return self._wanted.get(to, NOTHING), self._place or self._state.place

    def _language(self, user: str, key: str) -> Language | None:
        """What was begun in one language stays in it."""
        self._read_in[user] = self._known(user)
        entry = (self._shown or {}).get(key)
        return entry.language if entry else self._read_in[user]

    def _known(self, user: str) -> Language | None:
        return self._tools.languages.known(self._key.tenant, user)

    async def _begin(self, to: str, shown: dict[str, PostRecord]) -> None:
        strand = ConversationReconciler(
            self._key,
            to,
            self._tools,
            self._table,
            shown,
            partial(self._wants, to),
            self.noticed,
        )
        self._broken.pop(to, None)
        if not await strand.steps() or self._is_closing:
            return
        self._strands[to] = strand
        task = self._tools.patience.activity.spawn(strand.catch_up())
        self._tasks[task] = to
        task.add_done_callback(partial(self._ended, to))

    def _ended(self, to: str, task: asyncio.Task[None]) -> None:
        del self._strands[to], self._tasks[task]
        self.noticed.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._broken[to] = self._version
            log.error("posts of %s: one conversation is not kept up to date", self._key.stream, exc_info=error)

    async def _tell(self, state: Negotiation, shown: Mapping[str, PostRecord]) -> bool:
        """Whether there was something the engine had to know: then there is a newer state to look at."""
        fresh = [each for each in reports(state, shown, self._tools.patience.clock.now())
                 if each.command_id not in self._reported]  # fmt: skip
        for command in fresh:
            try:
                await self._report(self._key, command)
            except StoreError:
                raise
            except EngineError as error:
                log.warning("%s of %s was not taken: %s", command.command_id, self._key.stream, error)
            self._reported.add(command.command_id)
        return bool(fresh)
