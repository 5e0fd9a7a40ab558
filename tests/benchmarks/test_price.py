"""What a run costs is added up by prompt and by kind of token."""

import pytest

from benchmarks.price import figures
from engine.llm.ledger import Call, Outcome

HAIKU, SONNET = "claude-haiku-5-5", "claude-sonnet-5-5"


def call(prompt: str, model: str = HAIKU, outcome: Outcome = Outcome.ANSWERED, **tokens: int) -> Call:
    return Call(at=1, prompt=prompt, content_hash="h", model=model, attempt=1, outcome=outcome, latency_ms=1, **tokens)


def test_every_kind_of_token_has_its_price() -> None:
    found = figures(
        [
            call("feedback", input_tokens=1_000, cache_write_tokens=4_000, output_tokens=100),
            call("feedback", input_tokens=1_000, cache_read_tokens=4_000, output_tokens=100),
            call("adjust", SONNET, input_tokens=10_000, output_tokens=1_000),
        ]
    )
    feedback = found["by_prompt"]["feedback"]
    assert feedback["calls"] == 2
    assert feedback["tokens"] == {"input": 2_000, "cache_write": 4_000, "cache_read": 4_000, "output": 200}
    assert feedback["usd"] == pytest.approx(
        {"input": 0.0002, "cache_write": 0.0005, "cache_read": 0.00004, "output": 0.0001}
    )
    assert found["usd"] == pytest.approx(0.00084 + 0.03)
    assert found["usd_uncached"] == pytest.approx(0.0011 + 0.03)
    assert found["cache_share"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(call("adjust", "a-model-of-nobody-s"), id="no price is known"),
        pytest.param(call("adjust", outcome=Outcome.TIMEOUT), id="no answer came"),
    ],
)
def test_a_sum_that_would_mean_nothing_is_refused(other: Call) -> None:
    with pytest.raises(RuntimeError, match="would mean nothing"):
        figures([call("feedback"), other])
