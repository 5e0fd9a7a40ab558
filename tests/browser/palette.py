"""A screenshot in 256 colours: a third of the bytes, and nobody sees the difference."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
MOST: Final = 256
"""Colours."""
RGB: Final = 3
"""Bytes of a pixel."""

Colour = tuple[int, int, int]


def with_palette(png: bytes) -> bytes:
    """
    Args:
        png: as browsers write it: eight bits of red, green and blue, not interlaced.
    """
    chunks = [*_chunks(png)]
    width, height, *shape = struct.unpack(">IIBBBBB", chunks[0][1])
    assert shape == [8, 2, 0, 0, 0], shape
    data = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    rows = [[*zip(row[0::RGB], row[1::RGB], row[2::RGB], strict=True)] for row in _rows(data, width * RGB)]
    assert len(rows) == height
    colours = Counter(colour for row in rows for colour in row)
    palette = _chosen([colour for colour, _ in colours.most_common()])
    number = {colour: _nearest(colour, palette) for colour in colours}
    number |= {colour: at for at, colour in enumerate(palette)}
    drawn = b"".join(b"\0" + bytes(number[colour] for colour in row) for row in rows)
    return SIGNATURE + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(part for colour in palette for part in colour)),
            _chunk(b"IDAT", zlib.compress(drawn, 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        yield kind, png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _rows(data: bytes, length: int) -> Iterator[bytes]:
    """Without the filters that made them easier to compress."""
    above = bytes(length)
    for start in range(0, len(data), length + 1):
        row = bytearray(data[start + 1 : start + 1 + length])
        for at in range(length):
            left, corner = (row[at - RGB], above[at - RGB]) if at >= RGB else (0, 0)
            row[at] = (row[at] + _predicted(data[start], left, above[at], corner)) % 256
        above = bytes(row)
        yield above


def _predicted(how: int, left: int, up: int, corner: int) -> int:
    match how:
        case 0:
            return 0
        case 1:
            return left
        case 2:
            return up
        case 3:
            return (left + up) // 2
        case _:
            return min((left, up, corner), key=lambda each: abs(left + up - corner - each))


def _chosen(colours: Sequence[Colour]) -> list[Colour]:
    """The most common ones; half of them each from another corner, or a small green dot would be grey."""
    corners = {(red >> 5, green >> 5, blue >> 5): (red, green, blue) for red, green, blue in reversed(colours)}
    common = {colour: at for at, colour in enumerate(colours)}
    apart = sorted(corners.values(), key=common.__getitem__)[: MOST // 2]
    return list(dict.fromkeys([*apart, *colours]))[:MOST]


def _nearest(colour: Colour, palette: Iterable[Colour]) -> int:
    distances = [sum((one - other) ** 2 for one, other in zip(colour, each, strict=True)) for each in palette]
    return distances.index(min(distances))
