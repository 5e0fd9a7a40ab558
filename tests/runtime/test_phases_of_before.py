"""A database of before, killed in the middle of each phase, goes on, and nothing that was paid is asked again.

Then rules asked and set alarms themselves (`record_phases`); now both follow from the state.
"""

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.errors import ModelTimeout
from engine.kernel import Ask, Command
from engine.negotiation.afterwards import check_ins
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.outstanding import outstanding
from engine.negotiation.rules import RULEBOOK
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun
from engine.runtime.streams import effect_in, opened
from engine.store.sqlite import SqliteStore
from tests.bot.script import people
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import NOON
from tests.runtime.record_phases import FILE, PHASES, answered_by, key_of

ASKED: dict[str, set[str]] = {
    "understanding": {"understand@1"},
    "shortlist": {"filter@2"},
    "question": set(),
    "offers": {"offer/bo@5", "offer/cy@5"},
    "aggregating": {"aggregate@9"},
    "voting": {"feedback/1/ann@12", "feedback/1/bo@12", "feedback/1/cy@12", "request/1/ann@13"},
    "reminded": set(),
    "opinion": {"verify/1@12"},
    "adjusting": {"adjust/2@20", "request/1/ann@18"},
    "substitute": {"offer/loft@18"},
    "gaps": {"gaps@15"},
    "recursion": {"recurse@16"},
    "searching": set(),
    "check-ins": set(),
    "failed": {"compromise@15"},
    "stopped": set(),
}
"""What was asked and not answered, by the keys that it has in the database."""
HEARD_NO_MORE = {"voting": {"feedback/1/ann"}}
"""Its person has voted meanwhile. It would not be asked today, or not for so long."""
RUNG = {"reminded": {"remind/1"}}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    connection = sqlite3.connect(tmp_path / "before.db")
    connection.executescript(FILE.read_text("utf-8"))
    connection.close()
    store = SqliteStore(tmp_path / "before.db")
    await store.open()
    yield store
    await store.close()


class Unanswered:
    """A model that is out of reach, which notes what it is asked."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str]] = Counter()
        """By stream and key."""
        self._asks = NegotiationAsks(PROMPTS, people({}))

    async def __call__(self, run: EffectRun) -> Command:
        assert isinstance(run.effect, Ask)
        self.asked[run.key.stream, run.command_id.removeprefix("effect:")] += 1
        why = ModelTimeout("nobody is there")
        return self._asks.fallback(run.state, run.effect, why, command_id=run.command_id, at=NOON)

    def keys(self, phase: str) -> set[str]:
        return {name for stream, name in self.asked if stream == key_of(phase).stream}


async def goes_on(store: SqliteStore) -> Unanswered:
    model, clock = Unanswered(), JumpingClock(NOON)
    runtime = in_process(store, clock, [RULEBOOK], {Ask.kind: model}, [Ask])
    await runtime.start()
    await runtime.activity.idle()
    await runtime.close()
    return model


@pytest.mark.parametrize("phase", PHASES)
async def test_what_a_phase_had_outstanding_is_what_its_state_wants(store: SqliteStore, phase: str) -> None:
    stored = await store.load(key_of(phase))
    assert stored is not None
    state = RULEBOOK.fold([opened(each, RULEBOOK.events) for each in stored.events])
    wanted = outstanding(state)
    effects = {each.name: each for each in wanted.effects}
    asked = {each.effect_id.rpartition("@")[0]: each for each in stored.outbox}

    assert effects.keys() == asked.keys() - HEARD_NO_MORE.get(phase, set())
    for name, each in effects.items():
        assert effect_in(asked[name], type(each)) == each
    assert {each.effect_id for each in stored.outbox if each.kind == Ask.kind} == ASKED[phase]
    alarms = {each.name: each.due for each in stored.alarms}
    awaited = {**wanted.alarms, **check_ins.outstanding(state, NOON).alarms}
    assert {name: due for name, due in awaited.items() if name not in RUNG.get(phase, set())} == alarms


async def test_all_phases_go_on_and_nothing_that_was_paid_is_asked_again(store: SqliteStore) -> None:
    model = await goes_on(store)

    assert set(model.asked.values()) == {1}
    for phase, play in PHASES.items():
        assert ASKED[phase] <= model.keys(phase), phase
        paid = {begins for each in play().orders if (begins := answered_by(each))}
        again = {key for key in model.keys(phase) - ASKED[phase] if key.rpartition("@")[0] in paid}
        assert not again, phase


async def test_once_they_have_gone_on_a_restart_asks_nothing_again(store: SqliteStore) -> None:
    first = await goes_on(store)
    then = await goes_on(store)

    assert not first.asked.keys() & then.asked.keys()


@pytest.mark.parametrize("phase", [phase for phase, asked in ASKED.items() if asked])
async def test_the_answer_moves_it(store: SqliteStore, phase: str) -> None:
    before = await store.load(key_of(phase))
    await goes_on(store)
    after = await store.load(key_of(phase))

    assert before is not None
    assert after is not None
    assert len(after.events) > len(before.events)
    assert not {each.effect_id for each in after.outbox} & ASKED[phase]
