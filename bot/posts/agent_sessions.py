"""How each thread stands, where the workspace shows that of agents."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from bot.posts.rate_limits import SESSION
from bot.posts.slack_calls import SlackCalls
from bot.posts.thread_statuses import Step, Told, Wish
from bot.views.kit.session import SessionStatus, together
from engine.kernel import Tenant

KIND: Final = "session"

OF_THE_THREAD: Final = frozenset(
    {
        *("channel_not_found", "not_in_channel", "user_not_in_channel", "is_archived", "is_inactive"),
        *("thread_not_found", "message_not_found", "invalid_thread_ts", "restricted_action"),
    }
)


class AgentSessions:
    """A `Surface` (bot/posts/thread_statuses.py); the message is the one that begins the thread."""

    kind = KIND
    of_the_place = OF_THE_THREAD

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls

    def together(self, statuses: Iterable[str]) -> str:
        return together(SessionStatus(each) for each in statuses)

    def next_step(self, tenant: Tenant, wish: Wish, told: Told | None, status: str) -> Step | None:
        if told is not None and told.status == status:
            return None
        say = partial(self._calls.session, tenant, wish.spot, SessionStatus(status))
        return Step(SESSION, say, None, Told(status=status))

    def unsure(self, told: Told | None) -> Told | None:
        return None
