"""Asks Slack whether somebody who was chosen from a list is a person of this workspace with an open account."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_person
from bot.posts.failures import CALL_ERRORS, GONE, Refused, Unsure, failure
from bot.posts.languages import UserSettings
from engine.errors import NotAColleague, TooMuchOpen
from engine.kernel import Tenant
from engine.store.port import Store

LONGEST_CALL: Final = 1.5
"""Seconds. Slack waits three for a form, and the rest is needed to record it."""

SLACKBOT: Final = "USLACKBOT"
"""Slackbot: Slack does not say that it is a bot."""

_UNKNOWN: Final = GONE | {"users_not_found", "user_not_visible"}


async def actor_of(client: AsyncWebClient, tenant: Tenant, user: str) -> str:
    """Return as whom somebody would act. Somebody of another company has their home in it, so that they are refused.

    Raises:
        NotAColleague: a bot, or an account that was closed.
        CallFailed: Slack did not say who it is.
    """
    try:
        async with asyncio.timeout(LONGEST_CALL):
            answer = await client.users_info(user=user)
    except CALL_ERRORS as error:
        failed = failure(error)
        if isinstance(failed, Refused) and failed.why in _UNKNOWN:
            raise NotAColleague(f"{user} has no account here; choose a colleague who has.") from error
        raise failed from error
    except AttributeError as error:  # what slack_sdk 3.48 makes of a reply that is text, as proxies give
        raise Unsure("not_json") from error
    told = answer.get("user")
    if not isinstance(told, dict) or told.get("id") != user:
        raise Unsure("no_user")
    if told.get("deleted") or told.get("is_bot") or user == SLACKBOT:
        raise NotAColleague(f"{user} is a bot or has gone; choose a colleague who can decide.")
    return actor_of_person(user, UserSettings.told_by(told), tenant)


MOST_OPEN: Final = 1_000
"""Demands, plans and deliveries of one workspace that are open at a time, where nothing else is set."""


class Admission:
    """
    Args:
        most: streams of one tenant that may be open. Several processes that count at once may admit a few more.
    """

    def __init__(self, store: Store, most: int = MOST_OPEN) -> None:
        self._store = store
        self._most = most
        self._beginning: Counter[Tenant] = Counter()

    @asynccontextmanager
    async def place(self, tenant: Tenant) -> AsyncIterator[None]:
        """Enter where one more may begin, and begin it within."""
        self._beginning[tenant] += 1
        try:
            others = self._beginning[tenant] - 1
            if await self._store.open_streams(tenant, self._most) + others >= self._most:
                raise TooMuchOpen.at_most(self._most)
            yield
        finally:
            self._beginning[tenant] -= 1
            if not self._beginning[tenant]:
                del self._beginning[tenant]
