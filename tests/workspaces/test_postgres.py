"""The same with everything in one PostgreSQL database, which several processes share."""

from __future__ import annotations

import asyncio

from bot.databases import PostgresAddress
from bot.slack.client import slack_client
from bot.slack.oauth.many import many_workspaces
from engine.store.memory import MemoryStore
from engine.store.postgres import PostgresStore

from ..local_slack.several import ACME, BEES
from .driver import DAY, HOUR, SECRET, many, tenant


async def test_installed_exchanged_by_one_of_two_and_taken_out(postgres_url: str) -> None:
    store, database = MemoryStore(), PostgresAddress(postgres_url)
    async with many(store, database, ACME, BEES) as it:
        assert "ToWow is in Acme" in await it.installs(ACME.id)
        await it.installs(BEES.id)
        assert it.access.oauth is not None
        async with (
            slack_client(it.access) as client,
            many_workspaces(it.access.oauth, client, store, it.clock) as other,
        ):
            it.later(11 * HOUR)
            ours = [it.workspaces.client(tenant(ACME)) for _ in range(5)]
            used = await asyncio.gather(*ours, *(other.client(tenant(ACME)) for _ in range(5)))
            assert it.slack.slack.refreshed == 1
            assert len({each.token for each in used}) == 1

            it.slack.slack.uninstall(ACME.id)
            await it.is_gone(ACME)
            assert not other.is_absent(tenant(ACME))
            await other.installations.departures.read()  # as every few seconds
            assert other.is_absent(tenant(ACME))
            assert not other.is_absent(tenant(BEES))

        it.later(30 * DAY)
        await it.looks()
        assert not it.workspaces.departures.is_absent(tenant(ACME))
        assert await it.workspaces.find(tenant(ACME)) is None
        assert postgres_url not in repr(it.access)
        assert SECRET not in repr(it.access)


async def test_a_demand_of_each_of_two_workspaces_and_the_purge_of_one(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    async with many(store, PostgresAddress(postgres_url), ACME, BEES) as it:
        await it.installs(ACME.id)
        await it.installs(BEES.id)
        for team in (ACME, BEES):
            asked = await it.asks(team)
            async with asyncio.timeout(20):
                while len(await it.thread(team, asked)) < 2:  # noqa: ASYNC110 - jobs are taken when they are
                    await asyncio.sleep(0.05)
        it.slack.slack.uninstall(ACME.id)
        await it.is_gone(ACME)
        it.later(30 * DAY)
        await it.looks()
        assert await store.tenants() == [tenant(BEES)]
        assert await store.events(tenant(ACME), 0, 10) == []
        assert await store.events(tenant(BEES), 0, 10) != []
