"""The rooms, files of the product, that control passes from what arrives to the commit, and from there to the thread.

Three things arrive in a negotiation of ten seats: a click on a vote, one twin's vote by a model, and the alarm that
closes a round. Nothing else is under way then: other questions to the model wait for their answers.

It begins before Slack is told of the click, with the model's answer, or a moment before the alarm is due. The commit is
there when the store's `commit` returns: what arrived is on disk. The thread is up to date when `mark_shown` is called:
Slack has answered the call of each post that changed, direct messages among them. What is acknowledged to Slack after
the commit counts there as well, and so does what wakes by the clock meanwhile.
"""

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from benchmarks.clicks import open_round
from benchmarks.product import PEOPLE, WATCHED, Product, product
from benchmarks.stub import StubModel
from bot.views.negotiation.button_values import ACCEPT
from engine.kernel import StreamKey
from engine.llm.port import Answer, Question, Returns
from engine.negotiation.policy import Policy
from engine.runtime.clock import WallClock
from engine.store.port import Commit
from engine.store.sqlite import SqliteStore

ROOMS: Final = ("bot/", "engine/")
OUTSIDE: Final = ("bot/local_slack/", "bot/demo/", "engine/runtime/gc_tuning.py")
"""No rooms: what stands in for Slack or shows the product, and what wakes ten times a second whatever happens."""
VOTES: Final = 3
"""How many clicks, and how many answers, are traced after a first one, which reads what all need. The middle counts."""
WINDOW: Final = 15
"""Seconds that people have. Within them all clicks are traced, then the alarm is waited for."""
CLOSES: Final = "close/"
"""How the name of the alarm begins that closes a round."""
EARLY: Final = 0.05
"""Seconds before the alarm is due from which on is traced."""
LOOK: Final = 0.05
"""Seconds between two looks at whether all is still."""
PATIENCE: Final = 60.0


class Passage(NamedTuple):
    rooms: int
    moves: int
    """How often a call leads to another room than the last one did, in the same thread."""
    moves_and_returns: int
    """How often control passes to another room, by a call or a return."""

    def __str__(self) -> str:
        return f"{self.rooms} files, {self.moves:,} moves ({self.moves_and_returns:,} with returns)"


Passages = tuple[Passage, Passage]
"""To the commit, and from there to the thread."""


class _Moves:
    """Counted by thread: no two add to the same number."""

    def __init__(self) -> None:
        self._here: dict[int, str] = {}
        """The room that each thread is in, or was in last."""
        self._counts: Counter[int] = Counter()

    def to(self, room: str) -> None:
        thread = threading.get_ident()
        before, self._here[thread] = self._here.get(thread, room), room
        self._counts[thread] += before != room

    def taken(self) -> int:
        """Return how many there were since this was asked last."""
        total = self._counts.total()
        self._counts.clear()
        return total


class Trace:
    """
    Args:
        room_of: names the room that a file of source is; None for what is none.
    """

    def __init__(self, room_of: Callable[[str], str | None]) -> None:
        self._room_of = room_of
        self._rooms: dict[str, str | None] = {}
        """By file of source, as far as they were asked for."""
        self._entered: set[str] = set()
        self._calls, self._all = _Moves(), _Moves()
        self.is_on = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch this thread, and those that are started within."""
        threading.setprofile(self._passed)
        sys.setprofile(self._passed)
        try:
            yield
        finally:
            self.is_on = False
            sys.setprofile(None)
            threading.setprofile(None)

    def begin(self) -> None:
        self._calls, self._all = _Moves(), _Moves()
        self._entered.clear()
        self.is_on = True

    def cut(self) -> Passage:
        """Return what was passed since the beginning, or since the last cut."""
        passage = Passage(len(self._entered), self._calls.taken(), self._all.taken())
        self._entered.clear()
        return passage

    def end(self) -> Passage:
        self.is_on = False
        return self.cut()

    def _passed(self, frame: FrameType, event: str, _: Any) -> None:
        """A coroutine that goes on is a call of it, and one that waits returns."""
        if not self.is_on or event not in ("call", "return") or (room := self._room(frame)) is None:
            return
        if event == "call":
            self._entered.add(room)
            self._calls.to(room)
            self._all.to(room)
        elif (caller := self._returned_to(frame)) is not None:
            self._all.to(caller)

    def _returned_to(self, frame: FrameType) -> str | None:
        """The room of the nearest caller, through whatever is no room; None where none of them called."""
        caller = frame.f_back
        while caller is not None and (room := self._room(caller)) is None:
            caller = caller.f_back
        return None if caller is None else room

    def _room(self, frame: FrameType) -> str | None:
        file = frame.f_code.co_filename
        if file not in self._rooms:
            self._rooms[file] = self._room_of(file)
        return self._rooms[file]


def room_below(root: Path, file: str) -> str | None:
    path = Path(file)
    name = path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
    return name if name.startswith(ROOMS) and not name.startswith(OUTSIDE) else None


class Milestones:
    """Cuts the trace where the first events are on disk, and ends it where they are shown."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._versions: dict[StreamKey, int] = {}
        self._shown: dict[StreamKey, int] = {}
        self._to_commit: Passage | None = None
        self._to_show = 0
        """The version that holds what arrived."""
        self._passed: asyncio.Future[Passages] | None = None

    @property
    def is_shown(self) -> bool:
        """Whether all that is committed is."""
        return self._versions == self._shown

    async def passed(self) -> Passages:
        """Return what is passed of what is traced next."""
        self._to_commit, self._passed = None, asyncio.get_running_loop().create_future()
        async with asyncio.timeout(PATIENCE):
            return await self._passed

    def committed(self, commit: Commit) -> None:
        self._versions[commit.key] = commit.expected_version + len(commit.events)
        if self._trace.is_on and commit.events and self._to_commit is None:
            self._to_commit, self._to_show = self._trace.cut(), self._versions[commit.key]

    def shown(self, key: StreamKey, version: int) -> None:
        self._shown[key] = version
        if self._trace.is_on and self._passed is not None and self._to_commit is not None and version >= self._to_show:
            self._passed.set_result((self._to_commit, self._trace.end()))


class TracedStore(SqliteStore):
    def __init__(self, milestones: Milestones, path: Path) -> None:
        super().__init__(path)
        self._milestones = milestones

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        await super().commit(commit, urgent=urgent)
        self._milestones.committed(commit)

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        self._milestones.shown(key, version)
        await super().mark_shown(key, version)


class HeldModel(StubModel):
    """Answers what leads to a plan at once, and votes and new versions one at a time, when told to."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace
        self._turns = asyncio.Semaphore(0)
        self._is_traced = False
        self.waiting = 0

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        answer = await super().answer(question)
        if question.prompt.name in ("negotiation/feedback", "negotiation/adjust"):
            self.waiting += 1
            await self._turns.acquire()
            self.waiting -= 1
            if self._is_traced:
                self._is_traced = False
                self._trace.begin()
        return answer

    def answer_one(self, *, is_traced: bool = False) -> None:
        self._is_traced = is_traced
        self._turns.release()


async def passages(root: Path) -> dict[str, Passages]:
    """By what arrives.

    Args:
        root: holds the product that runs.
    """
    policy = Policy(human_window=WINDOW, override_window=WINDOW)
    trace = Trace(partial(room_below, root))
    milestones, model = Milestones(trace), HeldModel(trace)
    with trace.watching():
        async with product(model, policy, partial(TracedStore, milestones)) as started:
            card = await open_round(started)
            answers = [await _answered(milestones, model) for _ in range(1 + VOTES)]
            while model.waiting:
                model.answer_one()
                await asyncio.sleep(LOOK)
            await started.towow.idle()
            clicks = [await _clicked(started, milestones, trace, card, each) for each in PEOPLE[: 1 + VOTES]]
            alarm = await _rung(started, milestones, trace)
            return {"a vote": _middle(clicks[1:]), "a model's vote": _middle(answers[1:]), "a timeout": alarm}


async def _answered(milestones: Milestones, model: HeldModel) -> Passages:
    async with asyncio.timeout(PATIENCE):
        while not (model.waiting and milestones.is_shown):  # noqa: ASYNC110 (no event is both)
            await asyncio.sleep(LOOK)
    model.answer_one(is_traced=True)
    return await milestones.passed()


async def _clicked(started: Product, milestones: Milestones, trace: Trace, card: str, person: str) -> Passages:
    trace.begin()
    passages, _ = await asyncio.gather(milestones.passed(), started.person(person).click(WATCHED, card, ACCEPT))
    await started.towow.idle()
    return passages


async def _rung(started: Product, milestones: Milestones, trace: Trace) -> Passages:
    clock = WallClock()
    alarms = await started.towow.store.due(clock.now() + 1_000 * WINDOW, 10)
    due = next(each.due for each in alarms if each.name.startswith(CLOSES))
    await asyncio.sleep(clock.seconds_until(due) - EARLY)
    trace.begin()
    return await milestones.passed()


def _middle(passages: Sequence[Passages]) -> Passages:
    to_commit, to_thread = (sorted(each)[len(each) // 2] for each in zip(*passages, strict=True))
    return to_commit, to_thread
