"""After a failure, a model says what would still be possible. That is advice, and changes nothing else."""

from typing import Final

from msgspec.structs import replace

from engine.kernel import CommandDelivered, EffectFailed
from engine.negotiation.answers import Compromise, FailureFacts, OfferDecision, RefusalReason
from engine.negotiation.commands import RecordCompromise
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import CompromiseOffered
from engine.negotiation.plan.proposals import one_seat_each
from engine.negotiation.state import Negotiation, Status

COMPROMISE: Final = "compromise"
"""Name and scope of the question."""


def is_wanted(state: Negotiation) -> bool:
    """Whether a compromise is to be asked for after a failure. Nobody waits for it. A subnet asks for none, since its
    parent goes on without it, nor does a negotiation that failed because no model was there.
    """
    was_asked = state.compromise is not None or any(each.prompt == COMPROMISE for each in state.degraded)
    return state.status is Status.FAILED and state.parent is None and state.lacked is None and not was_asked


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


def effect_failed(draft: NegotiationDraft, command: CommandDelivered | EffectFailed) -> bool:
    """Record that no compromise can be asked for. Return whether one was to be asked for."""
    if not isinstance(command, EffectFailed) or draft.state.status is not Status.FAILED:
        return False
    draft.gave_up("compromise", "E003")
    return True


def failure_facts(state: Negotiation) -> FailureFacts:
    last = state.rounds[-1] if state.rounds else None
    tally = last.counted if last and not state.is_secret(last) else None
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
    """Return why people declined or left; nothing if people of other companies read along."""
    if state.place.shared:
        return []
    declined = [each for each in state.offers.values() if each.decision == "decline"]
    reasons = {each.agent_id: each.decline_reason for each in declined}
    wanted = {each.agent_id: each.conditions for each in declined}
    reasons |= {each.agent_id: each.reason for each in state.withdrawn.values()}
    return [
        RefusalReason(
            agent_id=agent_id,
            display_name=state.invited[agent_id].display_name,
            reason=reason,
            conditions=wanted.get(agent_id, ()),
        )
        for agent_id, reason in reasons.items()
    ]


def _among_those_here(state: Negotiation, compromise: Compromise) -> Compromise:
    """Drop the seats of people who did not offer to take part, or have left; who has several keeps them as one."""
    here = {each.agent_id: each for each in state.participants if each.agent_id not in state.withdrawn}
    named = tuple(
        replace(each, display_name=here[each.agent_id].display_name, core=False)
        for each in one_seat_each(compromise.assignments)
        if each.agent_id in here
    )
    return replace(compromise, assignments=named)
