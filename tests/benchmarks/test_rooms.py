"""A trace counts the rooms that control passes, and the moves between them."""

import threading
from types import ModuleType

import pytest

from benchmarks.rooms import Passage, Trace

HALL_SOURCE = """
def ask(pantry):
    return [pantry.fetch(each) for each in "abc"]

async def wait(pantry):
    await pantry.cook()
"""
PANTRY_SOURCE = """
def fetch(what):
    return _shelf(what)

def _shelf(what):
    return what

async def cook():
    pass
"""


def room(name: str, source: str) -> ModuleType:
    made = ModuleType(name)
    exec(compile(source, name, "exec"), made.__dict__)  # noqa: S102
    return made


HALL, PANTRY = room("hall", HALL_SOURCE), room("pantry", PANTRY_SOURCE)


@pytest.fixture
def trace() -> Trace:
    return Trace({"hall": "hall", "pantry": "pantry"}.get)


def test_calls_within_a_room_are_no_moves(trace: Trace) -> None:
    with trace.watching():
        trace.begin()
        HALL.ask(PANTRY)
        passage = trace.end()

    assert passage == Passage(rooms=2, moves=1, moves_and_returns=6)


def test_a_cut_begins_to_count_anew_from_where_control_is(trace: Trace) -> None:
    with trace.watching():
        trace.begin()
        PANTRY.fetch("a")
        first = trace.cut()
        HALL.ask(PANTRY)
        second = trace.end()

    assert first == Passage(rooms=1, moves=0, moves_and_returns=0)
    assert second == Passage(rooms=2, moves=2, moves_and_returns=7)


def test_what_is_done_in_a_thread_counts(trace: Trace) -> None:
    with trace.watching():
        trace.begin()
        HALL.ask(PANTRY)
        thread = threading.Thread(target=HALL.ask, args=(PANTRY,))
        thread.start()
        thread.join()
        passage = trace.end()

    assert passage == Passage(rooms=2, moves=2, moves_and_returns=12)


def test_nothing_counts_before_the_beginning_and_after_the_end(trace: Trace) -> None:
    with trace.watching():
        HALL.ask(PANTRY)
        trace.begin()
        trace.end()
        HALL.ask(PANTRY)

        assert trace.cut() == Passage(0, 0, 0)


async def test_a_coroutine_that_is_awaited_is_a_call(trace: Trace) -> None:
    with trace.watching():
        trace.begin()
        await HALL.wait(PANTRY)
        passage = trace.end()

    assert passage == Passage(rooms=2, moves=1, moves_and_returns=2)
