"""What becomes of a twin's offer and vote where limits of its person are in doubt."""

from msgspec.structs import replace

from engine.errors import NotAllowed
from engine.negotiation.answers import FeedbackAnswer, LimitVerdict, OfferAnswer, OfferDecision
from engine.negotiation.commands import RecordFeedback, RecordOffer
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import LimitsWeighed, Weighed
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.voting.kinds import FeedbackType


def weigh_offer(draft: NegotiationDraft, command: RecordOffer) -> None:
    """Record that a twin's person has limits in words, and which of them the demand may break."""
    said = command.limits
    if not said.is_limited:
        return
    draft.happens(
        LimitsWeighed(
            **draft.ids,
            agent_id=command.agent_id,
            round=0,
            by="twin",
            waits=bool(said.doubts),
            doubts=said.doubts,
        )
    )


def weigh_vote(
    draft: NegotiationDraft, seat: Seat, command: RecordFeedback, said: FeedbackAnswer | None
) -> FeedbackAnswer | None:
    """Record what is in doubt, and return the vote that the twin casts; None where it casts none."""
    limits, state = command.limits, draft.state
    if not limits.is_limited and not limits.doubts:
        return said
    is_last = state.round >= state.policy.max_rounds
    vote = said and voted(said, limits, is_last=is_last, is_linked=bool(seat.user_id))
    opened = state.rounds[-1]
    draft.happens(
        LimitsWeighed(
            **draft.ids,
            agent_id=seat.agent_id,
            round=opened.number,
            version=opened.version,
            blind=state.policy.blind_votes,
            by="twin",
            in_words=limits.is_limited,
            waits=bool(limits.doubts),
            abstains=said is not None and vote is None,
            doubts=limits.doubts,
        )
    )
    return vote


def offered(said: OfferAnswer, limits: Weighed) -> OfferAnswer:
    """Return the offer; a decline where the demand itself breaks a limit. Why is for its owner alone."""
    if not limits.has(LimitVerdict.BROKEN):
        return said
    return OfferAnswer(decision=OfferDecision.DECLINE, confidence=said.confidence)


def voted(said: FeedbackAnswer, limits: Weighed, *, is_last: bool, is_linked: bool) -> FeedbackAnswer | None:
    """Return the vote that a twin casts; None where its person is asked instead.

    Whoever leaves agrees to nothing, so that stands in any case.
    """
    in_words = [each for each in limits.doubts if each.by != "data"]
    if any(each.verdict is LimitVerdict.BROKEN for each in in_words):
        return _silent(said, FeedbackType.WITHDRAW)
    if said.feedback_type.kind.leaves:
        return said
    if in_words:
        return None
    if not limits.broken_data or not said.feedback_type.kind.agrees:
        return said
    if not is_last:
        asking = _silent(said, FeedbackType.NEGOTIATE)
        return replace(asking, change=limits.broken_data[0].wanted)
    return None if is_linked else _silent(said, FeedbackType.WITHDRAW)


def _silent(said: FeedbackAnswer, kind: FeedbackType) -> FeedbackAnswer:
    """Return a vote without any words, since they would tell of a limit."""
    return FeedbackAnswer(feedback_type=kind, confidence=said.confidence)


def check_correction(state: Negotiation, by: str, agent_id: str) -> None:
    """Check that this person may correct the offer."""
    asked = state.invited[agent_id]
    if by == state.requester_id and by != asked.user_id and _is_in_doubt(state, agent_id):
        raise NotAllowed(
            f"It may break a limit of {asked.display_name}'s, so only they can promise it, "
            "or for somebody who is linked to nobody an admin, or whoever loaded the profile."
        )


def guarded_offers(state: Negotiation, by: str) -> tuple[str, ...]:
    """Return the agent ids of people linked to nobody whose offer breaks a limit of theirs, or may: for whoever speaks
    for them. Nobody does for their own demand.
    """
    if by == state.requester_id:
        return ()
    unlinked = (agent_id for agent_id, asked in state.invited.items() if not asked.user_id)
    return tuple(each for each in unlinked if _is_in_doubt(state, each))


def _is_in_doubt(state: Negotiation, agent_id: str) -> bool:
    offer = state.offers.get(agent_id)
    is_broken = offer is not None and offer.broken_limit is not None
    return is_broken or any(each.waits for each in state.weighed.get(agent_id, ()))


def may_be_assumed(state: Negotiation, seat: Seat) -> bool:
    """Whether silence may count as an accept. No silence agrees where a limit is in doubt, or was for this person, or
    where their twin only prepares.
    """
    if seat.waits or seat.is_unread:
        return False
    was_in_doubt = any(each.waits for each in state.weighed.get(seat.agent_id, ()))
    return not (seat.is_limited and (was_in_doubt or not seat.was_read))
