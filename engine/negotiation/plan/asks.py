"""What a model is asked for a version of the plan: the first one, and each that answers what people said of the last.

A model's draft is held to what is known: its days, the needs it leaves out though somebody offered them, and the words
of its seats.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from engine.directory.profile import Profile
from engine.facts.circumstances import When
from engine.facts.quoting import Quoted
from engine.llm.encoder import meaning
from engine.negotiation.agreement.compromise import refusals
from engine.negotiation.answers import AdjustmentSummary, Assignment, ProposalDraft, TimeGiven
from engine.negotiation.ask_rows import Asking, AskRow, AskRows, Recorded, until_the_end
from engine.negotiation.commands import RecordProposal
from engine.negotiation.demand.asks import eligible
from engine.negotiation.demand.reading import asked, faults_of_dates, today, without_wrong_dates
from engine.negotiation.given import (
    AdjustGiven,
    AggregateGiven,
    EligibleProfile,
    offers_made,
    substitutes,
    vote_counts,
    votes_made,
)
from engine.negotiation.plan.coverage import claimed_by, needs_of
from engine.negotiation.plan.moving import faults_of_order
from engine.negotiation.plan.parts import circumstances
from engine.negotiation.plan.proposals import faults_of_draft
from engine.negotiation.plan.times import MANY, found_times, time_of, times_given
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.opinion_asks import doubted
from engine.negotiation.voting.requests import granted_requests, requested_changes
from engine.negotiation.voting.twins_view import Texts, everybodys_words, others_words
from engine.negotiation.voting.wish_asks import wishes_as_data


def own_words(
    state: Negotiation, draft: ProposalDraft, public: Texts = (), of: Callable[[str], Texts] = lambda _: ()
) -> ProposalDraft:
    """Leave out of each seat, and of what is answered to its person, the sentences that repeat what others have offered
    or said, and that stand neither in the demand nor in the last version nor in public profiles. A sentence of a seat
    that is as a whole what another has offered is left out whatever that one's profile says: it is their part. Where
    nothing is left of what somebody does, their own contribution stands.

    The very same object where nothing is left out.

    Args:
        public: what the public profiles say, of everybody.
        of: what the public profile says of somebody with this id.
    """
    everybodys = everybodys_words(state, (), state.proposal)
    if not _repeats_any(draft, everybodys):
        return draft  # most drafts
    participants = {each.agent_id for each in state.participants}

    @cache
    def words(agent_id: str) -> Quoted:
        return others_words(state, agent_id, public, state.proposal)

    @cache
    def parts(agent_id: str) -> Quoted:
        return others_words(state, agent_id, of(agent_id), state.proposal)

    def kept(text: str, agent_id: str) -> str:
        # What repeats nobody's words repeats no other's: most texts are held against everybody's, which are made once.
        if not text or agent_id not in participants or everybodys.without(text) == text:
            return text
        return words(agent_id).without(text)

    def is_others(text: str, agent_id: str, *, short: bool = True) -> bool:
        return everybodys.is_in(text, short=short) and words(agent_id).is_in(text, short=short)

    def seat(drafted: Assignment) -> Assignment:
        who = drafted.agent_id
        if who not in participants:
            return drafted
        said = parts(who).without_whole(kept(drafted.responsibility, who))
        return replace(
            drafted,
            role="" if is_others(drafted.role, who, short=False) else drafted.role,
            responsibility=said or (drafted.responsibility and state.offers[who].contribution),
            dependencies=tuple(each for each in drafted.dependencies if not is_others(each, who)),
            notes=parts(who).without_whole(kept(drafted.notes, who)),
        )

    summary = draft.adjustment_summary
    own = replace(
        draft,
        assignments=tuple(map(seat, draft.assignments)),
        conditions=tuple(replace(each, reason=kept(each.reason, each.agent_id)) for each in draft.conditions),
        adjustment_summary=summary
        and replace(
            summary,
            changes_made=tuple(replace(each, reason=kept(each.reason, each.agent_id)) for each in summary.changes_made),
            requests_declined=tuple(
                replace(each, reason=kept(each.reason, each.agent_id)) for each in summary.requests_declined
            ),
        ),
    )
    return draft if own == draft else own


def _repeats_any(draft: ProposalDraft, words: Quoted) -> bool:
    """Whether something that a draft says of somebody repeats these words."""
    summary = draft.adjustment_summary or AdjustmentSummary()
    texts = [each.reason for each in draft.conditions]
    texts += [each.reason for each in summary.changes_made]
    texts += [each.reason for each in summary.requests_declined]
    for seat in draft.assignments:
        if words.is_in(seat.role, short=False) or any(map(words.is_in, seat.dependencies)):
            return True
        texts += (seat.responsibility, seat.notes)
    return any(words.without(text) != text for text in texts if text)


def _first(asking: Asking) -> AggregateGiven:
    state = asking.state
    return AggregateGiven(asking.demand, offers_made(state), tuple(refusals(state)), _times(asking), today(state))


def _times(asking: Asking) -> tuple[TimeGiven, ...]:
    if len(asking.state.participants) > MANY:
        meaning().may_take_a_while()
    return times_given(found_times(asking.state, asking.profiles, asking.busy, asking.at))


def whose_calendars(state: Negotiation, profiles: Mapping[str, Profile]) -> Mapping[str, str]:
    """Return whose calendars are looked at for the next version: the agent id by the user; nobody's where the demand
    names no days, since no time is looked for then.
    """
    if not circumstances(state).when.first:
        return {}
    known = (profiles.get(each.agent_id) for each in state.participants)
    return {each.slack_user: each.agent_id for each in known if each is not None and each.slack_user}


def _who_offer(asking: Asking) -> Sequence[EligibleProfile]:
    """Return what is public of those who offer something."""
    known = (asking.profiles.get(each.agent_id) for each in asking.state.participants)
    return [eligible(each, asking.demand) for each in known if each]


def _next(asking: Asking) -> AdjustGiven:
    state = asking.state
    return AdjustGiven(
        demand=asking.demand,
        proposal=asking.last,
        requester_requests=tuple(requested_changes(state)),
        feedbacks=votes_made(state),
        granted=tuple(granted_requests(state)),
        counts=vote_counts(state, state.rounds[-1]),
        withdrawn=tuple(each.display_name for each in state.withdrawn.values()),
        substitutes=substitutes(state),
        understood=wishes_as_data(state),
        doubts=doubted(state),
        times=_times(asking),
        round=state.round,
        today=today(state),
    )


def faults(state: Negotiation, draft: ProposalDraft) -> str:
    """Say what is wrong with a model's draft; empty where nothing is."""
    demanded = state.understanding.context.when if state.understanding else When()
    dates = faults_of_dates(draft, demanded, asked(state), is_first=not state.proposals)
    order = faults_of_order(draft.assignments)
    return "\n".join(filter(None, (faults_of_draft(state, draft), dates, order)))


def _held(asking: Asking, draft: ProposalDraft) -> ProposalDraft:
    state = asking.state
    dated = without_wrong_dates(draft, asked(state))
    seated = dated if state.proposals else with_needed_seats(state, dated)
    return own_words(state, seated, asking.public_words, asking.public_of)


def with_needed_seats(state: Negotiation, draft: ProposalDraft) -> ProposalDraft:
    """Give a seat to whoever alone has offered to cover an essential need, in the words of their offer.

    An offer may say that others are not to be chosen, and a model may obey it.
    """
    seats = [*draft.assignments]
    covered = _claimed(state, (each.agent_id for each in seats))
    for need in needs_of(state):
        if not need.essential or need.need_id in covered:
            continue
        offer = next((each for each in state.participants if need.need_id in claimed_by(state, each.agent_id)), None)
        if offer is not None:
            claims = claimed_by(state, offer.agent_id)
            seats.append(
                Assignment(
                    agent_id=offer.agent_id,
                    role=need.what,
                    responsibility=offer.contribution,
                    covers=tuple(sorted(claims)),
                )
            )
            covered |= claims
    return draft if len(seats) == len(draft.assignments) else replace(draft, assignments=tuple(seats))


def _claimed(state: Negotiation, agent_ids: Iterable[str]) -> set[str]:
    return {need_id for each in agent_ids for need_id in claimed_by(state, each)}


def _record(asking: Asking, draft: ProposalDraft | None, recorded: Recorded) -> RecordProposal:
    state, profiles, busy = asking.state, asking.profiles, asking.busy
    return RecordProposal(
        version=len(state.proposals) + 1,
        draft=draft,
        corrections=state.corrections,
        times=found_times(state, profiles, busy, asking.at),
        then=time_of(state, profiles, busy, draft) if draft is not None else None,
        **recorded,
    )


_FIRST: Final = AskRow(
    returns=ProposalDraft,
    given=_first,
    beside=lambda asking: {"people": partial(_who_offer, asking)},
    check=lambda asking: partial(faults, asking.state),
    held=_held,
    record=_record,
    until=until_the_end,
)

ASKS: Final[AskRows] = {"aggregate": _FIRST, "adjust": _FIRST._replace(given=_next, beside=lambda _: {})}
