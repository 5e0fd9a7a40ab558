"""An effect on its way to its stream's outbox and back."""

from typing import TypeVar

import msgspec
from msgspec.structs import replace

from engine.kernel import Effect, convert, encode
from engine.store.port import PendingEffect

Kind = TypeVar("Kind", bound=Effect)


def body_of(effect: Effect) -> str:
    """What the row does not say: everything but its name and scope."""
    return encode(replace(effect, name=msgspec.UNSET, scope=msgspec.UNSET))


def effect_in(pending: PendingEffect, kind: type[Kind]) -> Kind:
    """An effect that an earlier ToWow left behind has its name and scope in its body, too."""
    name, _, _ = pending.effect_id.rpartition("@")
    return convert({"name": name, "scope": pending.scope, **msgspec.json.decode(pending.body)}, kind)
