"""``towow run`` without Socket Mode: Slack calls it, signs what it sends, and any workspace installs it."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import aiohttp
from slack_sdk.signature import SignatureVerifier

from bot.local_slack import App, Message, Registration
from bot.slack.manifest import manifest

from ..bot.driver import ACCEPT, shows
from ..bot.test_run import LONGEST, towow_run
from ..local_slack.several import ACME, BEES, Clock, Several, several
from .driver import EVENTS, KEY, QUIET, free_port, install_address, new_browser

SIGNING: Final = "8f742231b10e8888abcd99yyyzzz85a5"
DEMAND: Final = "我想在北京办一场50人的AI主题聚会，需要场地"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


class WallTime(Clock):
    """The time of the machine, by which the process goes."""

    def __call__(self) -> float:
        return time.time()


class Delivering:
    """Sends what the local Slack has for the app as Slack does over HTTP, and brings the answers back."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.statuses: list[int] = []
        self.refused: list[int] = []

    async def deliver(self, session: aiohttp.ClientSession, slack: Several) -> None:
        token = {"Authorization": f"Bearer {slack.slack.app_token}"}
        async with session.post(f"{slack.slack.api_url}apps.connections.open", headers=token) as opened:
            address = (await opened.json())["url"]
        async with session.ws_connect(address) as socket, asyncio.TaskGroup() as tasks:
            async for each in socket:
                envelope = json.loads(each.data)
                if "envelope_id" in envelope:
                    tasks.create_task(self._forward(session, socket, envelope))

    async def _forward(
        self, session: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse, envelope: dict[str, Any]
    ) -> None:
        payload = envelope["payload"]
        kind = envelope["type"]
        content, body = (
            (JSON, json.dumps(payload))
            if kind == "events_api"
            else (FORM, urlencode({"payload": json.dumps(payload)} if kind == "interactive" else payload))
        )
        self.refused.append((await self.post(session, content, body, "somebody else's"))[0])
        status, answer = await self.post(session, content, body, SIGNING)
        self.statuses.append(status)
        if status == 200:
            told = {"payload": json.loads(answer)} if answer.startswith("{") else {}
            await socket.send_json({"envelope_id": envelope["envelope_id"], **told})

    async def post(self, session: aiohttp.ClientSession, content: str, body: str, secret: str) -> tuple[int, str]:
        stamp = str(int(time.time()))
        signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body) or ""
        headers = {"Content-Type": content, "X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature}
        async with session.post(f"{self._url}/slack/events", data=body.encode(), headers=headers) as answer:
            return answer.status, await answer.text()


@asynccontextmanager
async def delivered(slack: Several, url: str) -> AsyncIterator[Delivering]:
    delivering = Delivering(url)
    async with aiohttp.ClientSession() as session:
        task = asyncio.create_task(delivering.deliver(session, slack))
        try:
            await slack.slack.itself.sockets.wait_for_connection()
            yield delivering
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def test_workspaces_install_it_use_it_and_take_it_out_by_signed_requests_alone(tmp_path: Path) -> None:
    app = App(scopes=App.described_by(manifest()).scopes, subscriptions=EVENTS)
    registration = Registration(app=app, redirect_uris=("http://127.0.0.1:",))
    url = f"http://127.0.0.1:{(port := free_port())}"
    async with AsyncExitStack() as stack, asyncio.timeout(3 * LONGEST):
        slack = await stack.enter_async_context(several(ACME, BEES, registration=registration, clock=WallTime()))
        towow = await stack.enter_async_context(
            towow_run(
                tmp_path,
                SLACK_API_URL=slack.slack.api_url,
                SLACK_CLIENT_ID=registration.client_id,
                SLACK_CLIENT_SECRET=registration.client_secret,
                SLACK_SIGNING_SECRET=SIGNING,
                TOWOW_TOKEN_KEYS=b64encode(KEY).decode(),
                TOWOW_PUBLIC_URL=url,
                TOWOW_LINK_KEY="a link key of twenty-four letters",
                TOWOW_API_PORT=str(port),
                TOWOW_DRAIN="0",
            )
        )
        assert towow.stdout is not None
        while b"ToWow is connected" not in (said := await towow.stdout.readline()):
            assert said, (await towow.communicate())[1].decode()
        slack_calls = await stack.enter_async_context(delivered(slack, url))
        for team in (ACME, BEES):
            assert f"ToWow is in {team.name}" in await _installs(slack, url, team.id)

        card, _ = [await _asks(slack, team.id, team.name) for team in (ACME, BEES)]
        person = slack.workspaces[ACME.id].person("U_ACME_ANN")
        await person.click("C_ACME", card.ts, ACCEPT)

        slack.slack.uninstall(ACME.id)
        await slack.slack.itself.activity.idle(QUIET)
        await _asks(slack, BEES.id, BEES.name)
        await _installs(slack, url, ACME.id)
        await _asks(slack, ACME.id, ACME.name)

        assert {*slack_calls.refused} == {401}
        assert {*slack_calls.statuses} == {200}
        towow.send_signal(signal.SIGTERM)
        assert await towow.wait() == 0


async def _installs(slack: Several, url: str, place: str) -> str:
    """Let it in as people do, and return the page that they see in the end."""
    async with new_browser() as browser:
        back = await slack.allows(await install_address(url, browser), place)
        async with browser.get(back) as page:
            return await page.text()


async def _asks(slack: Several, team_id: str, name: str) -> Message:
    """Ask in a workspace, and return the card by which somebody can accept."""
    workspace = slack.workspaces[team_id]
    person, channel = workspace.person(f"U_{name.upper()}_ANN"), f"C_{name.upper()}"
    asked = await person.say(channel, f"<@{workspace.bot_user_id}> {DEMAND}")
    return await person.until_message(channel, lambda each: shows(each, ACCEPT), asked.ts, within=LONGEST)
