"""The audit trail, read: what people did in one negotiation or in the directory, and what one person did anywhere."""

from engine.kernel import Tenant, decode
from engine.projections.audit_records import BY_PERSON, IN_STREAM, AuditRecord
from engine.store.port import Store


async def acts(store: Store, tenant: Tenant, stream: str) -> list[AuditRecord]:
    """What people did in this stream, oldest first."""
    return await _read(store, tenant, IN_STREAM, f"{stream}/")


async def acts_by(store: Store, tenant: Tenant, user_id: str, during: str = "") -> list[AuditRecord]:
    """What this person did in any stream of the tenant, oldest first.

    Args:
        during: the beginning of a time in ISO 8601, UTC: ``2026-03`` is that month. Empty: ever.
    """
    return await _read(store, tenant, BY_PERSON, f"{user_id}/{during}")


async def _read(store: Store, tenant: Tenant, kind: str, prefix: str) -> list[AuditRecord]:
    rows = await store.records(tenant, kind, prefix)
    return [decode(row, AuditRecord) for row in rows.values()]
