"""What holds in a workspace: who is an admin, how much agreement is enough, where demands may begin.

What an admin has set in the App Home comes before what ToWow was started with.

Each tenant's directory says so. It is filled from the files before the first read.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Set
from datetime import time
from typing import Any, Final

from bot.posts.going_out import Choices, Quiet
from bot.views.kit.settings_part import SettingsPart
from engine.directory.held import Notifications
from engine.directory.messages import LoadProfiles, Settings
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
        """Return the directory as it is on disk."""
        if tenant not in self._filled:
            async with self._filling:
                if tenant not in self._filled:
                    await self._fill(tenant)
                    self._filled.add(tenant)
        directory, _ = await self._read(tenant)
        return directory

    async def asked(self, tenant: Tenant) -> Profiles:
        """Return the profiles whose twins are asked."""
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


PATIENCE: Final = 2.5
"""Seconds that reading the directory may take: Slack waits for three."""


class WorkspaceSettings:
    """
    Args:
        parts: what each protocol lets admins set, by protocol.
        policies: what is decided by where no admin has said otherwise, by protocol.
        admins: users who are admins, whatever is set: of the workspace that the bot token belongs to, or behind the id
            of another one.
        home: tells that workspace; None while Slack has not said which it is, and where there are many.
        installer: tells who has installed ToWow in a workspace, and so is an admin there; empty where nobody knows.
    """

    def __init__(
        self,
        directories: Directories,
        parts: Mapping[str, SettingsPart],
        policies: Mapping[str, Any],
        admins: Set[str] = frozenset(),
        home: Callable[[], Tenant | None] = lambda: None,
        installer: Callable[[Tenant], Awaitable[str]] | None = None,
    ) -> None:
        self._directories = directories
        self.parts = parts
        self._policies = policies
        self._admins = frozenset(admins)
        self._home = home
        self._installer = installer

    async def directory(self, tenant: Tenant) -> Directory:
        async with asyncio.timeout(PATIENCE):
            return await self._directories.of(tenant)

    async def is_admin(self, tenant: Tenant, actor: str, read: Directory | None = None) -> bool:
        """Whether somebody may decide about whatever anybody of their workspace asked for.

        Args:
            read: the directory, where it was read already.
        """
        directory = read or await self.directory(tenant)
        return actor in directory.settings.admins or actor in await self.always_admins(tenant)

    async def always_admins(self, tenant: Tenant) -> frozenset[str]:
        """Return who is an admin of a workspace whatever is set there. An admin of one is none in another."""
        named = (each.rpartition(":") for each in self._admins)
        here = {user for team, _, user in named if team == tenant.team_id or (not team and tenant == self._home())}
        if self._installer is not None and (installer := await self._installer(tenant)):
            here.add(installer)
        return frozenset(here)

    async def choices(self, tenant: Tenant, user: str) -> Choices:
        """Return how somebody wants to be told."""
        return _choices((await self._directories.of(tenant)).notifications(user))

    async def all_choices(self, tenant: Tenant) -> Mapping[str, Choices]:
        """Return how everybody who has chosen it wants to be told, by user."""
        directory = await self._directories.of(tenant)
        return {user: _choices(directory.notifications(user)) for user in directory.chosen}

    def policy(self, protocol: str, settings: Settings) -> Any:
        """Return what the next stream of a protocol is decided by."""
        return self.parts[protocol].policy(settings, self.default_policy(protocol))

    def default_policy(self, protocol: str) -> Any:
        """Return the policy that ToWow was started with; None where that names none of the protocol's."""
        return self._policies.get(protocol)


def _choices(chosen: Notifications) -> Choices:
    hours = chosen.quiet
    return Choices(
        wants_steps=chosen.when == "step",
        wants_digest=chosen.when == "digest",
        quiet=Quiet(time.fromisoformat(hours.start), time.fromisoformat(hours.end)) if hours else None,
    )


def may_begin(settings: Settings, channel: str) -> bool:
    """Whether a demand may begin there; by direct message always."""
    return not settings.channels or channel in settings.channels or channel.startswith("D")
