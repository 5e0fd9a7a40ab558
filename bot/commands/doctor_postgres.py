"""What ``towow doctor`` says of a database of PostgreSQL."""

from collections.abc import Iterator
from typing import Final

from bot.commands.findings import Finding, Health, cure_of
from bot.databases import PostgresAddress, archive_of, check_installed
from engine.errors import Misconfigured, StoreError

CONNECTIONS: Final = 20
"""Of one process at most, those of its jobs included."""


def postgres(database: PostgresAddress) -> Iterator[Finding]:
    """Look at the server, its settings, and what is kept there."""
    try:
        check_installed()
    except Misconfigured as error:
        yield Finding("database", Health.BROKEN, error.faults[0], "then run `towow doctor` again")
        return
    from engine.store.postgres.archive import facts
    from engine.store.postgres.schema import NEWEST

    try:
        found = facts(database.url)
        yield Finding("server", Health.FINE, f"PostgreSQL {found.server}, used by {found.processes} ToWows")
        if not found.is_careful:
            said = f"{database} does not wait for its disk: a crash of the machine loses votes that were acknowledged"
            yield Finding("server", Health.BROKEN, said, "set fsync and full_page_writes to on")
        if found.connections < (found.processes + 1) * CONNECTIONS:
            said = f"{database} lets {found.connections} connect; each ToWow may need {CONNECTIONS}"
            yield Finding("server", Health.DOUBTFUL, said, "raise max_connections")
        if found.schema == 0:
            yield Finding("database", Health.FINE, f"{database} is empty; its tables are made at the first start")
            return
        if found.schema < NEWEST:
            said = f"{database} has schema {found.schema}, and this ToWow needs {NEWEST}"
            yield Finding("database", Health.BROKEN, said, "stop every ToWow that uses it, and run `towow migrate`")
            return
        counts = archive_of(database).counts()
    except StoreError as error:
        yield Finding("database", Health.BROKEN, f"{error}", cure_of(error, "server"))
        return
    said = f"{database} answers: {counts['streams']} streams, {counts['open_streams']} open"
    yield Finding("database", Health.FINE, said)
    if parked := counts["parked"]:
        advice = "see the log for which, and stop those negotiations or ask again"
        yield Finding("database", Health.DOUBTFUL, f"{parked} things could not be done", advice)
