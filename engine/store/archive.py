"""A store that is only looked at, also while a ToWow runs on it: by commands, which wait for each answer."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Protocol

from engine.kernel import StreamKey, Tenant
from engine.store.port import Stream


class Archive(Protocol):
    """Every method may raise `StoreError`."""

    def find(self, stream: str) -> list[StreamKey]:
        """Every tenant's stream of this name."""

    def tenants(self) -> Set[Tenant]:
        """Whose streams there are."""

    def streams(self) -> list[StreamKey]:
        """All streams of all tenants, the oldest first."""

    def naming(self, names: Collection[str]) -> list[StreamKey]:
        """Streams that are called so, or of which an event has one of these as a whole string; the oldest first."""

    def load(self, key: StreamKey) -> Stream | None: ...

    def tenants_of_records(self) -> Sequence[Tenant]:
        """Whose records there are."""

    def records(self, tenant: Tenant, kind: str) -> Iterator[str]:
        """Yield the JSON of a tenant's records of a kind, in the order of their keys, without holding all of them."""

    def verify(self, key: StreamKey) -> bool:
        """Whether every digest and chain hash of the stream is what its rows say."""

    def counts(self) -> Mapping[str, int]: ...


def read_statements(path: Path) -> Mapping[str, str]:
    text = path.read_text(encoding="utf-8")
    _, *parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)
    return {name: statement.strip() for name, statement in zip(parts[::2], parts[1::2], strict=True)}
