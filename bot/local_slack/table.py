"""A table of things by key, kept in the journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from .journal import Journal
from .model import Record

T = TypeVar("T", bound=Record)


class Table(Generic[T]):
    """Every `put` is in the journal before `changed` tells anyone."""

    def __init__(self, kind: str, model: type[T], journal: Journal, changed: Callable[[T], None] | None = None) -> None:
        self._kind = kind
        self._model = model
        self._journal = journal
        self._changed = changed
        self._things: dict[str, T] = {}

    def load(self) -> None:
        """Take what the journal kept; nobody is told, for nothing changed."""
        for body in self._journal.take(self._kind):
            thing = self._model.model_validate_json(body)
            self._things[thing.key] = thing

    def put(self, thing: T) -> T:
        self._journal.put(self._kind, thing.key, thing.model_dump_json(exclude_defaults=True))
        self._things[thing.key] = thing
        if self._changed is not None:
            self._changed(thing)
        return thing

    def drop(self, key: str) -> None:
        if self._things.pop(key, None) is not None:
            self._journal.put(self._kind, key, None)

    def get(self, key: str | None) -> T | None:
        return self._things.get(key) if key is not None else None

    def __getitem__(self, key: str) -> T:
        return self._things[key]

    def __contains__(self, key: object) -> bool:
        return key in self._things

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._things.values()))

    def __len__(self) -> int:
        return len(self._things)
