"""The yardstick: a bare journal of the same flow, as an engineer would write it by hand who only has to survive a kill.

It makes the 46 model calls of `benchmarks/flow.py` in the same order, side by side where the engine asks side by side,
and commits each answer by itself before anything follows from it: its row in the inbox, its events, the effect that it
settles, the effects and alarms that it leads to. There are as many rows of these, and as long, as the engine wrote when
the yardstick was made, in one SQLite file with WAL and ``synchronous=FULL``, in group commits. An answer is kept as the
text that it came as: there are no rules, no validation, no hash chain, no records across negotiations and no retries.

Its cost is the floor on the machine at hand: a ratio to it can be compared between machines, and between versions of
the engine as long as the yardstick stays as it is.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.cost import Cost, cost_of
from benchmarks.flow import AGENTS, ROUNDS, called
from benchmarks.journal import Journal, Row
from benchmarks.latency import AT_ONCE, Latency


async def cost(at_once: int, latency: Latency) -> Cost:
    with tempfile.TemporaryDirectory() as folder, closing(Journal(Path(folder) / "journal.db")) as journal:
        return await cost_of(at_once, negotiate(journal, range(at_once), latency))


async def negotiate(journal: Journal, numbers: Iterable[int], latency: Latency = AT_ONCE) -> None:
    """All at once, to their ends."""
    await asyncio.gather(*(_Negotiation(journal, number, latency).play() for number in numbers))


class _Event(NamedTuple):
    type: str
    public: str
    private: str | None = None


def _event(type_: str, public: int, private: int = 0) -> _Event:
    """As many characters as the engine's event of that name had."""
    return _Event(type_, "x" * public, "x" * private if private else None)


_SUBMITTED: Final = _event("towow.demand.submitted", 619, 68)
_UNDERSTOOD: Final = _event("towow.demand.understood", 512)
_SHORTLISTED: Final = _event("towow.filter.completed", 1592)
_BROADCAST: Final = (_event("towow.channel.created", 81), _event("towow.demand.broadcast", 281))
_OFFERED: Final = _event("towow.offer.submitted", 250, 106)
_COLLECTED: Final = (_event("towow.aggregation.started", 75),)
_STARTED: Final = _event("towow.negotiation.round_started", 82)
_PROPOSED: Final = _event("towow.proposal.distributed", 2412)
_ADJUSTED: Final = _event("towow.proposal.distributed", 2807)
_DUE: Final = _event("towow.feedback.due", 181)
_VOTED: Final = _event("towow.proposal.feedback", 227, 71)
_EVALUATED: Final = _event("towow.feedback.evaluated", 184)
_FINALIZED: Final = _event("towow.proposal.finalized", 3031)
_COMPLETE: Final = _event("towow.gap.identified", 148)


class _Next(NamedTuple):
    """What an answer leads to, besides its own event."""

    events: Sequence[_Event] = ()
    owe: Sequence[str] = ()
    clear_alarms: Sequence[str] = ()
    set_alarms: Sequence[str] = ()


_NOTHING: Final = _Next()


class _Negotiation:
    """What the engine's rules decide is fixed here: ten seats, three rounds, nobody late."""

    def __init__(self, journal: Journal, number: int, latency: Latency) -> None:
        self._journal = journal
        self._id = number
        self._name = f"collab-{number:08}"
        self._latency = latency
        self._seq = 0

    async def play(self) -> None:
        understand, shortlist, aggregate, gaps = map(called, ("understand", "filter", "aggregate", "gaps"))
        offers = [called("respond", about=each) for each in AGENTS]
        await self._commit("demand", _SUBMITTED, _Next(owe=[understand], set_alarms=["duration"]), begins=True)
        await self._ask(understand, _UNDERSTOOD, _Next(owe=[shortlist]))
        await self._ask(shortlist, _SHORTLISTED, _Next(_BROADCAST, offers, set_alarms=["offers"]))
        await self._ask_all(offers, _OFFERED, _Next(_COLLECTED, [aggregate], clear_alarms=["offers"]))
        draft, proposed = aggregate, _PROPOSED
        for number in range(1, ROUNDS + 1):
            votes = [called("feedback", number, each) for each in AGENTS]
            alarms = [f"twins/{number}", f"close/{number}"]
            opened = (_STARTED, _DUE) if number == 1 else (_DUE,)
            await self._ask(draft, proposed, _Next(opened, votes, set_alarms=[*alarms, "duration"]))
            if number == ROUNDS:
                closed = _Next((_EVALUATED, _FINALIZED), [gaps], clear_alarms=[*alarms, "duration"])
            else:
                draft, proposed = called("adjust", number + 1), _ADJUSTED
                closed = _Next((_EVALUATED, _STARTED), [draft], clear_alarms=alarms)
            await self._ask_all(votes, _VOTED, closed)
        await self._ask(gaps, _COMPLETE, _NOTHING)

    async def _ask_all(self, effects: Sequence[str], answer: _Event, then: _Next) -> None:
        """Side by side; each answer is kept by itself, and the last one leads on."""
        missing = len(effects)

        async def ask(effect: str) -> None:
            nonlocal missing
            await self._call(effect)
            missing -= 1
            await self._commit(f"effect:{effect}", answer, _NOTHING if missing else then, settles=effect)

        await asyncio.gather(*map(ask, effects))

    async def _ask(self, effect: str, answer: _Event, then: _Next) -> None:
        await self._call(effect)
        await self._commit(f"effect:{effect}", answer, then, settles=effect)

    async def _call(self, effect: str) -> None:
        if seconds := self._latency.of(self._name, effect):
            await asyncio.sleep(seconds)

    async def _commit(
        self, command: str, happened: _Event, then: _Next, *, settles: str = "", begins: bool = False
    ) -> None:
        stream, now = self._id, round(time.time() * 1000)
        await self._journal.write(
            (stream, command),
            self._rows(now, happened, *then.events),
            (stream, settles) if settles else None,
            [(stream, each, "ask", f'{{"kind":"ask","name":"{each}","scope":"round"}}') for each in then.owe],
            [(stream, each) for each in then.clear_alarms],
            [(stream, each, now + 60_000) for each in then.set_alarms],
            (stream, self._name) if begins else None,
        )

    def _rows(self, now: int, *events: _Event) -> list[Row]:
        first, self._seq = self._seq + 1, self._seq + len(events)
        return [(self._id, seq, now, *event) for seq, event in enumerate(events, first)]
