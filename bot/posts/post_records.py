"""Stores what was posted where, as records beside the streams, so that showing a stream never changes it."""

from typing import Final, Literal

from bot.posts import threads
from bot.posts.failures import GONE
from bot.posts.holds import Hold
from bot.posts.threads import Spot, Threads, record_of, row_of
from bot.views.kit.presenter import Delivery
from engine.kernel import Millis, StreamKey, Validated
from engine.store.port import Store

KIND = "post"

PAGE: Final = 1_000
"""Records of earlier posts read at a time."""


class PostRecord(Validated):
    """What is known of one post.

    ``posting``: a call to post it has begun, and its result is unknown. ``deleted``: a person deleted it.
    ``given_up``: Slack refused it for good; ``why`` is its error code.
    """

    state: Literal["posting", "posted", "given_up", "deleted"]
    channel: str
    digest: str
    """Of the content that is shown, was to be shown, or was refused."""
    thread: str = ""
    """The ts of the thread it is in; empty where it starts one."""
    ts: str = ""
    since: Millis = 0
    """When the call to post it began."""
    is_plain: bool = False
    """Whether it is shown without blocks, since Slack refused them."""
    why: str = ""
    is_found: bool = False
    """Whether it was found after a restore, and nobody knows what it shows."""
    is_in_doubt: bool = False
    """Whether it may stand there twice, and Slack has not let us look: then it says so, however it is edited."""
    language: str | None = None
    """The locale of a direct message, which keeps it; None: the language that the stream is in."""

    @property
    def delivery(self) -> Delivery:
        """Return what became of the post, in the words of presenters."""
        why = self.why if self.state == "given_up" else ""
        return Delivery(ts=self.ts, refusal=why, is_gone=why in GONE)

    @property
    def is_direct(self) -> bool:
        """Return whether it is a direct message: those alone have a language of their own."""
        return self.language is not None

    def is_in_thread(self, key: str) -> bool:
        """Return whether a post of that key stands in Slack, and not among somebody's direct messages."""
        return bool(self.ts) and "/" not in key and not self.is_direct

    @property
    def spot(self) -> Spot:
        """Return the thread that it is in or begins; with an empty ts where it never got into Slack."""
        return self.channel, self.thread or self.ts


class PostRecords:
    """The posts of one stream, and the threads they are in.

    Args:
        hold: without which they are only read.
    """

    def __init__(self, store: Store, key: StreamKey, hold: Hold | None = None) -> None:
        self.threads = Threads(store, key)
        self._hold = hold or Hold(key)
        self._store = store
        self._key = key

    async def read(self) -> dict[str, PostRecord]:
        """Return all records by the key of their posts."""
        prefix = self._record("")
        rows = await self._store.records(self._key.tenant, KIND, prefix)
        found = {record.removeprefix(prefix): PostRecord.model_validate_json(row) for record, row in rows.items()}
        # Each of these threads was stored before its post was.
        self.threads.recall(entry.spot for post_key, entry in found.items() if entry.is_in_thread(post_key))
        return found

    async def write(self, post_key: str, entry: PostRecord) -> None:
        if entry.is_in_thread(post_key):
            await self.threads.add(entry.spot, entry.since)
        row = entry.model_dump_json(exclude_defaults=True)
        await self._store.put_records(self._key.tenant, KIND, {self._record(post_key): row}, member=self._hold.member)

    def _record(self, post_key: str) -> str:
        return f"{self._key.stream}/{post_key}"


async def remember_earlier_threads(store: Store) -> None:
    """Store the threads of all posts that were made before threads were stored; do nothing the next time.

    Raises:
        StoreError
    """
    for tenant in await store.tenants():
        if "" in await store.records(tenant, threads.KIND, limit=1):
            continue
        after: str | None = None
        while rows := await store.records(tenant, KIND, limit=PAGE, after=after):
            found: dict[str, str | None] = {}
            for record, row in rows.items():
                stream, _, post_key = record.partition("/")
                entry = PostRecord.model_validate_json(row)
                if entry.is_in_thread(post_key):
                    found.setdefault(record_of(entry.spot, stream), row_of(entry.since))
            await store.put_records(tenant, threads.KIND, found)
            *_, after = rows
        await store.put_records(tenant, threads.KIND, {"": row_of(0)})
