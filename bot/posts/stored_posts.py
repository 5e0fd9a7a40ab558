"""Everything that is stored about the posts of one stream, and the right to change it."""

import logging
from collections.abc import Mapping

from bot.posts.difference import Create, Step, Update
from bot.posts.doubts import Doubt, Doubts
from bot.posts.holds import Hold
from bot.posts.post_records import PostRecord, PostRecords
from bot.posts.retries import FIRST_PAUSE
from bot.posts.tools import Tools
from bot.posts.unknown_posts import UnknownPosts
from bot.posts.waiting import Waiting
from engine.errors import StoreError
from engine.kernel import StreamKey
from engine.store.port import Store

log = logging.getLogger(__name__)


class StoredPosts:
    """
    Args:
        hold: taken before anything is read.
    """

    def __init__(self, store: Store, key: StreamKey, tools: Tools, hold: Hold) -> None:
        self.hold = hold
        self.records = PostRecords(store, key, hold)
        self.doubts = Doubts(store, key, tools.waiting.clock, hold)
        self.unknown = UnknownPosts(store, tools.restored, key, hold)
        self._clock = tools.waiting.clock

    async def read(self) -> dict[str, PostRecord]:
        """Return what was posted, by the key of the posts.

        Raises:
            StoreError
        """
        await self.doubts.read()
        await self.unknown.read()
        return await self.records.read()

    async def leave(self, under_way: Step | None, unsure: Mapping[str, PostRecord], waiting: Waiting) -> None:
        """Store what may have been done after another process began to keep the posts.

        Args:
            under_way: what was being done when that was noticed.
            unsure: posts, by key, that may have been edited before.
        """
        now = self._clock.now()
        doubts = {key: Doubt.about_edit(entry, now) for key, entry in unsure.items()}
        if isinstance(under_way, Create):
            doubts[under_way.post.key] = Doubt(channel=under_way.channel, thread=under_way.thread, since=now)
        if isinstance(under_way, Update):
            doubts[under_way.post.key] = Doubt.about_edit(under_way.entry, now)
        while doubts:
            key, doubt = next(iter(doubts.items()))
            try:
                await self.doubts.leave(key, doubt)
            except StoreError as error:
                log.warning("what was done late is not stored yet: %s", error)
                await waiting.pause(FIRST_PAUSE)
            else:
                del doubts[key]
