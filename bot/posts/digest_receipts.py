"""Stores which digests took the places of posts, so that whoever got one counts as told."""

from collections.abc import Iterable
from typing import Final

from bot.posts.post_records import PostRecord
from bot.views.kit.digest import DigestItem
from engine.kernel import StreamKey, Tenant
from engine.store.port import Store

KIND: Final = "digest_listed"
"""Of the records: by stream and post, what became of the digest that lists what the post would ask."""


async def store_listed(store: Store, tenant: Tenant, items: Iterable[DigestItem], entry: PostRecord) -> None:
    """
    Raises:
        StoreError
    """
    row = entry.model_dump_json(exclude_defaults=True)
    await store.put_records(tenant, KIND, {f"{each.stream}/{each.post}": row for each in items})


async def listed(store: Store, key: StreamKey) -> dict[str, PostRecord]:
    """Return what became of the digests, by the key of each post.

    Raises:
        StoreError
    """
    prefix = f"{key.stream}/"
    rows = await store.records(key.tenant, KIND, prefix)
    return {record.removeprefix(prefix): PostRecord.model_validate_json(row) for record, row in rows.items()}
