"""The whole product: the bot in this process, a local workspace in a process of its own."""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine import tidied
from benchmarks.stub import crowd
from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.local_slack import Admin, Person
from bot.registry import PROTOCOLS
from engine.kernel import Tenant
from engine.llm.port import Model
from engine.negotiation.policy import Policy
from engine.runtime.clock import WallClock
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

ASKER = "U_ASKS"
PEOPLE = tuple(f"U_P{number}" for number in range(10))
"""Each linked to a profile of `crowd`."""
WATCHED = "C_GENERAL"
"""Everybody is in it."""
CROWDED = "C_CROWDED"
"""The asker alone is in it."""

_SEED = {
    "users": [{"id": each, "name": each.lower()} for each in (*PEOPLE, ASKER)],
    "channels": [
        {"id": WATCHED, "name": "general", "members": [*PEOPLE, ASKER]},
        {"id": CROWDED, "name": "crowded", "members": [ASKER]},
    ],
}


@dataclass(frozen=True, slots=True)
class Product:
    towow: ToWow
    tenant: Tenant
    bot_user_id: str
    url: str
    """Of the workspace."""

    def person(self, user_id: str) -> Person:
        return Person(self.url, user_id)


@asynccontextmanager
async def product(
    model: Model, policy: Policy, store_at: Callable[[Path], Store] = SqliteStore
) -> AsyncIterator[Product]:
    """Started, connected and empty; without Slack's rates."""
    with tempfile.TemporaryDirectory() as folder:
        async with _workspace(Path(folder)) as url:
            status = await Admin(url).status()
            slack = SlackAccess(status.app.bot_token, status.app.app_token, f"{url}/api/", limited=False)
            profiles = crowd().with_links({f"user_agent_{each.removeprefix('U_').lower()}": each for each in PEOPLE})
            store = store_at(Path(folder) / "towow.db")
            async with (
                running(slack, store, model, profiles, WallClock(), policy, PROTOCOLS) as towow,
                tidied(towow.runtime),
            ):
                yield Product(towow, Tenant(status.team.id), status.app.bot_user_id, url)


@asynccontextmanager
async def _workspace(folder: Path) -> AsyncIterator[str]:
    """Its address."""
    seed = folder / "seed.json"
    seed.write_text(json.dumps(_SEED))
    workspace = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.local_slack", "--port", "0", "--seed", str(seed), stdout=asyncio.subprocess.PIPE
    )
    try:
        if workspace.stdout is None:
            raise RuntimeError("the workspace says nothing")
        yield (await workspace.stdout.readline()).decode().strip()
    finally:
        workspace.terminate()
        await workspace.wait()
