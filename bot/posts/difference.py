"""What is still to be done until what is posted is what is wanted. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from bot.posts.post_records import PostRecord
from bot.views.kit.post import Post
from engine.kernel import Place


@dataclass(frozen=True, slots=True)
class Open:
    """Are this person's direct messages with us open, and is there still somebody to read them?"""

    post: Post


@dataclass(frozen=True, slots=True)
class Learn:
    """Which language does this person read? Asked before something is written to them, which then stays as it is."""

    post: Post


@dataclass(frozen=True, slots=True)
class Create:
    post: Post
    channel: str
    thread: str
    """Empty: it starts the thread, or needs none."""


@dataclass(frozen=True, slots=True)
class Update:
    post: Post
    entry: PostRecord


@dataclass(frozen=True, slots=True)
class LookUp:
    """Was it posted? An earlier attempt had no known end."""

    post: Post
    entry: PostRecord
    after: str
    """The ts of a message before which it cannot be; empty where there is none."""


Step = Learn | Open | Create | Update | LookUp


def difference(wanted: Sequence[Post], shown: Mapping[str, PostRecord], place: Place) -> tuple[Step, ...]:
    """What is missing comes first and one at a time, so that a conversation keeps its order; then what is out of date.

    Args:
        wanted: the posts of one conversation: of the thread, or of one person's direct messages.
        place: where they belong; without a channel where it is not open yet.
    """
    missing: Open | Create | LookUp | None = None
    updates: list[Step] = []
    for post in wanted:
        entry = shown.get(post.key)
        if entry is None or _is_wanted_again(post, entry):
            missing = missing if post.is_late else missing or _create(post, wanted, shown, place)
        elif entry.state == "posting":
            missing = missing or LookUp(post, entry, _newest(shown, entry))
        elif entry.ts and entry.state != "deleted" and entry.digest != post.digest:
            updates.append(Update(post, entry))
    return (missing, *updates) if missing else tuple(updates)


def _is_wanted_again(post: Post, entry: PostRecord) -> bool:
    match entry.state:
        case "deleted":
            return post.restored
        case "given_up":
            # It never made it into Slack; with something new to say it is worth another try.
            return not entry.ts and entry.digest != post.digest
        case _:
            return False


def _create(post: Post, wanted: Sequence[Post], shown: Mapping[str, PostRecord], place: Place) -> Open | Create:
    if not place.channel and post.to:
        return Open(post)
    return Create(post, place.channel, "" if post.to else _thread(wanted, shown, place))


def _thread(wanted: Sequence[Post], shown: Mapping[str, PostRecord], place: Place) -> str:
    """That of the newest of our posts that stands in the channel itself, where there is one: the demand has no message
    of its own, or it was deleted, and what followed started another thread. Else that of the demand."""
    ours = (shown[post.key] for post in wanted if post.key in shown)
    return max((each.ts for each in ours if each.ts and not each.thread), default=place.thread)


def _newest(shown: Mapping[str, PostRecord], sought: PostRecord) -> str:
    """Slack's timestamps have one width: the newest is the greatest."""
    there = (entry.ts for entry in shown.values() if entry.ts and entry.channel == sought.channel)
    return max(there, default=sought.thread)


def joined(place: Place, shown: Mapping[str, PostRecord]) -> Place | None:
    """Where somebody else's thread is, by what was posted in it; None while nothing is there yet.

    Args:
        place: of the demand.
        shown: the posts of those whose thread it is, direct messages among them.
    """
    ours = [entry for key, entry in shown.items() if "/" not in key]
    starts = [entry.ts for entry in ours if entry.ts and not entry.thread]
    if starts:
        return replace(place, thread=max(starts))
    if there := [entry for entry in ours if entry.ts]:
        # In another one's thread themselves, or in that of the message that asked.
        return replace(place, thread=max(there, key=lambda entry: entry.ts).thread)
    is_to_come = not place.thread and not any(entry.state == "given_up" for entry in ours)
    return None if is_to_come else place
