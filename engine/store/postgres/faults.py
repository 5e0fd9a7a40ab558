"""What PostgreSQL's errors mean to people. No password is in what they say."""

import psycopg
from psycopg_pool import PoolTimeout

from engine.errors import StoreDamaged, StoreError, StoreFull, StoreUnavailable, StoreUnusable

_UNUSABLE = {
    "password authentication failed": "refuses the user or the password; correct them in TOWOW_DB",
    "no password supplied": "asks for a password; write it into TOWOW_DB",
    "no pg_hba.conf entry": "does not let this user connect from here; see pg_hba.conf",
    "authentication failed": "does not let this user connect; see pg_hba.conf",
    "unsupported startup parameter": "is reached through a pooler that does not take the options in TOWOW_DB; add them "
    "to its ignore_startup_parameters, or name the server itself",
    "invalid URI query parameter": "is named with an option that PostgreSQL does not know; correct TOWOW_DB",
    'value: "': "is named with an option whose value PostgreSQL does not know; correct TOWOW_DB",
    "unrecognized configuration parameter": "does not know a setting in the options of TOWOW_DB; correct it",
    "server does not support SSL": "takes no TLS, which TOWOW_DB asks for; turn it on there, or take sslmode out",
    "root certificate file": "cannot be trusted: sslrootcert in TOWOW_DB names no file that can be read; correct it",
    "certificate verify failed": "shows a certificate that nobody here trusts; name its authority by sslrootcert in "
    "TOWOW_DB",
    "does not match host name": "shows another server's certificate; name it in TOWOW_DB as the certificate does",
    "does not exist": "has no such user or database; create it, or correct TOWOW_DB",
    "permission denied": "does not let this user do what is needed; let it own the database",
}
"""A server says no in words: before a connection is there, libpq hands on no code."""

_UNUSABLE_CODES = {
    "42501": "does not let this user do what is needed; let it own the database",
    "42P01": "lacks a table of ToWow's; bring a backup with pg_restore",
    "42P07": "has tables of another program; give ToWow a database, or a schema, of its own",
    "42703": "lacks a column of ToWow's; bring a backup with pg_restore",
    "XX001": "found damaged data; see its log, and bring a backup with pg_restore",
    "XX002": "found a damaged index; see its log, and REINDEX",
}

_UNAVAILABLE_CODES = {
    "25006": "only reads just now, as a standby does; it goes on by itself when it writes again",
    "40001": "had to undo this because of what others did; try again",
    "40P01": "had to undo this because of what others did; try again",
    "53100": "found no room on its disk; free some, and it goes on by itself",
    "53200": "found no memory; it goes on by itself when there is some",
    "53300": "has no connection left; raise max_connections, or stop what uses it besides",
    "57P03": "is starting or stopping; it goes on by itself when it is up",
    "55P03": "waited for too long for another one's transaction; try again",
    "57014": "did not answer in time; try again",
}

_FULL = "53100"
_DAMAGED = ("XX001", "XX002")

_OF_THE_DATA = (psycopg.DataError, psycopg.IntegrityError, psycopg.NotSupportedError, UnicodeEncodeError)


def concerns_the_data(error: Exception) -> bool:
    """Whether only whoever brought the data is concerned, and not everybody in the transaction."""
    return isinstance(error, _OF_THE_DATA)


def explain(error: psycopg.Error | PoolTimeout, place: str) -> StoreError:
    """What happened, to which database, and what would work."""
    said = " ".join(str(error).split())
    code = getattr(error, "sqlstate", None) or ""
    if code in _UNUSABLE_CODES:
        kind = StoreDamaged if code in _DAMAGED else StoreUnusable
        return kind(f"The store {place} {_UNUSABLE_CODES[code]} ({said}).")
    if isinstance(error, psycopg.OperationalError | psycopg.ProgrammingError) and not code:
        for sign, meaning in _UNUSABLE.items():
            if sign in said and "No such file" not in said:
                return StoreUnusable(f"The store {place} {meaning} ({said}).")
    reason = _UNAVAILABLE_CODES.get(code, "does not answer; it goes on by itself when it does")
    refused = StoreFull if code == _FULL else StoreUnavailable
    return refused(f"The store {place} {reason} ({said}).")
