"""A stream's outbox as one cell of its row."""

from collections.abc import Iterable, Sequence

import msgspec

from engine.kernel import Millis, StreamKey
from engine.store.port import PendingEffect


class _Entry(msgspec.Struct, array_like=True, gc=False):
    effect_id: str
    kind: str
    scope: str
    body: str
    attempts: int = 0
    not_before: Millis = 0
    parked: bool = False


_DECODER = msgspec.json.Decoder(list[_Entry])
_ENCODER = msgspec.json.Encoder()


class OutboxCell:
    """What a cell holds, to be changed and written back."""

    def __init__(self, text: str) -> None:
        self._entries = {each.effect_id: each for each in _DECODER.decode(text)}

    def drop(self, effect_ids: Iterable[str]) -> None:
        for each in effect_ids:
            self._entries.pop(each, None)

    def add(self, effects: Sequence[PendingEffect]) -> None:
        self.drop(each.effect_id for each in effects)
        for each in effects:
            self._entries[each.effect_id] = _Entry(
                each.effect_id, each.kind, each.scope, each.body, each.attempts, each.not_before, each.parked
            )

    def reschedule(self, effect: PendingEffect) -> bool:
        """Whether it is still there."""
        entry = self._entries.get(effect.effect_id)
        if entry is None:
            return False
        entry.attempts, entry.not_before, entry.parked = effect.attempts, effect.not_before, effect.parked
        return True

    @property
    def parked(self) -> int:
        return sum(each.parked for each in self._entries.values())

    @property
    def owes(self) -> bool:
        return not all(each.parked for each in self._entries.values())

    def text(self) -> str:
        return _ENCODER.encode(list(self._entries.values())).decode()


def effects_in(key: StreamKey, text: str) -> tuple[PendingEffect, ...]:
    return tuple(
        PendingEffect(
            key, each.effect_id, each.kind, each.scope, each.body, each.attempts, each.not_before, each.parked
        )
        for each in _DECODER.decode(text)
    )
