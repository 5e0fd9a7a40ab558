"""``towow run``: a real Slack workspace, until somebody ends it."""

import asyncio
import contextlib
import signal
from collections.abc import Mapping

from bot.app import running
from bot.config import Config, read_config
from engine.clock import WallClock
from engine.llm.offline import OfflineModel
from engine.profiles import load_profiles
from engine.store.sqlite import SqliteStore


def serve(environ: Mapping[str, str]) -> int:
    """
    Raises:
        Misconfigured, StoreUnusable
    """
    config = read_config(environ)
    asyncio.run(_serve(config))
    return 0


async def _serve(config: Config) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt instead
            loop.add_signal_handler(each, ended.set)
    store, profiles = SqliteStore(config.database), load_profiles(config.profiles)
    async with running(config.slack, store, OfflineModel(), profiles, WallClock(), config.policy):
        print("ToWow is connected. Mention it in a channel, or use /towow. Ctrl-C ends it.")  # noqa: T201
        await ended.wait()
