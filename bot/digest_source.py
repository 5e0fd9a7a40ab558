"""Looks up what somebody's digest lists, and draws it."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import time
from typing import Any

from bot.posts.digests import LastDigest, Reader
from bot.posts.languages import Languages
from bot.posts.stream_reconciler import may_be_told
from bot.texts import Texts, texts_in
from bot.views.kit.digest import DigestItem, DigestPart, Listed, Waiting, digest, fits, replaced_digest
from bot.views.kit.home_part import HomePart
from bot.views.kit.post import Post
from bot.views.kit.presenter import Presenter
from bot.workspace_settings import WorkspaceSettings
from engine.directory.rules import STREAM
from engine.errors import UnknownStream
from engine.kernel import StreamKey, Tenant
from engine.runtime.streams import Committed
from engine.store.port import Store


class DigestsOf:
    """A `DigestSource` (bot/posts/digests.py).

    Args:
        look_up: returns what is committed of a stream.
        parts: what each protocol adds to the App Home and to digests, and what it says of its posts, by protocol.
        time_zone: of people of whom Slack has not told it.
    """

    def __init__(
        self,
        store: Store,
        look_up: Callable[[StreamKey], Awaitable[Committed]],
        settings: WorkspaceSettings,
        languages: Languages,
        parts: Mapping[str, tuple[HomePart, Presenter[Any]]],
        time_zone: str,
    ) -> None:
        self._store = store
        self._look_up = look_up
        self._settings = settings
        self._languages = languages
        self._parts: dict[str, tuple[str, DigestPart]] = {
            name: (each.undecided, each.digest) for name, (each, _) in parts.items() if each.digest is not None
        }
        self._presenters = {name: presenter for name, (_, presenter) in parts.items()}
        self._time_zone = time_zone

    async def readers(self, tenant: Tenant) -> Sequence[Reader]:
        return [Reader(user, choices) for user, choices in (await self._settings.all_choices(tenant)).items()]

    def has_choices(self, key: StreamKey) -> bool:
        return key.stream == STREAM

    async def concerned(self, key: StreamKey) -> frozenset[str]:
        try:
            protocol, state, _ = await self._look_up(key)
        except UnknownStream:
            return frozenset()
        return frozenset(self._parts[protocol][1].readers(state)) if protocol in self._parts else frozenset()

    async def times(self, tenant: Tenant, user: str) -> tuple[tuple[time, ...], str]:
        await self._languages.recall(tenant, user)
        directory = await self._settings.directory(tenant)
        zone = self._languages.time_zone(tenant, user) or self._time_zone
        return tuple(time.fromisoformat(each) for each in directory.digest_times), zone

    async def waiting(self, tenant: Tenant, user: str) -> Sequence[Waiting]:
        found: list[Waiting] = []
        for name, (kind, part) in self._parts.items():
            rows = await self._store.records(tenant, kind, f"{user}/")
            for stream in dict.fromkeys(str(json.loads(each)["stream"]) for each in rows.values()):
                key = StreamKey(tenant, stream)
                state = (await self._look_up(key)).state
                waiting = part.waiting(state, user)
                if waiting and await may_be_told(self._store, key, self._presenters[name], state, user):
                    found += waiting
        return found

    async def chosen(
        self, tenant: Tenant, user: str, number: int, waiting: Sequence[Waiting]
    ) -> tuple[DigestItem, ...]:
        items = tuple(each.item for each in sorted(waiting, key=lambda each: each.until))
        listed = await self._listed(tenant, items)
        texts = await self._texts(tenant, user, listed)
        while len(items) > 1 and not fits(digest(number, listed, len(waiting) - len(items), user, texts)):
            items, listed = items[:-1], listed[:-1]
        return items

    async def posts(self, tenant: Tenant, user: str, last: LastDigest) -> Sequence[Post]:
        listed = await self._listed(tenant, last.items)
        texts = await self._texts(tenant, user, listed)
        hidden = [each for each in await self.waiting(tenant, user) if each.item not in last.items]
        newest = digest(last.number, listed, len(hidden), user, texts)
        return [replaced_digest(last.number - 1, user, texts), newest] if last.number > 1 else [newest]

    async def _listed(self, tenant: Tenant, items: Sequence[DigestItem]) -> list[Listed]:
        found = []
        for each in items:
            try:
                protocol, state, _ = await self._look_up(StreamKey(tenant, each.stream))
            except UnknownStream:
                continue  # of a store that was restored
            found.append(Listed(self._parts[protocol][1], state, each.item))
        return found

    async def _texts(self, tenant: Tenant, user: str, listed: Sequence[Listed]) -> Texts:
        await self._languages.recall(tenant, user)
        language = listed[0].part.language(listed[0].state) if listed else ""
        return texts_in(self._languages.known(tenant, user) or language)
