"""Wires what serves many workspaces into the running product. Only where there are many, it is imported."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

from bot.api.install.flow import install_flow
from bot.posts import Posts
from bot.slack.manifest import manifest
from bot.slack.oauth.leaving import Leaving
from bot.slack.oauth.many import ManyWorkspaces
from engine.kernel import Tenant
from engine.runtime.clock import Clock, WallClock
from engine.runtime.retention import standings
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from engine.workers.outputs import erase
from engine.workers.registry import WorkersAccess


def flow_of(many: ManyWorkspaces, clock: Clock) -> AsyncOAuthFlow:
    access = many.access
    return install_flow(
        access.client_id,
        access.client_secret,
        tuple(scope for each in manifest()["oauth_config"]["scopes"].values() for scope in each),
        access.redirect_uri,
        access.authorize_url,
        many.database,
        many.store,
        many.installations,
        many.slack,
        clock,
    )


@asynccontextmanager
async def hearing_who_leaves(
    many: ManyWorkspaces,
    app: AsyncApp,
    store: Store,
    runtime: Runtime,
    posts: Posts,
    workers: WorkersAccess,
    clock: Clock,
) -> AsyncIterator[Leaving]:
    """Stop for workspaces that take us out, until the block ends, and go on for those that let us in again."""

    async def changed() -> None:
        many.installations.forget()
        await runtime.absence_changed()
        posts.absence_changed()

    async def purged(tenant: Tenant) -> None:
        """Delete the files that workers have made: the rows that name them are deleted next."""
        async for each in standings(store, tenant):
            await asyncio.to_thread(erase, workers, each.stream, None)

    many.absence_changes(changed)
    leaving = Leaving(many.installations, many.database, store, clock, WallClock(), purged)
    leaving.register(app)
    async with leaving.looking():
        yield leaving
