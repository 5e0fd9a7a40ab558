"""What the model's calls for a deliberation have cost, as the ledger has them."""

from bot.api.context import Call
from engine.deliberation.envelopes.outputs import Cost
from engine.deliberation.state import Deliberation
from engine.llm.ledger_days import spent_on


async def cost_of(call: Call, state: Deliberation) -> Cost | None:
    """Return it; None where the ledger has no call, or one of a model whose price is not known.

    Raises:
        StoreError
    """
    spent = await spent_on(call.context.store, call.workspace.tenant, state.session_id, state.opened_at)
    if not spent.calls or spent.unpriced:
        return None
    return Cost(model_calls=spent.calls, input_tokens=spent.sent, output_tokens=spent.output, cost_usd=float(spent.usd))
