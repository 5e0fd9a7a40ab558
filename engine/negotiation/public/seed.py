"""What is told of a negotiation in the words of seed 000, section 4, and in no others: a projection of the public JSON.

The seed's events are told as its envelopes anyway (section 3.1.2), and so is a demand that was just asked (3.1.1).
"""

from typing import Any, TypeVar

from engine.facts.answer_fields import Level
from engine.negotiation.answers import DeepUnderstanding, Gap, OfferDecision
from engine.negotiation.public.models import DemandStatus, Public, PublicNegotiation
from engine.negotiation.terms import Proposal

T = TypeVar("T", bound=Public)


class SeedDemand(Public):
    """Section 4.1."""

    demand_id: str
    requester_id: str
    raw_input: str | None
    """Null for those who may not read it, as is `confidence` of an offer; what else is in words is empty for them."""
    surface_demand: str
    deep_understanding: DeepUnderstanding | None
    capability_tags: tuple[str, ...]
    context: dict[str, Any]
    status: DemandStatus
    created_at: str


class SeedOffer(Public):
    """Section 4.2."""

    offer_id: str
    agent_id: str
    demand_id: str
    decision: OfferDecision
    contribution: str
    conditions: tuple[str, ...]
    reasoning: str
    decline_reason: str
    confidence: int | None
    submitted_at: str


class SeedAssignment(Public):
    agent_id: str
    display_name: str
    role: str
    responsibility: str
    dependencies: tuple[str, ...]
    notes: str


class SeedMilestone(Public):
    name: str
    date: str
    deliverable: str


class SeedTimeline(Public):
    start_date: str
    milestones: tuple[SeedMilestone, ...]


class SeedProposal(Public):
    """Section 4.3."""

    proposal_id: str
    demand_id: str
    version: int
    summary: str
    objective: str
    assignments: tuple[SeedAssignment, ...]
    timeline: SeedTimeline
    rationale: str
    gaps: tuple[str, ...]
    confidence: Level
    created_at: str


class SeedNegotiation(Public):
    """A demand, what was offered, every version of the plan, and what the plan lacks."""

    demand: SeedDemand
    offers: tuple[SeedOffer, ...]
    proposals: tuple[SeedProposal, ...]
    gaps: tuple[Gap, ...]
    """Section 4.4."""


def as_seed(told: PublicNegotiation) -> SeedNegotiation:
    return SeedNegotiation(
        demand=_selected(SeedDemand, told),
        offers=tuple(
            _selected(SeedOffer, each, demand_id=told.demand_id, decline_reason=each.reason) for each in told.offers
        ),
        proposals=tuple(map(_proposal, told.proposals)),
        gaps=tuple(Gap(**{name: getattr(each, name) for name in Gap.__struct_fields__}) for each in told.gaps),
    )


def _proposal(version: Proposal) -> SeedProposal:
    milestones = tuple(_selected(SeedMilestone, each) for each in version.timeline.milestones)
    return _selected(
        SeedProposal,
        version,
        assignments=tuple(_selected(SeedAssignment, each) for each in version.assignments),
        timeline=_selected(SeedTimeline, version.timeline, milestones=milestones),
    )


def _selected(kind: type[T], value: object, **more: Any) -> T:
    """Return the fields that a class names, of a value that has them."""
    return kind(**{name: getattr(value, name) for name in kind.model_fields if name not in more}, **more)
