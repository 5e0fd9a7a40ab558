"""What tokens cost."""

from decimal import Decimal

import pytest

from engine.llm.prices import PRICES, Tokens, cost
from tests.negotiation.prompts import PROMPTS

MILLION = 1_000_000
HAIKU, SONNET = "claude-haiku-5-5", "claude-sonnet-5-5"


@pytest.mark.parametrize(
    ("model", "tokens", "dollars"),
    [
        pytest.param(SONNET, Tokens(input=MILLION), "2", id="Sonnet reads"),
        pytest.param(SONNET, Tokens(output=MILLION), "10", id="Sonnet writes"),
        pytest.param(SONNET, Tokens(cache_write=MILLION), "2.50", id="Sonnet keeps"),
        pytest.param(SONNET, Tokens(cache_read=MILLION), "0.10", id="Sonnet remembers"),
        pytest.param(HAIKU, Tokens(input=100_000), "0.01", id="Haiku reads"),
        pytest.param(HAIKU, Tokens(output=MILLION), "0.50", id="Haiku writes"),
        pytest.param(HAIKU, Tokens(cache_write=100_000), "0.0125", id="Haiku keeps"),
        pytest.param(HAIKU, Tokens(cache_read=100_000), "0.001", id="Haiku remembers"),
        pytest.param(HAIKU, Tokens(input=100_001), "0.0500005", id="Haiku reads more than 100,000: five times"),
        pytest.param(HAIKU, Tokens(cache_read=100_001), "0.00500005", id="what it remembers is part of the prompt"),
        pytest.param(HAIKU, Tokens(input=100_000, output=MILLION), "0.51", id="what it writes is not"),
        pytest.param(SONNET, Tokens(input=MILLION, output=1), "2.00001", id="Sonnet's price stays"),
        pytest.param(f"{HAIKU}-20261001", Tokens(input=10), "0.000001", id="a dated name"),
        pytest.param(HAIKU, Tokens(), "0", id="nothing"),
    ],
)
def test_the_price_is_exact(model: str, tokens: Tokens, dollars: str) -> None:
    assert cost(model, tokens) == Decimal(dollars)


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-haiku-5-55", "claude-haiku-5", ""])
def test_a_model_without_a_price_has_none(model: str) -> None:
    assert cost(model, Tokens(input=1)) is None


def test_every_model_that_a_prompt_names_has_a_price() -> None:
    assert {each.model for each in PROMPTS.values()} <= PRICES.keys()
