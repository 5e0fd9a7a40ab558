"""A workspace is deleted by one process at a time, and nobody installs the app there meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.databases import Database, PostgresAddress
from bot.slack.oauth.database import InstallationDatabase, opened
from bot.slack.oauth.departures import LASTS, BeingPurged, Departures
from bot.slack.oauth.places import Place

from .driver import NOON

ACME, GROUP, NORTH = Place("", "T_ACME"), Place("E_GROUP", ""), Place("E_GROUP", "T_NORTH")


@pytest.fixture(params=["sqlite", "postgres"])
async def both(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Departures, Departures]]:
    """What two processes know."""
    database: Database = tmp_path / "towow.db"
    if request.param == "postgres":
        database = PostgresAddress(request.getfixturevalue("postgres_url"))
    one, other = InstallationDatabase(database, "1.2"), InstallationDatabase(database, "1.2")
    async with opened(one), opened(other):
        yield Departures(one, purge_days=30), Departures(other, purge_days=30)


async def test_one_process_deletes_and_another_goes_on_where_that_has_ended(
    both: tuple[Departures, Departures],
) -> None:
    one, other = both
    await one.leaves(ACME, NOON, is_for_good=True)
    [gone] = one.all()
    assert await one.begins_purge(gone, "one", NOON)
    assert not await other.begins_purge(gone, "other", NOON + LASTS - 1)
    assert await one.begins_purge(gone, "one", NOON + LASTS - 1), "it says that it is there"
    assert not await other.begins_purge(gone, "other", NOON + 2 * LASTS - 2)
    assert await other.begins_purge(gone, "other", NOON + 2 * LASTS)

    await one.forget(gone, "one")
    with pytest.raises(BeingPurged, match="T_ACME is being deleted"):
        await one.returns(ACME)
    await other.forget(gone, "other")
    await one.returns(ACME)
    assert one.all() == []
    assert not await one.begins_purge(gone, "one", NOON + 3 * LASTS), "it is installed again"


@pytest.mark.parametrize(("place", "installed"), [(GROUP, NORTH), (NORTH, GROUP), (NORTH, NORTH)])
async def test_an_organisation_and_its_workspaces_wait_for_each_other_and_nobody_else_does(
    both: tuple[Departures, Departures], place: Place, installed: Place
) -> None:
    one, other = both
    await one.leaves(place, NOON, is_for_good=True)
    [gone] = one.all()
    assert await one.begins_purge(gone, "one", NOON)

    with pytest.raises(BeingPurged):
        await other.check_is_not_purged(installed)
    await other.check_is_not_purged(ACME)
    await other.check_is_not_purged(Place("E_OTHER", "T_NORTHERN"))
    await other.read()
    assert other.all() == [gone]
