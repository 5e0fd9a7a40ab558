"""The store that several processes share: a database of PostgreSQL.

| file | holds |
| --- | --- |
| store.py | the promise of `engine/store/port.py`, kept |
| writer.py | the connection that commits, the group commit, and what is written along with it |
| writes.py | what a transaction says to the server |
| reads.py | what is read |
| sharing.py | who holds what, whose turn it is, and what may be spent |
| database.py, schema.py, faults.py | how the database is reached and migrated; what its errors mean |
| brought.py | by what a restored database is noticed |
| archive.py | how a database is looked at by commands |
| queries.py | the statements by name |
| schema.sql, sharing.sql, queries.sql | tables and statements |
"""

from engine.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
