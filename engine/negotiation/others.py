"""What is said of every negotiation that another one begins."""

import base64
import hashlib
from typing import Final

from engine.kernel import CommandDelivered, EffectFailed

PROTOCOL: Final = "negotiation"


def name_of(channel_id: str, what: str) -> str:
    """Of its ids, eight letters or digits: begun from the same negotiation for the same reason, it is the same one."""
    digest = hashlib.sha256(f"{channel_id}\n{what}".encode()).digest()
    return base64.b32encode(digest)[:8].decode().lower()


def went_well(command: CommandDelivered | EffectFailed) -> bool:
    return isinstance(command, CommandDelivered) and not command.refused
