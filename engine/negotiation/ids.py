"""The two ids of a negotiation: its channel's, which its stream is called by as well, and its demand's.

Both end in the same eight letters or digits.
"""

from typing import Final

CHANNEL: Final = "collab-"
DEMAND: Final = "d-"


def channel_id(name: str) -> str:
    """Return the id of a channel, of its demand's id or of the eight letters or digits alone."""
    return CHANNEL + name.removeprefix(DEMAND)


def demand_id(name: str) -> str:
    """Return the id of a demand, of its channel's id or of the eight letters or digits alone."""
    return DEMAND + name.removeprefix(CHANNEL)
