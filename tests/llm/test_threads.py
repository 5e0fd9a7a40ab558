"""The encoder of sentences is slow to load and to run, and nobody who is served meanwhile waits for it."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from threading import Event, Lock, Thread
from typing import Any

import numpy as np
import pytest

from engine.errors import ModelUnavailable
from engine.kernel import Ask, Command, ModelAnswer, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.encoder import Embedder, Meaning, NotKnownYet, only_known
from engine.llm.port import Answer, Prompt, Question
from engine.llm.threads import AT_ONCE, left_behind, without_blocking
from engine.offline import OfflineModel
from engine.runtime.clock import JumpingClock
from engine.runtime.ports import EffectRun

PATIENCE = 20
"""Seconds after which a loop that is blocked fails the test instead of hanging."""


class Slow:
    """An encoder that is loaded, or runs, only once somebody else on the loop had a turn."""

    def __init__(self, *, to_load: bool = True) -> None:
        self.loop = asyncio.get_running_loop()
        self.begun, self.let, self.to_load = asyncio.Event(), Event(), to_load
        self.encoded: list[str] = []

    def load(self) -> Embedder:
        if self.to_load:
            self.wait()
        return self

    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        if not self.to_load:
            self.wait()
        self.encoded += texts
        return [np.array([1.0, 0.0]) for _ in texts]

    def wait(self) -> None:
        self.loop.call_soon_threadsafe(self.begun.set)
        assert self.let.wait(PATIENCE), "the loop waits for the encoder, so nothing else had a turn"

    async def meanwhile(self) -> None:
        """Something else on the loop, which has to come about for the encoder to go on."""
        await self.begun.wait()
        self.let.set()


slow_to = pytest.mark.parametrize("to_load", [True, False], ids=["slow to load", "slow to run"])


@slow_to
async def test_others_have_their_turn_while_it_is_asked(to_load: bool) -> None:
    slow = Slow(to_load=to_load)
    meaning = Meaning(slow.load)

    near, _ = await asyncio.gather(without_blocking(lambda: meaning.nearness("a", ["b"])), slow.meanwhile())

    assert near == [1.0]
    assert slow.encoded == ["a", "b"]


class Said(ModelAnswer):
    near: float = 0


PROMPT = Prompt("toy/compare", 1, "compare", (), Said, "", "", 100, None, "", "", "hash")


@slow_to
async def test_the_offline_model_keeps_nobody_waiting(to_load: bool) -> None:
    slow = Slow(to_load=to_load)
    meaning = Meaning(slow.load)
    model = OfflineModel({"toy": {"compare": lambda: Said(near=meaning.nearness("a", ["b"])[0])}})

    answer, _ = await asyncio.gather(model.answer(Question(PROMPT, {}, Said)), slow.meanwhile())

    assert answer.value == Said(near=1.0)


class ToyAsks:
    """Compares texts when an answer is read, and when there is none."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning

    def compose(self, state: Any, ask: Ask) -> Question[Any]:
        return Question(PROMPT, {}, Said)

    def read(self, state: Any, ask: Ask, prompt: Prompt, answer: Any, *, command_id: str, at: int) -> Command:
        assert self.meaning.nearness("a", ["b"]) == [1.0]
        return Command(command_id=command_id, at=at)

    def fallback(self, state: Any, ask: Ask, why: Any, *, command_id: str, at: int) -> Command:
        return self.read(state, ask, PROMPT, None, command_id=command_id, at=at)


class Knows:
    async def answer(self, question: Question[Any]) -> Answer[Any]:
        return Answer(Said(), "toy")


class IsDown:
    async def answer(self, question: Question[Any]) -> Answer[Any]:
        raise ModelUnavailable("the line is dead")


@slow_to
@pytest.mark.parametrize("model", [Knows(), IsDown()], ids=["an answer", "no answer"])
async def test_who_reads_an_answer_keeps_nobody_waiting(model: Any, to_load: bool) -> None:
    slow = Slow(to_load=to_load)
    asks = {"toy": for_every_tenant(ToyAsks(Meaning(slow.load)))}
    ask = Asker(model, asks, JumpingClock(1_000))
    key = StreamKey(Tenant("T_ONE"), "toy-1")
    run = EffectRun(key, "toy", Ask(name="compare", scope="compare", prompt="compare"), "c1", None)

    command, _ = await asyncio.gather(ask(run), slow.meanwhile())

    assert (command.command_id, command.at) == ("c1", 1_000)


class LongAsks(ToyAsks):
    """Takes its time to check an answer, and to read it."""

    def __init__(self, check: Slow, read: Slow) -> None:
        self.checks, self.reads = check, read

    def compose(self, state: Any, ask: Ask) -> Question[Any]:
        def check(said: Said) -> str:
            self.checks.wait()
            return ""

        return Question(PROMPT, {}, Said, check=check, is_slow_to_read=True)

    def read(self, state: Any, ask: Ask, prompt: Prompt, answer: Any, *, command_id: str, at: int) -> Command:
        self.reads.wait()
        return Command(command_id=command_id, at=at)


async def test_an_answer_that_is_slow_to_check_and_to_read_keeps_nobody_waiting() -> None:
    checks, reads = Slow(), Slow()
    ask = Asker(Knows(), {"toy": for_every_tenant(LongAsks(checks, reads))}, JumpingClock(1_000))
    key = StreamKey(Tenant("T_ONE"), "toy-1")
    run = EffectRun(key, "toy", Ask(name="compare", scope="compare", prompt="compare"), "c1", None)

    command, *_ = await asyncio.gather(ask(run), checks.meanwhile(), reads.meanwhile())

    assert command.command_id == "c1"


async def test_what_is_known_is_answered_at_once_and_without_a_thread() -> None:
    slow = Slow()
    slow.let.set()
    meaning = Meaning(slow.load)
    meaning.nearness("a", ["b"])

    assert only_known(lambda: meaning.nearness("A", ["b"])) == [1.0]
    with pytest.raises(NotKnownYet):
        only_known(lambda: meaning.nearness("a", ["c"]))
    assert slow.encoded == ["a", "b"]


def test_it_is_loaded_once_however_many_ask() -> None:
    loaded = []
    meaning = Meaning(lambda: loaded.append("once"))
    assert [meaning.nearness("a", ["b", "c"]) for _ in range(3)] == [[0.0, 0.0]] * 3
    assert loaded == ["once"]
    nearness = only_known(lambda: meaning.nearness("a", ["d"]))
    assert nearness == [0.0], "without an encoder there is nothing to wait for"


async def _is_read(slow: Slow) -> None:
    asks = {"toy": for_every_tenant(LongAsks(slow, slow))}
    key = StreamKey(Tenant("T_ONE"), "toy-1")
    run = EffectRun(key, "toy", Ask(name="compare", scope="compare", prompt="compare"), "c1", None)
    await Asker(Knows(), asks, JumpingClock(1_000))(run)


async def _is_compared(slow: Slow) -> None:
    meaning = Meaning(slow.load)
    await without_blocking(lambda: meaning.nearness("a", ["b"]))


@pytest.mark.parametrize("work", [_is_read, _is_compared])
def test_nobody_waits_for_it_when_the_process_ends(work: Callable[[Slow], Coroutine[Any, Any, None]]) -> None:
    ended, under_way = Event(), list[Slow]()

    async def stopped_meanwhile() -> None:
        under_way.append(slow := Slow())
        asking = asyncio.create_task(work(slow))
        await slow.begun.wait()
        asking.cancel()

    def live() -> None:
        asyncio.run(stopped_meanwhile())
        ended.set()

    process = Thread(target=live, daemon=True)
    process.start()
    try:
        assert ended.wait(PATIENCE / 2)
    finally:
        under_way[0].let.set()
        process.join()


async def test_as_many_run_at_a_time_as_there_are_places() -> None:
    lock, goes_on = Lock(), Event()
    there, most = 0, 0

    def work() -> None:
        nonlocal there, most
        with lock:
            there += 1
            most = max(most, there)
            if there == AT_ONCE:
                goes_on.set()
        assert goes_on.wait(PATIENCE)
        with lock:
            there -= 1

    await asyncio.gather(*(left_behind(work) for _ in range(3 * AT_ONCE)))

    assert most == AT_ONCE
