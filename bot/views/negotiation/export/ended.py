"""What the exported files are made of."""

from dataclasses import dataclass

from engine.negotiation.public.build import Times
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Proposal

EXPORTED = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED, Status.FAILED})
"""Statuses that can be exported; in a stopped negotiation nothing was agreed."""


@dataclass(frozen=True, slots=True)
class EndedNegotiation:
    """A negotiation that is over."""

    state: Negotiation
    times: Times
    """When it ended, and when the rest of it happened."""
    asked_by: str = ""
    """The requester's name; empty if it is unknown."""

    @property
    def plan(self) -> Proposal | None:
        """The agreed plan; for a failed negotiation, the last version that was voted on."""
        return self.state.final.final_proposal if self.state.final else self.state.proposal

    @property
    def demand(self) -> str:
        """As the thread shows it. What was typed into a form or a command is nobody else's."""
        return self.state.demand_text
