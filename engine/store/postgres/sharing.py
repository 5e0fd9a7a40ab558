"""`Sharing` in PostgreSQL. The server's clock is the one by which everybody's time is over.

Whoever goes on with what a member held ends that member for good, in the same transaction: also where the server's
clock is set back, nobody holds what somebody else has taken.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from decimal import Decimal
from typing import Final

from engine.errors import LeaseLost
from engine.kernel import Millis, StreamKey, Tenant
from engine.store.postgres import reads
from engine.store.postgres.database import Connection
from engine.store.postgres.reads import key_of, place
from engine.store.postgres.schema import query
from engine.store.sharing import FORGOTTEN_AFTER, Lacking, Purse

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
    for number, purse in enumerate(purses):
        if left[number] - reserved_in.get(_place(purse), Decimal()) < amount:
            return Lacking(number, all(each >= amount for each in left))
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


PRECISION: Final = 2
"""Digits of a millisecond: a time in milliseconds fills a float up to these."""

Lend = Callable[[], AbstractAsyncContextManager[Connection]]


class PostgresSharing:
    """
    Args:
        lend: lends a connection.
    """

    def __init__(self, lend: Lend) -> None:
        self._lend = lend

    async def join(self, millis: Millis) -> str:
        name = secrets.token_hex(8)
        async with self._lend() as connection:
            await connection.execute(query("forget_members"), (FORGOTTEN_AFTER,))
            await connection.execute(query("forget_reserved"))
            await connection.execute(query("join_members"), (name, millis))
        return name

    async def heartbeat(self, member: str, millis: Millis) -> Sequence[StreamKey] | None:
        async with self._lend() as connection, connection.transaction():
            if not (await connection.execute(query("stay_member"), (millis, member))).rowcount:
                return None
            if millis <= 0:
                await connection.execute(query("end_member"), (member,))
            asked = await (await connection.execute(query("tell_asked"), (member,))).fetchall()
        return [key_of(*row) for row in asked]

    async def hold(self, key: StreamKey, member: str) -> bool:
        at = place(key)
        async with self._lend() as connection, connection.transaction():
            await _check(connection, member)
            while not (await connection.execute(query("hold"), (*at, member))).rowcount:
                holder = await (await connection.execute(query("holder"), at)).fetchone()
                if holder is None:
                    continue  # it was let go in between
                if holder[0] == member:
                    return True
                is_free = await _end_if_over(connection, holder[0])
                await connection.execute(
                    *((query("succeed"), (member, *at)) if is_free else (query("ask_for"), (True, *at)))
                )
                return is_free
        return True

    async def let_go(self, key: StreamKey, member: str) -> bool:
        at = place(key)
        async with self._lend() as connection, connection.transaction():
            holder = await (await connection.execute(query("holder"), at)).fetchone()
            if holder is None or holder[0] != member:
                return True
            if holder[1] and await _is_there(connection, member):
                await connection.execute(query("ask_for"), (False, *at))
                return False
            await connection.execute(query("let_go"), at)
        return True

    async def orphans(self, limit: int) -> Sequence[StreamKey]:
        async with self._lend() as connection:
            return [key_of(*row) for row in await (await connection.execute(query("orphans"), (limit,))).fetchall()]

    async def book(self, tenant: Tenant, line: str, *, each: float, count: int, after: float = 0.0) -> float:
        given = {"enterprise": tenant.enterprise_id, "team": tenant.team_id, "line": line}
        async with self._lend() as connection:
            booking = await connection.execute(
                query("book"), given | {"after": float(after), "turns": float(each * count)}
            )
            found = await booking.fetchone()
        return round(max(float(found[0]), 0.0), PRECISION) if found else 0.0

    async def news(self, after: int, limit: int) -> tuple[Sequence[StreamKey], int]:
        async with self._lend() as connection:
            if after < 0:
                return [], await reads.last_position(connection)
            page = await (await connection.execute(query("news"), (after, limit))).fetchall()
        return list(dict.fromkeys(key_of(*row[:3]) for row in page)), page[-1][3] if page else after

    async def reserve(self, purses: Sequence[Purse], amount: Decimal, member: str) -> Lacking | None:
        async with self._lend() as connection, connection.transaction():
            await _check(connection, member)
            return await reserve(connection, purses, amount, member)

    async def pay(self, purses: Sequence[Purse], reserved: Decimal, cost: Decimal, member: str) -> None:
        async with self._lend() as connection, connection.transaction():
            await pay(connection, purses, reserved, cost, member)

    async def fill_in(self, tenant: Tenant, name: str, spent: Decimal) -> None:
        async with self._lend() as connection:
            await connection.execute(query("fill_in"), (tenant.enterprise_id, tenant.team_id, name, spent))

    async def forget_over(self, day: str) -> None:
        began = int(datetime.fromisoformat(f"{day}T00:00Z").timestamp() * 1_000)
        async with self._lend() as connection:
            await connection.execute(query("forget_members"), (FORGOTTEN_AFTER,))
            await connection.execute(query("forget_reserved"))
            await connection.execute(query("forget_booked"), (FORGOTTEN_AFTER,))
            await connection.execute(query("forget_reserved_of_days"), (day,))
            await connection.execute(query("forget_spent"), (day,))
            await connection.execute(query("forget_spent_of_ended"), (began,))


async def _check(connection: Connection, member: str) -> None:
    """Check that the member's time is not over."""
    if not await _is_there(connection, member):
        raise LeaseLost("This process was away for too long, and others go on in its place; nothing was kept.")


async def _is_there(connection: Connection, member: str) -> bool:
    return await (await connection.execute(query("is_member"), (member,))).fetchone() is not None


async def _end_if_over(connection: Connection, member: str) -> bool:
    if (await connection.execute(query("end_member_if_over"), (member,))).rowcount:
        return True
    return await (await connection.execute(query("has_member"), (member,))).fetchone() is None
