"""Where listeners hand their commands in, and from where people are told privately what came of it."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Coroutine, Mapping
from typing import Any, Final

import aiohttp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.homes import Homes
from bot.posts.languages import Languages, locale_of
from bot.posts.response_urls import ResponseUrls
from bot.texts import Texts, texts_in
from bot.views.kit.notice import notice
from bot.workspace_settings import WorkspaceSettings
from engine.directory.state import Directory
from engine.errors import StoreError, UnknownChannel
from engine.kernel import Command, Millis, StreamKey, Tenant
from engine.lexicon.language import Language, language_of
from engine.negotiation.events import NegotiationReopened, PlanProceeded, ReopeningFailed
from engine.negotiation.inbox import OpenVote, OwnDemand
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.projections.inbox import demands_of, open_votes_of
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock
from engine.runtime.runtime import Receipt, Runtime
from engine.store.port import Store

log = logging.getLogger(__name__)

PATIENCE: Final = 2.5
"""Seconds. Slack waits for three; what takes longer is not acknowledged as done."""

LATER: Final = frozenset(each.event_type for each in (PlanProceeded, NegotiationReopened, ReopeningFailed))
"""What people decide about a negotiation that is over."""

A_MOMENT: Final = 0.5
"""Seconds that somebody's language may take: all that is left of the three."""


class CommandGateway:
    """
    Args:
        house: what holds in each workspace.
        urls: where it is kept how what was clicked can be changed.
        languages: which language each person reads.
        homes: the App Homes that are being looked at.
    """

    def __init__(
        self,
        runtime: Runtime,
        store: Store,
        clock: Clock,
        settings: WorkspaceSettings,
        urls: ResponseUrls,
        languages: Languages,
        homes: Homes,
    ) -> None:
        self._runtime = runtime
        self._store = store
        self._clock = clock
        self.settings = settings
        self.homes = homes
        self.urls = urls
        self._languages = languages
        self._courtesies: set[asyncio.Task[None]] = set()
        self.activity = Activity()

    def now(self) -> Millis:
        return self._clock.now()

    async def directory(self, tenant: Tenant) -> Directory:
        """
        Raises:
            StoreError, TimeoutError
        """
        async with asyncio.timeout(PATIENCE):
            return await self.settings.directory(tenant)

    async def is_admin(self, tenant: Tenant, actor: str) -> bool:
        """Whether they may steer whatever was asked by anybody.

        Raises:
            StoreError, TimeoutError
        """
        return self.settings.is_admin(await self.directory(tenant), actor)

    async def send(self, key: StreamKey, command: Command, protocol: str = RULEBOOK.protocol) -> Receipt:
        """On return the command is on disk, and may be acknowledged.

        Raises:
            Refusal, StoreError
            TimeoutError: it may or may not be recorded yet; it must not be acknowledged.
        """
        async with asyncio.timeout(PATIENCE):
            return await self._runtime.handle(key, protocol, command)

    async def look_up(self, key: StreamKey) -> Negotiation:
        """
        Raises:
            UnknownChannel, StoreError, TimeoutError
        """
        async with asyncio.timeout(PATIENCE):
            state, _ = await self._runtime.read(key)
        assert isinstance(state, Negotiation)  # noqa: S101 - nothing else is reached by these buttons
        return state

    async def agenda_of(self, tenant: Tenant, user: str) -> tuple[list[OpenVote], list[OwnDemand]]:
        """
        Raises:
            StoreError
        """
        return await open_votes_of(self._store, tenant, user), await demands_of(self._store, tenant, user)

    async def ended_at(self, key: StreamKey) -> Millis:
        """When a negotiation ended that is over.

        Raises:
            UnknownChannel, StoreError, TimeoutError
        """
        async with asyncio.timeout(PATIENCE):
            stored = await self._store.load(key)
        if stored is None:
            raise UnknownChannel(f"There is nothing called {key.stream} here.")
        # What is decided about a plan comes after its end.
        return next(each.at for each in reversed(stored.events) if each.event_type not in LATER)

    async def texts(self, client: AsyncWebClient, tenant: Tenant, user: str, otherwise: str) -> Texts:
        """In which language somebody is spoken to; where nobody knows, in that of the text ``otherwise``.

        Whoever is new is worth a moment: the first words should be in the right language. It is only a moment, because
        Slack takes no form later than three seconds after the click; whatever comes later is known the next time. Of
        whom something is known, Slack is asked again in the background.
        """
        if self._languages.is_to_ask(tenant, user):
            learning = self._courtesy(self._learn(client, tenant, user))
            if self._languages.known(tenant, user) is None:
                await asyncio.wait({learning}, timeout=A_MOMENT)
        return self.known_texts(tenant, user, otherwise)

    def known_texts(self, tenant: Tenant, user: str, otherwise: str) -> Texts:
        """... where there is not even a moment left, or asking may be what does not work."""
        return texts_for(otherwise, self._languages.known(tenant, user))

    async def _learn(self, client: AsyncWebClient, tenant: Tenant, user: str) -> None:
        try:
            await self._languages.recall(tenant, user)
            await self._languages.learn(tenant, user, lambda: locale_of(client, user))
        except StoreError as error:
            log.warning("it cannot be looked up which language %s reads: %s", user, error)

    def tell(self, client: AsyncWebClient, where: Mapping[str, Any], text: str) -> None:
        """Say something to one person, as a courtesy: it is not waited for, and said at most once.

        Args:
            where: ``channel``, ``user`` and, inside of a thread, ``thread_ts``; or ``user`` and ``trigger_id``.
        """
        self._courtesy(self._tell(client, where, text))

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something as a courtesy: it is not waited for, and done at most once."""
        self._courtesy(work)

    def _courtesy(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self.activity.spawn(work)
        self._courtesies.add(task)
        task.add_done_callback(self._courtesies.discard)
        return task

    async def _tell(self, client: AsyncWebClient, where: Mapping[str, Any], text: str) -> None:
        try:
            if "trigger_id" in where:
                await client.views_open(trigger_id=where["trigger_id"], view=notice(text))
            else:
                await client.chat_postEphemeral(**where, text=text)
        except (SlackClientError, aiohttp.ClientError, TimeoutError) as error:
            log.warning("%s could not be told: %s", where.get("user"), error)

    async def close(self) -> None:
        if self._courtesies:
            await asyncio.wait(self._courtesies, timeout=1)
        for task in self._courtesies:
            task.cancel()
        await asyncio.gather(*self._courtesies, return_exceptions=True)


def tenant_of(context: AsyncBoltContext) -> Tenant:
    """From the signed payload."""
    return Tenant(context.team_id or "", context.enterprise_id or "")


def texts_for(text: str, language: Language | None = None) -> Texts:
    """The interface in a language; without one, in that which somebody wrote in."""
    return texts_in(language or language_of(text))


def spot_of_click(body: Mapping[str, Any]) -> dict[str, Any]:
    """Where the person is looking who clicked: a conversation, or, in a view, whatever opens over it."""
    container: Mapping[str, Any] = body["container"]
    if container.get("type") == "view":
        return {"trigger_id": body["trigger_id"], "user": body["user"]["id"]}
    thread = container.get("thread_ts") or body.get("message", {}).get("thread_ts")
    spot = {"channel": container["channel_id"], "user": body["user"]["id"]}
    return spot | ({"thread_ts": thread} if thread else {})


def cause_of_click(body: Mapping[str, Any]) -> str:
    """The same click, delivered twice, is the same command."""
    action = body["actions"][0]
    container: Mapping[str, Any] = body["container"]
    return ":".join(
        ("click", body["user"]["id"], container.get("message_ts", ""), action["action_id"], action["action_ts"])
    )


def cause_of_form(view: Mapping[str, Any]) -> str:
    """The same answers, delivered twice, are the same command; answers that were mended after an error are another."""
    answers = json.dumps(view["state"]["values"], sort_keys=True)
    return f"view:{view['id']}:{view['hash']}:{hashlib.sha256(answers.encode()).hexdigest()[:12]}"
