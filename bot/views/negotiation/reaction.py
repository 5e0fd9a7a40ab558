"""How a negotiation stands, as a reaction on the demand tells the channel."""

from typing import Final

from bot.views.kit.reaction import Reaction
from bot.views.negotiation.agreement.simple_rules import agreed_by_rules
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Outcome

WITH_A_PLAN: Final = frozenset({Outcome.CONSENSUS, Outcome.PARTIAL_CONSENSUS})


def reaction(state: Negotiation) -> Reaction | None:
    """Return None for one that has not begun, and for the search for what another one lacks: that is not the demand."""
    if not state.exists or state.parent is not None:
        return None
    if state.is_open:
        return Reaction.WAITING
    if state.outcome is Outcome.CANCELLED:
        return Reaction.STOPPED
    if state.outcome not in WITH_A_PLAN:
        return Reaction.FAILED
    return Reaction.DRAFTED if agreed_by_rules(state) else Reaction.AGREED
