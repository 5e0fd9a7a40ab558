"""Time, and what things are called: tenants and streams."""

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

Millis = int
"""UTC, milliseconds since 1970-01-01."""


LONGEST_ID: Final = 300
"""Characters of a name that comes from outside: a user's, a stream's, a command's."""

_ID: Final = re.compile(rf"[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff]{{1,{LONGEST_ID}}}")


def is_id(said: object) -> bool:
    """Whether this can be the name of something: short, and neither blanks nor control characters in it."""
    return isinstance(said, str) and _ID.fullmatch(said) is not None


def iso(at: Millis) -> str:
    """ISO 8601, UTC, with Z."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Tenant(NamedTuple):
    """The workspace that data belongs to. Every read and every write names one."""

    team_id: str
    enterprise_id: str = ""


class StreamKey(NamedTuple):
    """One negotiation, deliberation or delivery of one tenant."""

    tenant: Tenant
    stream: str
