"""Reads each tenant's directory, and fills it from the files before the first read."""

import asyncio
import hashlib

from engine.directory.messages import LoadProfiles
from engine.directory.profile import Profiles
from engine.directory.rules import RULEBOOK, STREAM
from engine.directory.state import Directory
from engine.errors import UnknownStream
from engine.kernel import StreamKey, Tenant
from engine.runtime.clock import Clock
from engine.runtime.runtime import Runtime


class Directories:
    """
    Args:
        loaded: what the files say.
    """

    def __init__(self, runtime: Runtime, clock: Clock, loaded: Profiles) -> None:
        self._runtime = runtime
        self._clock = clock
        self._loaded = loaded
        self._digest = _digest(loaded)
        self._filled: set[Tenant] = set()
        self._filling = asyncio.Lock()

    async def of(self, tenant: Tenant) -> Directory:
        """Return the directory as it is on disk.

        Raises:
            StoreError
        """
        if tenant not in self._filled:
            async with self._filling:
                if tenant not in self._filled:
                    await self._fill(tenant)
                    self._filled.add(tenant)
        directory, _ = await self._read(tenant)
        return directory

    async def asked(self, tenant: Tenant) -> Profiles:
        """Return the profiles whose twins are asked.

        Raises:
            StoreError
        """
        return (await self.of(tenant)).asked

    async def _fill(self, tenant: Tenant) -> None:
        directory, version = await self._read(tenant)
        known = {agent_id: each.loaded for agent_id, each in directory.entries.items() if each.loaded is not None}
        if known == dict(self._loaded):
            return
        # The same files may be loaded again after others were: what tells the times apart is the version.
        command = LoadProfiles(
            command_id=f"load:{self._digest}:{version}", at=self._clock.now(), profiles=tuple(self._loaded.values())
        )
        await self._runtime.handle(directory_key(tenant), RULEBOOK.protocol, command)

    async def _read(self, tenant: Tenant) -> tuple[Directory, int]:
        try:
            directory, version = await self._runtime.read(directory_key(tenant))
        except UnknownStream:
            return Directory(), 0
        assert isinstance(directory, Directory)  # noqa: S101 - the stream is named after it
        return directory, version


def directory_key(tenant: Tenant) -> StreamKey:
    return StreamKey(tenant, STREAM)


def _digest(profiles: Profiles) -> str:
    said = "\n".join(each.model_dump_json() for each in profiles.values())
    return hashlib.sha256(said.encode()).hexdigest()[:12]
