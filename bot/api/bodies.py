"""Reads the bodies of requests within bounds: bytes of one, seconds of one, and bytes of all at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.api.problems import RequestRefused

MOST_BYTES: Final = 16 * 1024 * 1024
"""Of all bodies that are being read or handled."""


@dataclass(slots=True, eq=False)
class _Reading:
    """One body that has not come whole."""

    until: asyncio.Timeout
    taken: int = 0
    is_given_up: bool = False
    """Whether it was ended for the sake of others."""


class Bodies:
    """
    Args:
        seconds: in which all of a body has to come.
        most: bytes of all bodies at a time.
    """

    def __init__(self, seconds: float, most: int = MOST_BYTES) -> None:
        self._seconds = seconds
        self.most = most
        self._unfinished: set[_Reading] = set()
        self.bytes_held = 0

    @asynccontextmanager
    async def read(self, request: web.Request, longest: int) -> AsyncIterator[bytes]:
        """Yield the body; its bytes count until the block ends.

        Args:
            longest: in bytes.
        """
        if request.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise RequestRefused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body has to come as it is, not compressed.")
        if (request.content_length or 0) > longest:
            raise web.HTTPRequestEntityTooLarge(longest, request.content_length or 0)
        held = 0
        try:
            body = await self._whole(request, longest)
            held = len(body)
            yield body
        finally:
            self.bytes_held -= held

    async def _whole(self, request: web.Request, longest: int) -> bytes:
        """Read all of it. On return its bytes are counted, on an error none are."""
        chunks: list[bytes] = []
        reading = _Reading(asyncio.timeout(self._seconds))
        self._unfinished.add(reading)
        try:
            async with reading.until:
                while chunk := await request.content.readany():
                    chunks.append(chunk)
                    self._take(reading, len(chunk))
                    if reading.is_given_up:
                        raise TimeoutError
                    if reading.taken > longest:
                        raise web.HTTPRequestEntityTooLarge(longest, reading.taken)
        except TimeoutError:
            self._release(reading)
            raise _too_slow(reading) from None
        except web.RequestPayloadError:
            self._release(reading)
            raise RequestRefused(HTTPStatus.BAD_REQUEST, "The body cannot be read.") from None
        except BaseException:
            self._release(reading)
            raise
        finally:
            self._unfinished.discard(reading)
        return b"".join(chunks)

    def _take(self, reading: _Reading, size: int) -> None:
        """Count bytes, unless the body was given up already.

        Where they are too many, end the largest body that has not come whole: a few large ones that never end cannot
        keep out the small ones, which do.
        """
        if reading.is_given_up:
            return
        reading.taken += size
        self.bytes_held += size
        while self.bytes_held > self.most and self._unfinished:
            largest = max(self._unfinished, key=lambda each: each.taken)
            self._unfinished.discard(largest)
            self._release(largest)
            largest.is_given_up = True
            largest.until.reschedule(asyncio.get_running_loop().time())

    def _release(self, reading: _Reading) -> None:
        if not reading.is_given_up:
            self.bytes_held -= reading.taken


def _too_slow(reading: _Reading) -> RequestRefused:
    if reading.is_given_up:
        return RequestRefused(
            HTTPStatus.SERVICE_UNAVAILABLE, "Too much is being sent here just now; send it again.", {"Retry-After": "2"}
        )
    return RequestRefused(HTTPStatus.REQUEST_TIMEOUT, "The body did not come in time.")
