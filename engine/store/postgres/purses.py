"""What may be spent by all members together, within a transaction."""

from collections.abc import Sequence
from decimal import Decimal

from engine.store.postgres.database import Connection
from engine.store.postgres.schema import query
from engine.store.sharing import Lacking, Purse

Place = tuple[str, str, str]
"""Enterprise, team, name."""


async def reserve(connection: Connection, purses: Sequence[Purse], amount: Decimal, member: str) -> Lacking | None:
    """Reserve as much in each, or in none."""
    columns = await _opened(connection, purses)
    spent = await (await connection.execute(query("lock_purses"), columns)).fetchall()
    reserved = await (await connection.execute(query("reserved"), columns)).fetchall()
    spent_in: dict[Place, Decimal] = {(row[0], row[1], row[2]): row[3] for row in spent}
    reserved_in: dict[Place, Decimal] = {(row[0], row[1], row[2]): row[3] for row in reserved}
    left = [each.cap - spent_in[_place(each)] for each in purses]
    for place, purse in enumerate(purses):
        if left[place] - reserved_in.get(_place(purse), Decimal()) < amount:
            return Lacking(place, all(each >= amount for each in left))
    await connection.execute(query("reserve"), (member, amount, *columns))
    return None


async def pay(connection: Connection, purses: Sequence[Purse], reserved: Decimal, cost: Decimal, member: str) -> None:
    columns = await _opened(connection, purses)
    await connection.execute(query("lock_purses"), columns)
    await connection.execute(query("unreserve"), (reserved, *columns, member))
    await connection.execute(query("spend"), (cost, *columns))


async def _opened(connection: Connection, purses: Sequence[Purse]) -> list[list[str]]:
    """Open those that nobody has used, in the order in which everybody locks them; return where they are, by column."""
    columns = [list(column) for column in zip(*sorted({_place(each) for each in purses}), strict=True)] or [[], [], []]
    await connection.execute(query("open_purses"), columns)
    return columns


def _place(purse: Purse) -> Place:
    return purse.tenant.enterprise_id, purse.tenant.team_id, purse.name
