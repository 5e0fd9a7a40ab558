"""Who takes ToWow out is left in peace; who comes back finds everything; who does not is deleted."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import StoreUnavailable
from engine.kernel import Tenant
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

from ..local_slack.several import ACME, BEES, NORTH, SOUTH
from .driver import DAY, HOUR, KEY, PATIENT, WINDOW, many, tenant

STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "towow.db"),
    "memory": lambda _: MemoryStore(),
}
GONE, REVOKED = "app_uninstalled", "tokens_revoked"


@pytest.mark.parametrize(
    "events",
    [
        pytest.param((REVOKED, GONE), id="as Slack sends them mostly"),
        pytest.param((GONE, REVOKED), id="the other way around"),
        pytest.param((GONE,), id="one of them lost"),
        pytest.param((REVOKED, GONE, GONE, REVOKED), id="again"),
    ],
)
async def test_it_stops_at_once_and_goes_on_once_it_is_back(tmp_path: Path, events: tuple[str, ...]) -> None:
    store = MemoryStore()
    async with many(store, tmp_path / "towow.db", ACME, BEES, policy=PATIENT) as it:
        await it.installs(ACME.id)
        await it.installs(BEES.id)
        ours, theirs = await it.asks(ACME), await it.asks(BEES)
        before, asked = len(await it.thread(ACME, ours)), len(it.script.asked)

        it.slack.slack.uninstall(ACME.id, *events)
        await it.is_gone(ACME)
        await it.passes(WINDOW)
        await it.passes(HOUR)

        assert len(await it.thread(ACME, ours)) == before
        assert len(await it.thread(BEES, theirs)) > before, "the others go on"
        assert {each.key.tenant for each in await store.due(it.clock.now(), 10)} == {tenant(ACME)}
        gone_for = [each for each in it.script.asked[asked:] if "ACME" in str(each)]
        assert gone_for == []

        await it.installs(ACME.id)
        await it.passes(1)
        assert len(await it.thread(ACME, ours)) == before, "people may answer again"
        await it.passes(WINDOW)
        assert len(await it.thread(ACME, ours)) > before
        assert await store.due(it.clock.now(), 10) == []


async def test_an_event_of_an_earlier_installation_stops_nothing(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        await it.installs(ACME.id)
        it.slack.slack.uninstall(ACME.id)
        await it.is_gone(ACME)
        await it.installs(ACME.id)

        for kind in (GONE, REVOKED):
            await it.slack.workspaces[ACME.id].admin.announce({"type": kind, "event_ts": "1.0"})
        await it.settles()

        assert not it.workspaces.departures.is_absent(tenant(ACME))
        assert len(await it.thread(ACME, await it.asks(ACME))) > 1


@pytest.mark.parametrize("make", STORES.values(), ids=STORES)
async def test_after_thirty_days_no_row_is_left(tmp_path: Path, make: Callable[[Path], Store]) -> None:
    store = make(tmp_path)
    async with many(store, tmp_path / "towow.db", ACME, BEES, policy=PATIENT) as it:
        await it.installs(ACME.id)
        await it.installs(BEES.id)
        await it.asks(ACME)
        await it.asks(BEES)
        it.slack.slack.uninstall(ACME.id)
        await it.is_gone(ACME)

        it.later(30 * DAY - 1)
        await it.looks()
        assert await store.events(tenant(ACME), 0, 10) != []
        it.later(1)
        await it.looks()

        assert await store.events(tenant(ACME), 0, 10) == []
        assert await store.tenants() == [tenant(BEES)]
        assert {each.key.tenant for each in await store.due(it.clock.now() + 100 * DAY, 100)} <= {tenant(BEES)}
        assert {each.key.tenant for each in (await store.pending_effects(0, 100))[0]} <= {tenant(BEES)}
        assert {each.key.tenant for each in await store.lagging(100)} <= {tenant(BEES)}
        assert await store.events(tenant(BEES), 0, 10) != []
        assert await it.workspaces.find(tenant(ACME)) is None

        await it.installs(ACME.id)
        assert len(await it.thread(ACME, await it.asks(ACME))) > 1


class Held(MemoryStore):
    """Deletes once it may, or fails instead."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.goes_on = asyncio.Event(), asyncio.Event()
        self.fails = False

    async def purge(self, tenant: Tenant) -> None:
        self.begun.set()
        await self.goes_on.wait()
        if self.fails:
            raise StoreUnavailable("The disk does not answer.")
        await super().purge(tenant)


@pytest.mark.parametrize("fails", [False, True], ids=["at once", "broken off and begun again"])
async def test_while_everything_is_deleted_it_cannot_be_installed_and_afterwards_it_begins_anew(
    tmp_path: Path, fails: bool
) -> None:
    store = Held()
    async with many(store, tmp_path / "towow.db", ACME, policy=PATIENT) as it:
        await it.installs(ACME.id)
        await it.asks(ACME)
        it.slack.slack.uninstall(ACME.id)
        await it.is_gone(ACME)
        it.later(30 * DAY)
        looking = asyncio.create_task(it.looks())
        await store.begun.wait()

        assert "is being deleted" in await it.installs(ACME.id)
        assert await it.workspaces.find(tenant(ACME)) is None
        store.fails = fails
        store.goes_on.set()
        if fails:
            with pytest.raises(StoreUnavailable):
                await looking
            assert "is being deleted" in await it.installs(ACME.id)
            store.fails = False
            await it.looks()
        else:
            await looking

        assert await store.tenants() == []
        assert await store.events(tenant(ACME), 0, 10) == []
        assert "ToWow is in" in await it.installs(ACME.id)
        assert len(await it.thread(ACME, await it.asks(ACME))) > 1
        await it.looks()
        assert await store.events(tenant(ACME), 0, 10) != []


async def towow_purge(database: Path, client_id: str, *said: str) -> tuple[int, str]:
    environ = os.environ | {"SLACK_CLIENT_ID": client_id, "TOWOW_TOKEN_KEYS": b64encode(KEY).decode()}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "purge", *said, "--db", str(database), env=environ, stdin=DEVNULL, stdout=PIPE,
        stderr=STDOUT,
    )  # fmt: skip
    told, _ = await process.communicate()
    return await process.wait(), told.decode()


async def test_whoever_runs_it_sees_who_has_left_and_has_one_deleted_at_once(tmp_path: Path) -> None:
    database = tmp_path / "towow.db"
    store = SqliteStore(database)
    async with many(store, database, ACME, BEES, policy=PATIENT) as it:
        client = it.slack.slack.itself.registration.client_id
        for team in (ACME, BEES):
            await it.installs(team.id)
            await it.asks(team)
        assert (await towow_purge(database, client, BEES.id, "--yes"))[0] == 2
        it.slack.slack.uninstall(ACME.id)
        await it.is_gone(ACME)

        code, told = await towow_purge(database, client)
        assert code == 0
        assert told.startswith(f"{ACME.id}: taken out on ")
        assert (await towow_purge(database, client, ACME.id))[0] == 2, "nobody was asked"
        await it.looks()
        assert await store.events(tenant(ACME), 0, 10) != []
        assert (await towow_purge(database, client, ACME.id, "--yes"))[0] == 0
        await it.looks()

        assert await store.tenants() == [tenant(BEES)]
        assert await store.events(tenant(BEES), 0, 10) != []


async def test_it_is_remembered_over_a_restart(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "towow.db")
    async with many(store, tmp_path / "towow.db", ACME, policy=PATIENT) as first:
        await first.installs(ACME.id)
        await first.asks(ACME)
        first.slack.slack.uninstall(ACME.id)
        await first.is_gone(ACME)
        await first.stop()
        first.later(31 * DAY)
        again = SqliteStore(tmp_path / "towow.db")
        async with many(again, tmp_path / "towow.db", slack=first.slack, clock=first.clock) as second:
            assert second.workspaces.departures.is_absent(tenant(ACME))
            await second.looks()
            assert await again.tenants() == []


async def test_an_organisation_takes_it_out_of_one_workspace_and_puts_it_back(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", NORTH, SOUTH, policy=PATIENT) as it:
        await it.installs("E_GROUP")
        ours, theirs = await it.asks(NORTH), await it.asks(SOUTH)
        before = len(await it.thread(NORTH, ours))

        it.slack.slack.shut_out(NORTH.id)
        await it.is_gone(NORTH)
        await it.passes(WINDOW)
        assert len(await it.thread(NORTH, ours)) == before
        assert len(await it.thread(SOUTH, theirs)) > before

        it.slack.slack.let_in(NORTH.id)
        await it.comes_true(lambda: not it.workspaces.departures.is_absent(tenant(NORTH)))
        await it.passes(1)
        assert len(await it.thread(NORTH, ours)) > before


async def test_an_organisation_that_takes_it_out_is_deleted_as_a_whole(tmp_path: Path) -> None:
    store = MemoryStore()
    async with many(store, tmp_path / "towow.db", NORTH, SOUTH, ACME) as it:
        await it.installs("E_GROUP")
        await it.installs(ACME.id)
        for team in (NORTH, SOUTH, ACME):
            await it.asks(team)
        it.slack.slack.uninstall(NORTH.id)
        await it.is_gone(SOUTH)
        it.later(30 * DAY)
        await it.looks()
        assert await store.tenants() == [tenant(ACME)]


async def test_a_call_that_slack_refuses_tells_it_where_no_event_came(tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME, policy=PATIENT) as it:
        await it.installs(ACME.id)
        asked = await it.asks(ACME)
        grant = it.slack.slack.itself.grants.of(ACME)
        assert grant is not None
        grant.is_revoked = True

        await it.passes(WINDOW)

        assert it.workspaces.departures.is_absent(tenant(ACME))
        before = len(await it.thread(ACME, asked))
        await it.installs(ACME.id)
        await it.passes(1)
        assert len(await it.thread(ACME, asked)) > before, "nothing was given up meanwhile"
