"""Says where posts and threads can be read on the web, as Slack's permalinks do, without asking for each of them."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.posts.difference import joined
from bot.posts.post_records import PostRecord
from engine.kernel import Place, Tenant

WebAddress = Callable[[Tenant], str]
"""Returns where a workspace is on the web, with a slash at its end; empty while Slack has not said so."""

THREAD: Final = ""
"""Among the keys of posts: the thread itself."""


def nowhere(tenant: Tenant) -> str:
    return ""


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
