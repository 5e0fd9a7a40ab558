"""There was no agreement: a model says what would still be possible. It is advice, and changes nothing else."""

from typing import Final

from engine.kernel import Ask, EffectFailed
from engine.negotiation.answers import Assignment, Compromise, FailureFacts, OfferDecision, RefusalReason
from engine.negotiation.commands import RecordCompromise
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import CompromiseOffered
from engine.negotiation.rounds import count
from engine.negotiation.state import Negotiation, Status

COMPROMISE: Final = "compromise"
"""Name and scope of the question."""


def ask(draft: NegotiationDraft) -> None:
    """That it has failed is known already; what a model makes of it comes later, or never. A subnet's parent goes on
    without it, and nobody waits for a way out; where there was no model, there is none to ask for one."""
    state = draft.state
    if state.status is Status.FAILED and state.parent is None and state.lacked is None:
        draft.owes(Ask(name=COMPROMISE, scope=COMPROMISE, prompt="compromise"))


def offered(draft: NegotiationDraft, command: RecordCompromise) -> None:
    state = draft.state
    if state.status is not Status.FAILED or state.compromise is not None:
        return
    draft.degrade("compromise", command)
    if command.compromise is not None:
        compromise = _among_those_here(state, command.compromise)
        draft.happens(
            CompromiseOffered(**draft.ids, compromise=compromise, model=command.model, prompt_hash=command.prompt_hash)
        )


def effect_failed(draft: NegotiationDraft, command: EffectFailed) -> bool:
    """Whether it was this question: then the facts alone stand."""
    if command.name != COMPROMISE or draft.state.status is not Status.FAILED:
        return False
    draft.gave_up("compromise", "E003")
    return True


def failure_facts(state: Negotiation) -> FailureFacts:
    """What is certain, counted by code."""
    last = state.rounds[-1] if state.rounds else None
    tally = count(last) if last and not state.is_secret(last) else None
    return FailureFacts(
        outcome=state.outcome.value if state.outcome else "",
        asked=len(state.invited),
        taking_part=len(state.participants),
        declined=sum(each.decision is OfferDecision.DECLINE for each in state.offers.values()),
        withdrawn=tuple(each.display_name for each in state.withdrawn.values()),
        rounds=len(state.rounds),
        accepts=tally.accepts if tally else 0,
        negotiates=tally.negotiates if tally else 0,
        rejects=tally.rejects if tally else 0,
        silent=tally.silent if tally else 0,
    )


def refusals(state: Negotiation) -> list[RefusalReason]:
    """Why people could not; where people of other companies read along, that stays among us."""
    if state.place.shared:
        return []
    reasons = {each.agent_id: each.decline_reason for each in state.offers.values() if each.decision == "decline"}
    reasons |= {each.agent_id: each.reason for each in state.withdrawn.values()}
    return [
        RefusalReason(agent_id=agent_id, display_name=state.invited[agent_id].display_name, reason=reason)
        for agent_id, reason in reasons.items()
    ]


def _among_those_here(state: Negotiation, compromise: Compromise) -> Compromise:
    """Nobody is named for a part who did not offer to take part, or has left."""
    here = {each.agent_id: each for each in state.participants if each.agent_id not in state.withdrawn}
    seats: dict[str, Assignment] = {}
    for each in compromise.assignments:
        if each.agent_id in here:
            seats.setdefault(each.agent_id, each)
    named = tuple(
        seat.model_copy(update={"display_name": here[agent_id].display_name, "core": False})
        for agent_id, seat in seats.items()
    )
    return compromise.model_copy(update={"assignments": named})
