"""Compares the posts that should exist with those that do, and lists the calls that are missing.

New direct messages that may not go out yet, or never by themselves, are kept back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.posts.failures import UNEDITABLE
from bot.posts.going_out import NEVER, ChoicesOf, goes_out
from bot.posts.languages import Languages
from bot.posts.post_records import Doubt, PostRecord
from bot.views.kit.notices import from_before_the_restore
from bot.views.kit.post import Post
from engine.kernel import Millis, Place, Tenant
from engine.runtime.clock import Clock, Monotonic


@dataclass(frozen=True, slots=True)
class Open:
    """Open a person's direct messages with us, which also tells whether their account exists."""

    post: Post


@dataclass(frozen=True, slots=True)
class Learn:
    """Ask which language a person reads, before the first message to them is written in one."""

    post: Post


@dataclass(frozen=True, slots=True)
class Create:
    post: Post
    channel: str
    thread: str
    """Empty for a post that starts the thread or needs none."""
    ahead: Post | None = None
    """What is urgent, and goes first where the rates make it wait: this post itself, or another one that is missing."""


@dataclass(frozen=True, slots=True)
class Update:
    post: Post
    entry: PostRecord


@dataclass(frozen=True, slots=True)
class LookUp:
    """Look for a post that an earlier call with an unknown result may have made."""

    post: Post
    entry: PostRecord
    after: str
    """The ts of a message that is older than it; empty where there is none."""


@dataclass(frozen=True, slots=True)
class LookAgain:
    """Look for what a call that was looked up in vain has posted since, and take down whatever stands there twice."""

    post: Post
    entry: PostRecord | None
    """None where it is not posted again yet."""
    doubt: Doubt


@dataclass(frozen=True, slots=True)
class Search:
    """Look for every message of the stream that a restored store does not remember, before anything is posted there."""

    post: Post
    """One of those that are wanted there."""
    channel: str
    thread: str
    """Empty for the channel itself."""
    since: Millis


Step = Learn | Open | Create | Update | LookUp | LookAgain | Search


def difference(wanted: Sequence[Post], shown: Mapping[str, PostRecord], place: Place) -> tuple[Step, ...]:
    """Return the next missing post, then every update.

    Only one missing post at a time is returned, so that a conversation keeps its order. What may stand there already is
    looked up before anything is posted, since the look begins behind the newest post that is known.

    Args:
        wanted: the posts of one conversation: of the thread, or of one person's direct messages.
        place: where they belong; its channel is empty while direct messages are not open.
    """
    unsure: LookUp | None = None
    missing: list[Post] = []
    updates: list[Step] = []
    for post in wanted:
        entry = shown.get(post.key)
        if entry is None or is_wanted_again(post, entry):
            missing += [] if post.is_late else [post]
        elif entry.state == "posting":
            unsure = unsure or LookUp(post, entry, _newest(shown, entry))
        elif entry.ts and entry.state != "deleted" and entry.digest != post.digest:
            updates.append(Update(post, entry))
        elif takes_over(post, entry):
            updates.append(_create(post, wanted, shown, place))
    if unsure is not None:
        return (unsure, *updates)
    if not missing:
        return tuple(updates)
    first = _create(missing[0], wanted, shown, place)
    if isinstance(first, Create) and first.thread:  # else it is to begin the thread
        first = replace(first, ahead=next((each for each in missing if each.is_urgent), None))
    return (first, *updates)


def is_shown(wanted: Sequence[Post], shown: Mapping[str, PostRecord]) -> bool:
    """Return whether all posts stand there as they are wanted, so that there is no difference."""
    entries = ((post, shown.get(post.key)) for post in wanted)
    return all(entry is not None and (entry.state, entry.digest) == ("posted", post.digest) for post, entry in entries)


def second_looks(
    wanted: Sequence[Post], shown: Mapping[str, PostRecord], doubts: Mapping[str, Doubt]
) -> tuple[LookAgain, ...]:
    """Return the looks for posts that may stand there twice; first of all it is looked up whether they do once.

    Args:
        doubts: by the keys of the posts that they are about.
    """
    looks = ((post, shown.get(post.key), doubts.get(post.key)) for post in wanted)
    return tuple(
        LookAgain(post, entry, doubt)
        for post, entry, doubt in looks
        if doubt is not None and (entry is None or entry.state != "posting")
    )


def is_wanted_again(post: Post, entry: PostRecord) -> bool:
    """Return whether a post that is not in Slack any more, or never got there, is posted anew."""
    match entry.state:
        case "deleted":
            return post.restored
        case "given_up":
            # It never got into Slack, and may do so with its new content.
            return not entry.ts and entry.digest != post.digest
        case _:
            return False


def takes_over(post: Post, entry: PostRecord | None) -> bool:
    """Return whether a post is made anew beside a message that cannot be edited any more, and says what holds no
    longer.
    """
    return (
        entry is not None
        and (entry.state, entry.digest) == ("given_up", post.digest)
        and bool(entry.ts)
        and entry.why in UNEDITABLE
    )


def _create(post: Post, wanted: Sequence[Post], shown: Mapping[str, PostRecord], place: Place) -> Open | Create:
    if not place.channel and post.to:
        return Open(post)
    return Create(post, place.channel, "" if post.to else thread_of(wanted, shown, place))


def thread_of(wanted: Sequence[Post], shown: Mapping[str, PostRecord], place: Place) -> str:
    """Return the thread that our newest post in the channel itself has started, or else that of the place.

    A post starts a thread where the stream began without a message, or where that message was deleted.
    """
    ours = (shown[post.key] for post in wanted if post.key in shown)
    starts = (each.ts for each in ours if each.ts and not each.thread and each.channel == place.channel)
    return max(starts, default=place.thread)


def _newest(shown: Mapping[str, PostRecord], sought: PostRecord) -> str:
    """Return the greatest ts, which is the newest one, since all have the same width."""
    there = (entry.ts for entry in shown.values() if entry.ts and entry.channel == sought.channel)
    return max(there, default=sought.thread)


def outdated(
    wanted: Sequence[Post], shown: Mapping[str, PostRecord], channel: str, *, is_direct: bool
) -> Iterator[tuple[Post, PostRecord]]:
    """Yield what to say in the messages that were found and that nobody wants, or not yet.

    Args:
        wanted: the posts of one conversation; at least one.
        channel: the conversation's.
    """
    there = {post.key for post in wanted}
    for key, entry in shown.items():
        if entry.is_found and key not in there and entry.channel == channel and ("/" in key) == is_direct:
            said = from_before_the_restore(wanted[0].texts)
            yield Post(key, said, (), to=wanted[0].to, texts=wanted[0].texts), entry


def adopted(found: Mapping[str, PostRecord], shown: Mapping[str, PostRecord]) -> Iterator[tuple[str, PostRecord]]:
    """Yield what to remember of messages that were found. What they show is unknown.

    Args:
        found: by post key, each as it stands in Slack.
    """
    for key, entry in found.items():
        known = shown.get(key)
        if known is None or (not known.ts and known.state != "deleted"):
            yield key, entry
        elif known.ts == entry.ts and known.state == "posted":
            yield key, known.model_copy(update={"digest": "", "is_found": True})


@dataclass(frozen=True, slots=True)
class Sifted:
    posts: Sequence[Post]
    """What may go out or is there already."""
    until: Monotonic | None = None
    """When the next of the others may go out; None where none waits for a time."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Nothing of it is stored: what is held back follows from the posts, their reader's choices and the clock."""

    choices: ChoicesOf
    languages: Languages
    """Know where people are, too."""
    clock: Clock

    async def sift(self, tenant: Tenant, to: str, wanted: Sequence[Post], shown: Mapping[str, PostRecord]) -> Sifted:
        """Keep back the posts that may not go out yet."""
        new = [each for each in wanted if not each.is_late and _is_new(each, shown.get(each.key))]
        if not new:
            return Sifted(wanted)
        if self.languages.is_to_ask(tenant, to) and any(each.key not in shown for each in new):
            return Sifted(wanted)  # Slack is asked first where they are
        choices, zone = await self.choices(tenant, to), self.languages.time_zone(tenant, to)
        now = self.clock.now()
        times = {each.key: goes_out(each, choices, zone, now) if _may_remind(each, shown) else NEVER for each in new}
        later = [at for at in times.values() if now < at < NEVER]
        return Sifted(
            [each for each in wanted if times.get(each.key, now) <= now],
            self.clock.after(min(later) - now) if later else None,
        )


def _may_remind(post: Post, shown: Mapping[str, PostRecord]) -> bool:
    """Return whether what a reminder reminds of was there before it was time to, if the post is one."""
    if post.reminds is None:
        return True
    key, at = post.reminds
    entry = shown.get(key)
    return entry is not None and bool(entry.ts) and entry.since < at


def _is_new(post: Post, entry: PostRecord | None) -> bool:
    return entry is None or is_wanted_again(post, entry)
