"""Reads the revisions of streams: those that are asked for while a read is under way share the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from engine.errors import StoreError
from engine.kernel import StreamKey

Read = Callable[[Sequence[StreamKey]], Awaitable[Mapping[StreamKey, int]]]


class Revisions:
    """
    Args:
        read: reads those of several streams; one that there is not is left out.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._asked: dict[StreamKey, asyncio.Future[int]] = {}
        """Of which no read is under way."""
        self._reading: asyncio.Task[None] | None = None

    async def of(self, key: StreamKey) -> int:
        """Return what is committed now or later, 0 for a stream that there is not."""
        answer = self._asked.get(key)
        if answer is None:
            answer = self._asked[key] = asyncio.get_running_loop().create_future()
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_all(), name="revisions")
        return await asyncio.shield(answer)  # others may wait for it too

    async def _read_all(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                await self._answer(asked)
        finally:
            self._reading = None

    async def _answer(self, asked: Mapping[StreamKey, "asyncio.Future[int]"]) -> None:
        try:
            found = await self._read(list(asked))
        except StoreError as error:
            for answer in asked.values():
                answer.set_exception(error)
                answer.exception()  # marked as seen: whoever asked may have gone
        else:
            for key, answer in asked.items():
                answer.set_result(found.get(key, 0))
        finally:
            for answer in asked.values():
                answer.cancel()  # where it was not answered: the process ends
