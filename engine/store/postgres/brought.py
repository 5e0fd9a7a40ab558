"""Notices a database that is not where it was: brought back from a dump, or taken over by a standby.

Either may lack what was committed last, and posts may exist that it does not remember: whoever posts looks for them
first (`UNKNOWN_POSTS`). A database notes the server and the timeline of its log, which begins anew whenever a standby
takes over or a server is brought back to an earlier time, and its own number there.
"""

import logging
import time
from typing import Any, Final

from psycopg import AsyncConnection

from engine.store.port import UNKNOWN_POSTS

log = logging.getLogger(__name__)

_LOCK: Final = "SELECT place FROM towow_schema FOR UPDATE"
_HERE: Final = """
SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8), (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
_NOTE: Final = "UPDATE towow_schema SET place = %s"
_NEWEST: Final = "SELECT coalesce((SELECT at FROM events ORDER BY position DESC LIMIT 1), 0)"
_EXPECT_OF_ALL: Final = """
INSERT INTO records (enterprise_id, team_id, kind, key, value)
SELECT DISTINCT enterprise_id, team_id, %(kind)s, '',
    json_build_object('since', %(since)s::bigint, 'until', %(until)s::bigint)::text
FROM streams
ON CONFLICT (enterprise_id, team_id, kind, key) DO UPDATE SET value = excluded.value
"""
_EXPECT_OF_EACH: Final = """
INSERT INTO records (enterprise_id, team_id, kind, key, value)
SELECT enterprise_id, team_id, %(kind)s, stream,
    json_build_object('since', %(since)s::bigint, 'until', %(until)s::bigint, 'is_open', is_open)::text
FROM streams
ON CONFLICT (enterprise_id, team_id, kind, key) DO UPDATE SET value = excluded.value
"""


async def look_where(connection: AsyncConnection[Any], place: str) -> None:
    """Note where the database is, once; and where it was elsewhere before, that posts may be unknown to it."""
    async with connection.transaction():
        ((noted,),) = await (await connection.execute(_LOCK)).fetchall()
        ((here,),) = await (await connection.execute(_HERE)).fetchall()
        if noted == here:
            return
        if noted:
            log.warning("%s was brought here from elsewhere: posts are looked for before they are made", place)
            ((since,),) = await (await connection.execute(_NEWEST)).fetchall()
            given = {"kind": UNKNOWN_POSTS, "since": since, "until": time.time_ns() // 1_000_000}
            await connection.execute(_EXPECT_OF_ALL, given)
            await connection.execute(_EXPECT_OF_EACH, given)
        await connection.execute(_NOTE, (here,))
