"""Reads how a database is named: by a file, or by an address of PostgreSQL; psycopg is not needed to tell.

What is neither is refused in words that hold nothing of it: it may be an address with a password in it.
"""

import re
from pathlib import PurePath
from typing import Final
from unicodedata import normalize
from urllib.parse import parse_qs, unquote, urlsplit

SCHEMES: Final = ("postgresql", "postgres")
FORM: Final = "postgresql://user:password@host:port/database"

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,40}):(//)?")
_KEYWORDS: Final = re.compile(
    r"(?:^|[\s?&;])(?:host|hostaddr|port|dbname|user|pass|password|passfile|service|sslmode|PG[A-Z]+)\s{0,9}=", re.I
)
_NO_SCHEME: Final = re.compile(
    r"(?<![^\s\"'<(=])(?![A-Za-z]:\\)(?:[a-z]{0,20}:?//)?[^/\\\s:@]{1,99}:[^\s]{0,999}@", re.I
)
_HALF_ESCAPED: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPED: Final = "in a user's name or a password, / is written %2F, # %23, ? %3F, @ %40, and % %25"


def is_postgres(database: str) -> bool:
    """Whether this is the address of a database of PostgreSQL, and not the name of a file."""
    scheme, found, _ = database.partition("://")
    return bool(found) and scheme.lower() in SCHEMES


def fault_in(database: str) -> str:
    """Return why this names no database, in half a sentence without any of its text; empty where it names one."""
    if is_postgres(database):
        return _fault_of_address(database)
    database = normalize("NFKC", database).strip()  # a colon of full width is one to whoever has copied it
    scheme = _SCHEME.match(database)
    if scheme and (scheme[2] or scheme[1].lower().partition("+")[0] in SCHEMES):
        return f"begins with a scheme that is none of ToWow's; an address is {FORM}, and a file has no scheme"
    if _KEYWORDS.search(database):
        return f"is in the form of keywords; write it as an address, {FORM}"
    if _NO_SCHEME.search(database):
        return f"looks like an address without its scheme; write {FORM}"
    if "://" in database:
        return f"has more in it than an address, which is {FORM} alone, without quotation marks or anything before it"
    if not PurePath(database).name:
        return "names a folder; choose a file in it"
    return "has a character that no file's name has" if "\0" in database or "\n" in database else ""


def _fault_of_address(url: str) -> str:
    try:
        parts = urlsplit(url)
        rest = "".join((parts.path, parts.query, parts.fragment))
        is_whole = parts.netloc.count("@") < 2 and "@" not in rest and not parts.fragment
        is_whole &= not _HALF_ESCAPED.search(url) and ("," in parts.netloc or parts.port != 0)  # of several servers
    except ValueError:
        is_whole = False
    return "" if is_whole else f"is an address that cannot be taken apart; {_ESCAPED}; its port is a number"


def as_libpq_reads_it(url: str) -> str:
    """Return an address with its scheme in small letters, as PostgreSQL's own library wants it."""
    scheme, between, rest = url.partition("://")
    return f"{scheme.lower()}{between}{rest}"


def place_of(url: str) -> str:
    """Return where a database is, as it is shown to people: without user, password and options."""
    parts = urlsplit(url)
    return f"{parts.netloc.rpartition('@')[2] or 'localhost'}{parts.path}"


def password_in(database: str) -> str:
    """Return the password in an address; nothing where there is none."""
    if not is_postgres(database) or fault_in(database):
        return ""
    parts = urlsplit(database)
    return unquote(parts.password or "") or next(iter(parse_qs(parts.query).get("password", [])), "")
