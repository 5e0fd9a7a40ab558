"""How often one click loads its streams: once for what its form shows, and once for what the runtime decides."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from bot.views.directory.buttons import PROFILE
from bot.workspace_settings import directory_key
from engine.kernel import StreamKey
from engine.runtime.streams import Streams

from .conftest import Given
from .driver import ACCEPT, AYA
from .home import clicks, opens

SHOWING = ("/bot/posts/", "/bot/home_page.py", "/bot/digest_source.py")
"""Who shows what is committed, after the click."""


@contextmanager
def loads() -> Iterator[Counter[StreamKey]]:
    """Count the loads of each stream that a click asks for, up to its commit."""
    counted: Counter[StreamKey] = Counter()
    begun: set[int] = set()

    def passed(frame: FrameType, event: str, _: Any) -> None:
        if frame.f_code is not Streams.load.__code__:
            return
        if event == "return":
            begun.discard(id(frame))
        elif id(frame) not in begun:
            begun.add(id(frame))
            if not any(each in name for name in _callers(frame) for each in SHOWING):
                counted[frame.f_locals["key"]] += 1

    sys.setprofile(passed)
    try:
        yield counted
    finally:
        sys.setprofile(None)


def _callers(frame: FrameType) -> Iterator[str]:
    caller: FrameType | None = frame
    while caller is not None:
        yield caller.f_code.co_filename
        caller = caller.f_back


async def test_a_vote_reads_its_negotiation_once_and_is_decided_on_what_is_committed(given: Given) -> None:
    it = await given()

    with loads() as counted:
        await it.clicks(AYA, ACCEPT)

    assert counted[it.key] == 2


async def test_a_form_that_asks_twice_who_is_who_reads_the_directory_once(given: Given) -> None:
    it = await given()
    await opens(it, AYA)

    with loads() as counted:
        await clicks(it, AYA, PROFILE)

    assert counted[directory_key(it.demo.tenant)] == 1
