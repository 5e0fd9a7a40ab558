"""What may be spent by several processes together: each call reserves from the store what all of them draw on."""

import logging
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from engine.errors import StoreError
from engine.kernel import Millis
from engine.runtime.clock import Clock
from engine.runtime.membership import Membership
from engine.store.sharing import Lacking, Purse

log = logging.getLogger(__name__)

LOOK_EVERY: Final[Millis] = 1_000
"""How often it is looked whether calls of other processes have ended, while one waits for what they may leave."""
DAY: Final[Millis] = 86_400_000
TRIES: Final = 5
"""Of writing down what a call has cost."""


class SharedPurses:
    def __init__(self, membership: Membership, clock: Clock) -> None:
        self._membership = membership
        self._clock = clock
        self._filled: set[Purse] = set()
        """Of `_day`: later, others may have forgotten what was in them."""
        self._day = 0

    async def reserve(self, purses: Sequence[Purse], before: Sequence[Decimal], amount: Decimal) -> Lacking | None:
        """Reserve as much in each purse, or in none.

        Args:
            before: what each had spent before anything was paid from it: from the ledger, as this process has read it.

        Raises:
            StoreError
        """
        sharing = self._membership.sharing
        if (today := self._clock.now() // DAY) != self._day:
            self._day = today
            self._filled.clear()
        for purse, spent in zip(purses, before, strict=True):
            if purse not in self._filled:
                await sharing.fill_in(purse.tenant, purse.name, spent)
                self._filled.add(purse)
        return await sharing.reserve(purses, amount, self._membership.name)

    async def pay(self, purses: Sequence[Purse], reserved: Decimal, cost: Decimal) -> None:
        """Count what a call has cost. An answer that was paid for does not depend on its bookkeeping."""
        for _ in range(TRIES):
            try:
                await self._membership.sharing.pay(purses, reserved, cost, self._membership.name)
            except StoreError as error:
                log.warning("what a call has cost is not counted yet: %s", error)
                await self._clock.until(self._clock.after(LOOK_EVERY))
            else:
                return
        log.error("what a call has cost, %s US dollars, is in the ledger alone", cost)
