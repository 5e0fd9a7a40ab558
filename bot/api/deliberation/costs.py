"""What the model's calls for a deliberation have cost, as the ledger has them."""

from collections.abc import AsyncIterator
from typing import Final

from bot.api.context import Call
from engine.deliberation.envelopes.report import Cost
from engine.deliberation.state import Deliberation
from engine.kernel import Millis
from engine.llm import ledger
from engine.llm.spending import spending

PAGE: Final = 500
"""Rows read at once."""


async def cost_of(call: Call, state: Deliberation) -> Cost | None:
    """Return it; None where the ledger has no call, or one of a model whose price is not known.

    Raises:
        StoreError
    """
    spent = spending([each async for each in _calls(call, state)])
    if not spent.calls or spent.unpriced:
        return None
    return Cost(model_calls=spent.calls, input_tokens=spent.sent, output_tokens=spent.output, cost_usd=float(spent.usd))


async def _calls(call: Call, state: Deliberation) -> AsyncIterator[ledger.Call]:
    """Yield the calls for its stream. Rows are by time: none is older than it."""
    store, tenant = call.context.store, call.workspace.tenant
    after = _key(state.opened_at)
    # What is asked about it after its end counts as well.
    while rows := await store.records(tenant, ledger.KIND, limit=PAGE, after=after):
        *_, after = rows
        for row in rows.values():
            made = ledger.Call.model_validate_json(row)
            if made.stream == state.session_id:
                yield made


def _key(at: Millis) -> str:
    return f"{at:013d}"
