"""The store on one machine: one SQLite file, one writer, group commit.

| file | holds |
| --- | --- |
| store.py | the promise of `engine/store/port.py`, kept |
| writer.py | the only connection that writes, and the group commit |
| writes.py, reads.py | what is said to the database within one hop, and what the writer remembers of it |
| claim.py | holds the file for one process, and sees whether it is still at its place |
| database.py | how the file is opened and migrated; what its errors mean |
| identity.py | by what a file is noticed that somebody put there by hand |
| archive.py, copying.py, restore.py | how a database is looked at, copied, and brought back |
| schema.sql, queries.sql | tables and statements |
"""

from engine.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
