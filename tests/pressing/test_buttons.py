"""No view shows a button that will be refused: each is pressed by everybody who sees it, at moments of streams that are
generated, that go on in any order, and that are on record."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from msgspec.structs import replace

from bot.protocol_row import Protocol
from bot.registry import DELIBERATION, DELIVERY, NEGOTIATION
from bot.views.deliberation.values import ASK, DECIDE, POINT
from bot.views.kit.handover import CARRY_OUT, PLAN_IT
from bot.views.negotiation.action_forms import AS_IT_STANDS, HOW
from bot.views.negotiation.button_values import PROCEED
from engine.kernel import HandoverTaken
from tests.deliberation.record_histories import RECORDED as DELIBERATIONS
from tests.deliberation.test_any_order import AnyOrder as AnyDeliberation
from tests.delivery.any_order_moves import World
from tests.delivery.record_histories import RECORDED as DELIVERIES
from tests.examples import examples
from tests.given import Moment
from tests.negotiation.offers.test_volunteers import agreed_without_photos
from tests.negotiation.record_histories import OUTCOMES
from tests.negotiation.test_any_order import AnyOrder as AnyNegotiation
from tests.negotiation.voting.test_between_rounds import PATIENT, silent, voted_on
from tests.negotiation.voting.test_limits_in_words import Twins
from tests.negotiation.voting.test_spoken_for import DOUBTED
from tests.views import corpus, deliberations, deliveries
from tests.views.test_wishes import wishing

from .shown import faults_at, shown_at
from .still import Pressing, pressing


class Corpus(NamedTuple):
    row: Protocol
    made: Any
    """Makes the scenario of a source of chance."""
    seeds: int
    """How many are played whenever tests run."""
    step: int
    """Each so manieth moment is looked at."""


CORPORA: Final = {
    "negotiation": Corpus(NEGOTIATION, lambda draws: corpus.story(draws, 5), 20, 5),
    "deliberation": Corpus(DELIBERATION, deliberations.scenario, 4, 12),
    "delivery": Corpus(DELIVERY, deliveries.scenario, 16, 4),
}


@pytest.fixture
async def product() -> AsyncIterator[Pressing]:
    async with pressing() as it:
        yield it


def moments_of(made: Corpus, seed: int) -> list[Moment]:
    scenario = made.made(Random(seed))  # noqa: S311 - of a test
    began = [each for each in scenario.moments if each.history]
    return [*began[:: made.step], *began[-1:]]


async def none_is_refused(product: Pressing, row: Protocol, moments: Iterable[Moment]) -> None:
    faults = Counter[str]()
    for moment in moments:
        async for each in faults_at(product, row, moment):
            faults[each] += 1
    assert not faults, "\n".join(f"{times} x {each}" for each, times in faults.most_common(12))


@pytest.mark.parametrize("name", CORPORA)
async def test_no_view_of_a_generated_stream_shows_a_button_that_is_refused(product: Pressing, name: str) -> None:
    made = CORPORA[name]
    await none_is_refused(
        product, made.row, (each for seed in range(examples(made.seeds)) for each in moments_of(made, seed))
    )


@pytest.mark.parametrize("row", [NEGOTIATION, DELIBERATION, DELIVERY], ids=lambda row: row.name)
async def test_none_is_refused_in_any_order(product: Pressing, row: Protocol) -> None:
    await none_is_refused(product, row, in_any_order(row))


@pytest.mark.parametrize(
    ("row", "recorded"),
    [(NEGOTIATION, OUTCOMES), (DELIBERATION, DELIBERATIONS), (DELIVERY, DELIVERIES)],
    ids=["negotiation", "deliberation", "delivery"],
)
async def test_none_is_refused_in_what_is_on_record(product: Pressing, row: Protocol, recorded: Any) -> None:
    await none_is_refused(
        product, row, (each for play in recorded.values() for each in play().moments[2::3] if each.history)
    )


def in_any_order(row: Protocol) -> Iterator[Moment]:
    """Return moments of streams whose machines, people and clocks do anything, in whatever order."""
    if row is DELIVERY:
        for seed in range(examples(12)):
            world = World(Random(seed))  # noqa: S311 - of a test
            world.begin()
            for _ in range(60):
                world.move()
            yield from world.moments[::5]
        return
    played: list[list[Moment]] = []

    class Kept(AnyNegotiation if row is NEGOTIATION else AnyDeliberation):  # type: ignore[misc]
        def teardown(self) -> None:
            super().teardown()
            played.append([each for each in self.scenario.moments if each.history])

    run_state_machine_as_test(
        Kept,
        settings=settings(
            max_examples=examples(12),
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
    for moments in played:
        yield from moments[::4]


async def ways_on(product: Pressing, moment: Moment) -> set[str]:
    """Open *Go…*, and send it with each way that it offers."""
    product.put(moment)
    [go] = [each for each in shown_at(NEGOTIATION, moment) if each.button["action_id"] == PROCEED]
    opened = await product.press(moment.state.requester_id, go.button, channel=moment.state.place.channel)
    assert opened.view is not None
    [how] = [each["element"] for each in opened.view["blocks"] if each.get("block_id") == HOW]
    for each in how["options"]:
        product.put(moment)
        chosen = {"type": "radio_buttons", "selected_option": each}
        assert await product.send(moment.state.requester_id, opened.view, **{HOW: chosen}) == {}
        assert product.streams.done
    return {str(each["value"]) for each in how["options"]}


async def test_what_goes_on_from_a_plan_is_not_begun_again(product: Pressing) -> None:
    """Nor is the plan argued about any more, once it is carried out."""
    agreed, planned, delivery = OUTCOMES["consensus"](), DELIBERATIONS["decided"](), DELIVERIES["reviewing"]()
    assert await ways_on(product, agreed.moments[-1]) == {AS_IT_STANDS, PLAN_IT, CARRY_OUT}
    offered = {each.button["action_id"] for each in shown_at(DELIBERATION, planned.moments[-1])}
    assert {POINT, ASK, CARRY_OUT} <= offered

    for name in ("plan-", "deliver-"):
        agreed.does(HandoverTaken, stream=name + agreed.state.channel_id, protocol="")
    planned.does(HandoverTaken, stream=f"deliver-{planned.state.session_id}", protocol="delivery")

    shown = {each.button["action_id"] for each in shown_at(NEGOTIATION, agreed.moments[-1])}
    assert not shown & {PLAN_IT, CARRY_OUT}
    assert await ways_on(product, agreed.moments[-1]) == {AS_IT_STANDS}
    shown = {each.button["action_id"] for each in shown_at(DELIBERATION, planned.moments[-1])}
    assert not shown & {POINT, DECIDE, CARRY_OUT}
    assert ASK in shown
    carried_out = replace(delivery.state, session_id=f"deliver-{planned.state.session_id}")
    other = delivery.moments[-1]._replace(state=carried_out)
    assert [each async for each in faults_at(product, DELIBERATION, planned.moments[-1], other)] == []


SCRIPTED: Final[dict[str, Callable[[], list[Moment]]]] = {
    "a wish that was read": lambda: wishing().moments,
    "a limit in doubt": lambda: Twins().planned().votes(limits=DOUBTED).scenario.moments,
    "a limit in doubt of somebody who is not here": lambda: Twins(linked=False).offers(DOUBTED).scenario.moments,
    "help that was offered": lambda: agreed_without_photos().moments,
    "a version that was sent twice": lambda: silent(silent(voted_on(PATIENT, ann="1", bo="2", cy="3"))).moments,
}


@pytest.mark.parametrize("name", SCRIPTED)
async def test_none_is_refused_in_what_seldom_happens(product: Pressing, name: str) -> None:
    await none_is_refused(product, NEGOTIATION, (each for each in SCRIPTED[name]()[3:] if each.history))
