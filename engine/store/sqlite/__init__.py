"""The store on one machine: one SQLite file, one writer, group commit.

| file | holds |
| --- | --- |
| store.py | the promise of `engine/store/port.py`, kept |
| writer.py | the only connection that writes, and the group commit |
| writes.py, reads.py | what is said to the database within one hop |
| database.py, faults.py | how the file is claimed, opened, migrated; what its errors mean |
| queries.py | the statements by name |
| schema.sql, queries.sql | tables and statements |
"""

from engine.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
