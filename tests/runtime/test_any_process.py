"""Commands reach either of two processes that share PostgreSQL; each is killed, frozen or ended, and time passes."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from engine.runtime.clock import JumpingClock
from tests.examples import examples
from tests.postgres import PostgresServer

from .conftest import KEY, NOON
from .processes import Process, Town, order
from .toy_protocol import CallOff, Kitchen

T = TypeVar("T")

DISHES = ("soup", "pie", "cake", "flambé", "flambé royal")


class AnyProcess(RuleBasedStateMachine):
    """What people were told is held against what is on disk, and against what was done in the world."""

    server: PostgresServer

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.schema = self.server.schema()
        self.clock = JumpingClock(NOON)
        self.town = Town(self.schema.__enter__(), self.clock)
        self.ordered: list[str] = []
        """Dishes that somebody was told are ordered."""
        self.numbers = 0
        self.upsets = 0
        """Kills, freezes and ends: after each, what was under way may be done once more."""
        self.is_called_off = False
        for _ in range(2):
            self._run(self.town.begins())

    def teardown(self) -> None:
        try:
            self._everything_comes_to_its_end()
        finally:
            self._run(self.town.closes())
            self.loop.close()
            self.schema.__exit__(None, None, None)

    @rule(which=st.integers(0, 1), kind=st.sampled_from(DISHES), held=st.booleans(), twice=st.booleans())
    def somebody_orders(self, which: int, kind: str, held: bool, twice: bool) -> None:
        """Args: twice: it is delivered to the other process, too, as Slack does after an answer was lost."""
        self.numbers += 1
        dish = f"{kind} {self.numbers}"
        if held:
            self.town.gates[dish] = asyncio.Event()
        awake = self.town.awake
        to = [awake[which % len(awake)], *(awake if twice else ())]

        async def deliver() -> list[bool]:
            return [each.duplicate for each in await asyncio.gather(*(one.handle(order(dish)) for one in to))]

        assert self._run(deliver()).count(False) == 1
        self.ordered.append(dish)

    @rule(count=st.integers(2, 5))
    def many_order_at_once_everywhere(self, count: int) -> None:
        dishes = [f"soup {self.numbers + number + 1}" for number in range(count * len(self.town.awake))]
        self.numbers += len(dishes)

        async def deliver() -> None:
            there = self.town.awake
            await asyncio.gather(*(there[n % len(there)].handle(order(dish)) for n, dish in enumerate(dishes)))

        self._run(deliver())
        self.ordered += dishes

    @precondition(lambda self: self.town.gates)
    @rule(which=st.integers(0, 99))
    def a_dish_is_ready(self, which: int) -> None:
        names = sorted(self.town.gates)
        self.town.gates.pop(names[which % len(names)]).set()

    @rule(which=st.integers(0, 1), number=st.integers(0, 5))
    def somebody_calls_everything_off(self, which: int, number: int) -> None:
        if number == 5:
            self.numbers += 1
            awake = self.town.awake
            self._run(awake[which % len(awake)].handle(CallOff(command_id=f"off {self.numbers}", at=self.clock.now())))
            self.is_called_off = True

    @precondition(lambda self: len(self.town.awake) > 1)
    @rule(which=st.integers(0, 1), how=st.sampled_from(["killed", "frozen", "ended"]), at_once=st.booleans())
    def one_is_gone(self, which: int, how: str, at_once: bool) -> None:
        """Args: at_once: nobody had a turn in between."""
        if not at_once:
            self._run(self.town.has_turns())
        process = self.town.awake[which % len(self.town.awake)]
        self.upsets += 1
        if how == "killed":
            self.town.kills(process)
        elif how == "frozen":
            process.freeze()
        else:
            self._run(self.town.ends(process))

    @rule(long=st.booleans())
    def the_others_go_on(self, long: bool) -> None:
        """Args: long: for so long that those who are not heard of are gone."""
        if long:
            self.town.ages()
        self._run(self.town.rests())

    @rule()
    def all_are_there_again(self) -> None:
        self._all_are_there()

    def _all_are_there(self) -> None:
        for each in self.town.running:
            each.thaw()
        while len(self.town.running) < 2:
            self._run(self.town.begins())

    @invariant()
    def whatever_was_acknowledged_is_on_disk_once(self) -> None:
        state = self._state()
        assert sorted(state.orders) == sorted(self.ordered)
        assert max(Counter([*state.served, *state.burnt]).values(), default=1) == 1

    @invariant()
    def what_is_not_to_be_done_twice_never_is(self) -> None:
        assert all(times == 1 for dish, times in Counter(self.town.cooked).items() if dish.startswith("flambé"))

    @invariant()
    def what_is_done_twice_was_under_way_when_one_was_gone(self) -> None:
        assert max(Counter(self.town.cooked).values(), default=0) <= 1 + self.upsets

    def _everything_comes_to_its_end(self) -> None:
        self._all_are_there()
        for gate in list(self.town.gates):
            self.town.gates.pop(gate).set()
        self.town.ages()
        for _ in range(2):
            self._run(self.town.rests())
        state = self._state()
        done = {*state.served, *state.burnt}
        assert self.is_called_off or done == set(self.ordered)
        assert set(state.burnt) <= {each for each in self.ordered if each.startswith("flambé")}
        assert self.town.jobs_left() == []
        assert self._run(self.town.running[0].store.verify(KEY)) == (bool(self.ordered) or self.is_called_off)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        async def soon() -> T:
            async with asyncio.timeout(60):
                return await work

        return self.loop.run_until_complete(soon())

    def _state(self) -> Kitchen:
        return self._run(self._kitchen(self.town.awake[0])) if self.ordered else Kitchen()

    async def _kitchen(self, process: Process) -> Kitchen:
        return await process.kitchen()


def run(server: PostgresServer, count: int, steps: int) -> None:
    AnyProcess.server = server
    run_state_machine_as_test(
        AnyProcess,
        settings=settings(
            max_examples=count,
            stateful_step_count=steps,
            deadline=None,
            phases=[Phase.explicit, Phase.reuse, Phase.generate],  # each example takes a second: none is shrunk
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


def test_nothing_is_lost_and_nothing_is_twice(postgres_server: PostgresServer) -> None:
    run(postgres_server, 4, 15)


@pytest.mark.timeout(900)
@pytest.mark.exhaustive
def test_nothing_is_lost_and_nothing_is_twice_in_many_lives(postgres_server: PostgresServer) -> None:
    run(postgres_server, examples(6), 40)
