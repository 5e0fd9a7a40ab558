"""A source of digests where nobody wants any."""

from collections.abc import Sequence
from datetime import time

from bot.posts.digests import LastDigest, Reader
from bot.views.kit.digest import DigestItem, Waiting
from bot.views.kit.post import Post
from engine.kernel import StreamKey, Tenant


class NoDigests:
    """Where nobody wants any."""

    async def readers(self, tenant: Tenant) -> Sequence[Reader]:
        return ()

    def has_choices(self, key: StreamKey) -> bool:
        return False

    async def concerned(self, key: StreamKey) -> frozenset[str]:
        return frozenset()

    async def times(self, tenant: Tenant, user: str) -> tuple[tuple[time, ...], str]:
        return (), ""

    async def waiting(self, tenant: Tenant, user: str) -> Sequence[Waiting]:
        return ()

    async def chosen(
        self, tenant: Tenant, user: str, number: int, waiting: Sequence[Waiting]
    ) -> tuple[DigestItem, ...]:
        return ()

    async def posts(self, tenant: Tenant, user: str, last: LastDigest) -> Sequence[Post]:
        return ()
