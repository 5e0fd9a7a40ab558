"""What a file is made of."""

from dataclasses import dataclass

from bot.views.negotiation.names import known_person
from engine.kernel import Millis
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Proposal

EXPORTED = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED, Status.FAILED})
"""Where there is something to take along; of what was stopped, nothing was agreed."""


@dataclass(frozen=True, slots=True)
class EndedNegotiation:
    """A negotiation that is over."""

    state: Negotiation
    at: Millis
    """When it ended."""
    asked_by: str = ""
    """What whoever asked is called; empty where nobody knows."""

    @property
    def plan(self) -> Proposal | None:
        """What was agreed; of a negotiation that failed, the last version that was voted on."""
        return self.state.final.final_proposal if self.state.final else self.state.proposal

    @property
    def demand(self) -> str:
        """As the thread shows it. What was typed into a form or a command is nobody else's."""
        return self.state.demand_text

    def name_of(self, agent_id: str) -> str:
        asked = known_person(self.state, agent_id)
        return (asked.display_name if asked else "") or agent_id
