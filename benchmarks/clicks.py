"""From a click to Slack's ack: the local workspace in a process of its own, and 200 negotiations running meanwhile."""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.latency import Latency
from benchmarks.stub import StubModel, crowd
from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Admin, Person
from bot.views.negotiation.button_values import ACCEPT
from engine.kernel import Place, StreamKey, Tenant
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.runtime.clock import WallClock
from engine.store.sqlite import SqliteStore

CLICKS = 500
PAUSE = 0.02
"""Seconds between two clicks."""
WATCHED = "C_GENERAL"
CROWDED = "C_CROWDED"


async def click_to_ack(at_once: int, latency: Latency) -> list[float]:
    """
    Returns:
        seconds each of so many clicks took, sorted; measured where the person clicks.
    """
    with tempfile.TemporaryDirectory() as folder:
        seed = Path(folder) / "seed.json"
        people = [f"U_P{number}" for number in range(10)]
        seed.write_text(
            json.dumps(
                {
                    "users": [{"id": each, "name": each.lower()} for each in (*people, "U_ASKS")],
                    "channels": [
                        {"id": WATCHED, "name": "general", "members": [*people, "U_ASKS"]},
                        {"id": CROWDED, "name": "crowded", "members": ["U_ASKS"]},
                    ],
                }
            )
        )
        workspace = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.local_slack", "--port", "0", "--seed", str(seed), stdout=asyncio.subprocess.PIPE
        )
        try:
            if workspace.stdout is None:
                raise RuntimeError("the workspace says nothing")
            url = (await workspace.stdout.readline()).decode().strip()
            return await _measure(url, Path(folder) / "towow.db", at_once, latency)
        finally:
            workspace.terminate()
            await workspace.wait()


async def _measure(url: str, database: Path, at_once: int, latency: Latency) -> list[float]:
    status = await Admin(url).status()
    app, team = status.app, status.team
    slack = SlackAccess(app.bot_token, app.app_token, f"{url}/api/", limited=False)
    profiles = crowd().with_links({f"user_agent_p{number}": f"U_P{number}" for number in range(10)})
    async with running(slack, SqliteStore(database), StubModel(latency), profiles, WallClock(), Policy()) as towow:
        card = await _open_round(url, app.bot_user_id)
        stop = asyncio.Event()
        load = asyncio.create_task(_load(towow, Tenant(team.id), at_once, stop))
        try:
            return await _click(url, card)
        finally:
            stop.set()
            await load


async def _open_round(url: str, bot_user_id: str) -> str:
    """The ts of the message of a round that stays open: ten people are waited for."""
    asking = Person(url, "U_ASKS")
    demand = await asking.say(WATCHED, f"<@{bot_user_id}> a meetup for fifty people")
    card = await asking.until_message(WATCHED, lambda each: ACCEPT in str(each.blocks), thread_ts=demand.ts, within=30)
    return card.ts


async def _click(url: str, card: str) -> list[float]:
    """One person's mind changes again and again."""
    took = []
    for number in range(CLICKS):
        await asyncio.sleep(PAUSE)
        began = time.perf_counter()
        outcome = await Person(url, f"U_P{number % 9}").click(WATCHED, card, ACCEPT)
        took.append(time.perf_counter() - began)
        if not outcome.acked:
            raise RuntimeError(f"a click was not acknowledged: {outcome.error}")
    return sorted(took)


async def _load(towow: ToWow, tenant: Tenant, at_once: int, stop: asyncio.Event) -> None:
    """So many negotiations under way at any time, each shown in a thread of its own."""

    async def one_after_the_other(lane: int) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            name = next(stream_names(tenant, str(lane), str(number))).removeprefix("collab-")
            key = StreamKey(tenant, f"collab-{name}")
            await towow.runtime.handle(
                key,
                RULEBOOK.protocol,
                SubmitDemand(
                    command_id=name,
                    at=WallClock().now(),
                    demand_id=f"d-{name}",
                    channel_id=key.stream,
                    requester_id="U_ASKS",
                    raw_input="A meetup for fifty people",
                    policy=Policy(human_window=0, override_window=0),
                    place=Place(channel=CROWDED),
                ),
            )
            state, _ = await towow.runtime.read(key)
            while state.is_open and not stop.is_set():
                await asyncio.sleep(0.5)
                state, _ = await towow.runtime.read(key)

    await asyncio.gather(*(one_after_the_other(lane) for lane in range(at_once)))
