"""A stream that is deleted while a command looks for it is told of in words."""

from pathlib import Path

import pytest

from bot.commands.subcommand import found
from bot.databases import archive_of
from bot.registry import PROTOCOLS
from engine.errors import UnknownStream
from engine.kernel import StreamKey
from engine.store.archive import Archive
from engine.store.port import Stream
from engine.store.sqlite import SqliteStore
from tests.store.words import MEETUP, said, step


class PurgedMeanwhile:
    """An archive from which everything goes between two reads."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def __getattr__(self, name: str) -> object:
        return getattr(self._archive, name)

    def find(self, stream: str) -> list[StreamKey]:
        return self._archive.find(stream)

    def load(self, key: StreamKey) -> Stream | None:
        return None


async def test_a_stream_that_is_purged_while_it_is_looked_for_is_not_there_any_more(tmp_path: Path) -> None:
    database = tmp_path / "towow.db"
    store = SqliteStore(database)
    await store.open()
    try:
        await store.commit(step(MEETUP, 0, [said()]))
    finally:
        await store.close()
    archive = archive_of(database)
    assert found(archive, PROTOCOLS, MEETUP.stream).key == MEETUP

    with pytest.raises(UnknownStream, match="any more"):
        found(PurgedMeanwhile(archive), PROTOCOLS, MEETUP.stream)  # type: ignore[arg-type]
