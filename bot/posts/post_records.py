"""Stores what was posted where, as records beside the streams, so that showing a stream never changes it."""

from typing import Literal

from bot.posts.failures import GONE
from bot.views.kit.presenter import Delivery
from engine.kernel import Millis, StreamKey, Validated
from engine.lexicon.language import Language
from engine.store.port import Store

KIND = "post"


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
    language: Language | None = None
    """Of a direct message, which keeps it; None: the language that the stream is in."""

    @property
    def delivery(self) -> Delivery:
        """Return what became of the post, in the words of presenters."""
        why = self.why if self.state == "given_up" else ""
        return Delivery(ts=self.ts, refusal=why, is_gone=why in GONE)


class PostRecords:
    """The posts of one stream."""

    def __init__(self, store: Store, key: StreamKey) -> None:
        self._store = store
        self._key = key

    async def read(self) -> dict[str, PostRecord]:
        """Return all records by the key of their posts."""
        prefix = self._record("")
        rows = await self._store.records(self._key.tenant, KIND, prefix)
        return {record.removeprefix(prefix): PostRecord.model_validate_json(row) for record, row in rows.items()}

    async def write(self, post_key: str, entry: PostRecord) -> None:
        await self._store.put_records(
            self._key.tenant, KIND, {self._record(post_key): entry.model_dump_json(exclude_defaults=True)}
        )

    def _record(self, post_key: str) -> str:
        return f"{self._key.stream}/{post_key}"
