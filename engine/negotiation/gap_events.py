"""The events that follow an agreement: what the plan lacks, and the subnets that look for it."""

from typing import Annotated, ClassVar

from engine.kernel import PRIVATE, Millis
from engine.negotiation.answers import Gap, SubDemand
from engine.negotiation.terms import Found, NegotiationEvent, Outcome, PrivateText, PrivateTexts, Proposal


class GapsIdentified(NegotiationEvent):
    event_type: ClassVar[str] = "towow.gap.identified"
    gaps: Annotated[tuple[Gap, ...], PRIVATE]
    """The most important first; also those that do not matter enough to be looked for."""
    is_complete: bool = False
    analysis: PrivateText = ""
    model: str = ""
    prompt_hash: str = ""


class RecursionDecided(NegotiationEvent, kw_only=True):
    """The design's own: whether the gaps that matter are looked for, and why."""

    event_type: ClassVar[str] = "towow.recursion.decided"
    should_recurse: bool
    """What the three conditions come to."""
    condition_1_met: bool
    condition_1_analysis: PrivateText = ""
    condition_2_met: bool
    condition_2_analysis: PrivateText = ""
    condition_3_met: bool
    condition_3_analysis: PrivateText = ""
    sub_demands: Annotated[tuple[SubDemand, ...], PRIVATE] = ()
    """Those that are asked, one for each gap."""
    model: str = ""
    prompt_hash: str = ""


class SubnetEvent(NegotiationEvent):
    """In the parent's stream."""

    sub_demand_id: str
    sub_channel_id: str
    gap_type: PrivateText


class SubnetTriggered(SubnetEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.subnet.triggered"
    parent_channel_id: str
    parent_demand_id: str
    description: PrivateText
    capability_tags: PrivateTexts = ()
    priority: str = "medium"
    deadline: Millis


class SubnetCompleted(SubnetEvent):
    event_type: ClassVar[str] = "towow.subnet.completed"
    found: Found


class SubnetFailed(SubnetEvent):
    event_type: ClassVar[str] = "towow.subnet.failed"
    reason: Outcome
    by: str = ""
    """Who stopped it, where somebody did."""


class ProposalAmended(NegotiationEvent):
    """The plan with what the subnets have found so far."""

    event_type: ClassVar[str] = "towow.proposal.amended"
    proposal: Proposal
    sub_channel_id: str
    """The subnet whose result was added last."""
    gap_type: PrivateText
    participants_count: int
    confirmed_participants: tuple[str, ...]
    optional_participants: tuple[str, ...]


class SubnetReleased(NegotiationEvent):
    """The design's own, in the subnet's stream: it agreed too late, so its people are not in the plan."""

    event_type: ClassVar[str] = "towow.subnet.released"
