"""What only one process may do at a time, where several share a store: what is told once, or uploaded once."""

import logging
from dataclasses import dataclass

from bot.posts.holds import Hold, beside
from engine.errors import StoreError
from engine.kernel import Tenant
from engine.runtime.membership import Membership

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OneAtATime:
    """
    Args:
        membership: of this process; None where it has the store to itself.
    """

    membership: Membership | None = None

    async def begin(self, tenant: Tenant, name: str) -> bool:
        """Return whether this process may do it now, which `end` then ends; the end of the process does so, too."""
        return await Hold(beside(tenant, name), self.membership).take()

    async def end(self, tenant: Tenant, name: str) -> None:
        if self.membership is None:
            return
        try:
            await Hold(beside(tenant, name), self.membership, self.membership.name).drop()
        except StoreError as error:
            log.warning("other processes take %s for being under way: %s", name, error)
