"""Which databases are PostgreSQL's, by their addresses; psycopg is not needed to tell."""

from typing import Final
from urllib.parse import unquote, urlsplit

SCHEMES: Final = ("postgresql://", "postgres://")


def is_postgres(database: str) -> bool:
    """Whether this is the address of a database of PostgreSQL, and not the name of a file."""
    return database.startswith(SCHEMES)


def place_of(url: str) -> str:
    """Return where a database is, as it is shown to people: without user, password and options."""
    parts = urlsplit(url)
    return f"{parts.netloc.rpartition('@')[2] or 'localhost'}{parts.path}"


def password_in(database: str) -> str:
    """Return the password in an address; nothing where there is none."""
    try:
        return unquote(urlsplit(database).password or "") if is_postgres(database) else ""
    except ValueError:
        return ""
