"""``towow run``: a real Slack workspace, until somebody ends it."""

import asyncio
import contextlib
import logging
import os
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from bot.app import ToWow, import_early, running
from bot.commands.subcommand import FINE, Subcommand
from bot.commands.waiting import telling_of
from bot.config import Config, SlackAccess, read_config
from bot.databases import store_in
from bot.models import offline_model
from bot.posts.failures import CALL_ERRORS, Refused, Shut, failure
from bot.protocol_row import Protocol, policies, scheduling
from bot.slack.client import web_client
from bot.tracing.access import TracesAccess
from engine.errors import Misconfigured
from engine.files.profiles import load_company
from engine.runtime.clock import WallClock
from engine.runtime.ending import ended_by_signals
from engine.runtime.gc_tuning import relax, run, tidy
from engine.runtime.loop_watch import watched_loop
from engine.runtime.parts import LONGEST, Deadline, Parts
from engine.runtime.tracing import Tracing

log = logging.getLogger(__name__)


async def _serve(config: Config, protocols: Sequence[Protocol]) -> None:
    """Serve until a signal arrives, also while Slack cannot be reached; then say so to whoever calls, and end."""
    ended = asyncio.Event()
    up: asyncio.Future[ToWow] = asyncio.get_running_loop().create_future()
    drain = config.api.drain_seconds if config.api else 0.0
    deadline = Deadline(drain + LONGEST)
    with watched_loop(), ended_by_signals(ended.set, deadline):
        serving, ending = (
            asyncio.create_task(_connected(config, protocols, up, deadline)),
            asyncio.create_task(ended.wait()),
        )
        await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if up.done() and (api := up.result().api) is not None:
            log.info("draining: nothing more is to be sent here")
            api.context.drain()
            await asyncio.wait({serving}, timeout=deadline.left(LONGEST))
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


async def _connected(
    config: Config, protocols: Sequence[Protocol], up: "asyncio.Future[ToWow]", deadline: Deadline
) -> None:
    """
    Args:
        up: is told once everything has started.
        deadline: by which everything ends.
    """
    store, profiles = store_in(config.database), await asyncio.to_thread(load_company, config.profiles)
    with telling_of(lambda: "Slack, which is asked whether it takes the tokens"):
        await check_tokens(config.slack)
    log.info("opening %s", config.database)
    model = config.claude or offline_model(protocols)
    async with Parts(deadline) as parts:
        tracing = await parts.enter_async_context(traced(config.traces))
        towow = await parts.enter_async_context(
            running(
                config.slack,
                store,
                model,
                profiles,
                WallClock(),
                config.policy,
                protocols,
                config.admins,
                config.api,
                time_zone=config.time_zone,
                workers=config.workers,
                shortlist=config.shortlist,
                most_open=config.most_open,
                tracing=tracing,
                pace=config.pace,
                deadline=deadline,
                keep_days=config.keep_days,
                calendars=config.calendars,
            )
        )
        if towow.api is not None:
            slack = " Slack may call /slack/events there." if config.api and config.api.signing_secret else ""
            print(f"The HTTP interface is at {towow.api.url}/api/v1.{slack}", flush=True)
        if config.slack.oauth is not None:
            print(f"Workspaces install ToWow at {config.slack.oauth.public_url}/slack/install.", flush=True)
        up.set_result(towow)
        # Flushed, so that it appears at once in the log of a service.
        print("ToWow is connected. Mention it in a channel, or use /towow. Ctrl-C ends it.", flush=True)
        await asyncio.gather(tidy(towow.runtime.activity), towow.load_ahead())


@asynccontextmanager
async def traced(access: TracesAccess | None) -> AsyncIterator[Tracing | None]:
    """Collect traces where somebody wants them: only then OpenTelemetry is imported."""
    if access is None:
        yield None
        return
    from bot.tracing.otlp import traced as collected

    async with collected(access) as tracing:
        yield tracing


async def check_tokens(slack: SlackAccess) -> None:
    """Check that Slack takes the tokens."""
    client = web_client(slack.api_url, slack.bot_token)
    calls = {"SLACK_BOT_TOKEN": client.auth_test()} if slack.oauth is None else {}
    if slack.app_token:
        calls["SLACK_APP_TOKEN"] = client.apps_connections_open(app_token=slack.app_token)
    faults = []
    for name, call in calls.items():
        try:
            await call
        except CALL_ERRORS as error:
            failed = failure(error)
            if isinstance(failed, Refused | Shut):
                faults.append(f"{name} is refused by Slack ({failed.why}); copy it anew from the app's page")
    if faults:
        raise Misconfigured(faults)


def _run(options: Namespace) -> int:
    """Run until a signal, and return the exit status."""
    config = read_config(os.environ, policies(options.protocols), scheduling(options.protocols))
    import_early(options.protocols, claude=config.claude is not None, api=config.api is not None)
    relax()
    run(_serve(config, options.protocols))
    return FINE


COMMAND: Final = Subcommand(_run, is_service=True)
