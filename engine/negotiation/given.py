"""What each prompt is given, as a type: its fields are the names that the prompt's header declares.

Only a twin's question (`TwinsQuestion`) can hold a `Profile`, and it is put to the twin of that person alone. Whatever
else is told of people is a `PublicProfile`, so that a private field in any other prompt is a type error.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from engine.directory.profile import Profile, PublicProfile
from engine.kernel import Message
from engine.negotiation.answers import (
    Assignment,
    EstimatedCost,
    FailureFacts,
    Gap,
    OfferMade,
    RefusalReason,
    RequestAddressed,
    SubstituteOffer,
    TimeGiven,
    Understanding,
    VacantSeat,
    VoteCounts,
    VoteMade,
)
from engine.negotiation.demand.reading import Today, today
from engine.negotiation.offers.limit_answers import NumberedLimit
from engine.negotiation.plan.conditions import stated
from engine.negotiation.plan.coverage import SEAT, fills
from engine.negotiation.plan.proposals import staffed
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Proposal
from engine.negotiation.voting.requests import granted
from engine.negotiation.voting.tally import sums_of
from engine.negotiation.voting.twins_view import OwnAnswers, SharedPlan, Texts, everybodys_words, shared_plan


class EligibleProfile(PublicProfile, kw_only=True):
    """Somebody who can be asked, as prompt 2 is given them: code has held their limits against the demand."""

    on_site: bool
    """Whether they can be where the demand is; if not, only what can be done from afar is for them."""


class Given(Struct, frozen=True, gc=False):
    """The values of one question."""

    def values(self) -> Mapping[str, Any]:
        """By name."""
        return asdict(self)


class TwinsQuestion(Given, frozen=True):
    """What is put to one person's twin."""

    profile: Profile


class UnderstandGiven(Given, frozen=True):
    raw_input: str
    user_context: str
    today: Today


class FilterGiven(Given, frozen=True):
    demand: Understanding
    profiles: tuple[EligibleProfile, ...]
    max_candidates: int


class RespondGiven(TwinsQuestion, frozen=True):
    demand: Understanding
    filter_reason: str
    match_score: int
    """From 0 to 100: how well the person seemed to match when they were chosen."""
    seat: VacantSeat | None
    limits: tuple[NumberedLimit, ...]
    today: Today


class AggregateGiven(Given, frozen=True):
    demand: Understanding
    offers: tuple[OfferMade, ...]
    declined: tuple[RefusalReason, ...]
    times: tuple[TimeGiven, ...]
    today: Today


class FeedbackGiven(TwinsQuestion, frozen=True):
    """Of the others' votes it holds counts, and of their words nothing."""

    limits: tuple[NumberedLimit, ...]
    demand: Understanding
    proposal: SharedPlan
    assignment: Assignment | None
    conditions: tuple[str, ...]
    answers: OwnAnswers
    granted: tuple[str, ...]
    counts: VoteCounts
    round: int
    max_rounds: int
    today: Today


class AdjustGiven(Given, frozen=True):
    demand: Understanding
    proposal: Proposal
    requester_requests: tuple[RequestAddressed, ...]
    feedbacks: tuple[VoteMade, ...]
    granted: tuple[RequestAddressed, ...]
    counts: VoteCounts
    withdrawn: tuple[str, ...]
    substitutes: tuple[SubstituteOffer, ...]
    understood: tuple[Message, ...]
    """What requests come to as data, as far as they can be compared."""
    doubts: tuple[Mapping[str, str], ...]
    """What the second reader doubts of the last version."""
    times: tuple[TimeGiven, ...]
    round: int
    today: Today


class GapsGiven(Given, frozen=True):
    demand: Understanding
    proposal: Proposal
    feedbacks: tuple[VoteMade, ...]
    today: Today


class RecurseGiven(Given, frozen=True):
    demand: Understanding
    gaps: tuple[Gap, ...]
    proposal: Proposal
    estimated_cost: EstimatedCost
    today: Today


class CompromiseGiven(Given, frozen=True):
    demand: Understanding
    failure: FailureFacts
    available_resources: tuple[OfferMade, ...]
    gaps: tuple[str, ...]
    feedbacks: tuple[VoteMade, ...]
    refusals: tuple[RefusalReason, ...]
    today: Today


# ── what is made of the state ─────────────────────────────────────────────────────────────────────────────────────
#
# What twins thought is left out where people of other companies read what is made of it (`private_reasons`).


def offers_made(state: Negotiation, besides: Collection[str] = ()) -> tuple[OfferMade, ...]:
    return tuple(
        OfferMade(
            agent_id=each.agent_id,
            display_name=each.display_name,
            decision=each.decision,
            contribution=each.contribution,
            conditions=each.conditions,
            data=tuple(said.data for said in stated(each)) if each.stated else (),
            reasoning="" if state.place.shared else each.reasoning,
            covers=tuple(claim.need_id for claim in each.claims if claim.need_id != SEAT),
            cost=each.cost,
            currency=each.currency,
            per_head=each.per_head,
            capacity=each.capacity,
            hours=each.hours,
            earliest=each.earliest,
        )
        for each in state.participants
        if each.agent_id not in besides
    )


def substitutes(state: Negotiation) -> tuple[SubstituteOffer, ...]:
    """Return the offers of those who take over what the last version still gives to somebody who left."""
    last = state.proposals[-1]
    seated = {each.agent_id: each for each in last.assignments}
    stepping_in = [
        SubstituteOffer(
            agent_id=offer.agent_id,
            display_name=offer.display_name,
            replaces=state.invited[left].display_name,
            role=invited.role,
            contribution=offer.contribution,
            conditions=offer.conditions,
            covers=tuple(each.need_id for each in offer.claims if each.need_id != SEAT),
        )
        for left, invited in state.vacancies.items()
        if left in seated and fills(state, invited)
        for offer in (state.offers[invited.agent_id],)
    ]
    known = {each.agent_id for each in stepping_in}
    staffing = staffed(state).assignments
    staying = {each.agent_id for each in staffing}
    for seat in (each for each in staffing if each.agent_id not in known and each.agent_id in state.offers):
        before = seated.get(seat.agent_id)
        gained = {*seat.covers}.difference(before.covers if before else ())
        if before is None or gained:
            giving = (each for each in last.assignments if each.agent_id not in staying and gained & {*each.covers})
            left = next(giving, None)
            stepping_in.append(
                SubstituteOffer(
                    agent_id=seat.agent_id,
                    display_name=seat.display_name,
                    replaces=left.display_name if left else "",
                    role=seat.role,
                    contribution=state.offers[seat.agent_id].contribution,
                    conditions=state.offers[seat.agent_id].conditions,
                    covers=seat.covers,
                )
            )
    return tuple(stepping_in)


class SharedByTwins(Struct, frozen=True, gc=False):
    """What the questions to all twins of a round are made of."""

    proposal: SharedPlan
    granted: Mapping[str, tuple[str, ...]]
    counts: VoteCounts
    today: Today


@remembered
def shared_by_twins(state: Negotiation, version: Proposal, public: Texts = ()) -> SharedByTwins:
    plan = shared_plan(version, everybodys_words(state, public))
    return SharedByTwins(plan, granted(state), _counts_before(state), today(state))


def _counts_before(state: Negotiation) -> VoteCounts:
    """Return how many said what in the round before the latest one."""
    return vote_counts(state, state.rounds[-2]) if len(state.rounds) > 1 else VoteCounts()


def vote_counts(state: Negotiation, closed: Round) -> VoteCounts:
    """Return how many said what in a round; nothing if the round is secret."""
    if state.is_secret(closed):
        return VoteCounts()
    return VoteCounts(**sums_of(closed.counted))


def votes_made(state: Negotiation) -> tuple[VoteMade, ...]:
    """Return the votes that count in the latest round; none if the round is secret."""
    latest = state.rounds[-1]
    if state.is_secret(latest):
        return ()
    votes = (
        VoteMade(
            agent_id=vote.agent_id,
            display_name=vote.display_name,
            feedback_type=vote.feedback_type,
            reasoning=vote.reasoning,
            adjustment_request=request,
            change=change,
            concerns=vote.concerns,
        )
        for seat in latest.seats.values()
        if (vote := seat.vote) is not None
        for request, change in (seat.asks(vote),)
    )
    return tuple(_public(votes) if state.place.shared else votes)


def _public(votes: Iterable[VoteMade]) -> Iterable[VoteMade]:
    return (replace(each, reasoning="", concerns=()) for each in votes)
