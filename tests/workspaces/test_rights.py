"""What is each workspace's own: its admins, its tokens of the HTTP interface, and the app that it installs."""

from __future__ import annotations

import json
from pathlib import Path

import aiohttp
import pytest

from bot.api.tokens import Scope, Token, digest_of
from bot.commands.manifest import COMMAND
from bot.slack.manifest import OF_MANY, manifest_for_many
from engine.store.memory import MemoryStore

from ..local_slack.several import ACME, BEES
from .driver import many, tenant

SECRET = "a token that nobody guesses"


def _token(name: str, team: str) -> Token:
    return Token(name, frozenset({Scope.READ, Scope.ADMIN}), "", digest_of(f"{SECRET} {name}"), team)


async def test_whoever_installs_it_is_admin_there_and_nowhere_else(tmp_path: Path) -> None:
    named = frozenset({"T_BEES:U_NAMED"})
    async with many(MemoryStore(), tmp_path / "towow.db", ACME, BEES, admins=named) as it:
        await it.installs(ACME.id)
        await it.installs(BEES.id)
        settings = it.towow.services.settings
        assert await settings.is_admin(tenant(ACME), "U_ACME_ADMIN")
        assert not await settings.is_admin(tenant(BEES), "U_ACME_ADMIN")
        assert not await settings.is_admin(tenant(ACME), "U_ACME_ANN")
        assert await settings.is_admin(tenant(BEES), "U_NAMED")
        assert not await settings.is_admin(tenant(ACME), "U_NAMED")


async def test_a_token_of_the_http_interface_reads_its_own_workspace(tmp_path: Path) -> None:
    tokens = (_token("ours", ACME.id), _token("theirs", BEES.id), _token("nobodys", "T_CODE"))
    async with many(MemoryStore(), tmp_path / "towow.db", ACME, BEES, tokens=tokens) as it:
        await it.installs(ACME.id)
        await it.installs(BEES.id)
        await it.asks(ACME)
        found: dict[str, tuple[int, str]] = {}
        async with aiohttp.ClientSession() as session:
            for name in ("ours", "theirs", "nobodys"):
                said = {"Authorization": f"Bearer {SECRET} {name}"}
                async with session.get(f"{it.url}/api/v1/events/recent", headers=said) as answer:
                    found[name] = answer.status, await answer.text()
        assert found["ours"][0] == found["theirs"][0] == 200, found
        assert len(json.loads(found["ours"][1])["events"]) > 0
        assert len(json.loads(found["theirs"][1])["events"]) == 0
        assert found["nobodys"][0] == 403
        assert "not installed" in found["nobodys"][1]

        it.slack.slack.uninstall(ACME.id)
        await it.is_gone(ACME)
        async with aiohttp.ClientSession() as session:
            said = {"Authorization": f"Bearer {SECRET} ours"}
            async with session.get(f"{it.url}/api/v1/events/recent", headers=said) as answer:
                assert answer.status == 403


def test_the_manifest_lets_tokens_expire_and_hears_who_leaves() -> None:
    made = manifest_for_many("https://towow.example")
    assert made["oauth_config"]["redirect_urls"] == ["https://towow.example/slack/oauth_redirect"]
    assert set(OF_MANY) <= set(made["settings"]["event_subscriptions"]["bot_events"])
    assert made["settings"]["token_rotation_enabled"] is made["settings"]["org_deploy_enabled"] is True


def test_the_manifest_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from argparse import Namespace

    monkeypatch.setenv("TOWOW_PUBLIC_URL", "https://towow.example/")
    assert COMMAND.run(Namespace(many=True, no_step=False)) == 0
    assert "- https://towow.example/slack/oauth_redirect" in capsys.readouterr().out


async def test_an_admin_of_one_workspace_is_not_told_what_is_counted_of_all(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        await it.installs(ACME.id)
        admin = it.slack.workspaces[ACME.id].person("U_ACME_ADMIN")
        await admin.open_home()
        home = await admin.until_home(lambda view: "Settings" in str(view.blocks))
        assert "Open negotiations" not in str(home.blocks)
