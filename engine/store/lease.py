"""The right to decide: one runtime at a time holds it, so that no decision is made on a state that another changes."""

from engine.errors import LeaseLost, StoreUnusable


class Leases:
    """The leases of one store that one process has to itself, by their epochs. An epoch is never given twice."""

    def __init__(self) -> None:
        self._epoch = 0
        self._is_held = False

    def take(self, *, take_over: bool) -> int:
        """
        Raises:
            StoreUnusable: somebody else holds it.
        """
        if self._is_held and not take_over:
            raise StoreUnusable("This store is used by another runtime; close that one first.")
        self._epoch += 1
        self._is_held = True
        return self._epoch

    def release(self, epoch: int) -> None:
        if epoch == self._epoch:
            self._is_held = False

    def end(self) -> None:
        """Whoever holds it, holds it no longer."""
        self._is_held = False

    def check(self, epoch: int | None) -> None:
        """
        Raises:
            LeaseLost: it was taken over or has ended.
        """
        if epoch is not None and not (self._is_held and epoch == self._epoch):
            raise LeaseLost("Another runtime has taken over this store; nothing of this was kept.")
