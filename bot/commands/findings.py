"""What ``towow doctor`` finds."""

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    FINE = "fine"
    DOUBTFUL = "doubtful"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    health: Health
    said: str
    advice: str = ""
    """What to do; empty where all is well."""
