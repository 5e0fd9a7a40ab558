"""Whatever comes in whatever order: what always holds holds, and it ends once everybody has answered."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from .any_order_moves import World


@given(st.randoms(use_true_random=False), st.integers(5, 120))
def test_in_any_order(random: Random, moves: int) -> None:
    _ends(random, moves)


def test_in_the_orders_that_were_once_tried() -> None:
    """The same ones each time, and more than are drawn anew: a ticket that is left alone is a matter of a few."""
    for seed in range(400):
        moves = Random(seed).randint(5, 120)  # noqa: S311 - of a test
        _ends(Random(seed), moves)  # noqa: S311 - of a test


def _ends(random: Random, moves: int) -> None:
    world = World(random)
    world.begin()
    for _ in range(moves):
        if not world.state.is_open:
            break
        world.move()
    world.finish()
    assert not world.outbox
    assert not world.alarms
    assert world.folded() == world.state
