"""The secrets of this process: tokens and keys that it was started with, which nobody is ever shown."""

from collections.abc import Iterable
from typing import Final

SHORTEST: Final = 12
"""Characters of a secret that is looked for in texts; what is shorter may be a word."""

_OURS: Final[set[str]] = set()


def keep_secret(values: Iterable[str]) -> None:
    """From now on, leave these out of whatever a model writes.

    A value with spaces or commas holds several.
    """
    for value in values:
        _OURS.update(each for each in value.replace(",", " ").split() if len(each) >= SHORTEST)


def own_secrets() -> tuple[str, ...]:
    """Return them, longer ones first, as one may be a part of another."""
    return tuple(sorted(_OURS, key=lambda each: (-len(each), each)))
