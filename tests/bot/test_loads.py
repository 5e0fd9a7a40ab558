"""What is read for a click, and what is loaded before the first demand."""

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import numpy as np
import pytest

from bot.demo.demo import DemoSettings, running_demo
from bot.models import load_ahead
from bot.registry import PROTOCOLS
from bot.views.directory.buttons import PROFILE
from bot.workspace_settings import directory_key
from engine.files.profiles import load_profiles
from engine.kernel import StreamKey, Tenant
from engine.llm.encoder import Meaning, instead
from engine.llm.threads import left_behind
from engine.negotiation.policy import Policy
from engine.runtime.streams import Streams
from engine.shortlist.described import DIMENSION
from engine.shortlist.keeper import Shortlists
from engine.store.memory import MemoryStore

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


class Embedder:
    """Tells every text by its number, and where it was encoded."""

    def __init__(self) -> None:
        self.encoded: list[str] = []
        self.threads: set[threading.Thread] = set()

    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        self.threads.add(threading.current_thread())
        self.encoded += texts
        return [np.eye(DIMENSION)[hash(each) % DIMENSION] for each in texts]


@pytest.fixture
def embedder() -> Embedder:
    return Embedder()


async def test_rules_know_everybody_before_somebody_asks(embedder: Embedder) -> None:
    profiles, encoder = load_profiles(), Meaning(lambda: embedder)
    with instead(encoder):
        async with running_demo(DemoSettings(profiles, Policy(), PROTOCOLS)) as demo:
            await demo.towow.load_ahead()

    assert encoder.unknown(each.profile_summary for each in profiles.values()) == 0
    assert threading.main_thread() not in embedder.threads


async def test_a_fault_in_what_is_loaded_ahead_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_answerers: object, _people: object, _texts: object) -> None:
        raise ZeroDivisionError

    protocols = [replace(each, rehearse=broken) for each in PROTOCOLS]
    async with running_demo(DemoSettings(load_profiles(), Policy(), protocols)) as demo:
        await demo.towow.load_ahead()

    assert "what the first demand needs is loaded with it" in caplog.text


async def test_a_model_finds_the_encoder_loaded_where_people_are_searched_for(embedder: Embedder) -> None:
    profiles, encoder = load_profiles(), Meaning(lambda: embedder)
    store = MemoryStore()
    await store.open()
    shortlists = Shortlists(store, most=1, encoder=encoder)
    searched = await shortlists.of(Tenant("T_ACME"), profiles)
    before = len(embedder.encoded)

    await load_ahead(_Claude(), PROTOCOLS, searched)
    await shortlists.close()

    assert len(embedder.encoded) > before
    assert threading.main_thread() not in embedder.threads


async def test_a_model_that_is_asked_about_few_loads_no_encoder(embedder: Embedder) -> None:
    with instead(Meaning(lambda: embedder)):
        await load_ahead(_Claude(), PROTOCOLS, load_profiles())

    assert not embedder.encoded


class _Claude:
    """Is none of the rules."""

    async def answer(self, question: Any) -> Any:
        raise NotImplementedError


async def test_nobody_waits_at_the_end_for_what_is_loaded_ahead() -> None:
    begun, goes_on = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def work() -> None:
        threads.append(threading.current_thread())
        begun.set()
        goes_on.wait(30)

    task = asyncio.create_task(left_behind(work))
    await asyncio.to_thread(begun.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert threads[0].daemon
    goes_on.set()


async def test_what_fails_there_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        await left_behind(lambda: 1 // 0)
    assert await left_behind(lambda: 7) == 7
