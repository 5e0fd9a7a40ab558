"""What may happen when: the legal steps, and what follows from each command until a proposal is out.

From there on, `rounds` decides.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.errors import IllegalStep, InvalidDemand, NotAllowed, Unanswered
from engine.kernel import Ask, Command, Decision, Draft, Event, Failed, Millis, Ring, Rulebook, Transitions, iso
from engine.negotiation import rounds
from engine.negotiation.answers import Candidate, OfferAnswer, OfferDecision, Understanding
from engine.negotiation.messages import (
    EVENTS,
    AgentWithdrawn,
    AggregationStarted,
    Answered,
    Asked,
    Cancel,
    CastVote,
    ChannelCreated,
    CloseRound,
    DemandBroadcast,
    DemandSubmitted,
    DemandUnderstood,
    FeedbackDue,
    FeedbackEvaluated,
    FilterCompleted,
    ForceFinalized,
    NegotiationCancelled,
    NegotiationFailed,
    OfferSubmitted,
    Outcome,
    Person,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RecordFeedback,
    RecordOffer,
    RecordProposal,
    RecordShortlist,
    RecordUnderstanding,
    RoundStarted,
    StepDegraded,
    SubmitDemand,
)
from engine.negotiation.proposals import Stamp, first_proposal
from engine.negotiation.state import Negotiation, Status, apply

LONGEST_DEMAND: Final = 4_000
"""Characters."""

OFFERS = "offers"
"""Both the scope of the twins' offers and the alarm that closes collecting."""


def _staying(*steps: tuple[Status, type[Event]]) -> dict[tuple[Status, type[Event]], Status]:
    return {step: step[0] for step in steps}


STEPS: Final = Transitions(
    Status.CREATED,
    {
        (Status.CREATED, DemandSubmitted): Status.CREATED,
        (Status.CREATED, DemandUnderstood): Status.CREATED,
        (Status.CREATED, FilterCompleted): Status.CREATED,
        (Status.CREATED, NegotiationFailed): Status.FAILED,
        (Status.CREATED, ChannelCreated): Status.BROADCASTING,
        (Status.BROADCASTING, DemandBroadcast): Status.COLLECTING,
        (Status.COLLECTING, OfferSubmitted): Status.COLLECTING,
        (Status.COLLECTING, NegotiationFailed): Status.FAILED,
        (Status.COLLECTING, AggregationStarted): Status.AGGREGATING,
        (Status.AGGREGATING, RoundStarted): Status.PROPOSAL_SENT,
        (Status.PROPOSAL_SENT, ProposalDistributed): Status.NEGOTIATING,
        (Status.NEGOTIATING, FeedbackDue): Status.NEGOTIATING,
        (Status.NEGOTIATING, ProposalFeedback): Status.NEGOTIATING,
        (Status.NEGOTIATING, FeedbackEvaluated): Status.NEGOTIATING,
        (Status.NEGOTIATING, AgentWithdrawn): Status.NEGOTIATING,
        (Status.NEGOTIATING, RoundStarted): Status.PROPOSAL_SENT,
        (Status.NEGOTIATING, ProposalFinalized): Status.FINALIZED,
        (Status.NEGOTIATING, ForceFinalized): Status.FORCE_FINALIZED,
        (Status.NEGOTIATING, NegotiationFailed): Status.FAILED,
        **_staying(
            (Status.CREATED, StepDegraded),
            (Status.COLLECTING, StepDegraded),
            (Status.AGGREGATING, StepDegraded),
            (Status.PROPOSAL_SENT, StepDegraded),
            (Status.NEGOTIATING, StepDegraded),
        ),
        (Status.CREATED, NegotiationCancelled): Status.CANCELLED,
        (Status.COLLECTING, NegotiationCancelled): Status.CANCELLED,
        (Status.AGGREGATING, NegotiationCancelled): Status.CANCELLED,
        (Status.PROPOSAL_SENT, NegotiationCancelled): Status.CANCELLED,
        (Status.NEGOTIATING, NegotiationCancelled): Status.CANCELLED,
    },
)


def evolve(state: Negotiation, event: Event) -> Negotiation:
    """
    Raises:
        IllegalStep: the event cannot happen in this status.
    """
    status = STEPS.after(state.status, type(event))
    after = apply(state, event)
    return after if status is state.status else replace(after, status=status)


def decide(state: Negotiation, command: Command) -> Decision:
    """
    Raises:
        Refusal: the command may not be. A model's answer or an alarm that comes too late is no refusal: it changes
            nothing.
    """
    draft = Draft(state, evolve)
    match command:
        case SubmitDemand():
            _submit(draft, command)
        case _ if not state.exists:
            raise IllegalStep("There is no such negotiation; it begins with a demand.")
        case RecordUnderstanding():
            if state.status is Status.CREATED and state.understanding is None:
                _understand(draft, command)
        case RecordShortlist():
            if state.status is Status.CREATED and state.understanding is not None:
                _shortlist(draft, command)
        case RecordOffer():
            if state.status is Status.COLLECTING and command.agent_id not in state.offers:
                _offer(draft, command)
        case RecordProposal():
            _proposal(draft, command)
        case RecordFeedback():
            rounds.twin_feedback(draft, command)
        case CastVote():
            rounds.cast_vote(draft, command)
        case CloseRound():
            rounds.close_round(draft, command)
        case Cancel():
            _cancel(draft, command)
        case Ring(name="offers"):
            if state.status is Status.COLLECTING and command.at >= state.offers_due:
                _close_offers(draft, command.at)
        case Ring():
            rounds.ring(draft, command)
        case Failed():
            raise Unanswered(f"{command.name} failed for good ({command.why}); stop this negotiation and ask again.")
        case _:
            raise IllegalStep(f"A negotiation knows no {type(command).__name__}.")
    return draft.decision()


def _submit(draft: Draft[Negotiation], command: SubmitDemand) -> None:
    if draft.state.exists:
        raise IllegalStep("This negotiation has begun already.")
    text = command.raw_input.strip()
    if not any(character.isalnum() for character in text):
        raise InvalidDemand("The demand has no words in it. Say what you need, for how many people, when and where.")
    if len(text) > LONGEST_DEMAND:
        raise InvalidDemand(
            f"The demand has {len(text):,} characters; at most {LONGEST_DEMAND:,} can be read. "
            "Shorten it to what is needed."
        )
    draft.happens(
        DemandSubmitted(
            demand_id=command.demand_id,
            channel_id=command.channel_id,
            requester_id=command.requester_id,
            raw_input=text,
            policy=command.policy,
            place=command.place,
        )
    )
    draft.owes(Ask(name="understand", scope="understand", prompt="understand"))


def _understand(draft: Draft[Negotiation], command: RecordUnderstanding) -> None:
    state = draft.state
    degrade(draft, "understand", command)
    said: Understanding = command.understanding
    draft.happens(
        DemandUnderstood(
            demand_id=state.demand_id,
            channel_id=state.channel_id,
            surface_demand=said.surface_demand,
            capability_tags=said.capability_tags,
            confidence=said.confidence,
            understanding=said,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    draft.owes(Ask(name="filter", scope="filter", prompt="filter"))


def _shortlist(draft: Draft[Negotiation], command: RecordShortlist) -> None:
    state = draft.state
    ids = {"demand_id": state.demand_id, "channel_id": state.channel_id}
    degrade(draft, "filter", command)
    listed = command.shortlist
    certain = _known(listed.definitely_related, command.people, besides=())
    possible = _known(listed.possibly_related, command.people, besides=certain)
    draft.happens(
        FilterCompleted(
            **ids,
            candidates_count=len(certain),
            candidates=certain,
            possibly_related=possible,
            analysis=listed.analysis,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    invited = (certain or possible)[: state.policy.max_candidates]
    if not invited:
        draft.happens(NegotiationFailed(**ids, reason=Outcome.NO_CANDIDATES))
        return
    deadline = command.at + _millis(state.policy.response_timeout)
    draft.happens(ChannelCreated(**ids, participants_count=len(invited)))
    draft.happens(
        DemandBroadcast(
            **ids,
            recipients_count=len(invited),
            recipients=tuple(each.agent_id for each in invited),
            deadline=deadline,
        )
    )
    for each in invited:
        draft.owes(Ask(name=f"offer/{each.agent_id}", scope=OFFERS, prompt="respond", about=each.agent_id))
    draft.sets(OFFERS, deadline)


def _known(candidates: Iterable[Candidate], people: dict[str, Person], besides: Iterable[Asked]) -> tuple[Asked, ...]:
    """Those who exist, each once."""
    taken = {each.agent_id for each in besides}
    chosen: dict[str, Asked] = {}
    for each in candidates:
        person = people.get(each.agent_id)
        if person is not None and each.agent_id not in taken and each.agent_id not in chosen:
            chosen[each.agent_id] = Asked(
                agent_id=person.agent_id,
                display_name=person.display_name,
                user_id=person.user_id,
                reason=each.reason,
                match_type=each.match_type,
                confidence=each.confidence,
            )
    return tuple(chosen.values())


def _offer(draft: Draft[Negotiation], command: RecordOffer) -> None:
    state = draft.state
    invited = state.invited.get(command.agent_id)
    if invited is None:
        return
    degrade(draft, "respond", command, agent_id=command.agent_id)
    answer: OfferAnswer = command.answer
    draft.happens(
        OfferSubmitted(
            demand_id=state.demand_id,
            channel_id=state.channel_id,
            offer_id=f"offer_{len(state.offers) + 1:03d}",
            agent_id=invited.agent_id,
            display_name=invited.display_name,
            decision=answer.decision,
            contribution=answer.contribution,
            conditions=answer.conditions if answer.decision is OfferDecision.CONDITIONAL else (),
            reasoning=answer.reasoning,
            decline_reason=answer.decline_reason,
            confidence=answer.confidence,
            degraded=command.degraded is not None,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    if len(draft.state.offers) == len(draft.state.invited):
        _close_offers(draft, command.at)


def _close_offers(draft: Draft[Negotiation], at: Millis) -> None:
    state = draft.state
    ids = {"demand_id": state.demand_id, "channel_id": state.channel_id}
    draft.voids(OFFERS)
    draft.clears(OFFERS)
    if not state.participants:
        draft.happens(NegotiationFailed(**ids, reason=Outcome.NO_PARTICIPANTS))
        return
    draft.happens(AggregationStarted(**ids, offers_count=len(state.offers)))
    draft.owes(Ask(name="aggregate", scope="aggregate", prompt="aggregate"))


def _proposal(draft: Draft[Negotiation], command: RecordProposal) -> None:
    state = draft.state
    if command.version != len(state.proposals) + 1:
        return
    stamp = Stamp(command.version, iso(command.at))
    if state.status is Status.AGGREGATING:
        degrade(draft, "aggregate", command)
        proposal = first_proposal(state, command.draft, stamp)
        rounds.start(draft, 1)
        rounds.distribute(draft, proposal, command.at, model=command.model, prompt_hash=command.prompt_hash)
    elif state.status is Status.PROPOSAL_SENT:
        degrade(draft, "adjust", command)
        rounds.adjusted(draft, command, stamp)


def _cancel(draft: Draft[Negotiation], command: Cancel) -> None:
    state = draft.state
    if command.by != state.requester_id:
        raise NotAllowed("Only the person who asked can stop this negotiation.")
    if not state.is_open:
        raise IllegalStep(f"This negotiation is {state.status} already; there is nothing left to stop.")
    for scope in ("understand", "filter", OFFERS, "aggregate", "adjust"):
        draft.voids(scope)
    draft.clears(OFFERS)
    rounds.abandon(draft)
    draft.happens(
        NegotiationCancelled(
            demand_id=state.demand_id, channel_id=state.channel_id, by=command.by, reason=command.reason
        )
    )


def degrade(draft: Draft[Negotiation], prompt: str, command: Answered, *, agent_id: str = "") -> None:
    """Say that something stands in for a model's answer, where people can see it."""
    if command.degraded is not None:
        state = draft.state
        draft.happens(
            StepDegraded(
                demand_id=state.demand_id,
                channel_id=state.channel_id,
                prompt=prompt,
                why=command.degraded,
                agent_id=agent_id,
                round=state.round,
            )
        )


def _millis(seconds: float) -> Millis:
    return round(seconds * 1000)


RULEBOOK: Final = Rulebook(
    protocol="negotiation",
    initial=Negotiation(),
    decide=decide,
    evolve=evolve,
    events=EVENTS,
    is_open=lambda state: state.is_open,
)
