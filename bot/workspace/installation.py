"""Which workspace this is, and the one app that is installed in it."""

from __future__ import annotations

from pydantic import BaseModel


class Team(BaseModel):
    """The workspace's own identity; every payload carries it."""

    id: str = "T_LOCAL"
    name: str = "Local workspace"
    domain: str = "local"
    enterprise_id: str | None = None
    enterprise_name: str | None = None
    edit_window: float | None = None  # seconds in which messages may be edited; None: always


SUBSCRIPTIONS = (
    "app_mention",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "app_home_opened",
    "app_uninstalled",
    "tokens_revoked",
)


class App(BaseModel):
    """The one app that is installed here, and its local tokens."""

    id: str = "A_TOWOW"
    name: str = "ToWow"
    bot_id: str = "B_TOWOW"
    bot_user_id: str = "U_TOWOW"
    bot_user_name: str = "towow"
    bot_token: str = "xoxb-local-towow"  # noqa: S105  (opens nothing outside this process)
    app_token: str = "xapp-local-towow"  # noqa: S105
    verification_token: str = "local-verification"  # noqa: S105
    subscriptions: tuple[str, ...] = SUBSCRIPTIONS  # as in the manifest's bot_events
