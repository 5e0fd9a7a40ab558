"""Reads lines that somebody types, or that are piped in, without a thread that could keep the process from ending."""

import asyncio
import os
from types import TracebackType
from typing import Self

AT_ONCE = 65_536
"""Bytes."""


class InputLines:
    """Lines of a file descriptor, inside of ``with``."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._read = b""
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._is_watched = False

    def __enter__(self) -> Self:
        try:
            asyncio.get_running_loop().add_reader(self._fd, self._some_came)
            self._is_watched = True
        except (PermissionError, NotImplementedError):  # a file, which can be read at any time
            while self._some_came():
                pass
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._unwatch()

    async def line(self) -> str | None:
        """Return the next line without its end; None where nothing more will come."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _some_came(self) -> bool:
        """Whether there may be more."""
        try:
            came = os.read(self._fd, AT_ONCE)
        except OSError:
            came = b""
        *lines, self._read = (self._read + came).split(b"\n")
        for line in lines:
            self._lines.put_nowait(_text(line))
        if not came:
            if self._read:
                self._lines.put_nowait(_text(self._read))
            self._lines.put_nowait(None)
            self._unwatch()
        return bool(came)

    def _unwatch(self) -> None:
        if self._is_watched:
            self._is_watched = False
            asyncio.get_running_loop().remove_reader(self._fd)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()
