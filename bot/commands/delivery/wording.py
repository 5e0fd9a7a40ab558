"""Words for a delivery in the terminal."""

from engine.delivery.terms import Owner, WorkerKind


def owner_name(owner: Owner) -> str:
    if owner.kind is WorkerKind.NOBODY:
        return owner.name or "nobody"
    if owner.kind is WorkerKind.PERSON:
        return owner.name or "you"
    return owner.name or owner.role_id
