"""The yardstick: a bare journal of the same flow, as an engineer would write it by hand who only has to survive a kill.

It makes the 46 model calls of `benchmarks/stub.py` in the same order, side by side where the engine asks side by side,
and commits each answer by itself before anything follows from it: its row in the inbox, its events, the effect that it
settles, the effects and alarms that it leads to. There are as many rows of these as the engine writes, about as long,
in one SQLite file with WAL and ``synchronous=FULL``, in group commits. There are no rules, no validation, no hash
chain, no records across negotiations and no retries.

Its cost is the floor on the machine at hand: a ratio to it can be compared between machines.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.cost import Cost, cost_of
from benchmarks.journal import Entry, Journal, Row
from benchmarks.latency import AT_ONCE, Latency
from benchmarks.payloads import (
    ADJUSTED,
    AGENTS,
    BROADCAST,
    COLLECTED,
    COMPLETE,
    DUE,
    EVALUATED,
    FINALIZED,
    OFFERED,
    PROPOSED,
    SHORTLISTED,
    STARTED,
    SUBMITTED,
    UNDERSTOOD,
    VOTED,
    Body,
    Event,
)
from benchmarks.stub import ROUNDS, called

_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class _Next(NamedTuple):
    """What an answer leads to, besides its own event."""

    events: Sequence[Event] = ()
    owe: Sequence[str] = ()
    clear_alarms: Sequence[str] = ()
    set_alarms: Sequence[str] = ()


_NOTHING: Final = _Next()


async def cost(at_once: int, latency: Latency) -> Cost:
    with tempfile.TemporaryDirectory() as folder, closing(Journal(Path(folder) / "journal.db")) as journal:
        return await cost_of(at_once, negotiate(journal, range(at_once), latency))


async def negotiate(journal: Journal, numbers: Iterable[int], latency: Latency = AT_ONCE) -> None:
    """All at once, to their ends."""
    await asyncio.gather(*(_Negotiation(journal, number, latency).play() for number in numbers))


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
        await self._commit("demand", SUBMITTED, _Next(owe=[understand], set_alarms=["duration"]), begins=True)
        await self._ask(understand, UNDERSTOOD, _Next(owe=[shortlist]))
        await self._ask(shortlist, SHORTLISTED, _Next(BROADCAST, offers, set_alarms=["offers"]))
        await self._ask_all(offers, OFFERED, _Next(COLLECTED, [aggregate], clear_alarms=["offers"]))
        draft, proposed = aggregate, PROPOSED
        for number in range(1, ROUNDS + 1):
            votes = [called("feedback", number, each) for each in AGENTS]
            opened = (STARTED, DUE) if number == 1 else (DUE,)
            alarms = [f"twins/{number}", f"close/{number}"]
            await self._ask(draft, proposed, _Next(opened, votes, set_alarms=[*alarms, "duration"]))
            if number == ROUNDS:
                closed = _Next((EVALUATED, FINALIZED), [gaps], clear_alarms=[*alarms, "duration"])
            else:
                draft, proposed = called("adjust", number + 1), ADJUSTED
                closed = _Next((EVALUATED, STARTED), [draft], clear_alarms=alarms)
            await self._ask_all(votes, VOTED, closed)
        await self._ask(gaps, COMPLETE, _NOTHING)

    async def _ask_all(self, effects: Sequence[str], answer: Event, then: _Next) -> None:
        """Side by side; each answer is kept by itself, and the last one leads on."""
        missing = len(effects)

        async def ask(effect: str) -> None:
            nonlocal missing
            await self._call(effect)
            missing -= 1
            await self._commit(f"effect:{effect}", answer, _NOTHING if missing else then, settles=effect)

        await asyncio.gather(*map(ask, effects))

    async def _ask(self, effect: str, answer: Event, then: _Next) -> None:
        await self._call(effect)
        await self._commit(f"effect:{effect}", answer, then, settles=effect)

    async def _call(self, effect: str) -> None:
        if seconds := self._latency.of(self._name, effect):
            await asyncio.sleep(seconds)

    async def _commit(
        self, command: str, happened: Event, then: _Next, *, settles: str = "", begins: bool = False
    ) -> None:
        stream, now = self._id, round(time.time() * 1000)
        entry = Entry(
            command=(stream, command),
            events=[self._row(now, *each) for each in (happened, *then.events)],
            settle=[(stream, settles)] if settles else (),
            owe=[(stream, each, "ask", _json({"kind": "ask", "name": each, "scope": ""})) for each in then.owe],
            clear_alarms=[(stream, each) for each in then.clear_alarms],
            set_alarms=[(stream, each, now + 60_000) for each in then.set_alarms],
            begin=[(stream, self._name)] if begins else (),
        )
        await self._journal.write(entry)

    def _row(self, now: int, type_: str, public: Body, private: Body | None) -> Row:
        self._seq += 1
        text = _json({"channel_id": self._name, **public})
        return self._id, self._seq, now, type_, text, _json(private) if private else None
