"""What became of what people wished for, what is missing, and who did not agree."""

from collections.abc import Iterable, Iterator
from typing import Literal

from engine.negotiation.answers import AdjustmentSummary, normalized_gap
from engine.negotiation.plan.told_needs import lacking, needs_now
from engine.negotiation.public.models import Dissent, Lack, Wish, WishStatus
from engine.negotiation.secrecy import reason_of, why_left
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import HeldCondition, Proposal
from engine.negotiation.voting.kinds import FeedbackType


def disagreed(state: Negotiation, decisive: Round | None) -> Iterator[Dissent]:
    if decisive is not None and not state.is_secret(decisive):
        for agent_id, seat in decisive.seats.items():
            vote = seat.vote
            if agent_id in state.withdrawn or (vote and not vote.feedback_type.kind.objects):
                continue
            yield Dissent(
                agent_id=agent_id,
                display_name=state.name_of(agent_id),
                feedback_type=vote.feedback_type if vote else None,
                reason=reason_of(state, vote) if vote else "",
            )
    for leaver in state.withdrawn.values():
        yield Dissent(
            agent_id=leaver.agent_id,
            display_name=state.name_of(leaver.agent_id),
            feedback_type=FeedbackType.WITHDRAW,
            reason=why_left(state, leaver),
        )


def wishes(state: Negotiation, plan: Proposal | None) -> Iterator[Wish]:
    for condition in plan.conditions if plan else ():
        yield Wish(
            agent_id=condition.agent_id,
            kind="condition",
            text=condition.condition,
            status=_held(condition),
            version=plan.version if plan else None,
            reason=condition.reason,
        )
    found: dict[tuple[str, str], Wish] = {}
    for number, voted in enumerate(state.rounds):
        summary, version = _answer(state, number)
        for by, kind, text in _asked_in(state, voted):
            made = _answered(state, by, kind, text, summary, version)
            before = found.get((by, normalized_gap(text)))
            if before is None or made.version is not None:
                found[by, normalized_gap(text)] = made
    yield from found.values()


def _held(condition: HeldCondition) -> WishStatus:
    if not condition.met:
        return WishStatus.BROKEN if condition.status == "broken" else WishStatus.DECLINED
    return WishStatus.PROMISED if condition.status == "unknown" else WishStatus.MET


def _asked_in(state: Negotiation, voted: Round) -> Iterator[tuple[str, Literal["request", "change"], str]]:
    if voted.request is not None:
        yield voted.request.by, "change", voted.request.text
    if state.is_secret(voted):
        return
    for agent_id, seat in voted.seats.items():
        words = seat.asks(seat.vote)[0] if seat.vote else ""
        if words:
            yield agent_id, "request", words


def _answer(state: Negotiation, number: int) -> tuple[AdjustmentSummary | None, int | None]:
    """Return what the version after this round says of its requests; nothing where no other version followed."""
    if number + 1 >= len(state.rounds):
        return None, None
    version = state.rounds[number + 1].version
    if version == state.rounds[number].version:
        return None, None
    return state.proposals[version - 1].adjustment_summary, version


def _answered(
    state: Negotiation,
    by: str,
    kind: Literal["request", "change"],
    text: str,
    summary: AdjustmentSummary | None,
    version: int | None,
) -> Wish:
    def made(status: WishStatus, answered_in: int | None = None, reason: str = "") -> Wish:
        return Wish(agent_id=by, kind=kind, text=text, status=status, version=answered_in, reason=reason)

    if summary is not None:
        declined = [each for each in summary.requests_declined if each.agent_id == by]
        addressed = [each for each in summary.requests_addressed if each.agent_id == by]
        named = [each for each in declined if _is_same(each.request, text)]
        if named or (declined and not addressed):
            return made(WishStatus.DECLINED, version, (named or declined)[0].reason)
        if addressed:
            return made(WishStatus.MET, version)
    still_open = state.final.open_requests if state.final else state.open_requests()
    for each in still_open:
        if each.agent_id == by and _is_same(each.request, text):
            return made(WishStatus.OPEN, reason=each.reason)
    return made(WishStatus.SETTLED)


def _is_same(one: str, other: str) -> bool:
    return normalized_gap(one) == normalized_gap(other)


def lacks(state: Negotiation, plan: Proposal | None) -> tuple[Lack, ...]:
    essential = [each.what for each in lacking(state)]
    if not state.final:
        essential = [each.what for each in needs_now(state) if each.essential and each.count < each.wanted and plan]
    said: Iterable[str] = plan.gaps if plan else ()
    named = {normalized_gap(each) for each in essential}
    others = [each for each in said if normalized_gap(each) not in named]
    return (
        *(Lack(what=each, is_essential=True) for each in essential),
        *(Lack(what=each, is_essential=False) for each in others),
    )
