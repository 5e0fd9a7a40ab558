"""A reaction of ours on the message that asked, by which the channel sees how what it asked for stands."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from bot.posts.rate_limits import REACT, UNREACT
from bot.posts.slack_calls import SlackCalls
from bot.posts.thread_statuses import Step, Told, Wish
from bot.posts.threads import Spot
from bot.views.kit.reaction import Reaction, together
from engine.kernel import Tenant

KIND: Final = "reaction"

OF_THE_MESSAGE: Final = frozenset(
    {
        *("channel_not_found", "not_in_channel", "is_archived", "is_inactive", "restricted_action"),
        *("message_not_found", "not_reactable", "bad_timestamp", "thread_locked", "external_channel_migrating"),
        *("too_many_reactions", "too_many_emoji", "invalid_name"),
    }
)


class Reactions:
    """A `Surface` (bot/posts/thread_statuses.py). The new reaction is added before the old one goes."""

    kind = KIND
    of_the_place = OF_THE_MESSAGE

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls

    def together(self, statuses: Iterable[str]) -> str:
        return together(Reaction(each) for each in statuses)

    def next_step(self, tenant: Tenant, wish: Wish, told: Told | None, status: str) -> Step | None:
        spot = wish.spot
        if told is None:
            return self._added(tenant, spot, "", (), status)
        if told.status != status:
            return self._added(tenant, spot, told.status, told.left, status)
        if told.left:
            old, *others = told.left
            remove = partial(self._calls.unreact, tenant, spot, Reaction(old))
            return Step(UNREACT, remove, None, Told(status=status, left=tuple(others)))
        return None

    def unsure(self, told: Told | None) -> Told | None:
        """Any of ours may stand there."""
        return Told(status="", left=tuple(Reaction))

    def _added(self, tenant: Tenant, spot: Spot, old: str, left: tuple[str, ...], status: str) -> Step:
        may_stand = [each for each in dict.fromkeys((*left, old)) if each]
        before = Told(status=old, left=tuple(dict.fromkeys((*may_stand, status))))
        after = Told(status=status, left=tuple(each for each in may_stand if each != status))
        return Step(REACT, partial(self._calls.react, tenant, spot, Reaction(status)), before, after)
