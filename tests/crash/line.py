"""One end of a pipe to another process."""

import asyncio
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

SHOWN: Final = "Is everything paid and shown?"
DONE: Final = "Is everything paid and shown, and nothing there twice?"


class Line:
    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(pipe.fileno(), self._read)

    def say(self, word: str) -> None:
        with suppress(ConnectionError):  # nobody is there any more: `hear` tells
            self._pipe.send(word)

    async def hear(self) -> str | None:
        """The next word; None once nobody is at the other end."""
        return await self._heard.get()

    def close(self) -> None:
        if not self._pipe.closed:
            self._loop.remove_reader(self._pipe.fileno())
            self._pipe.close()

    def _read(self) -> None:
        try:
            self._heard.put_nowait(self._pipe.recv())
        except (EOFError, ConnectionError):
            self._heard.put_nowait(None)
            self._loop.remove_reader(self._pipe.fileno())
