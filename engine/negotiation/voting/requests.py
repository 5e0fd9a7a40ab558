"""What people ask to be changed in a plan, and what becomes of it: no request disappears."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.errors import IllegalStep, NotAllowed
from engine.facts.data import Datum, is_empty
from engine.facts.shortening import without_surrogates
from engine.kernel import Millis
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    FeedbackAnswer,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
)
from engine.negotiation.commands import RequestChange
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.errors import InvalidVote, StaleVote
from engine.negotiation.events import ChangeRequested, RequestUnderstood
from engine.negotiation.plan.conditions import found_of, held_requests, letters
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Assigned
from engine.negotiation.voting import wishes_read
from engine.negotiation.voting.carrying import own_vote
from engine.negotiation.voting.kinds import FeedbackType


def stale(state: Negotiation, number: int) -> StaleVote:
    """Say why a button of this round does not count, where it is of another round or plan than the newest."""
    latest = state.rounds[-1]
    if state.current is None and number == latest.number:
        return StaleVote(f"Round {number} is over, and nothing was changed. Vote on the next version in the thread.")
    newest = f"Round {latest.number} is {'open' if state.current else 'over, too'}; its plan is {latest.digest}"
    if number > latest.number:
        return StaleVote(f"There is no round {number} so far, and nothing was changed. {newest}.")
    if number < latest.number:
        return StaleVote(f"This belongs to round {number}, which is over, and nothing was changed. {newest}.")
    return StaleVote(
        f"This belongs to another version of the plan of round {number}: the plan was changed since, and your click "
        f"changed nothing. The round is open; its plan is {latest.digest}. Read it, and vote on that.",
        is_open=True,
    )


LONGEST_REQUEST: Final = 4_001
"""Characters: what both fields of a vote's form take, and the line break between them."""


def request_change(draft: NegotiationDraft, command: RequestChange) -> None:
    """Take the requester's own request. The latest one of the round counts."""
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
    if not is_empty(command.change):
        draft.happens(
            RequestUnderstood(
                **draft.ids, by=command.by, round=opened.number, text=text, understood=text, data=command.change
            )
        )


def check_request(state: Negotiation, by: str, number: int, digest: str, at: Millis) -> None:
    """Check that ``by`` may ask for a change with a button of round ``number`` and this digest."""
    if by != state.requester_id or not by:
        raise NotAllowed("Only the person who asked can ask for a change of the whole plan; vote for your own seat.")
    opened = state.current
    if opened is None:
        raise IllegalStep("A change can be asked for while a round is open.")
    if number != opened.number or digest != opened.digest:
        raise stale(state, number)
    if at > opened.window.deadline:
        raise StaleVote(f"Round {number} is over, so nothing was changed. Ask for it on the newest version.")


def asked_in(state: Negotiation) -> Mapping[str, str]:
    """Return what was asked for in the closed round, by agent id; the requester's under their own id, and first."""
    asked = {state.requester_id: state.requested.text} if state.requested else {}
    for agent_id, seat in state.rounds[-1].seats.items():
        if (vote := seat.vote) is None:
            continue
        request, change = seat.asks(vote)
        if request or change is not None:
            asked[agent_id] = request  # empty where it is data alone
    return asked


def wanted_in(state: Negotiation) -> Mapping[str, Datum]:
    """Return what the requests of the closed round come to, of those that can be compared; by agent id."""
    return _wanted(state, state.rounds[-1])


def wanted_before(state: Negotiation, number: int) -> Mapping[str, Datum]:
    """Return the same of the last round before the one that has this number."""
    before = [each for each in state.rounds if each.number < number]
    return _wanted(state, before[-1]) if before else {}


def _wanted(state: Negotiation, closed: Round) -> Mapping[str, Datum]:
    said = {agent_id: seat.asks(vote) for agent_id, seat in closed.seats.items() if (vote := seat.vote)}
    wanted = {agent_id: change for agent_id, (_, change) in said.items() if change is not None}
    words = {agent_id: request for agent_id, (request, _) in said.items() if request}
    if closed.request is not None:
        words[closed.request.by] = closed.request.text
    read = {who: wishes_read.datum_of(state, who, text) for who, text in words.items()}
    return wanted | {who: datum for who, datum in read.items() if datum is not None}


# ── what was granted stays ────────────────────────────────────────────────────────────────────────────────────────────


@remembered
def granted(state: Negotiation) -> Mapping[str, tuple[str, ...]]:
    """Return what versions have granted and not taken back since, in the words of whoever asked, by agent id.

    It is taken back where a later version declines it with a reason.
    """
    kept: dict[str, tuple[str, ...]] = {}
    told = 0
    for summary in filter(None, (each.adjustment_summary for each in state.proposals)):
        if summary.round <= told:
            continue  # a version without those who have left repeats the summary of the one before
        told = summary.round
        for declined in summary.requests_declined:
            if requests := kept.get(declined.agent_id):
                kept[declined.agent_id] = tuple(each for each in requests if not is_same(each, declined.request))
        for addressed in summary.requests_addressed:
            kept[addressed.agent_id] = (*kept.get(addressed.agent_id, ()), addressed.request)
    return {agent_id: requests for agent_id, requests in kept.items() if requests}


def is_same(one: str, other: str) -> bool:
    """Whether two texts ask for the same, in the same letters."""
    return bool(letters(one)) and letters(one) == letters(other)


def was_granted(state: Negotiation, agent_id: str, request: str) -> bool:
    return any(is_same(each, request) for each in granted(state).get(agent_id, ()))


def not_again(state: Negotiation, agent_id: str, answer: FeedbackAnswer) -> FeedbackAnswer:
    """Make an accept of a twin's vote that asks again, in the same letters, for what was granted."""
    proposal = state.proposal
    if not answer.feedback_type.kind.asks or proposal is None:
        return answer
    if not was_granted(state, agent_id, answer.adjustment_request):
        return answer
    if found_of(state, answer.change, agent_id, proposal, proposal.assignments).status == "broken":
        return answer  # it was granted, and is lost
    return replace(answer, feedback_type=FeedbackType.ACCEPT, adjustment_request="", change=None)


def kept_words(
    state: Negotiation, summary: AdjustmentSummary | None, seats: Sequence[tuple[Assigned, Assigned]]
) -> tuple[Assigned, ...]:
    """Keep the words of each seat whose person has accepted by hand or was granted something, unless the draft names
    the seat and gives a reason, or grants its person something else.

    Args:
        seats: before and after the draft.
    """
    summary = summary or AdjustmentSummary()
    explained = {each.agent_id for each in summary.changes_made if each.reason}
    asked = asked_in(state)  # a model may say that it met what nobody asked for
    explained |= {each.agent_id for each in summary.requests_addressed if each.agent_id in asked}
    noted = {each.agent_id for each in summary.requests_declined}
    held = granted(state).keys() | {
        each.agent_id
        for each, _ in seats
        if (vote := own_vote(state, each.agent_id)) and vote.feedback_type.kind.agrees
    }

    def kept(before: Assigned, after: Assigned) -> Assigned:
        if before.agent_id not in held or before.agent_id in explained:
            return after
        return replace(before, notes=after.notes if before.agent_id in noted else before.notes)

    return tuple(kept(before, after) for before, after in seats)


def every_request(state: Negotiation, draft: ProposalDraft, seats: Sequence[Assignment]) -> AdjustmentSummary:
    """Complete a draft's summary, so that everything that was asked for is addressed or declined, truly.

    What a draft calls addressed is, if anything has changed. What it declines has a reason. Anything else stays open,
    whatever the draft says, and each request keeps its author's words.
    """
    summary = draft.adjustment_summary or AdjustmentSummary()
    asked = asked_in(state)
    again = tuple(
        RequestAddressed(agent_id=agent_id, request=request)
        for agent_id, request in asked.items()
        if was_granted(state, agent_id, request) and not _is_taken_back(summary, agent_id, request)
    )
    changed = asked.keys() if _is_changed(state, draft, seats) else ()
    said = (each for each in summary.requests_addressed if each.agent_id in changed)
    addressed = (*(replace(each, request=asked[each.agent_id]) for each in said), *again)
    addressed = tuple({each.agent_id: each for each in addressed}.values())
    answered = {each.agent_id for each in addressed}
    declined = tuple(
        each
        if each.reason and was_granted(state, each.agent_id, each.request)
        else replace(each, request=asked[each.agent_id])  # what was granted is not taken back without a reason
        for each in summary.requests_declined
        if (each.agent_id in asked and each.agent_id not in answered)
        or (each.reason and was_granted(state, each.agent_id, each.request))
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
    return held_requests(state, draft, seats, complete, asked, wanted_in(state))


def _is_changed(state: Negotiation, draft: ProposalDraft, seats: Sequence[Assignment]) -> bool:
    """Whether a version says anything else than the one before: what changes nothing answers nobody."""
    last = state.proposal
    if last is None or _whole(last) != _whole(draft):
        return True
    return [*map(_content, last.assignments)] != [*map(_content, seats)]


def _whole(plan: ProposalDraft) -> ProposalDraft:
    """What a plan says of everybody."""
    same = {"assignments": (), "conditions": (), "adjustment_summary": None, "rationale": "", "confidence": "low"}
    return ProposalDraft(**{**ProposalDraft.fields_of(plan), **same, "not_chosen": ()})


def _content(seat: Assignment) -> tuple[object, ...]:
    """What somebody is asked to do, without the marks and spaces of its texts."""
    texts = (seat.role, seat.responsibility, seat.notes, *seat.dependencies)
    data = (seat.covers, seat.when, seat.attends, seat.hours, seat.cost, seat.after)
    return (seat.agent_id, *map(letters, texts), *data)


def _is_taken_back(summary: AdjustmentSummary, agent_id: str, request: str) -> bool:
    return any(
        each.agent_id == agent_id and each.reason and is_same(each.request, request)
        for each in summary.requests_declined
    )


# ── what prompt 6 is given ────────────────────────────────────────────────────────────────────────────────────────────


def requested_changes(state: Negotiation) -> list[RequestAddressed]:
    """Return what whoever asked wants to be changed, under their own id."""
    return [RequestAddressed(agent_id=state.requested.by, request=state.requested.text)] if state.requested else []


def granted_requests(state: Negotiation) -> list[RequestAddressed]:
    """Return what earlier versions have granted to those who are still there."""
    return [
        RequestAddressed(agent_id=agent_id, request=each)
        for agent_id, requests in granted(state).items()
        if agent_id not in state.withdrawn
        for each in requests
    ]
