"""What stands where words were erased."""

from typing import TypeVar

from msgspec.structs import replace

from bot.texts import Texts
from engine.negotiation.events import Agreed
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Proposal

Agreement = TypeVar("Agreement", bound=Agreed)


def with_marks(state: Negotiation, texts: Texts) -> Negotiation:
    """Return the negotiation with a mark where the demand and the plans were; as it is, where nothing was erased."""
    if not state.is_erased:
        return state
    mark = texts.say("(erased)")

    def marked(proposal: Proposal) -> Proposal:
        return proposal if proposal.summary else replace(proposal, summary=mark)

    def agreed(agreement: Agreement | None) -> Agreement | None:
        return agreement and replace(agreement, final_proposal=marked(agreement.final_proposal))

    understood = state.understanding
    if understood is not None and not understood.surface_demand:
        understood = replace(understood, surface_demand=mark)
    return replace(
        state,
        raw_input=state.raw_input or mark,
        understanding=understood,
        proposals=tuple(map(marked, state.proposals)),
        agreed=agreed(state.agreed),
        final=agreed(state.final),
    )
