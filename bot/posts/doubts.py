"""Remembers calls that were made again after their outcome stayed unknown: Slack may still carry out the first one.

A post then stands there twice. An edit puts back what was shown before.
"""

from typing import Final, Self

from bot.posts.holds import Hold
from bot.posts.post_records import PostRecord
from engine.kernel import Millis, StreamKey, Validated
from engine.runtime.clock import Clock, Monotonic
from engine.store.port import Store

KIND: Final = "doubt"

LOOKS: Final[tuple[Millis, ...]] = (30_000, 120_000, 600_000)
"""How long after such a call was made again its message is looked for."""


class Doubt(Validated):
    """A call that may still be carried out, though it was made again."""

    channel: str
    thread: str = ""
    """Where the call would put it; empty for the channel itself."""
    since: Millis
    """When it was made again."""
    looks: int = 0
    """How many of `LOOKS` are over."""
    is_post: bool = True
    """Whether it was to post, so that the post may come to stand there twice."""
    is_edit: bool = False
    """Whether it was to edit the post, so that an older content may come back."""

    @classmethod
    def about_post(cls, entry: PostRecord, now: Millis) -> Self:
        """A post that was looked up in vain, and is made again."""
        return cls(channel=entry.channel, thread=entry.thread, since=now)

    @classmethod
    def about_edit(cls, entry: PostRecord, now: Millis) -> Self:
        """An edit that nobody answered, and that was made again."""
        return cls(channel=entry.channel, thread=entry.thread, since=now, is_post=False, is_edit=True)

    def is_like(self, other: Self) -> bool:
        """Whether this one is about all that the other one is about."""
        is_there = (self.channel, self.thread) == (other.channel, other.thread)
        return is_there and self.is_post >= other.is_post and self.is_edit >= other.is_edit

    def passed(self, now: Millis) -> int:
        """Return how many of `LOOKS` are due by then."""
        return sum(self.since + each <= now for each in LOOKS)

    def with_older(self, older: Self | None) -> Self:
        """Return one that is about all that both are about, from when this one is."""
        if older is None:
            return self
        both = {"is_post": self.is_post or older.is_post, "is_edit": self.is_edit or older.is_edit}
        return self.model_copy(update=both)


class Doubts:
    """The doubts about the posts of one stream, as records beside it. Only one about each post is kept, the newest."""

    def __init__(self, store: Store, key: StreamKey, clock: Clock, hold: Hold) -> None:
        self._store = store
        self._key = key
        self._clock = clock
        self._hold = hold
        self._by_post: dict[str, Doubt] = {}
        self._due: dict[str, Monotonic] = {}

    async def read(self) -> None:
        """
        Raises:
            StoreError
        """
        prefix = self._record("")
        rows = await self._store.records(self._key.tenant, KIND, prefix)
        for record, row in rows.items():
            doubt = Doubt.model_validate_json(row)
            # Of the looks whose time passed while nobody was there, one is enough.
            looks = max(doubt.looks, doubt.passed(self._clock.now()) - 1)
            self._remember(record.removeprefix(prefix), doubt.model_copy(update={"looks": looks}))

    def about(self, post_key: str) -> Doubt | None:
        return self._by_post.get(post_key)

    def due(self, post_key: str) -> Monotonic:
        """Return when the message of a doubtful call is looked for next."""
        return self._due[post_key]

    async def begin(self, post_key: str, doubt: Doubt) -> None:
        """Store a doubt in place of an earlier one, which it covers.

        One that is so young that none of its looks is due covers the new one: so whoever is ended again and again
        does not write the same thing again and again instead of posting.

        Raises:
            StoreError
        """
        before = self._by_post.get(post_key)
        if before is not None and not before.passed(self._clock.now()) and before.is_like(doubt):
            return
        await self._keep(post_key, doubt.with_older(before))

    async def leave(self, post_key: str, doubt: Doubt) -> None:
        """Store a doubt about what this process did too late, for whichever one keeps the posts by now.

        Raises:
            StoreError
        """
        record = self._record(post_key)
        row = (await self._store.records(self._key.tenant, KIND, record, limit=1)).get(record)
        older = Doubt.model_validate_json(row) if row else None
        both = doubt.with_older(older).model_dump_json(exclude_defaults=True)
        await self._store.put_records(self._key.tenant, KIND, {record: both})

    async def looked(self, post_key: str) -> None:
        """Store that a look is over.

        Raises:
            StoreError
        """
        doubt = self._by_post[post_key]
        await self._keep(post_key, doubt.model_copy(update={"looks": doubt.looks + 1}))

    async def _keep(self, post_key: str, doubt: Doubt) -> None:
        is_left = doubt.looks < len(LOOKS)
        if is_left or post_key in self._by_post:
            row = doubt.model_dump_json(exclude_defaults=True) if is_left else None
            await self._store.put_records(
                self._key.tenant, KIND, {self._record(post_key): row}, member=self._hold.member
            )
        if is_left:
            due = self._due.get(post_key) if doubt.looks else None
            self._remember(post_key, doubt)
            if due is not None:  # the wall clock may have been set since
                self._due[post_key] = Monotonic(due + LOOKS[doubt.looks] - LOOKS[doubt.looks - 1])
        else:
            self._by_post.pop(post_key, None)
            self._due.pop(post_key, None)

    def _remember(self, post_key: str, doubt: Doubt) -> None:
        self._by_post[post_key] = doubt
        # The wall clock may have been set since, either way: neither at once, then, nor much later.
        wait = doubt.since + LOOKS[doubt.looks] - self._clock.now()
        self._due[post_key] = self._clock.after(min(max(wait, LOOKS[0]), LOOKS[doubt.looks]))

    def _record(self, post_key: str) -> str:
        return f"{self._key.stream}/{post_key}"


async def doubtful_streams(store: Store) -> list[StreamKey]:
    """Return the streams of all tenants of whose posts one may come to stand there twice."""
    found = {
        StreamKey(tenant, record.partition("/")[0]): None
        for tenant in await store.tenants()
        for record in await store.records(tenant, KIND)
    }
    return list(found)
