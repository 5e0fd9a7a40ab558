"""What goes wrong with a store while it is used: for whoever is to be told that nothing can be kept."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum

from engine.errors import StoreDamaged, StoreError, StoreFull, StoreUnavailable, StoreUnusable


class Trouble(StrEnum):
    FULL = "full"
    """There is no room on its disk."""
    DAMAGED = "damaged"
    """What was written is not what is read."""
    UNAVAILABLE = "unavailable"
    """It does not answer, or is not the one that was opened."""


class StoreHealth:
    """
    Args:
        free: returns how many bytes are left on its disk; None where that is on another machine.
    """

    def __init__(self, free: Callable[[], int] | None = None) -> None:
        self.free = free
        self.failures: dict[Trouble, int] = dict.fromkeys(Trouble, 0)
        """Of reads and writes since this process started."""
        self.unwritten: Trouble | None = None
        """Why nothing could be written last; None where it could."""
        self.is_damaged = False
        """Whether damage was met; it stays until another database is there."""

    @contextmanager
    def watching(self, *, writes: bool = False) -> Iterator[None]:
        """Note what becomes of a read or a write."""
        try:
            yield
        except StoreError as error:
            if (trouble := _trouble(error)) is not None:
                self.failures[trouble] += 1
                self.is_damaged = self.is_damaged or trouble is Trouble.DAMAGED
                self.unwritten = trouble if writes else self.unwritten
            raise
        self.unwritten = None if writes else self.unwritten


def _trouble(error: StoreError) -> Trouble | None:
    match error:
        case StoreFull():
            return Trouble.FULL
        case StoreDamaged():
            return Trouble.DAMAGED
        case StoreUnavailable() | StoreUnusable():
            return Trouble.UNAVAILABLE
        case _:
            return None  # somebody else was first
