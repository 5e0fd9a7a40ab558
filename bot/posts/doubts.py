"""Remembers calls to post that were looked up in vain and made again: Slack may still carry them out."""

from typing import Final

from engine.kernel import Millis, StreamKey, Validated
from engine.runtime.clock import Clock, Monotonic
from engine.store.port import Store

KIND: Final = "doubt"

LOOKS: Final[tuple[Millis, ...]] = (30_000, 120_000, 600_000)
"""How long after such a call its message is looked for again."""


class Doubt(Validated):
    """A call that was looked up in vain; its post may come to stand there twice."""

    channel: str
    thread: str = ""
    """Where the call would put it; empty for the channel itself."""
    since: Millis
    """When the call began."""
    looks: int = 0
    """How many of `LOOKS` are over."""

    def passed(self, now: Millis) -> int:
        """Return how many of `LOOKS` are due by then."""
        return sum(self.since + each <= now for each in LOOKS)


class Doubts:
    """The doubts about the posts of one stream, as records beside it. Only one about each post is kept, the newest."""

    def __init__(self, store: Store, key: StreamKey, clock: Clock) -> None:
        self._store = store
        self._key = key
        self._clock = clock
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
        """Store a doubt, unless its last look is over: it was looked up only now.

        Raises:
            StoreError
        """
        await self._keep(post_key, doubt.model_copy(update={"looks": doubt.passed(self._clock.now())}))

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
            await self._store.put_records(self._key.tenant, KIND, {self._record(post_key): row})
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
        self._due[post_key] = self._clock.after(doubt.since + LOOKS[doubt.looks] - self._clock.now())

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
