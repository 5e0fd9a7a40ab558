"""Lets much work that comes at once be done piece by piece, so that the event loop serves others in between."""

import asyncio
from collections import deque


class Turns:
    """Of those who wait, one goes on in each pass of the event loop, in the order in which they came."""

    def __init__(self) -> None:
        self._line: deque[asyncio.Future[None]] = deque()
        self._is_taken = False
        """Whether somebody goes on in this pass."""

    async def take(self) -> None:
        """Return in a pass of the event loop in which nobody else goes on."""
        if not self._is_taken:
            self._begin_pass()
            return
        turn = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        await turn

    def _begin_pass(self) -> None:
        self._is_taken = True
        asyncio.get_running_loop().call_soon(self._end_pass)

    def _end_pass(self) -> None:
        self._is_taken = False
        while self._line:
            turn = self._line.popleft()
            if not turn.done():  # its holder may have been cancelled
                turn.set_result(None)
                self._begin_pass()
                return
