"""What the two who argue are told in every round is sent once and then read from the provider's cache."""

import pytest

from tests.anthropic_server.sent_again import read_in_turn, sent_again

from .encoders import no_encoder
from .sessions import asked_of_claude, prompt_of
from .test_session import ENDLESS, arguing


@pytest.mark.parametrize("prompt", ["revise", "criticise"])
async def test_rules_and_brief_are_read_from_the_second_time_on(prompt: str) -> None:
    played = await asked_of_claude(arguing, no_encoder(), policy=ENDLESS)
    turns = [each for each in played.requests if prompt_of(each) == prompt]
    read = list(read_in_turn(turns))
    assert [tokens > 0 for tokens in read] == [False, True, True, True]
    assert sum(read) >= 0.95 * sum(sent_again(turns))
