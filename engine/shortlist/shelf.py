"""One tenant's index, and the vectors of its profiles in the store."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.directory.profile import Profile, Profiles
from engine.kernel import Tenant
from engine.llm.encoder import Meaning
from engine.shortlist import KIND
from engine.shortlist.index import Index, vectors_of
from engine.shortlist.texts import digest
from engine.shortlist.vector_text import read, written
from engine.store.port import Store

log = logging.getLogger(__name__)

BATCH: Final = 32
"""Profiles that are encoded, and written, at a time."""


class Shelf:
    def __init__(self, store: Store, tenant: Tenant, encoder: Meaning) -> None:
        self.index = Index(encoder)
        self.encoding: asyncio.Task[None] | None = None
        self._store = store
        self._tenant = tenant
        self._encoder = encoder
        self._seen: dict[str, Profile] = {}
        self._to_encode: dict[str, Profile] = {}
        self._lock = asyncio.Lock()
        self._is_loaded = False

    async def update(self, profiles: Profiles) -> None:
        async with self._lock:
            changed = [each for agent_id, each in profiles.items() if self._seen.get(agent_id) is not each]
            gone = self._seen.keys() - profiles.keys()
            if not changed and not gone and self._is_loaded:
                return
            stored: Mapping[str, str] = {}
            if not self._is_loaded:
                stored = await self._store.records(self._tenant, KIND)
                gone |= stored.keys() - profiles.keys()
            unknown = await asyncio.to_thread(self._take, changed, stored, [*profiles])
            if gone:
                await self._store.put_records(self._tenant, KIND, dict.fromkeys(gone))
            self._is_loaded = True
            self._seen = dict(profiles)
            self._to_encode = {each: profiles[each] for each in (*self._to_encode, *unknown) if each in profiles}
            if self._to_encode and (self.encoding is None or self.encoding.done()):
                self.encoding = asyncio.create_task(self._encode())

    def _take(self, changed: Sequence[Profile], stored: Mapping[str, str], kept: Sequence[str]) -> list[str]:
        """Put into the index who has changed. Return the ids of those whose vectors are not known."""
        unknown = []
        for profile in changed:
            now = digest(profile)
            if self.index.digest_of(profile.agent_id) == now:
                continue
            known = read(stored[profile.agent_id]) if profile.agent_id in stored else None
            vectors = known[1] if known is not None and known[0] == now else None
            self.index.put(profile, vectors)
            if vectors is None:
                unknown.append(profile.agent_id)
        self.index.keep_only(kept)
        return unknown

    async def _encode(self) -> None:
        """Encode who waits for it, a batch after the other, and keep each batch in the store."""
        try:
            while self._to_encode:
                batch = [*self._to_encode.values()][:BATCH]
                vectors = await asyncio.to_thread(self._vectors, batch)
                if not vectors:  # there is no encoder, which was logged
                    self._to_encode.clear()
                    return
                rows = {}
                for profile in batch:
                    if self._to_encode.get(profile.agent_id) is profile:
                        del self._to_encode[profile.agent_id]
                        self.index.know(profile.agent_id, vectors[profile.agent_id])
                        rows[profile.agent_id] = written(digest(profile), vectors[profile.agent_id])
                await self._store.put_records(self._tenant, KIND, rows)
        except Exception:
            # People are found by words until the next change, or the next start, tries again.
            log.exception("the vectors of profiles could not be made or kept")

    def _vectors(self, batch: Sequence[Profile]) -> dict[str, Any]:
        found = {each.agent_id: vectors_of(self._encoder, each) for each in batch}
        return {agent_id: each for agent_id, each in found.items() if each is not None}
