"""Gathers one story: the stream that it begins with, and whatever goes on from it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.api.context import ApiContext
from bot.descriptions import Descriptions
from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.posts.slack_calls import Clients
from bot.texts import texts_in
from bot.views.kit.story.model import AnyPart, Chapter, Reading, Told, mentioned
from engine.errors import UnknownStream
from engine.facts.language import Language
from engine.kernel import Millis, StreamKey, Tenant, is_id
from engine.runtime.streams import Committed, opened, without_private

if TYPE_CHECKING:
    from bot.protocol_row import Protocol

log = logging.getLogger(__name__)

HOLDS: Final[Millis] = 5 * 60_000
"""For how long Slack is not asked again."""
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


MOST_CHAPTERS: Final = 6
NAMED_FOR: Final[Millis] = 10 * 60_000
"""For how long Slack is not asked again what somebody is called."""
PATIENCE: Final = 1.5
"""Seconds that a page waits for names; it has ids instead."""


@dataclass(frozen=True, slots=True)
class Written:
    """One chapter, with where it comes from."""

    stream: str
    chapter: Chapter


@dataclass(frozen=True, slots=True)
class Story:
    chapters: Sequence[Written]
    names: Mapping[str, str]
    version: str


class Stories:
    """Reads stories for the pages.

    Args:
        protocols: whose parts a story has.
    """

    def __init__(self, context: ApiContext, protocols: "Sequence[Protocol]") -> None:
        self._context = context
        self._parts: dict[str, AnyPart] = {each.name: each.story for each in protocols if each.story is not None}
        self._descriptions: dict[str, Descriptions] = {each.name: each.descriptions for each in protocols}
        self._names: dict[tuple[Tenant, str], tuple[Millis, str]] = {}
        self._access = Access(context.clients)

    async def keys(self, key: StreamKey) -> Sequence[StreamKey]:
        """Return every stream that the story may have, whether it has begun or not."""
        found = [key]
        for each in found:
            follow = (StreamKey(key.tenant, part.follows(each.stream)) for part in self._parts.values())
            found += [one for one in follow if one.stream and is_id(one.stream) and one not in found]
            if len(found) >= MOST_CHAPTERS:
                break
        return found[:MOST_CHAPTERS]

    async def version(self, key: StreamKey) -> str:
        """Return what changes whenever something happens in the story."""
        streams = [each async for each in self._committed(key)]
        return _version(streams)

    async def read(self, key: StreamKey, user: str, language: Language) -> Story:
        """Return the story as this user may see it."""
        streams = [each async for each in self._committed(key)]
        readable = [(at, each) for at, each in streams if self._parts[each.protocol].may_read(each.state, user)]
        if not readable or readable[0][0] != key or not await self._has_access(key.tenant, readable[0][1], user):
            raise UnknownStream(f"There is no story called {key.stream} here.")
        texts = texts_in(language)
        happened = [await self._happened(at, each) for at, each in readable]
        chapters = [
            Written(at.stream, self._parts[each.protocol].chapter(each.state, told, Reading(user, texts)))
            for (at, each), told in zip(readable, happened, strict=True)
        ]
        known = {who: name for each in chapters for who, name in each.chapter.names.items()}
        named = await self._named(key.tenant, [user, *mentioned([each.chapter.shown for each in chapters])])
        return Story(chapters, {**known, **named}, _version(streams))

    async def _has_access(self, tenant: Tenant, first: Committed, user: str) -> bool:
        takes_part = self._parts[first.protocol].takes_part(first.state, user)
        channel = "" if takes_part else first.state.place.channel
        return await self._access.has(tenant, user, channel, self._context.services.now())

    async def _committed(self, key: StreamKey) -> AsyncIterator[tuple[StreamKey, Committed]]:
        for each in await self.keys(key):
            try:
                found = await self._context.gateway.look_up(each)
            except UnknownStream:
                if each == key:
                    raise
                continue
            if found.protocol in self._parts:
                yield each, found
            elif each == key:
                raise UnknownStream(f"There is no story called {key.stream} here.")

    async def _happened(self, key: StreamKey, committed: Committed) -> Sequence[Told]:
        """Return the events without anybody's words, oldest first."""
        stored = await self._context.store.load(key)
        kinds = self._descriptions[committed.protocol].events
        events = stored.events[: committed.version] if stored else ()
        return [Told(each.at, without_private(opened(each, kinds))) for each in events]

    # ── names ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _named(self, tenant: Tenant, users: Sequence[str]) -> dict[str, str]:
        """Return what Slack calls these users, as far as it says so in time."""
        now = self._context.services.now()
        wanted = [each for each in dict.fromkeys(users) if self._names.get((tenant, each), (0, ""))[0] <= now]
        if wanted:
            asking = [asyncio.create_task(self._ask(tenant, each, now)) for each in wanted]
            await asyncio.wait(asking, timeout=PATIENCE)
        known = {each: self._names.get((tenant, each), (0, ""))[1] for each in users}
        return {each: name for each, name in known.items() if name}

    async def _ask(self, tenant: Tenant, user: str, now: Millis) -> None:
        name = ""
        try:
            answer = await (await self._context.clients(tenant)).users_info(user=user)
        except (*CALL_ERRORS, CallFailed):
            pass  # asked again in a while
        else:
            told: Mapping[str, Any] = answer.get("user") or {}
            name = str((told.get("profile") or {}).get("display_name") or told.get("real_name") or "")
        self._names[tenant, user] = (now + NAMED_FOR, name)


def _version(streams: Sequence[tuple[StreamKey, Committed]]) -> str:
    return ".".join(f"{key.stream}:{each.version}" for key, each in streams)
