"""Killing the workspace loses nothing that was answered."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Admin, LocalWorkspace, Person

from .conftest import AYA, CHANNELS, GENERAL, USERS, client_of
from .raw_connections import raw_connection
from .test_conversation import BUTTON


@asynccontextmanager
async def process(*arguments: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The workspace as a process of its own, with its URL; killed at the end of the block."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.local_slack", *arguments, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    try:
        yield child, (await child.stdout.readline()).decode().strip()
    finally:
        if child.returncode is None:
            child.kill()
        await child.communicate()


async def test_a_killed_process_comes_back_with_everything_it_had_answered(tmp_path: Path) -> None:
    seed = tmp_path / "seed.json"
    seed.write_text(
        json.dumps({"users": [u.model_dump() for u in USERS], "channels": [c.model_dump() for c in CHANNELS]})
    )
    arguments = ("--file", str(tmp_path / "workspace.jsonl"), "--seed", str(seed))
    async with process(*arguments) as (child, url):
        aya = Person(url, AYA)
        posted = await aya.say(GENERAL, "a venue & food <@U_TOWOW>")
        client = AsyncWebClient(token="xoxb-local-towow", base_url=f"{url}/api/")
        card = await client.chat_postMessage(
            channel=GENERAL, text="Accept?", thread_ts=posted.ts, blocks=[{"type": "actions", "elements": [BUTTON]}]
        )
        pending = (await Admin(url).status()).pending
        child.kill()
    async with process(*arguments) as (_, url):
        aya = Person(url, AYA)
        thread = await aya.thread(GENERAL, posted.ts)
        assert [(m.ts, m.text) for m in thread] == [
            (posted.ts, "a venue &amp; food <@U_TOWOW>"),
            (card["ts"], "Accept?"),
        ]
        assert thread[1].blocks == card["message"]["blocks"]
        assert (await Admin(url).status()).pending == pending == 3
        later = await aya.say(GENERAL, "again")
        assert later.ts > card["ts"]


async def test_events_that_were_not_acknowledged_are_delivered_after_the_restart(tmp_path: Path) -> None:
    file = tmp_path / "workspace.jsonl"
    async with LocalWorkspace(users=USERS, channels=CHANNELS, file=file) as workspace:
        posted = await workspace.person(AYA).say(GENERAL, "hello")
    async with LocalWorkspace(file=file) as workspace, raw_connection(workspace) as tap:
        assert (await tap.next())["payload"]["event"]["ts"] == posted.ts
        await workspace.admin.idle()
    async with LocalWorkspace(file=file) as workspace:
        assert (await workspace.admin.status()).pending == 0


async def test_a_line_that_a_kill_tore_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "workspace.jsonl"
    async with LocalWorkspace(users=USERS, channels=CHANNELS, file=file) as workspace:
        posted = await workspace.person(AYA).say(GENERAL, "kept")
    with file.open("a", encoding="utf-8") as torn:
        torn.write('["message", "C_GENERAL/99.000001", {"channel": "C_GEN')
    async with LocalWorkspace(file=file) as workspace:
        assert [message.ts for message in await workspace.person(AYA).messages(GENERAL)] == [posted.ts]


async def test_files_and_views_survive_too(tmp_path: Path) -> None:
    file = tmp_path / "workspace.jsonl"
    home = {"type": "home", "blocks": [{"type": "divider"}]}
    async with LocalWorkspace(users=USERS, channels=CHANNELS, file=file) as workspace:
        client = client_of(workspace)
        await client.views_publish(user_id=AYA, view=home)
        uploaded = await client.files_upload_v2(filename="plan.bin", content=b"\x00\xff plan", channel=GENERAL)
    async with LocalWorkspace(file=file) as workspace:
        aya = workspace.person(AYA)
        published = await aya.home()
        assert published is not None
        assert published.blocks[0]["type"] == "divider"
        assert await aya.download(uploaded["file"]["id"]) == b"\x00\xff plan"


async def test_the_process_can_be_a_slack_of_several_workspaces(tmp_path: Path) -> None:
    seed, teams = tmp_path / "several.json", {"T_ACME": "U_ANN", "T_BEES": "U_BEA"}
    workspaces = [
        {
            "team": {"id": team, "name": team.title()},
            "users": [{"id": user, "name": user.lower(), "is_admin": True}],
            "channels": [{"id": f"C_{team}", "name": "general", "members": [user]}],
        }
        for team, user in teams.items()
    ]
    seed.write_text(json.dumps({"workspaces": workspaces}))
    async with process("--seed", str(seed)) as (child, url):
        assert child.stdout is not None
        lines = [(await child.stdout.readline()).decode().strip() for _ in range(6)]
        said = dict(each.split("=", 1) for each in lines[:4])
        places = dict(each.split(" ", 1) for each in lines[4:])
        assert said["SLACK_API_URL"] == f"{url}/api/"
        assert places.keys() == teams.keys()
        for team, user in teams.items():
            await Person(places[team], user).say(f"C_{team}", "hello")
        slack = AsyncWebClient(base_url=said["SLACK_API_URL"])
        assert (await slack.apps_connections_open(app_token=said["SLACK_APP_TOKEN"]))["ok"]
        async with aiohttp.ClientSession() as session:
            asked = {
                "client_id": said["SLACK_CLIENT_ID"], "scope": "chat:write", "state": "s",
                "redirect_uri": "http://127.0.0.1:9/slack/oauth_redirect",
            }  # fmt: skip
            async with session.get(f"{url}/oauth/v2/authorize", params=asked) as page:
                shown = await page.text()
        assert all(team in shown for team in teams)
        child.terminate()
        assert await child.wait() == 0


async def test_the_process_refuses_to_start_beside_a_real_token() -> None:
    environment = {**os.environ, "SLACK_BOT_TOKEN": "xoxb-1234-real"}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.local_slack", env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, complaint = await child.communicate()
    assert child.returncode == 2
    assert complaint.decode().startswith("SLACK_BOT_TOKEN holds a token of a real Slack workspace")


async def test_only_this_user_may_read_what_people_wrote(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        file = tmp_path / "kept" / "messages"
        async with LocalWorkspace(users=USERS, channels=CHANNELS, file=file) as workspace:
            await workspace.person(AYA).say(GENERAL, "hello")
    finally:
        os.umask(before)

    assert [os.stat(each).st_mode & 0o777 for each in (file, file.parent)] == [0o600, 0o700]
