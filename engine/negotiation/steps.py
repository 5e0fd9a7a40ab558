"""Which event may happen in which status, and which status follows: the one table of legal steps."""

from typing import Final

from engine.kernel import Event, Transitions
from engine.negotiation.afterwards_events import (
    CheckInAnswered,
    CheckInAsked,
    CompromiseOffered,
    NegotiationReopened,
    PlanProceeded,
    ProceedingTakenBack,
    ReopeningFailed,
    SeatGivenUp,
    StopTakenBack,
    UndoEnded,
)
from engine.negotiation.clash_events import ClashesFound
from engine.negotiation.events import (
    AgentWithdrawn,
    AggregationStarted,
    ChangeRequested,
    ChannelCreated,
    CoreChosen,
    DemandBroadcast,
    DemandEdited,
    DemandSubmitted,
    DemandUnclear,
    DemandUnderstood,
    FeedbackDue,
    FeedbackEvaluated,
    FeedbackReminded,
    FilterCompleted,
    ForceFinalized,
    NegotiationCancelled,
    NegotiationFailed,
    OfferOverridden,
    OffersHeld,
    OfferSubmitted,
    PeopleAsked,
    PersonReached,
    PersonUnreachable,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RecoveryAttempted,
    RoundStarted,
    SeatDelegated,
    SeatHandedBack,
    StepDegraded,
    SubstituteInvited,
    WordsErased,
)
from engine.negotiation.gap_events import (
    GapsIdentified,
    ProposalAmended,
    RecursionDecided,
    SubnetCompleted,
    SubnetFailed,
    SubnetReleased,
    SubnetTriggered,
)
from engine.negotiation.limit_events import LimitsWeighed
from engine.negotiation.missing_events import NeedSought, RequesterAsked, RequesterDecided
from engine.negotiation.offers import volunteers
from engine.negotiation.opinion_events import SecondOpinionAsked, SecondOpinionGiven
from engine.negotiation.state import TERMINAL, Status
from engine.negotiation.wish_events import RequestCorrected, RequestUnderstood


def _staying(*steps: tuple[Status, type[Event]]) -> dict[tuple[Status, type[Event]], Status]:
    return {step: step[0] for step in steps}


AGREED: Final = (Status.FINALIZED, Status.FORCE_FINALIZED)
AFTERWARDS: Final[tuple[type[Event], ...]] = (
    StepDegraded,
    GapsIdentified,
    RecursionDecided,
    SubnetTriggered,
    SubnetCompleted,
    SubnetFailed,
    SubnetReleased,
    ProposalAmended,
    ClashesFound,
    SeatGivenUp,
    PlanProceeded,
    ProceedingTakenBack,
    UndoEnded,
    CheckInAsked,
    CheckInAnswered,
)
"""What may happen after a plan was agreed; it stays agreed."""

AFTER_FAILING: Final = (CompromiseOffered, StepDegraded, NegotiationReopened, ReopeningFailed)
VOTING: Final = (Status.PROPOSAL_SENT, Status.NEGOTIATING)
STOPPABLE: Final = tuple(each for each in Status if each not in (*TERMINAL, Status.BROADCASTING))

STEPS: Final = Transitions(
    Status.CREATED,
    {
        (Status.CREATED, DemandSubmitted): Status.CREATED,
        (Status.CREATED, DemandEdited): Status.CREATED,
        (Status.CREATED, DemandUnderstood): Status.CREATED,
        (Status.CREATED, DemandUnclear): Status.CREATED,
        (Status.CREATED, FilterCompleted): Status.CREATED,
        (Status.CREATED, NegotiationFailed): Status.FAILED,
        (Status.CREATED, ChannelCreated): Status.BROADCASTING,
        (Status.BROADCASTING, DemandBroadcast): Status.COLLECTING,
        (Status.COLLECTING, DemandEdited): Status.CREATED,
        (Status.COLLECTING, OfferSubmitted): Status.COLLECTING,
        (Status.COLLECTING, OfferOverridden): Status.COLLECTING,
        (Status.COLLECTING, PeopleAsked): Status.COLLECTING,
        (Status.COLLECTING, PersonUnreachable): Status.COLLECTING,
        (Status.COLLECTING, OffersHeld): Status.COLLECTING,
        (Status.COLLECTING, NeedSought): Status.COLLECTING,
        (Status.COLLECTING, RequesterAsked): Status.COLLECTING,
        (Status.COLLECTING, RequesterDecided): Status.COLLECTING,
        (Status.COLLECTING, SubnetTriggered): Status.COLLECTING,
        (Status.COLLECTING, SubnetCompleted): Status.COLLECTING,
        (Status.COLLECTING, SubnetFailed): Status.COLLECTING,
        (Status.COLLECTING, NegotiationFailed): Status.FAILED,
        (Status.COLLECTING, AggregationStarted): Status.AGGREGATING,
        (Status.AGGREGATING, DemandEdited): Status.CREATED,
        (Status.AGGREGATING, OfferOverridden): Status.AGGREGATING,
        (Status.AGGREGATING, NegotiationFailed): Status.FAILED,
        (Status.AGGREGATING, RoundStarted): Status.PROPOSAL_SENT,
        (Status.PROPOSAL_SENT, ProposalDistributed): Status.NEGOTIATING,
        (Status.PROPOSAL_SENT, ForceFinalized): Status.FORCE_FINALIZED,
        (Status.PROPOSAL_SENT, NegotiationFailed): Status.FAILED,
        (Status.NEGOTIATING, CoreChosen): Status.NEGOTIATING,
        (Status.NEGOTIATING, ChangeRequested): Status.NEGOTIATING,
        (Status.NEGOTIATING, FeedbackDue): Status.NEGOTIATING,
        (Status.NEGOTIATING, FeedbackReminded): Status.NEGOTIATING,
        (Status.NEGOTIATING, PersonReached): Status.NEGOTIATING,
        (Status.NEGOTIATING, PersonUnreachable): Status.NEGOTIATING,
        (Status.NEGOTIATING, ProposalFeedback): Status.NEGOTIATING,
        (Status.NEGOTIATING, FeedbackEvaluated): Status.NEGOTIATING,
        (Status.NEGOTIATING, AgentWithdrawn): Status.NEGOTIATING,
        (Status.NEGOTIATING, SubstituteInvited): Status.NEGOTIATING,
        (Status.NEGOTIATING, OfferSubmitted): Status.NEGOTIATING,
        (Status.NEGOTIATING, RoundStarted): Status.PROPOSAL_SENT,
        (Status.NEGOTIATING, ProposalFinalized): Status.FINALIZED,
        (Status.NEGOTIATING, ForceFinalized): Status.FORCE_FINALIZED,
        (Status.NEGOTIATING, NegotiationFailed): Status.FAILED,
        **_staying(
            *((each, kind) for each in STOPPABLE for kind in (StepDegraded, RecoveryAttempted)),
            (Status.COLLECTING, SeatDelegated),
            (Status.AGGREGATING, SeatDelegated),
            (Status.PROPOSAL_SENT, SeatDelegated),
            (Status.NEGOTIATING, SeatDelegated),
            (Status.PROPOSAL_SENT, ClashesFound),
            (Status.NEGOTIATING, ClashesFound),
            (Status.PROPOSAL_SENT, SeatHandedBack),
            (Status.NEGOTIATING, SeatHandedBack),
            (Status.COLLECTING, LimitsWeighed),
            (Status.NEGOTIATING, LimitsWeighed),
            (Status.NEGOTIATING, SecondOpinionAsked),
            (Status.NEGOTIATING, SecondOpinionGiven),
            *((each, kind) for each in VOTING for kind in (RequestUnderstood, RequestCorrected)),
            *((Status.FAILED, kind) for kind in AFTER_FAILING),
            (Status.CANCELLED, UndoEnded),
            *((status, event) for status in STOPPABLE for event in volunteers.HELP),
            *((status, event) for status in AGREED for event in (*AFTERWARDS, *volunteers.HELP)),
            *((status, WordsErased) for status in Status),
        ),
        **{(each, NegotiationCancelled): Status.CANCELLED for each in STOPPABLE},
        (Status.CANCELLED, StopTakenBack): STOPPABLE,
    },
    ends=[Status.CANCELLED],
)
