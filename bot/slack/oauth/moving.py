"""Takes installations along where everything goes from one database to another, as they are encrypted."""

from pathlib import Path
from typing import Final

from sqlalchemy import inspect, select

from bot.databases import Database
from bot.installations_file import installations_beside
from bot.slack.oauth.database import InstallationDatabase, opened, reaching

NUMBER: Final = "id"
"""Each database numbers its rows by itself."""


async def move_installations(source: Database, target: Database) -> None:
    """Copy those of the source, in place of whatever an attempt before has left in the target."""
    one = InstallationDatabase(source, "")
    try:
        if not await _has_any(one, source):
            return
        async with opened(InstallationDatabase(target, "")) as other:
            with reaching():
                async with one.engine.connect() as read, other.engine.begin() as written:
                    for table, copy in zip(one.lasting, other.lasting, strict=True):
                        found = (await read.execute(select(table).order_by(*table.primary_key))).mappings()
                        rows = [{name: row[name] for name in row if name != NUMBER} for row in found]
                        await written.execute(copy.delete())
                        if rows:
                            await written.execute(copy.insert(), rows)
    finally:
        await one.close()


async def _has_any(database: InstallationDatabase, place: Database) -> bool:
    """Whether several workspaces have ever used it: nothing is made where none have."""
    if isinstance(place, Path) and not installations_beside(place).is_file():
        return False
    with reaching():
        async with database.engine.connect() as connection:
            name = database.departures.name
            return bool(await connection.run_sync(lambda sync: inspect(sync).has_table(name)))
