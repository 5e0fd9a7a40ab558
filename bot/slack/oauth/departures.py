"""Where the app was, and is not any more. Such a workspace is left in peace, and after a while all of it is deleted.

Rows say so, also to other processes and after a restart; what they say is kept in memory, where everybody asks.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Table, and_, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.slack.oauth.database import InstallationDatabase, reaching
from bot.slack.oauth.places import Place
from engine.errors import StoreUnavailable
from engine.kernel import Millis, Tenant

log = logging.getLogger(__name__)

DAY: Final[Millis] = 86_400_000
LASTS: Final[Millis] = 60_000
"""For how long a purge is a process's own after it said so."""


class BeingPurged(StoreUnavailable):
    """The app is installed where all data is being deleted: it would be deleted, too."""


class Departure(NamedTuple):
    place: Place
    since: Millis
    purge_at: Millis | None
    """When all data is deleted; None where it is not, because nobody took the app out."""


class Departures:
    """
    Args:
        purge_days: for so long data is kept of those who have taken the app out.
    """

    def __init__(self, database: InstallationDatabase, purge_days: int) -> None:
        self._database = database
        self._purge_days = purge_days
        self._known: dict[Place, Departure] = {}
        self._own: frozenset[Place] = frozenset()
        """Workspaces of departed organisations that have installed the app themselves."""
        self._told: list[Callable[[], Awaitable[None]]] = []

    def listen(self, told: Callable[[], Awaitable[None]]) -> None:
        """Call this whenever somebody has left, or come back."""
        self._told.append(told)

    def is_absent(self, tenant: Tenant) -> bool:
        if not self._known:
            return False
        own = Place(tenant.enterprise_id, tenant.team_id)
        if own in self._known:
            return True
        return bool(tenant.enterprise_id) and Place(tenant.enterprise_id, "") in self._known and own not in self._own

    def due(self, now: Millis) -> Sequence[Departure]:
        return [each for each in self._known.values() if each.purge_at is not None and each.purge_at <= now]

    async def read(self) -> None:
        table, bots = self._database.departures, self._database.installations.bots
        with reaching():
            async with self._database.engine.connect() as connection:
                rows = (await connection.execute(table.select())).all()
                whole = [row.enterprise_id for row in rows if not row.team_id]
                wanted = select(bots.c.enterprise_id, bots.c.team_id).where(
                    and_(bots.c.enterprise_id.in_(whole), bots.c.team_id.is_not(None))
                )
                own = (await connection.execute(wanted)).all() if whole else []
        known = {
            place: Departure(place, row.since, row.purge_at)
            for row in rows
            if (place := Place(row.enterprise_id, row.team_id))
        }
        own_places = frozenset(Place(row.enterprise_id, row.team_id) for row in own)
        is_changed = (known.keys(), own_places) != (self._known.keys(), self._own)
        self._known, self._own = known, own_places
        if is_changed:
            for told in self._told:
                await told()

    async def leaves(self, place: Place, at: Millis, *, is_for_good: bool) -> None:
        """Note that the app was taken out, and forget its tokens. To note it again changes nothing.

        Args:
            is_for_good: whether data is deleted after a while.
        """
        table, engine = self._database.departures, self._database.engine
        row = {
            "enterprise_id": place.enterprise_id,
            "team_id": place.team_id,
            "since": at,
            "purge_at": at + self._purge_days * DAY if is_for_good else None,
        }
        dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        insert = dialect.insert(table).values(row)
        key = [table.c.enterprise_id, table.c.team_id]
        if is_for_good:
            # Whoever was only paused, and has now taken the app out, is deleted after a while like everybody else.
            change = {"purge_at": row["purge_at"]}
            same = insert.on_conflict_do_update(index_elements=key, set_=change, where=table.c.purge_at.is_(None))
        else:
            same = insert.on_conflict_do_nothing(index_elements=key)
        with reaching():
            async with engine.begin() as connection:
                await connection.execute(same)
                await self._forget_tokens(connection, place)
        log.warning("the app is not installed in %s any more", _name(place))
        await self.read()

    async def check_is_not_purged(self, place: Place) -> None:
        """Check that nothing of the workspace is being deleted."""
        with reaching():
            async with self._database.engine.connect() as connection:
                await self._check(connection, place)

    async def returns(self, place: Place) -> None:
        """Note that the app is installed there again: for an organisation, in all its workspaces."""
        table = self._database.departures
        here = table.c.enterprise_id == place.enterprise_id
        if place.team_id:
            here = and_(here, table.c.team_id == place.team_id)
        try:
            with reaching():
                async with self._database.engine.begin() as connection:
                    await connection.execute(select(table.c.since).where(here).with_for_update())
                    await self._check(connection, place)
                    await connection.execute(table.delete().where(here))
        except BeingPurged:
            with reaching():
                async with self._database.engine.begin() as connection:
                    await self._forget_tokens(connection, place)
            raise
        finally:
            await self.read()

    async def begins_purge(self, departure: Departure, holder: str, now: Millis) -> bool:
        """Keep everybody else from deleting what there is of a place, and the app from being installed there.

        Returns:
            False where it is installed again, or another process deletes it.
        """
        table, purges, place = self._database.departures, self._database.purges, departure.place
        here = _at(table, place)
        with reaching():
            async with self._database.engine.begin() as connection:
                gone = select(table.c.since).where(*here, table.c.since == departure.since).with_for_update()
                if (await connection.execute(gone)).first() is None:
                    return False
                mine_or_over = or_(purges.c.holder == holder, purges.c.until <= now)
                await connection.execute(purges.delete().where(*_at(purges, place), mine_or_over))
                row = {"enterprise_id": place.enterprise_id, "team_id": place.team_id, "holder": holder}
                dialect = postgresql if self._database.engine.dialect.name == "postgresql" else sqlite
                begun = dialect.insert(purges).values(row | {"until": now + LASTS}).on_conflict_do_nothing()
                await connection.execute(begun)
                held = await connection.execute(select(purges.c.holder).where(*_at(purges, place)))
                return str(held.scalar_one()) == holder

    async def purge_now(self, departure: Departure, now: Millis) -> bool:
        """Have all data of a place deleted by the next process that looks; False where it is installed again."""
        table = self._database.departures
        with reaching():
            async with self._database.engine.begin() as connection:
                here = (*_at(table, departure.place), table.c.since == departure.since, table.c.purge_at > now)
                await connection.execute(table.update().where(*here).values(purge_at=now))
        await self.read()
        return any(each.place == departure.place for each in self.due(now))

    def all(self) -> Sequence[Departure]:
        """Return all of them, those first whose data is deleted first."""
        return sorted(self._known.values(), key=lambda each: (each.purge_at is None, each.purge_at or 0, each.place))

    async def _check(self, connection: AsyncConnection, place: Place) -> None:
        purges = self._database.purges
        here = purges.c.enterprise_id == place.enterprise_id
        if place.team_id:
            # A workspace is purged by itself, or with its organisation.
            whole = purges.c.team_id == "" if place.enterprise_id else purges.c.team_id == place.team_id
            here = and_(here, or_(purges.c.team_id == place.team_id, whole))
        if (await connection.execute(select(purges.c.until).where(here))).first() is not None:
            raise BeingPurged(
                f"All data of {_name(place)} is being deleted, as it has taken ToWow out; install it again in a minute."
            )

    async def _forget_tokens(self, connection: AsyncConnection, place: Place) -> None:
        for tokens in (self._database.installations.bots, self._database.installations.installations):
            at_place = [tokens.c[name].is_not_distinct_from(value) for name, value in place.sql.items()]
            await connection.execute(tokens.delete().where(*at_place))

    async def forget(self, departure: Departure, holder: str) -> None:
        """Forget one whose data was deleted, unless another process has begun to delete it meanwhile."""
        table, purges, place = self._database.departures, self._database.purges, departure.place
        with reaching():
            async with self._database.engine.begin() as connection:
                own = purges.delete().where(*_at(purges, place), purges.c.holder == holder)
                if (await connection.execute(own)).rowcount:
                    since = table.c.since == departure.since
                    await connection.execute(table.delete().where(*_at(table, place), since))
        await self.read()


def _at(table: Table, place: Place) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return table.c.enterprise_id == place.enterprise_id, table.c.team_id == place.team_id


def _name(place: Place) -> str:
    return place.team_id or f"the organisation {place.enterprise_id}"
