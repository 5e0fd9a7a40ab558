"""Gathers one story: the stream that it begins with, and whatever goes on from it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.api.context import ApiContext
from bot.api.story.access import Access
from bot.descriptions import Descriptions
from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.texts import texts_in
from bot.views.kit.story.model import AnyPart, Chapter, Reading, Told, mentioned
from engine.errors import UnknownStream
from engine.facts.language import Language
from engine.kernel import Millis, StreamKey, Tenant, is_id
from engine.runtime.streams import Committed, opened, without_private

if TYPE_CHECKING:
    from bot.protocol_row import Protocol

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
