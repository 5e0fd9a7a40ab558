"""Where the app was, and is not any more. Such a workspace is left in peace, and after a while all of it is deleted.

Rows say so, also to other processes and after a restart; what they say is kept in memory, where everybody asks.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.dialects import postgresql, sqlite

from bot.slack.oauth.database import InstallationDatabase, reaching
from bot.slack.oauth.places import Place
from engine.kernel import Millis, Tenant

log = logging.getLogger(__name__)

DAY: Final[Millis] = 86_400_000


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
        """Return those whose data is to be deleted."""
        return [each for each in self._known.values() if each.purge_at is not None and each.purge_at <= now]

    async def read(self) -> None:
        """Take over what other processes have written.

        Raises:
            StoreUnavailable
        """
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

        Raises:
            StoreUnavailable
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
                for tokens in (self._database.installations.bots, self._database.installations.installations):
                    at_place = [tokens.c[name].is_not_distinct_from(value) for name, value in place.sql.items()]
                    await connection.execute(tokens.delete().where(*at_place))
        log.warning("the app is not installed in %s any more", _name(place))
        await self.read()

    async def returns(self, place: Place) -> None:
        """Note that the app is installed there again: for an organisation, in all its workspaces.

        Raises:
            StoreUnavailable
        """
        table = self._database.departures
        here = table.c.enterprise_id == place.enterprise_id
        if place.team_id:
            here = and_(here, table.c.team_id == place.team_id)
        with reaching():
            async with self._database.engine.begin() as connection:
                await connection.execute(table.delete().where(here))
        await self.read()

    async def forget(self, departure: Departure) -> None:
        """Forget one whose data was deleted.

        Raises:
            StoreUnavailable
        """
        table, place = self._database.departures, departure.place
        with reaching():
            async with self._database.engine.begin() as connection:
                await connection.execute(
                    table.delete().where(
                        table.c.enterprise_id == place.enterprise_id,
                        table.c.team_id == place.team_id,
                        table.c.since == departure.since,
                    )
                )
        await self.read()


def _name(place: Place) -> str:
    return place.team_id or f"the organisation {place.enterprise_id}"
