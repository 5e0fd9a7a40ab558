"""A word of its own in everything that somebody can write, followed to wherever it comes.

docs/privacy.md has the table: what may be where. It is held exactly, and after forgetting there is nothing.
"""

import logging
from pathlib import Path
from typing import Final

import pytest

from bot.app import running
from bot.commands.backup import back_up
from bot.commands.forget import carry_out, plans
from bot.config import SlackAccess
from bot.local_slack import Message
from bot.registry import PROTOCOLS
from engine.errors import UnknownStream
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from tests.bot.driver import ADMIN, AYA, QUIET, YOU, Driver

from .canaries import AYAS, CANARIES, HELD, MADE_OF_HERS, bytes_of, dumped, found_in, messages, places, profiles, told

PAGE: Final = Path(__file__).parents[2] / "docs" / "privacy.md"
DAY: Final = 86_400_000
OF_PROFILES: Final = {"the name in a profile", "every other field of a profile"}
MARK: Final = "•"
HEAD: Final = "| what is written |"


def table() -> dict[str, set[str]]:
    """By place, what may be there, as the page says."""
    lines = PAGE.read_text("utf-8").splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith(HEAD))
    places, _, *rows = [cells(line) for line in lines[begin : lines.index("", begin)]]
    return {place: {what for what, *marks in rows if marks[column] == MARK} for column, place in enumerate(places[1:])}


def cells(line: str) -> list[str]:
    return [each.strip() for each in line.strip("|").split("|")]


async def test_each_word_is_where_it_may_be_and_nowhere_else(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)  # ToWow logs no more than this, whatever it is told
    path = tmp_path / "towow.db"
    earlier: list[Message] = []
    async with told(path, earlier) as it:
        found = await places(it, path, caplog, earlier)

    assert found == table()


async def forget(path: Path, **whose: str) -> None:
    store = SqliteStore(path)
    await store.open()
    try:
        epoch = await store.lease()
        for plan in plans(Archive(path), PROTOCOLS, **whose):
            await carry_out(store, epoch, plan, PROTOCOLS, 2_000_000_000_000)
    finally:
        await store.close()


async def posts_again(it: Driver, path: Path) -> str:
    """What the bot's posts say once ToWow has run again."""
    workspace = it.demo.workspace
    slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=0.5, limited=False)
    store, clock = SqliteStore(path), it.demo.clock
    async with running(slack, store, it.script, profiles(), clock, HELD, PROTOCOLS, frozenset({ADMIN})) as towow:
        await workspace.admin.connected(10)
        await towow.idle()
        await workspace.admin.idle(QUIET)
        thread, direct = await messages(workspace)
    return dumped([*thread, *direct])


@pytest.mark.parametrize(
    ("whose", "gone"),
    [
        pytest.param({"user": YOU}, {*CANARIES} - OF_PROFILES, id="asked"),
        pytest.param({"user": AYA}, AYAS | MADE_OF_HERS, id="takes part"),
        pytest.param({"negotiation": "it"}, {*CANARIES} - OF_PROFILES, id="the negotiation"),
    ],
)
async def test_what_is_forgotten_is_nowhere_any_more(tmp_path: Path, whose: dict[str, str], gone: set[str]) -> None:
    path = tmp_path / "towow.db"
    async with told(path) as it:
        named = {name: it.key.stream if said == "it" else said for name, said in whose.items()}
        await it.leaves()
        assert gone <= found_in(bytes_of(path).decode("utf-8", "replace"))

        await forget(path, **named)

        archive = Archive(path)
        assert all(archive.verify(key) for key in archive.streams())
        left = found_in(bytes_of(path).decode("utf-8", "replace"))
        assert left & gone == set()
        shown = await posts_again(it, path)
        assert found_in(shown) & gone == set()
        assert "(erased)" in shown
        assert Archive(path).verify(it.key)
        left = found_in(bytes_of(path).decode("utf-8", "replace"))
        assert left & gone == set(), "what runs again brings nothing back"


async def test_of_what_is_old_nothing_is_anywhere(tmp_path: Path) -> None:
    path, gone = tmp_path / "towow.db", {*CANARIES} - OF_PROFILES
    async with told(path, keep_days=30) as it:
        retention, towow = it.demo.towow.retention, it.demo.towow
        assert retention is not None
        await it.goes_on()
        it.demo.clock.jump(it.demo.clock.now() + 29 * DAY)
        await retention.look()
        assert gone <= found_in(bytes_of(path).decode("utf-8", "replace"))

        it.demo.clock.jump(it.demo.clock.now() + 2 * DAY)
        await retention.look()

        await towow.store.put_records(it.key.tenant, "locale", {YOU: None})  # the log is emptied before it is written
        assert await towow.store.load(it.key) is None
        left = found_in(bytes_of(path).decode("utf-8", "replace"))
        assert left & gone == set()
        with pytest.raises(UnknownStream):
            await towow.runtime.look_up(it.key)


async def test_a_backup_holds_what_the_database_holds(tmp_path: Path) -> None:
    path, copy = tmp_path / "towow.db", tmp_path / "copy.db"
    async with told(path):
        back_up(path, copy)

    assert found_in(bytes_of(copy).decode("utf-8", "replace")) == {*CANARIES}


def test_the_table_names_what_is_written_and_nothing_else() -> None:
    assert {each for held in table().values() for each in held} == {*CANARIES}
