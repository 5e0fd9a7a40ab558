"""The interface in the language of whoever reads it, and what else Slack says of them."""

import asyncio
import logging
from typing import Final

from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.background import BackgroundTasks
from bot.posts.languages import Languages, UserSettings, settings_of
from bot.texts import Texts, texts_in
from engine.errors import StoreError
from engine.kernel import Tenant

log = logging.getLogger(__name__)

A_MOMENT: Final = 0.5
"""Seconds that asking for somebody's language may take: all that is left of the three that Slack waits."""


class ReaderTexts:
    """
    Args:
        languages: which language each person reads.
        background: where Slack is asked for it, as nobody waits for longer than a moment.
        time_zone: of people of whom Slack has not told it.
    """

    def __init__(self, languages: Languages, background: BackgroundTasks, time_zone: str = "UTC") -> None:
        self._languages = languages
        self._background = background
        self._time_zone = time_zone

    async def of(self, client: AsyncWebClient, tenant: Tenant, user: str, otherwise: str = "") -> Texts:
        """Return the interface in a person's language; where nobody knows it, in that with the tag ``otherwise``.

        Wait a moment for the answer about a person of whom nothing is known, since the first words should be in the
        right language. It is only a moment, because Slack takes no form later than three seconds after the click; an
        answer that comes later serves the next time. About a person of whom something is known, Slack is asked again
        in the background.
        """
        if self._languages.is_to_ask(tenant, user):
            learning = self._background.spawn(self._learn(client, tenant, user))
            if self._languages.known(tenant, user) is None:
                await asyncio.wait({learning}, timeout=A_MOMENT)
        return self.known(tenant, user, otherwise)

    def known(self, tenant: Tenant, user: str, otherwise: str = "") -> Texts:
        """Return the same without asking Slack: where there is not even a moment, or asking may be what fails."""
        return texts_in(self._languages.known(tenant, user) or otherwise)

    def locale(self, tenant: Tenant, user: str) -> str:
        """Return the locale that Slack has told of somebody; empty where it has not."""
        return self._languages.known(tenant, user) or ""

    def known_time_zone(self, tenant: Tenant, user: str) -> str:
        """Return the IANA name of the time zone that Slack has told of somebody; empty where it has not."""
        return self._languages.time_zone(tenant, user)

    async def time_zone(self, tenant: Tenant, user: str) -> str:
        """Return the IANA name of the time zone in which somebody means dates and hours, without asking Slack."""
        try:
            await self._languages.recall(tenant, user)
        except StoreError as error:
            log.warning("it cannot be looked up where %s is: %s", user, error)
        return self._languages.time_zone(tenant, user) or self._time_zone

    async def told_of(self, client: AsyncWebClient, tenant: Tenant, user: str) -> UserSettings | None:
        """Return all that Slack says of a user; None where it does not answer now."""
        return await self._languages.told(tenant, user, lambda: settings_of(client, user))

    async def name(self, client: AsyncWebClient, tenant: Tenant, user: str) -> str:
        """Return what a user is called; empty where Slack does not say."""
        told = await self.told_of(client, tenant, user)
        return told.name if told else ""

    async def _learn(self, client: AsyncWebClient, tenant: Tenant, user: str) -> None:
        try:
            await self._languages.recall(tenant, user)
            await self._languages.learn(tenant, user, lambda: settings_of(client, user))
        except StoreError as error:
            log.warning("it cannot be looked up which language %s reads: %s", user, error)
