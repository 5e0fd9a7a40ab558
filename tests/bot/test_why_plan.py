"""*Why this plan…*: who decided what by whose hand, for everybody who reads the thread."""

import pytest

from bot.views.negotiation.button_values import WHY_PLAN
from engine.llm.ledger import Call, Outcome, StoreLedger
from engine.llm.spending import Tokens, cost

from .conftest import Begin
from .driver import ADMIN, AYA, YOU, texts_of
from .test_export import outcome_card, settled


@pytest.mark.parametrize("user", [YOU, AYA, ADMIN])
async def test_everybody_in_the_thread_reads_it_and_nothing_changes(driver: Begin, user: str) -> None:
    it = await settled(driver)
    before = await it.events()

    outcome = await it.clicks(user, WHY_PLAN, card=await outcome_card(it))

    assert outcome.modal is not None
    said = "\n".join(texts_of(outcome.modal.blocks))
    assert "round 1: accepted (by the twin)" in said
    assert await it.events() == before


@pytest.mark.parametrize(("user", "is_told"), [(YOU, True), (ADMIN, True), (AYA, False)])
async def test_whoever_asked_and_admins_are_told_what_the_models_have_cost(
    driver: Begin, user: str, is_told: bool
) -> None:
    it = await settled(driver)
    ledger = StoreLedger(it.demo.towow.store)
    tokens = Tokens(1_000, 100, cache_read=1_000)
    for stream, paid_by in ((it.key.stream, ""), ("collab-net", it.key.stream), ("collab-another", "")):
        call = Call(
                at=it.demo.clock.now(),
                tenant=it.key.tenant,
                stream=stream,
                charged_to=paid_by,
                model="claude-sonnet-5-5",
                prompt="negotiation/respond",
                content_hash="h",
                attempt=1,
                outcome=Outcome.ANSWERED,
                latency_ms=1,
                input_tokens=tokens.input,
                output_tokens=tokens.output,
                cache_read_tokens=tokens.cache_read,
                cost_usd=cost("claude-sonnet-5-5", tokens),
        )  # fmt: skip
        ledger.record(call)
    await ledger.close()

    outcome = await it.clicks(user, WHY_PLAN, card=await outcome_card(it))

    assert outcome.modal is not None
    said = "\n".join(texts_of(outcome.modal.blocks))
    assert ("*What the models have cost*" in said) is is_told
    assert ("2 calls, US$ 0.0062 · 50% of what was sent was read from the cache" in said) is is_told
