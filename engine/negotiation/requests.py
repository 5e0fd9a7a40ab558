"""What people ask to be changed in a plan, and what becomes of it: no request disappears."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Millis
from engine.lexicon.language import Language, language_of
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    ProposalDraft,
    RequestDeclined,
    without_surrogates,
)
from engine.negotiation.commands import RequestChange
from engine.negotiation.conditions import held_requests
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.errors import InvalidVote, StaleVote
from engine.negotiation.events import ChangeRequested
from engine.negotiation.state import Negotiation

LONGEST_REQUEST: Final = 4_001
"""Characters: what both fields of a vote's form take, and the line break between them."""


def request_change(draft: NegotiationDraft, command: RequestChange) -> None:
    """Take the requester's own request. The latest one of the round counts.

    Raises:
        NotAllowed, IllegalStep, StaleVote, InvalidVote
    """
    state = draft.state
    check_request(state, command.by, command.round, command.digest, command.at)
    opened = state.rounds[-1]
    text = without_surrogates(command.text).strip()
    if not text:
        raise InvalidVote("Say in a few words what should change.")
    if len(text) > LONGEST_REQUEST:
        raise InvalidVote(
            f"Shorten your words: {len(text):,} characters are too many, {LONGEST_REQUEST:,} can be read."
        )
    if opened.request is not None and opened.request.text == text:
        return  # the very same request once more
    draft.happens(ChangeRequested(**draft.ids, by=command.by, text=text, round=opened.number, version=opened.version))


def check_request(state: Negotiation, by: str, number: int, digest: str, at: Millis) -> None:
    """Check that ``by`` may ask for a change with a button of round ``number`` and this digest.

    Raises:
        NotAllowed, IllegalStep, StaleVote
    """
    if by != state.requester_id or not by:
        raise NotAllowed("Only the person who asked can ask for a change of the whole plan; vote for your own seat.")
    opened = state.current
    if opened is None:
        raise IllegalStep("A change can be asked for while a round is open.")
    if number != opened.number or digest != opened.digest or at > opened.deadline:
        raise StaleVote(f"Round {number} is over, so nothing was changed. Ask for it on the newest version.")


def asked_in(state: Negotiation) -> Mapping[str, str]:
    """Return what was asked for in the closed round, by agent id; the requester's under their own id, and first."""
    asked = {state.requester_id: state.requested.text} if state.requested else {}
    for agent_id, seat in state.rounds[-1].seats.items():
        if seat.vote and seat.vote.adjustment_request:
            asked[agent_id] = seat.vote.adjustment_request
    return asked


TOO_LATE: Final[Mapping[Language, str]] = {
    "en": "It was asked for in the last round, so no other version could follow.",
    "zh": "这是在最后一轮提出的，之后不会再有新的版本。",
}


def left_open(state: Negotiation) -> tuple[RequestDeclined, ...]:
    """Return what was asked for and not done; with a reason also where the requester's came too late for a version."""
    late = state.requested.by if state.requested else None
    reason = TOO_LATE[language_of(state.demand_text)]
    return tuple(
        replace(each, reason=reason) if each.agent_id == late and not each.reason else each
        for each in state.open_requests()
    )


def every_request(state: Negotiation, draft: ProposalDraft, seats: Sequence[Assignment]) -> AdjustmentSummary:
    """Complete a draft's summary, so that everything that was asked for is addressed or declined, truly."""
    summary = draft.adjustment_summary or AdjustmentSummary()
    asked = asked_in(state)
    addressed = tuple(each for each in summary.requests_addressed if each.agent_id in asked)
    answered = {each.agent_id for each in addressed}
    declined = tuple(
        each for each in summary.requests_declined if each.agent_id in asked and each.agent_id not in answered
    )
    answered |= {each.agent_id for each in declined}
    forgotten = tuple(
        RequestDeclined(agent_id=agent_id, request=request)
        for agent_id, request in asked.items()
        if agent_id not in answered and agent_id not in state.withdrawn
    )
    complete = replace(
        summary, round=state.round, requests_addressed=addressed, requests_declined=(*declined, *forgotten)
    )
    return held_requests(state, draft, seats, complete, asked)
