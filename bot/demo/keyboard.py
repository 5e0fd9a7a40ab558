"""Reads single keys and whole lines from the terminal without blocking the event loop."""

import asyncio
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager


class Keyboard:
    """Yields keys as they are pressed, inside of `listening`."""

    def __init__(self) -> None:
        self._keys: asyncio.Queue[str] = asyncio.Queue()
        self._fd = sys.stdin.fileno()

    @contextmanager
    def listening(self) -> Iterator["Keyboard"]:
        before = termios.tcgetattr(self._fd)
        self._begin()
        try:
            yield self
        finally:
            self._end(before)

    async def key(self, within: float) -> str | None:
        """Return the next key, or None when none is pressed for so many seconds."""
        try:
            return await asyncio.wait_for(self._keys.get(), within)
        except TimeoutError:
            return None

    async def line(self, prompt: str) -> str:
        """Return a whole line, edited and echoed as usual."""
        asyncio.get_running_loop().remove_reader(self._fd)
        before = termios.tcgetattr(self._fd)
        cooked = before[:]
        cooked[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(self._fd, termios.TCSADRAIN, cooked)
        try:
            return (await asyncio.to_thread(input, prompt)).strip()
        except EOFError:
            return ""
        finally:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, before)
            asyncio.get_running_loop().add_reader(self._fd, self._pressed)

    def _begin(self) -> None:
        tty.setcbreak(self._fd)
        asyncio.get_running_loop().add_reader(self._fd, self._pressed)

    def _end(self, before: "list[int | list[bytes | int]]") -> None:
        asyncio.get_running_loop().remove_reader(self._fd)
        termios.tcsetattr(self._fd, termios.TCSADRAIN, before)

    def _pressed(self) -> None:
        character = sys.stdin.read(1)
        if character:
            self._keys.put_nowait(character)
        else:
            asyncio.get_running_loop().remove_reader(self._fd)
