"""Stores as records beside the streams what was posted where, so that showing a stream never changes it.

Beside each post stand the threads that a stream is shown in, the digests that took the places of posts, and doubts:
calls that were made again after their outcome stayed unknown. Slack may still carry out the first one; a post then
stands there twice, and an edit puts back what was shown before.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, Self

from msgspec.structs import replace

from bot.posts.failures import GONE
from bot.posts.holds import Hold
from bot.views.kit.digest import DigestItem
from bot.views.kit.presenter import Delivery
from engine.kernel import Millis, Place, StreamKey, Tenant, Validated
from engine.runtime.clock import Clock, Monotonic
from engine.store.port import Store

THREAD_RECORD: Final = "thread"
"""The kind of the records: ``channel/ts of what begins the thread/stream``. The one with the empty name says that the
posts of earlier versions are among them."""

Spot = tuple[str, str]
"""A channel, and the ts of the message that begins a thread in it."""


class _Joined(Validated):
    since: Millis
    """When the stream came to be shown there."""


async def streams_in(store: Store, tenant: Tenant, channel: str, thread: str) -> list[StreamKey]:
    """Return the streams that are shown in a thread: the one that began it first, then those that joined it.

    Args:
        thread: the ts of the message that begins it.
    """
    if not channel or not thread:
        return []
    since = await _since(store, tenant, (channel, thread))
    return [StreamKey(tenant, stream) for stream in sorted(since, key=lambda each: (since[each], each))]


async def streams_of_channel(store: Store, tenant: Tenant, channel: str) -> list[StreamKey]:
    """Return the streams that are shown in any thread of a channel, each once."""
    rows = await store.records(tenant, THREAD_RECORD, f"{channel}/") if channel else {}
    return [StreamKey(tenant, stream) for stream in dict.fromkeys(each.rpartition("/")[2] for each in rows)]


class Threads:
    """The threads of one stream: usually one, and another one where people deleted what began it."""

    def __init__(self, store: Store, key: StreamKey) -> None:
        self._store = store
        self._key = key
        self._known: set[Spot] = set()

    def recall(self, spots: Iterable[Spot]) -> None:
        """Take threads for stored."""
        self._known.update(spots)

    async def add(self, spot: Spot, since: Millis) -> None:
        """Store that the stream is shown in a thread, unless that is known; it comes after those that are there."""
        if not all(spot) or spot in self._known:
            return
        there = await _since(self._store, self._key.tenant, spot)
        if self._key.stream not in there:
            joined = max((since, *(each + 1 for each in there.values())))
            record = record_of(spot, self._key.stream)
            await self._store.put_records(self._key.tenant, THREAD_RECORD, {record: row_of(joined)})
        self._known.add(spot)


async def _since(store: Store, tenant: Tenant, spot: Spot) -> dict[str, Millis]:
    """Return since when each stream is shown in a thread, by the stream's name."""
    prefix = record_of(spot, "")
    rows = await store.records(tenant, THREAD_RECORD, prefix)
    return {row.removeprefix(prefix): _Joined.model_validate_json(said).since for row, said in rows.items()}


def record_of(spot: Spot, stream: str) -> str:
    """Return the key under which it is stored that a stream is shown in a thread."""
    return "/".join((*spot, stream))


def row_of(since: Millis) -> str:
    """Return what is stored under it."""
    return _Joined(since=since).model_dump_json()


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


def is_thread_begun(shown: Mapping[str, PostRecord]) -> bool:
    """Return whether anything was ever posted in the thread."""
    return any(entry.is_in_thread(key) for key, entry in shown.items())


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
    """Store the threads of all posts that were made before threads were stored; do nothing the next time."""
    for tenant in await store.tenants():
        if "" in await store.records(tenant, THREAD_RECORD, limit=1):
            continue
        after: str | None = None
        while rows := await store.records(tenant, KIND, limit=PAGE, after=after):
            found: dict[str, str | None] = {}
            for record, row in rows.items():
                stream, _, post_key = record.partition("/")
                entry = PostRecord.model_validate_json(row)
                if entry.is_in_thread(post_key):
                    found.setdefault(record_of(entry.spot, stream), row_of(entry.since))
            await store.put_records(tenant, THREAD_RECORD, found)
            *_, after = rows
        await store.put_records(tenant, THREAD_RECORD, {"": row_of(0)})


def joined(place: Place, shown: Mapping[str, PostRecord]) -> Place | None:
    """Return where another stream's thread is, by its posts; None while there are none.

    Args:
        place: where that stream began.
        shown: its posts, direct messages among them.
    """
    ours = [entry for key, entry in shown.items() if "/" not in key and not entry.is_direct]
    starts = [entry.ts for entry in ours if entry.ts and not entry.thread]
    if starts:
        return replace(place, thread=max(starts))
    if there := [entry for entry in ours if entry.ts]:
        # They are in the thread of a third stream, or of the message that began theirs.
        return replace(place, thread=max(there, key=lambda entry: entry.ts).thread)
    is_to_come = not place.thread and not any(entry.state == "given_up" for entry in ours)
    return None if is_to_come else place


DOUBT_RECORD: Final = "doubt"

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
        self.by_post: dict[str, Doubt] = {}
        """By the key of the post; changed only here."""
        self._due: dict[str, Monotonic] = {}

    async def read(self) -> None:
        """Read which calls have an unknown outcome."""
        prefix = self._record("")
        rows = await self._store.records(self._key.tenant, DOUBT_RECORD, prefix)
        for record, row in rows.items():
            doubt = Doubt.model_validate_json(row)
            # Of the looks whose time passed while nobody was there, one is enough.
            looks = max(doubt.looks, doubt.passed(self._clock.now()) - 1)
            self._remember(record.removeprefix(prefix), doubt.model_copy(update={"looks": looks}))

    def due(self, post_key: str) -> Monotonic:
        """Return when the message of a doubtful call is looked for next."""
        return self._due[post_key]

    async def begin(self, post_key: str, doubt: Doubt) -> None:
        """Store a doubt in place of an earlier one, which it covers.

        One that is so young that none of its looks is due covers the new one: so whoever is ended again and again
        does not write the same thing again and again instead of posting.
        """
        before = self.by_post.get(post_key)
        if before is not None and not before.passed(self._clock.now()) and before.is_like(doubt):
            return
        await self._keep(post_key, doubt.with_older(before))

    async def move(self, channel: str) -> None:
        """From now on, look for the thread by the id that the channel has now; direct messages stay where they are."""
        for post_key, doubt in [*self.by_post.items()]:
            if doubt.channel != channel and not doubt.channel.startswith("D"):
                moved = doubt.model_copy(update={"channel": channel})
                row = moved.model_dump_json(exclude_defaults=True)
                await self._store.put_records(
                    self._key.tenant, DOUBT_RECORD, {self._record(post_key): row}, member=self._hold.member
                )
                self.by_post[post_key] = moved

    async def leave(self, post_key: str, doubt: Doubt) -> None:
        """Store a doubt about what this process did too late, for whichever one keeps the posts by now."""
        record = self._record(post_key)
        row = (await self._store.records(self._key.tenant, DOUBT_RECORD, record, limit=1)).get(record)
        older = Doubt.model_validate_json(row) if row else None
        both = doubt.with_older(older).model_dump_json(exclude_defaults=True)
        await self._store.put_records(self._key.tenant, DOUBT_RECORD, {record: both})

    async def looked(self, post_key: str) -> None:
        """Store that a look is over."""
        doubt = self.by_post[post_key]
        await self._keep(post_key, doubt.model_copy(update={"looks": doubt.looks + 1}))

    async def _keep(self, post_key: str, doubt: Doubt) -> None:
        is_left = doubt.looks < len(LOOKS)
        if is_left or post_key in self.by_post:
            row = doubt.model_dump_json(exclude_defaults=True) if is_left else None
            await self._store.put_records(
                self._key.tenant, DOUBT_RECORD, {self._record(post_key): row}, member=self._hold.member
            )
        if is_left:
            due = self._due.get(post_key) if doubt.looks else None
            self._remember(post_key, doubt)
            if due is not None:  # the wall clock may have been set since
                self._due[post_key] = Monotonic(due + LOOKS[doubt.looks] - LOOKS[doubt.looks - 1])
        else:
            self.by_post.pop(post_key, None)
            self._due.pop(post_key, None)

    def _remember(self, post_key: str, doubt: Doubt) -> None:
        self.by_post[post_key] = doubt
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
        for record in await store.records(tenant, DOUBT_RECORD)
    }
    return list(found)


DIGEST_RECORD: Final = "digest_listed"
"""Of the records: by stream and post, what became of the digest that lists what the post would ask."""


async def store_listed(store: Store, tenant: Tenant, items: Iterable[DigestItem], entry: PostRecord) -> None:
    """Record for each vote which digest lists it."""
    row = entry.model_dump_json(exclude_defaults=True)
    await store.put_records(tenant, DIGEST_RECORD, {f"{each.stream}/{each.post}": row for each in items})


async def listed(store: Store, key: StreamKey) -> dict[str, PostRecord]:
    """Return what became of the digests, by the key of each post."""
    prefix = f"{key.stream}/"
    rows = await store.records(key.tenant, DIGEST_RECORD, prefix)
    return {record.removeprefix(prefix): PostRecord.model_validate_json(row) for record, row in rows.items()}


WebAddress = Callable[[Tenant], str]
"""Returns where a workspace is on the web, with a slash at its end; empty while Slack has not said so."""

THREAD: Final = ""
"""Among the keys of posts: the thread itself."""


def nowhere(tenant: Tenant) -> str:
    return ""


def addresses_of(workspace: str, keys: Iterable[str], place: Place, shown: Mapping[str, PostRecord]) -> dict[str, str]:
    """Return the address of each of these posts, as `address_of` does."""
    return {key: address_of(workspace, key, place, shown) for key in keys}


def address_of(workspace: str, key: str, place: Place, shown: Mapping[str, PostRecord]) -> str:
    """Return the address of a post, or of the thread; empty where it is not in Slack, or nobody knows where that is.

    Args:
        workspace: its address, with a slash at its end.
        place: where the thread belongs.
        shown: the stream's posts.
    """
    if not workspace:
        return ""
    if key == THREAD:
        there = joined(place, shown)
        return permalink(workspace, there.channel, there.thread) if there and there.thread else ""
    entry = shown.get(key)
    if entry is None or not entry.ts or entry.state == "deleted":
        return ""
    return permalink(workspace, entry.channel, entry.ts, entry.thread)


def permalink(workspace: str, channel: str, ts: str, thread: str = "") -> str:
    """Return the address of a message, in the form of `chat.getPermalink`."""
    address = f"{workspace}archives/{channel}/p{ts.replace('.', '')}"
    return f"{address}?thread_ts={thread}&cid={channel}" if thread and thread != ts else address
