"""Who is told of a thread that does not stand in Slack: nobody but whoever asked, and they by direct message where
Slack refuses it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from bot.posts.failures import UNEDITABLE, is_about_content
from bot.posts.post_records import PostRecord, PostRecords
from bot.texts import Texts
from bot.views.kit.blocks import section
from bot.views.kit.mrkdwn import channel_link
from bot.views.kit.notices import thread_refused, thread_refused_since, thread_stands
from bot.views.kit.post import Post
from bot.views.kit.presenter import Presenter
from engine.kernel import StreamKey, Tenant
from engine.store.port import Store

KIND: Final = "refused"
"""The kind of the records: ``channel/stream``, of each thread that Slack refuses."""

TO_REQUESTER: Final = "/requester"
"""At the end of the keys of what whoever asked gets in place of the thread."""

NOTICE: Final = "refused" + TO_REQUESTER


class Standing(NamedTuple):
    """How a thread stands in Slack."""

    stands: bool
    """Whether anything of it was ever posted."""
    refusal: str = ""
    """Slack's code, where it refuses what begins the thread, or what belongs in one that stands."""
    refused: tuple[str, ...] = ()
    """The keys of what is refused of a thread that stands."""


def standing(thread: Sequence[Post], shown: Mapping[str, PostRecord]) -> Standing:
    """
    Args:
        thread: the posts that are wanted in the thread, in their order.
    """
    if not thread or _is_begun(shown):
        refused = tuple(each.key for each in thread if _is_kept_out(shown.get(each.key)))
        return Standing(stands=True, refusal=shown[refused[0]].why if refused else "", refused=refused)
    first = shown.get(thread[0].key)
    return Standing(stands=False, refusal=first.why if first is not None and first.state == "given_up" else "")


def _is_kept_out(entry: PostRecord | None) -> bool:
    """Return whether Slack has refused a post, or an edit of it, for where it stands or is to stand."""
    if entry is None or entry.state != "given_up" or entry.is_direct:
        return False
    return not is_about_content(entry.why) and entry.why not in UNEDITABLE


async def may_be_told(store: Store, key: StreamKey, presenter: Presenter[Any], state: Any, user: str) -> bool:
    """Return whether somebody may be told of a stream elsewhere: in a digest, or in their Home. Whoever asked knows of
    it; nobody else is told before its thread stands. What has no channel has no thread to wait for.

    Raises:
        StoreError
    """
    place = presenter.place(state)
    if place is None or not place.channel or user == presenter.requester(state):
        return True
    return _is_begun(await PostRecords(store, key).read())


def _is_begun(shown: Mapping[str, PostRecord]) -> bool:
    """Return whether anything was ever posted in the thread."""
    return any(entry.is_in_thread(key) for key, entry in shown.items())


def in_their_place(thread: Sequence[Post], refusal: str, channel: str, to: str, texts: Texts) -> Iterator[Post]:
    """Yield what is wanted while the thread is refused: its beginning, which is tried again with whatever is new in it,
    and for whoever asked why it does not stand, how it stands, what they are asked and how it ends.
    """
    yield from thread if is_about_content(refusal) else thread[:1]
    told = thread_refused(refusal, channel_link(channel), texts)
    yield Post(NOTICE, told, (section(told),), to=to, language=texts.locale, texts=texts)
    for each in thread:
        if not each.is_for_participants:
            yield replace(each, key=each.key + TO_REQUESTER, to=to, broadcast=False, language=texts.locale)


def besides(thread: Sequence[Post], how: Standing, channel: str, to: str, texts: Texts) -> Iterator[Post]:
    """Yield what whoever asked gets of a thread that stands and takes no more: why, and what is refused of it."""
    told = thread_refused_since(how.refusal, channel_link(channel), texts)
    yield Post(NOTICE, told, (section(told),), to=to, language=texts.locale, texts=texts)
    for each in thread:
        if each.key in how.refused and not each.is_for_participants:
            yield replace(each, key=each.key + TO_REQUESTER, to=to, broadcast=False, language=texts.locale)


def after_all(shown: Mapping[str, PostRecord], channel: str, to: str, texts: Texts) -> Iterator[Post]:
    """Yield what becomes of what whoever asked got instead, once the thread stands."""
    told = thread_stands(channel_link(channel), texts)
    for key, entry in shown.items():
        if key.endswith(TO_REQUESTER) and entry.ts:
            yield Post(key, told, (section(told),), to=to, language=texts.locale, texts=texts)


async def remember(store: Store, key: StreamKey, channel: str, *, is_refused: bool) -> None:
    """Store that a thread is refused, or is so no longer.

    Raises:
        StoreError
    """
    record = f"{channel}/{key.stream}"
    await store.put_records(key.tenant, KIND, {record: '""' if is_refused else None})


async def refused_in(store: Store, tenant: Tenant, channel: str = "") -> list[StreamKey]:
    """Return the streams whose threads are refused, in a channel or in all of them.

    Raises:
        StoreError
    """
    rows = await store.records(tenant, KIND, f"{channel}/" if channel else "")
    return [StreamKey(tenant, each.rpartition("/")[2]) for each in rows]
