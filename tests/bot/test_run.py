"""``towow run``, as a process of its own, against the local workspace."""

import asyncio
import json
import os
import shutil
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from aiohttp import ClientSession

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, LocalWorkspace

from ..equipment import WITHOUT_ENCODER
from .driver import ACCEPT, USERS, YOU, shows

ROOT: Final = Path(__file__).parents[2]
LONGEST: Final = 60
"""Seconds that a process may take to start, to serve or to end."""


@asynccontextmanager
async def towow_run(folder: Path, *options: str, **variables: str) -> AsyncIterator[Process]:
    """Start a process, and kill it on leaving in case it has not ended."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *options, "run", cwd=folder, stdout=PIPE, stderr=PIPE,
        env=os.environ | {"PYTHONPATH": WITHOUT_ENCODER} | variables,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
async def workspace() -> AsyncIterator[LocalWorkspace]:
    channel = Channel(id=CHANNEL, name="general", members=[each.id for each in USERS])
    async with LocalWorkspace(users=USERS, channels=[channel]) as workspace:
        yield workspace


def access(workspace: LocalWorkspace) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": workspace.bot_token,
        "SLACK_APP_TOKEN": workspace.app_token,
        "SLACK_API_URL": workspace.api_url,
    }


def files_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


async def test_it_connects_serves_a_demand_ends_when_told_and_leaves_only_its_store(
    workspace: LocalWorkspace, tmp_path: Path
) -> None:
    people, home = tmp_path / "people", tmp_path / "home"
    people.mkdir()
    home.mkdir()
    shutil.copy(ROOT / "profiles" / "lin_xiao.yaml", people)
    you = workspace.person(YOU)
    async with AsyncExitStack() as stack, asyncio.timeout(LONGEST):
        towow = await stack.enter_async_context(
            towow_run(home, TOWOW_PROFILES=str(people), TOWOW_DB="towow.db", TOWOW_LOG="json", **access(workspace))
        )
        assert towow.stdout is not None
        assert towow.stderr is not None
        assert b"ToWow is connected" in await towow.stdout.readline()

        said = await you.say(CHANNEL, "<@U_TOWOW> 我想在北京办一场50人的AI主题聚会，需要场地")
        card = await you.until_message(CHANNEL, lambda each: shows(each, ACCEPT), said.ts, within=LONGEST)
        assert (await you.click(CHANNEL, card.ts, ACCEPT)).acked
        await you.until_message(CHANNEL, lambda each: "方案定了" in each.text, said.ts, within=LONGEST)

        towow.send_signal(signal.SIGTERM)
        assert await towow.wait() == 0
        told = [json.loads(line) for line in (await towow.stderr.read()).splitlines()]
        assert not [each for each in told if each["level"] == "error" and each["event"] != "a negotiation failed"]
        assert "a plan stands" in [each["event"] for each in told]
    assert (await workspace.admin.status()).connections == 0
    assert files_in(home) == ["towow.db", "towow.db-identity", "towow.db-lock"]


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGINT], ids=lambda each: each.name)
async def test_it_ends_when_told_even_while_slack_cannot_be_reached(tmp_path: Path, ends: signal.Signals) -> None:
    nowhere = {"SLACK_BOT_TOKEN": "xoxb-local-1", "SLACK_APP_TOKEN": "xapp-local-1", "SLACK_API_URL": "http://[::1]:1/"}
    async with AsyncExitStack() as stack, asyncio.timeout(LONGEST):
        towow = await stack.enter_async_context(towow_run(tmp_path, "--verbose", **nowhere))
        assert towow.stderr is not None
        logged = await towow.stderr.readuntil(b"Failed to connect")

        towow.send_signal(ends)

        assert await towow.wait() == 0
        logged += await towow.stderr.read()
        assert not [token for token in (b"xoxb-local-1", b"xapp-local-1") if token in logged]
    assert files_in(tmp_path) == ["towow.db", "towow.db-identity", "towow.db-lock"]


async def test_tokens_that_slack_refuses_are_all_named_and_never_shown(
    workspace: LocalWorkspace, tmp_path: Path
) -> None:
    wrong = access(workspace) | {"SLACK_BOT_TOKEN": "xoxb-local-wrong", "SLACK_APP_TOKEN": "xapp-local-wrong"}
    async with towow_run(tmp_path, **wrong) as towow:
        said, complained = await asyncio.wait_for(towow.communicate(), LONGEST)

    assert towow.returncode == 2
    assert complained.decode().splitlines() == [
        f"towow: {name} is refused by Slack (invalid_auth); copy it anew from the app's page"
        for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN")
    ]
    assert said == b""
    assert files_in(tmp_path) == []


async def test_with_tokens_it_is_served_over_http_as_well(workspace: LocalWorkspace, tmp_path: Path) -> None:
    secret = "t" * 32
    tokens = f"program submit,read - {secret}; watch metrics - {secret}2"
    async with AsyncExitStack() as stack, asyncio.timeout(LONGEST):
        towow = await stack.enter_async_context(
            towow_run(tmp_path, "--verbose", TOWOW_API_TOKENS=tokens, TOWOW_API_PORT="0", **access(workspace))
        )
        assert towow.stdout is not None
        assert towow.stderr is not None
        told = (await towow.stdout.readline()).decode()
        assert told.startswith("The HTTP interface is at http://127.0.0.1:")
        url = told.removesuffix("/api/v1.\n").rpartition(" ")[2]
        session = await stack.enter_async_context(ClientSession(url, headers={"Authorization": f"Bearer {secret}"}))
        asked = {"raw_input": "我想在北京办一场50人的AI主题聚会，需要场地", "user_id": YOU, "slack_channel": CHANNEL}
        async with session.post("/api/v1/demand/submit", json=asked) as answer:
            assert answer.status == 200
            demand_id = (await answer.json())["demand_id"]
        async with session.get(f"/api/v1/events/negotiations/{demand_id}/stream") as events:
            async for line in events.content:
                if b"towow.proposal.distributed" in line:
                    break
            towow.send_signal(signal.SIGTERM)  # while somebody reads
            assert await towow.wait() == 0
        logged = await towow.stderr.read()
        assert secret.encode() not in logged
        assert b"Traceback" not in logged


async def test_whether_slack_reaches_it_can_be_asked_while_it_does_not(tmp_path: Path) -> None:
    nowhere = {"SLACK_BOT_TOKEN": "xoxb-local-1", "SLACK_APP_TOKEN": "xapp-local-1", "SLACK_API_URL": "http://[::1]:1/"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    api = {"TOWOW_API_TOKENS": f"program read - {'t' * 32}", "TOWOW_API_PORT": port}
    async with AsyncExitStack() as stack, asyncio.timeout(LONGEST):
        towow = await stack.enter_async_context(towow_run(tmp_path, "--verbose", **nowhere, **api))
        assert towow.stderr is not None
        await towow.stderr.readuntil(b"Failed to connect")
        session = await stack.enter_async_context(ClientSession(f"http://127.0.0.1:{port}"))

        async with session.get("/healthz") as answer:
            assert answer.status == 200
        async with session.get("/readyz") as answer:
            assert answer.status == 503
            assert await answer.json() == {"status": "not ready", "store": True, "slack": False}
