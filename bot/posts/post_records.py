"""What was posted where: one record for each post, beside the streams, so that showing something never changes it."""

from typing import Literal

from bot.posts.failures import GONE
from bot.views.kit.presenter import Delivery
from engine.kernel import Millis, StreamKey, Validated
from engine.lexicon.language import Language
from engine.store.port import Store

KIND = "post"


class PostRecord(Validated):
    """What is known of one post.

    ``posting``: it is about to be posted, or was; only Slack knows. ``deleted``: a person deleted it. ``given_up``:
    Slack refused it for good; ``why`` says so.
    """

    state: Literal["posting", "posted", "given_up", "deleted"]
    channel: str
    digest: str
    """Of what is shown, was about to be, or was refused."""
    thread: str = ""
    """The ts of the thread it is in; empty where it starts one."""
    ts: str = ""
    since: Millis = 0
    """Since when it has been ``posting``."""
    is_plain: bool = False
    """Shown without blocks: Slack refused them."""
    why: str = ""
    language: Language | None = None
    """In which a direct message is, and stays; None: the demand's."""

    @property
    def delivery(self) -> Delivery:
        why = self.why if self.state == "given_up" else ""
        return Delivery(ts=self.ts, refusal=why, is_gone=why in GONE)


class PostRecords:
    """The posts of one stream."""

    def __init__(self, store: Store, key: StreamKey) -> None:
        self._store = store
        self._key = key

    async def read(self) -> dict[str, PostRecord]:
        """By the post's key."""
        prefix = self._record("")
        rows = await self._store.records(self._key.tenant, KIND, prefix)
        return {record.removeprefix(prefix): PostRecord.model_validate_json(row) for record, row in rows.items()}

    async def write(self, post_key: str, entry: PostRecord) -> None:
        await self._store.put_records(
            self._key.tenant, KIND, {self._record(post_key): entry.model_dump_json(exclude_defaults=True)}
        )

    def _record(self, post_key: str) -> str:
        return f"{self._key.stream}/{post_key}"
