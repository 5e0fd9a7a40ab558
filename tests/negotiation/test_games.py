"""A valid deal that was on the table survives the balanced rules."""

from typing import Final

import pytest

from engine.negotiation.policy import PRESETS
from tests.negotiation.games import dealt, generated, published, share_kept

GAMES: Final = range(400)
DEALT: Final = range(1_000)
"""Of each published game: fewer would vary by more than what is asked leaves."""


def test_balanced_keeps_nearly_every_valid_deal() -> None:
    kept, of = share_kept(PRESETS["balanced"], map(generated, GAMES))
    assert of >= 100
    assert 100 * kept >= 97 * of


@pytest.mark.parametrize("name", [*published()])
def test_so_it_does_in_each_game_that_others_have_published(name: str) -> None:
    kept, of = share_kept(PRESETS["balanced"], (dealt(published()[name], seed) for seed in DEALT))
    assert of >= 400
    assert 100 * kept >= 97 * of


def test_two_to_seven_parties_play_what_others_have_published() -> None:
    sizes = {len(parties) for parties in published().values()}
    assert (min(sizes), max(sizes)) == (2, 7)
    for parties in published().values():
        assert len({tuple(map(len, each.scores)) for each in parties}) == 1


def test_the_games_are_hard_enough_to_lose_a_deal() -> None:
    kept, of = share_kept(PRESETS["t05-v4"], map(generated, GAMES))
    assert 2 * kept < of


def test_five_to_seven_parties_play_and_two_of_them_are_core() -> None:
    for game in map(generated, GAMES):
        assert 5 <= len(game.parties) <= 7
        assert sum(each.is_core for each in game.parties) == 2
