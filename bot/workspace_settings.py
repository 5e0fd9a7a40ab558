"""What holds in a workspace: who is an admin, how much agreement is enough, where demands may begin.

What an admin has set in the App Home comes before what ToWow was started with.
"""

from collections.abc import Set
from typing import Final

from engine.directory.directories import Directories
from engine.directory.messages import Settings
from engine.directory.state import Directory
from engine.kernel import Tenant
from engine.negotiation.policy import PRESETS, Policy

ADJUSTABLE: Final = (
    "response_timeout", "feedback_timeout", "human_window", "override_window", "blind_votes", "require_model",
)  # fmt: skip
"""Fields of a policy that admins may set, whichever policy it is."""


class WorkspaceSettings:
    """
    Args:
        policy: what negotiations are decided by where no admin has said otherwise.
        admins: users who are admins whatever is set.
    """

    def __init__(self, directories: Directories, policy: Policy, admins: Set[str] = frozenset()) -> None:
        self._directories = directories
        self._policy = policy
        self.admins = frozenset(admins)

    async def directory(self, tenant: Tenant) -> Directory:
        """
        Raises:
            StoreError
        """
        return await self._directories.of(tenant)

    def is_admin(self, directory: Directory, actor: str) -> bool:
        return actor in self.admins or actor in directory.settings.admins

    def policy(self, settings: Settings) -> Policy:
        """Of the next demand."""
        base = PRESETS.get(settings.policy or "", self._policy)
        said = {name: getattr(settings, name) for name in ADJUSTABLE}
        return base.model_copy(update={name: value for name, value in said.items() if value is not None})


def may_begin(settings: Settings, channel: str) -> bool:
    """Whether a demand may begin there; by direct message always."""
    return not settings.channels or channel in settings.channels or channel.startswith("D")
