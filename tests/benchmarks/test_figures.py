"""What the benchmarks print has the keys and the units they promise."""

import json

from benchmarks import lockstep
from benchmarks.burst import Burst, proposals
from benchmarks.comparison import Comparison
from benchmarks.cost import Cost
from benchmarks.peers.__main__ import medians


def test_the_engine_s_object_has_medians_and_spreads() -> None:
    alone = Comparison([_cost(20.0, written=200.0)], [_cost(5.0)])
    many = Comparison([_cost(14.0), _cost(12.0), _cost(17.0, written=140.0)], [_cost(1.25), _cost(1.5), _cost(2.0)])
    waiting = {1: [_cost(20.0, wall=0.55)], 20: [_cost(20.0, wall=0.75)], 200: [_cost(20.0, wall=3.0)]}

    found = lockstep.figures(alone, many, waiting)

    assert json.loads(json.dumps(found)) == {
        "cpu_ms_1": 20.0,
        "cpu_ms_200": 14.0,
        "cpu_ms_200_spread": 5.0,
        "ratio": {"1": 1.1, "20": 1.5, "200": 6.0},
        "written_kib_1": 200.0,
        "written_kib_200": 130.0,
        "yardstick_ms_1": 5.0,
        "yardstick_ms_200": 1.5,
        "yardstick_ms_200_spread": 0.75,
    }


def test_peers_are_told_by_the_median_of_their_turns() -> None:
    runs = [{"langgraph": {"1": 60.0, "200": each}} for each in (64.0, 90.0, 63.0)]

    assert medians(runs) == {"langgraph": {"1": 60.0, "200": 64.0}}


async def test_each_of_many_demands_in_a_channel_takes_one_post_until_there_is_a_proposal() -> None:
    crowd = Burst(negotiations=6, channels=1, people=2)
    assert max(await proposals(crowd)) <= crowd.negotiations


def _cost(cpu_ms: float, *, wall: float = 1.0, written: float = 130.0) -> Cost:
    return Cost(cpu_ms, wall, written)
