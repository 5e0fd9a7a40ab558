"""An effect on its way to its stream's outbox and back."""

from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from engine.kernel import Effect, convert, encode
from engine.store.port import PendingEffect

Kind = TypeVar("Kind", bound=Effect)


TRACEPARENT: Final = "traceparent"
"""Beside the fields of an effect, where traces are collected: what led to it."""


def body_of(effect: Effect, traceparent: str = "") -> str:
    """What the row does not say: everything but its name and scope.

    Args:
        traceparent: what led to it; empty where no traces are collected.
    """
    body = encode(replace(effect, name=msgspec.UNSET, scope=msgspec.UNSET))
    if not traceparent:
        return body
    return encode({**msgspec.json.decode(body), TRACEPARENT: traceparent})


def traceparent_of(pending: PendingEffect) -> str:
    """What led to an effect; empty where that was not written down."""
    return str(msgspec.json.decode(pending.body).get(TRACEPARENT, ""))


def effect_in(pending: PendingEffect, kind: type[Kind]) -> Kind:
    """An effect that an earlier ToWow left behind has its name and scope in its body, too."""
    name, _, _ = pending.effect_id.rpartition("@")
    said = msgspec.json.decode(pending.body)
    said.pop(TRACEPARENT, None)
    return convert({"name": name, "scope": pending.scope, **said}, kind)
