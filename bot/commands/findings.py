"""What ``towow doctor`` finds."""

from dataclasses import dataclass
from enum import StrEnum

from engine.errors import StoreError, StoreUnavailable
from engine.proxies import NAMES, for_children


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


def cure_of(error: StoreError, what: str) -> str:
    """Return what to do about a database that cannot be used; what is wrong with it is said already.

    Args:
        what: it is, such as ``server``.
    """
    if isinstance(error, StoreUnavailable):
        return f"see whether the {what} is there and lets this machine in, and whether TOWOW_DB names the right one"
    return "do that, and run `towow doctor` again"


def network() -> str:
    """Return where to look if somebody elsewhere does not answer."""
    set_here = [name for name in NAMES if name in for_children()]
    return f"look at the network, and at the proxy in {' and '.join(set_here)}" if set_here else "look at the network"
