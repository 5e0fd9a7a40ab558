"""No token is anywhere in clear: not in a file, a log, an error, an answer, or a backup."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from pathlib import Path

import aiohttp
import pytest

from bot.commands.backup import back_up
from bot.installations_file import installations_beside, restore_installations
from bot.local_slack import Fault
from bot.slack.oauth.database import InstallationDatabase, opened
from bot.slack.oauth.sealed_store import SealedStore
from bot.slack.oauth.token_keys import TokenKeys, id_in, key_id, new_key
from engine.errors import Misconfigured, StoreUnusable
from engine.store.sqlite import SqliteStore

from ..local_slack.several import ACME, BEES
from .driver import HOUR, KEY, OLD_KEY, SECRET, Many, many, tenant


def _leaks(text: bytes, secrets: Iterable[str]) -> list[str]:
    return [each[:24] for each in secrets if each.encode() in text]


def _files(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.iterdir() if each.is_file())


async def test_no_token_is_written_logged_or_answered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    caplog.set_level(logging.DEBUG, "engine")
    database, said = tmp_path / "towow.db", b""
    async with many(SqliteStore(database), database, ACME, BEES) as it:
        for team in (ACME, BEES):
            said += (await it.installs(team.id)).encode()
            await it.asks(team)
        it.later(11 * HOUR)
        await (await it.workspaces.client(tenant(ACME))).auth_test()
        it.slack.slack.fault(Fault(method="oauth.v2.access", do="error", error="invalid_refresh_token"))
        await (await it.workspaces.client(tenant(BEES))).auth_test()
        said += await _answers(it)
        back_up(database, tmp_path / "kept.db")
        it.slack.slack.uninstall(ACME.id)
        await it.is_gone(ACME)
        secrets = [*it.slack.slack.secrets, SECRET, it.slack.slack.app_token]
        assert len(it.slack.slack.secrets) >= 6
        assert _leaks(_files(tmp_path), secrets) == []
    assert _leaks(_files(tmp_path), secrets) == []
    assert installations_beside(tmp_path / "kept.db").is_file()
    assert _leaks(caplog.text.encode(), secrets) == []
    assert _leaks(said, secrets) == []


async def _answers(it: Many) -> bytes:
    async with aiohttp.ClientSession() as session:
        answers = b""
        for path in ("/slack/install", "/slack/oauth_redirect?code=x&state=y", "/readyz", "/healthz"):
            async with session.get(it.url + path) as answer:
                answers += await answer.read() + str(answer.headers).encode()
        return answers


async def _installed(database: Path, *keys: bytes) -> None:
    async with many(SqliteStore(database), database, ACME, keys=keys) as it:
        await it.installs(ACME.id)


async def test_without_its_key_nothing_starts_and_one_sentence_says_so(tmp_path: Path) -> None:
    database = tmp_path / "towow.db"
    await _installed(database, OLD_KEY)
    with pytest.raises(Misconfigured) as wrong:
        await _installed(database, KEY)
    [fault] = wrong.value.faults
    assert fault.startswith("TOWOW_TOKEN_KEYS does not open what is stored.")
    assert key_id(OLD_KEY) in fault
    assert "xox" not in fault


async def test_keys_are_rotated(tmp_path: Path) -> None:
    database = tmp_path / "towow.db"
    await _installed(database, OLD_KEY)
    async with opened(InstallationDatabase(database, "1111111111.2222222222")) as installations:
        both = SealedStore(installations, TokenKeys([KEY, OLD_KEY]))
        before = await both.async_find_bot(enterprise_id=None, team_id=ACME.id)
        assert await both.reseal() == 4
        assert await both.reseal() == 0
        only = SealedStore(installations, TokenKeys([KEY]))
        await only.check_keys()
        after = await only.async_find_bot(enterprise_id=None, team_id=ACME.id)
    assert before is not None
    assert after is not None
    assert (before.bot_token, before.bot_refresh_token) == (after.bot_token, after.bot_refresh_token)


def test_a_token_is_bound_to_whose_it_is_and_to_its_column() -> None:
    keys = TokenKeys([KEY])
    sealed = keys.seal("xoxb-canary", "|T_ACME|bot_token")
    assert "canary" not in sealed
    assert id_in(sealed) == key_id(KEY)
    assert keys.open(sealed, "|T_ACME|bot_token") == "xoxb-canary"
    for whose in ("|T_BEES|bot_token", "|T_ACME|user_token", "E_GROUP|T_ACME|bot_token"):
        with pytest.raises(StoreUnusable) as refused:
            keys.open(sealed, whose)
        assert "canary" not in str(refused.value)
    with pytest.raises(StoreUnusable, match="TOWOW_TOKEN_KEYS lacks"):
        TokenKeys([OLD_KEY]).open(sealed, "|T_ACME|bot_token")
    assert keys.seal("xoxb-canary", "|T_ACME|bot_token") != sealed


def test_a_new_key_is_one() -> None:
    assert new_key() != new_key()
    assert len(new_key()) == 44


async def test_the_file_is_for_its_user_alone_and_comes_back_with_a_backup(tmp_path: Path) -> None:
    database = tmp_path / "towow.db"
    await _installed(database, KEY)
    back_up(database, tmp_path / "kept.db")
    for each in (installations_beside(database), installations_beside(tmp_path / "kept.db")):
        assert os.stat(each).st_mode & 0o077 == 0

    assert not restore_installations(tmp_path / "kept.db", database), "what is there is newer"
    installations_beside(database).unlink()
    assert restore_installations(tmp_path / "kept.db", database)
    async with opened(InstallationDatabase(database, "1111111111.2222222222")) as installations:
        assert await SealedStore(installations, TokenKeys([KEY])).async_find_bot(enterprise_id=None, team_id=ACME.id)
