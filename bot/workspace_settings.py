"""What holds in a workspace: who is an admin, how much agreement is enough, where demands may begin.

What an admin has set in the App Home comes before what ToWow was started with.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Set
from datetime import time
from typing import Any, Final

from bot.directories import Directories
from bot.posts.going_out import Choices, Quiet
from bot.views.kit.settings_part import SettingsPart
from engine.directory.messages import Settings
from engine.directory.notifications import Notifications
from engine.directory.state import Directory
from engine.kernel import Tenant

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
        """
        Raises:
            StoreError, TimeoutError
        """
        async with asyncio.timeout(PATIENCE):
            return await self._directories.of(tenant)

    async def is_admin(self, tenant: Tenant, actor: str, read: Directory | None = None) -> bool:
        """Whether somebody may decide about whatever anybody of their workspace asked for.

        Args:
            read: the directory, where it was read already.

        Raises:
            StoreError, TimeoutError
        """
        directory = read or await self.directory(tenant)
        return actor in directory.settings.admins or actor in await self.always_admins(tenant)

    async def always_admins(self, tenant: Tenant) -> frozenset[str]:
        """Return who is an admin of a workspace whatever is set there. An admin of one is none in another.

        Raises:
            StoreError
        """
        named = (each.rpartition(":") for each in self._admins)
        here = {user for team, _, user in named if team == tenant.team_id or (not team and tenant == self._home())}
        if self._installer is not None and (installer := await self._installer(tenant)):
            here.add(installer)
        return frozenset(here)

    async def choices(self, tenant: Tenant, user: str) -> Choices:
        """Return how somebody wants to be told.

        Raises:
            StoreError
        """
        return _choices((await self._directories.of(tenant)).notifications(user))

    async def all_choices(self, tenant: Tenant) -> Mapping[str, Choices]:
        """Return how everybody who has chosen it wants to be told, by user.

        Raises:
            StoreError
        """
        return {user: _choices(each) for user, each in (await self._directories.of(tenant)).chosen.items()}

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
