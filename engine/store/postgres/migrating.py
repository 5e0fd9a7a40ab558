"""Brings a database to the newest schema, while nobody else uses it."""

import psycopg

from engine.store.address import place_of
from engine.store.postgres.database import connect
from engine.store.postgres.faults import explain
from engine.store.postgres.schema import migrate, use_alone


async def bring_up_to_date(url: str) -> None:
    """
    Raises:
        StoreUnusable: others use it, or it is of a newer ToWow.
        StoreUnavailable
    """
    connection = await connect(url)
    try:
        await use_alone(connection, place_of(url))
        await migrate(connection, place_of(url))
    except psycopg.Error as error:
        raise explain(error, place_of(url)) from error
    finally:
        await connection.close()
