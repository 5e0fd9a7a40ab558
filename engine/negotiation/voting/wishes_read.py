"""What people ask for in their own words, read as data where it can be compared.

Their words go their way as they are, and are never waited for the reading. The person is told what was understood and
can say otherwise: what they meant is then a wish for the next version.
"""

from typing import Final

from engine.errors import IllegalStep, NotAllowed
from engine.facts.data import Datum
from engine.facts.shortening import without_surrogates
from engine.negotiation.commands import CorrectRequest, RecordReading
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.errors import InvalidVote
from engine.negotiation.events import ChangeRequested, ProposalFeedback, RequestCorrected, RequestUnderstood
from engine.negotiation.plan.conditions import found_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Proposal, Source
from engine.negotiation.voting.kinds import FeedbackType

LONGEST_WISH: Final = 4_001
"""Characters."""


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def wish_of(state: Negotiation, agent_id: str) -> tuple[str, str, int]:
    """Return who asks for what, and in which round it was said last: the user, the words, the number.

    Empty where nothing is asked for.

    Args:
        agent_id: empty for the requester's own wish.
    """
    if not agent_id:
        for each in reversed(state.rounds):
            if each.request is not None:
                return each.request.by, each.request.text, each.number
        return "", "", 0
    for each in reversed(state.rounds):
        seat = each.seats.get(agent_id)
        if seat is not None and seat.human is not None and not seat.human.carried:
            vote = seat.human
            return (vote.by or "", vote.adjustment_request, each.number) if vote.adjustment_request else ("", "", 0)
    return "", "", 0


def understood(draft: NegotiationDraft, command: RecordReading) -> None:
    """Record how a wish was understood. Where nobody could read it, it stays as it was said."""
    state, said = draft.state, command.answer
    if not state.is_open or said is None or not said.understood.strip():
        return
    if wish_of(state, command.agent_id)[1] != command.text or not command.text:
        return  # they have asked for something else since
    draft.happens(
        RequestUnderstood(
            **draft.ids,
            agent_id=command.agent_id,
            by=command.asked_by,
            round=command.round,
            text=command.text,
            understood=said.understood,
            data=said.data,
            scope=said.scope,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


# ── correcting ────────────────────────────────────────────────────────────────────────────────────────────────────────


def correct(draft: NegotiationDraft, command: CorrectRequest) -> None:
    state = draft.state
    check_correction(state, command.by, command.agent_id)
    text = without_surrogates(command.text).strip()
    if len(text) > LONGEST_WISH:
        raise InvalidVote(f"Shorten your words: {len(text):,} characters are too many, {LONGEST_WISH:,} can be read.")
    who = command.agent_id or command.by
    read = state.understood.get(who)
    if read is None and not text:
        return  # nothing was understood, or it was said already that it is wrong
    if read is not None and text == read.text:
        text = ""  # only what was understood of it is wrong
    if text and text == wish_of(state, command.agent_id)[1] and read is None:
        return  # that is how they have said it
    number = read.round if read is not None else state.round
    said = RequestCorrected(**draft.ids, agent_id=command.agent_id, by=command.by, round=number, text=text)
    draft.happens(said)
    if text and draft.state.current is not None:
        _wish(draft, said)


def check_correction(state: Negotiation, by: str, agent_id: str) -> None:
    """Check that somebody may correct how a wish was understood: it is their own, and there may be another version."""
    asked_by, text, _ = wish_of(state, agent_id)
    if not text or not by or by != asked_by:
        raise NotAllowed("Only whoever has asked for something can say that it was meant otherwise.")
    if not state.is_open:
        raise IllegalStep("This negotiation is over, so nothing can be asked for any more.")
    if agent_id in state.withdrawn:
        raise IllegalStep("Whoever asked for it has left this negotiation.")


def ask_later_wishes(draft: NegotiationDraft) -> None:
    """Ask in the round that has just begun for what was meant otherwise while no round was open."""
    for each in draft.state.later_wishes:
        _wish(draft, each)


def _wish(draft: NegotiationDraft, said: RequestCorrected) -> None:
    state = draft.state
    opened = state.rounds[-1]
    if not said.agent_id:
        draft.happens(
            ChangeRequested(**draft.ids, by=said.by, text=said.text, round=opened.number, version=opened.version)
        )
        return
    seat = opened.seats.get(said.agent_id)
    if seat is None:
        return  # they have no part in it any more
    vote = ProposalFeedback(
        **draft.ids,
        agent_id=seat.agent_id,
        display_name=seat.display_name,
        feedback_type=FeedbackType.NEGOTIATE,
        reasoning=said.text,
        adjustment_request=said.text,
        round=opened.number,
        version=opened.version,
        source=Source.HUMAN,
        by=said.by,
        blind=state.policy.blind_votes,
    )
    draft.happens(vote)


# ── what a wish comes to ──────────────────────────────────────────────────────────────────────────────────────────────


def datum_of(state: Negotiation, who: str, request: str) -> Datum | None:
    """Return what a request comes to as data: as a person's words were understood, or as a twin has said it itself.

    Args:
        who: an agent id, or the requester's user id.
        request: the words; a reading of others counts no more.
    """
    read = state.understood.get(who)
    if read is not None and read.text == request:
        return read.data
    for each in reversed(state.rounds):
        seat = each.seats.get(who)
        for vote in (seat.human, seat.twin) if seat else ():
            if vote is not None and vote.adjustment_request == request and vote.change is not None:
                return vote.change
    return None


def is_settled_by_data(state: Negotiation, proposal: Proposal, who: str, request: str) -> bool:
    """Whether the data of a version say that a request is met, or that it is not."""
    wanted = datum_of(state, who, request)
    return found_of(state, wanted, who, proposal, proposal.assignments).status != "unknown"
