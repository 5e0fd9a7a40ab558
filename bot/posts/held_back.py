"""Keeps back the new direct messages of one conversation that may not go out yet, or never by themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.posts.difference import is_wanted_again
from bot.posts.going_out import NEVER, ChoicesOf, goes_out
from bot.posts.languages import Languages
from bot.posts.post_records import PostRecord
from bot.views.kit.post import Post
from engine.kernel import Tenant
from engine.runtime.clock import Clock, Monotonic


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
        """
        Raises:
            StoreError
        """
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
