"""Whether somebody who once got a link may still read what it shows, as Slack says now.

A link is made where somebody takes part or sees the thread. Whoever has left the company, or a private channel whose
thread they only read along, reads its page no more, though the link would work for days.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.posts.slack_calls import Clients
from engine.kernel import Millis, Tenant

log = logging.getLogger(__name__)

HOLDS: Final[Millis] = 5 * 60_000
"""For how long Slack is not asked again."""
PATIENCE: Final = 1.5
"""Seconds that a page waits for Slack."""
PAGE: Final = 1_000
MOST_PAGES: Final = 20
GONE: Final = frozenset(
    {"user_not_found", "user_not_visible", "users_not_found", "channel_not_found", "not_in_channel"}
)
"""Answers of Slack that mean a no."""
_GUEST: Final = ("is_restricted", "is_ultra_restricted")


class Access:
    """Asks Slack. Where it does not answer, what it said last holds; before it has said anything, the link does."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._known: dict[tuple[Tenant, str, str], tuple[Millis, bool]] = {}

    async def has(self, tenant: Tenant, user: str, channel: str, now: Millis) -> bool:
        """
        Args:
            channel: whose thread they read along; empty for somebody who takes part.
        """
        asked = (tenant, user, channel)
        until, known = self._known.get(asked, (0, True))
        if now < until:
            return known
        try:
            async with asyncio.timeout(PATIENCE):
                known = await self._ask(await self._clients(tenant), user, channel)
        except SlackApiError as error:
            if error.response.get("error") not in GONE:
                return known
            known = False
        except (*CALL_ERRORS, CallFailed) as error:
            log.debug("whether %s may still read is not known: %s", user, type(error).__name__)
            return known
        self._known[asked] = (now + HOLDS, known)
        return known

    async def _ask(self, slack: AsyncWebClient, user: str, channel: str) -> bool:
        told = (await slack.users_info(user=user)).get("user") or {}
        if told.get("deleted"):
            return False
        if not channel:
            return True
        about = (await slack.conversations_info(channel=channel)).get("channel") or {}
        is_guest = any(told.get(each) for each in _GUEST)
        return not (_is_closed(about) or is_guest) or await self._is_member(slack, user, channel)

    async def _is_member(self, slack: AsyncWebClient, user: str, channel: str) -> bool:
        cursor = ""
        for _ in range(MOST_PAGES):
            answer = await slack.conversations_members(channel=channel, limit=PAGE, cursor=cursor)
            if user in (answer.get("members") or ()):
                return True
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                break
        return False


def _is_closed(channel: Mapping[str, Any]) -> bool:
    return any(channel.get(each) for each in ("is_private", "is_mpim", "is_im"))
