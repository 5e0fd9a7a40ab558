"""The two ids of a negotiation: its channel's, which its stream is called by as well, and its demand's.

Both end in the same eight letters or digits.
"""

import base64
import hashlib
from typing import Final

PROTOCOL: Final = "negotiation"
CHANNEL: Final = "collab-"
DEMAND: Final = "d-"


def channel_id(name: str) -> str:
    """Return the id of a channel, of its demand's id or of the eight letters or digits alone."""
    return CHANNEL + name.removeprefix(DEMAND)


def demand_id(name: str) -> str:
    """Return the id of a demand, of its channel's id or of the eight letters or digits alone."""
    return DEMAND + name.removeprefix(CHANNEL)


def derived_name(parent: str, what: str) -> str:
    """Return the eight letters or digits of a negotiation that another one begins.

    They follow from the channel id of the other one and from what for, so that the same is begun once.
    """
    digest = hashlib.sha256(f"{parent}\n{what}".encode()).digest()
    return base64.b32encode(digest)[:8].decode().lower()
