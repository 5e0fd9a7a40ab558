"""`python -m bot.local_slack --port N --file F --seed seed.json`: the workspace as a process of its own."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from pydantic import BaseModel, Field

from .installation import App, Registration, Team
from .limits import PortTaken, RealTokensPresent
from .local_slack import LocalSlack
from .model import Channel, User
from .server import LocalWorkspace
from .sockets import REDELIVERY_DELAYS
from .workspace import ACK_TIMEOUT


class Place(BaseModel):
    """Who and what is there at first in one workspace."""

    team: Team = Field(default_factory=Team)
    users: list[User] = Field(default_factory=list)
    channels: list[Channel] = Field(default_factory=list)


class Seed(Place):
    """Who and what is there at first; an existing file wins."""

    app: App = Field(default_factory=App)
    workspaces: list[Place] = Field(default_factory=list)  # several, into which an app is let by OAuth
    registration: Registration = Field(default_factory=lambda: Registration(redirect_uris=("http://127.0.0.1:",)))
    ack_timeout: float = ACK_TIMEOUT  # seconds
    redelivery_delays: tuple[float, ...] = REDELIVERY_DELAYS  # seconds


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot.local_slack", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes any free port")
    parser.add_argument("--file", type=Path, help="where the workspace is kept; without it, in memory only")
    parser.add_argument("--seed", type=Path, help="JSON with users and channels, or with several workspaces")
    chosen = parser.parse_args(arguments)
    seed = Seed.model_validate_json(chosen.seed.read_bytes()) if chosen.seed else Seed()
    if seed.workspaces and chosen.file:
        parser.error("several workspaces are kept in memory only; leave --file out")
    try:
        asyncio.run(serve_several(seed, chosen.port) if seed.workspaces else serve(seed, chosen.port, chosen.file))
    except (PortTaken, RealTokensPresent) as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    return 0


async def serve(seed: Seed, port: int, file: Path | None) -> None:
    """Serve until SIGINT or SIGTERM. The first line on stdout is the URL."""
    ended = _ended()
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


async def serve_several(seed: Seed, port: int) -> None:
    """Serve until SIGINT or SIGTERM. The first line on stdout is the URL, then what the app's settings are, then where
    each workspace is."""
    ended, registration = _ended(), seed.registration
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(LocalSlack(registration, port=port, ack_timeout=seed.ack_timeout))
        told = [
            slack.url,
            f"SLACK_API_URL={slack.api_url}",
            f"SLACK_CLIENT_ID={registration.client_id}",
            f"SLACK_CLIENT_SECRET={registration.client_secret}",
            f"SLACK_APP_TOKEN={slack.app_token}",
        ]
        for each in seed.workspaces:
            workspace = LocalWorkspace(
                users=each.users,
                channels=each.channels,
                team=each.team,
                app=registration.app,
                ack_timeout=seed.ack_timeout,
                redelivery_delays=seed.redelivery_delays,
                slack=slack,
            )
            await stack.enter_async_context(workspace)
            told.append(f"{each.team.id} {workspace.url}")
        sys.stdout.write("".join(f"{line}\n" for line in told))
        sys.stdout.flush()
        await ended.wait()


def _ended() -> asyncio.Event:
    """Return what a signal to end sets."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    return ended


if __name__ == "__main__":
    sys.exit(main())
