"""A stream's outbox as one cell of its row.

Effects that stand side by side and are of one kind and scope are one group, ``[kind, scope, [effect, ...]]``; an effect
is ``[effect_id, body]``, with its attempts behind where one has failed. So ten questions to ten people fit on a page
with the rest of the row.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter

import msgspec

from engine.kernel import Millis, StreamKey
from engine.store.port import PendingEffect


class _Entry(msgspec.Struct, array_like=True, gc=False):
    effect_id: str
    body: msgspec.Raw
    attempts: int = 0
    not_before: Millis = 0
    parked: bool = False


_DECODER = msgspec.json.Decoder(list[tuple[str, str, list[_Entry]]])
_ENCODER = msgspec.json.Encoder()
EMPTY = "[]"


class OutboxCell:
    """What a cell holds, to be changed and written back."""

    def __init__(self, text: str) -> None:
        self._entries = {
            entry.effect_id: (kind, scope, entry) for kind, scope, group in _DECODER.decode(text) for entry in group
        }

    def drop(self, effect_ids: Iterable[str]) -> None:
        for each in effect_ids:
            self._entries.pop(each, None)

    def add(self, effects: Sequence[PendingEffect]) -> None:
        self.drop(each.effect_id for each in effects)
        for each in effects:
            entry = _Entry(each.effect_id, msgspec.Raw(each.body), each.attempts, each.not_before, each.parked)
            self._entries[each.effect_id] = each.kind, each.scope, entry

    def reschedule(self, effect: PendingEffect) -> bool:
        """Whether it is still there."""
        found = self._entries.get(effect.effect_id)
        if found is None:
            return False
        entry = found[2]
        entry.attempts, entry.not_before, entry.parked = effect.attempts, effect.not_before, effect.parked
        return True

    @property
    def parked(self) -> int:
        return sum(entry.parked for _, _, entry in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def owed(self) -> int:
        return len(self) - self.parked

    def text(self) -> str:
        groups = groupby(self._entries.values(), key=itemgetter(0, 1))
        return _ENCODER.encode([(*key, [_short(entry) for *_, entry in group]) for key, group in groups]).decode()


def _short(entry: _Entry) -> _Entry | tuple[str, msgspec.Raw]:
    return entry if entry.attempts or entry.not_before or entry.parked else (entry.effect_id, entry.body)


def _text(body: msgspec.Raw) -> str:
    return bytes(body).decode()


def effects_in(key: StreamKey, text: str) -> tuple[PendingEffect, ...]:
    return tuple(
        PendingEffect(key, each.effect_id, kind, scope, _text(each.body), each.attempts, each.not_before, each.parked)
        for kind, scope, group in _DECODER.decode(text)
        for each in group
    )
