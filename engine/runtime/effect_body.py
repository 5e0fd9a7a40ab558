"""An effect on its way to its stream's outbox and back."""

from functools import cache
from typing import TypeVar

import msgspec

from engine.kernel import Effect, convert, encode
from engine.store.port import PendingEffect

Kind = TypeVar("Kind", bound=Effect)


def body_of(effect: Effect) -> str:
    """What the row does not say: every field but its name and scope."""
    return encode({name: getattr(effect, name) for name in _besides(type(effect))})


def effect_in(pending: PendingEffect, kind: type[Kind]) -> Kind:
    """An effect that an earlier ToWow left behind has its name and scope in its body, too."""
    name, _, _ = pending.effect_id.rpartition("@")
    return convert({"name": name, "scope": pending.scope, **msgspec.json.decode(pending.body)}, kind)


@cache
def _besides(kind: type[Effect]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name not in ("name", "scope"))
