"""Time, and what things are called: tenants and streams."""

from datetime import UTC, datetime
from typing import NamedTuple

Millis = int
"""UTC, milliseconds since 1970-01-01."""


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
