"""`python -m bot.local_slack --port N --file F --seed seed.json`: the workspace as a process of its own."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, Field

from .event_delivery import REDELIVERY_DELAYS
from .installation import App, Team
from .model import Channel, User
from .refusals import PortTaken, RealTokensPresent
from .server import LocalWorkspace
from .workspace import ACK_TIMEOUT


class Seed(BaseModel):
    """Who and what is there at first; an existing file wins."""

    team: Team = Field(default_factory=Team)
    app: App = Field(default_factory=App)
    users: list[User] = Field(default_factory=list)
    channels: list[Channel] = Field(default_factory=list)
    ack_timeout: float = ACK_TIMEOUT  # seconds
    redelivery_delays: tuple[float, ...] = REDELIVERY_DELAYS  # seconds


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot.local_slack", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes any free port")
    parser.add_argument("--file", type=Path, help="where the workspace is kept; without it, in memory only")
    parser.add_argument("--seed", type=Path, help="JSON with users and channels")
    chosen = parser.parse_args(arguments)
    seed = Seed.model_validate_json(chosen.seed.read_bytes()) if chosen.seed else Seed()
    try:
        asyncio.run(serve(seed, chosen.port, chosen.file))
    except (PortTaken, RealTokensPresent) as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    return 0


async def serve(seed: Seed, port: int, file: Path | None) -> None:
    """Serve until SIGINT or SIGTERM. The first line on stdout is the URL."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with LocalWorkspace(
        users=seed.users,
        channels=seed.channels,
        team=seed.team,
        app=seed.app,
        file=file,
        port=port,
        ack_timeout=seed.ack_timeout,
        redelivery_delays=seed.redelivery_delays,
    ) as workspace:
        sys.stdout.write(f"{workspace.url}\n")
        sys.stdout.flush()
        await ended.wait()


if __name__ == "__main__":
    sys.exit(main())
