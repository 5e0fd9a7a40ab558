"""Records the decision, made once, that a plan is carried out, and which streams go on from it."""

from engine.errors import Duplicate, IllegalStep
from engine.kernel import HandoverTaken
from engine.negotiation.afterwards import undoing
from engine.negotiation.commands import Proceed
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    ForceFinalized,
    PlanProceeded,
    PlanTakenUp,
    ProposalFinalized,
)
from engine.negotiation.state import Negotiation


def proceed(draft: NegotiationDraft, command: Proceed) -> None:
    check_proceeding(draft.state)
    until = command.at + undoing.WINDOW
    told = {"announce": command.announce, "reminds": command.reminds}
    draft.happens(PlanProceeded(**draft.ids, by=command.by, at=command.at, until=until, **told))


def check_proceeding(state: Negotiation) -> None:
    plan_of(state)
    if state.proceeded is not None:
        raise Duplicate("It was decided already that this plan is carried out.")


def plan_of(state: Negotiation) -> ProposalFinalized | ForceFinalized:
    if state.final is None:
        raise IllegalStep(f"This negotiation is {state.status}; there is no plan to carry out.")
    return state.final


def taken_up(draft: NegotiationDraft, command: HandoverTaken) -> None:
    """Note who goes on from the plan, so that nobody is offered to begin it twice."""
    if draft.state.final is not None and command.stream not in draft.state.taken_up:
        draft.happens(PlanTakenUp(**draft.ids, stream=command.stream, at=command.at))
