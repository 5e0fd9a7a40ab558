"""Spans of commands, commits and effects: what leads to what, over a restart, too; nothing where nobody wants them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.runtime.in_process import in_process
from engine.runtime.streams import traceparent_of
from engine.runtime.tracing import About, Role, Tracing
from engine.store.port import TRACES, Store
from tests.store.conftest import STORES

from .conftest import KEY, Harness, come_true, opened
from .toy_protocol import EFFECTS, KITCHEN


@dataclass
class Step:
    """A span that somebody wanted to know of."""

    name: str
    traceparent: str
    parent: str
    links: tuple[str, ...]
    about: dict[str, str | int]
    outcome: str = ""

    def note(self, about: About) -> None:
        self.about |= about

    def end(self, outcome: str = "ok", *, is_fault: bool = False) -> None:
        self.outcome = self.outcome or outcome


@dataclass
class Steps:
    """Keeps spans in a list."""

    all: list[Step] = field(default_factory=list)

    def start(
        self, name: str, role: Role, about: About, parent: str, links: Sequence[str] = (), began: int | None = None
    ) -> Step:
        step = Step(name, f"step-{len(self.all)}", parent, tuple(links), dict(about))
        self.all.append(step)
        return step

    def named(self, name: str) -> list[Step]:
        return [each for each in self.all if each.name == name]

    def above(self, step: Step) -> list[str]:
        known = {each.traceparent: each for each in self.all}
        return [step.name, *(self.above(known[step.parent]) if step.parent else [])]


async def traced(harness: Harness) -> Steps:
    """Start the same process again, with somebody who collects traces."""
    steps = Steps()
    await harness.runtime.close()
    runners: Any = {each.kind: harness.cookery for each in EFFECTS}
    harness.runtime = in_process(harness.store, harness.clock, [KITCHEN], runners, EFFECTS, tracing=Tracing(steps))
    await harness.runtime.start()
    return steps


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return STORES[request.param](tmp_path)


async def test_an_order_leads_to_a_commit_to_an_effect_and_to_its_outcome(store: Store) -> None:
    async with opened(store) as harness:
        steps = await traced(harness)
        await harness.order("soup")
        await harness.rest()

        [order], [effect, *_] = steps.named("command Order"), [e for e in steps.all if e.name.startswith("effect ")]
        [served] = steps.named("command Serve")
        assert (order.parent, order.outcome) == ("", "committed")
        assert (order.about["towow.stream"], order.about["towow.team"]) == (KEY.stream, KEY.tenant.team_id)
        assert effect.parent == order.traceparent
        assert steps.above(served) == ["command Serve", effect.name, "command Order"]
        first, *_ = steps.named("commit")
        assert first.parent == order.traceparent
        assert all(each.outcome for each in steps.all)


async def test_an_effect_that_is_owed_keeps_what_led_to_it_over_a_restart(store: Store) -> None:
    async with opened(store) as harness:
        first = await traced(harness)
        harness.cookery.gates["soup"] = asyncio.Event()
        await harness.order("soup")
        await come_true(lambda: harness.cookery.cooked == ["soup"])
        [order] = first.named("command Order")
        [pending, *_], _ = await harness.store.pending_effects(0, 10)
        assert traceparent_of(pending) == order.traceparent
        records = await harness.store.records(KEY.tenant, TRACES, KEY.stream)
        assert records[KEY.stream] == f'"{order.traceparent}"'

        harness.cookery.gates.clear()
        second = await traced(harness)
        await harness.rest()

        assert harness.cookery.cooked == ["soup", "soup"]
        [effect, *_] = [each for each in second.all if each.name.startswith("effect ")]
        assert effect.parent == order.traceparent
        assert (await harness.kitchen()).served == ("soup",)


async def test_what_was_owed_with_traces_is_done_by_a_process_without(store: Store) -> None:
    async with opened(store) as harness:
        await traced(harness)
        harness.cookery.gates["soup"] = asyncio.Event()
        await harness.order("soup")
        await come_true(lambda: harness.cookery.cooked == ["soup"])

        harness.cookery.gates.clear()
        await harness.restart()

        assert (await harness.rest()).served == ("soup",)


async def test_what_is_committed_together_is_linked_and_a_person_comes_first(store: Store) -> None:
    async with opened(store) as harness:
        steps = await traced(harness)
        for dish in ("stew", "soup"):
            harness.cookery.gates[dish] = asyncio.Event()
            await harness.order(dish)
        await come_true(lambda: len(harness.cookery.cooked) == 2)
        harness.cookery.gates["soup"].set()
        await come_true(lambda: harness.clock.next_wake is not None)

        await harness.order("pie")

        outcome, *_ = steps.named("command Serve")
        pie = steps.named("command Order")[-1]
        [together] = [each for each in steps.named("commit") if each.about["towow.commands"] == 2]
        assert (together.parent, together.links) == (pie.traceparent, (outcome.traceparent,))


async def test_where_nobody_collects_traces_nothing_is_written_of_them(store: Store) -> None:
    async with opened(store) as harness:
        harness.cookery.gates["soup"] = asyncio.Event()
        await harness.order("soup")
        await come_true(lambda: harness.cookery.cooked == ["soup"])

        [pending, *_], _ = await harness.store.pending_effects(0, 10)
        assert "traceparent" not in pending.body
        assert await harness.store.records(KEY.tenant, TRACES) == {}
