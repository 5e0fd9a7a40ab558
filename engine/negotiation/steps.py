"""Which event may happen in which status, and which status follows: the one table of legal steps."""

from typing import Final

from engine.kernel import Event, Transitions
from engine.negotiation import events as said
from engine.negotiation.terms import STOPPABLE, NegotiationEvent, Status

_IN_PLACE: Final[dict[tuple[Status, type[Event]], Status]] = {
    (status, kind): status
    for kind in said.EVENTS.values()
    if issubclass(kind, NegotiationEvent)
    for status in kind.during
}
STEPS: Final = Transitions(
    Status.CREATED,
    {
        **_IN_PLACE,
        (Status.CREATED, said.NegotiationFailed): Status.FAILED,
        (Status.CREATED, said.ChannelCreated): Status.BROADCASTING,
        (Status.BROADCASTING, said.DemandBroadcast): Status.COLLECTING,
        (Status.COLLECTING, said.DemandEdited): Status.CREATED,
        (Status.COLLECTING, said.NegotiationFailed): Status.FAILED,
        (Status.COLLECTING, said.AggregationStarted): Status.AGGREGATING,
        (Status.AGGREGATING, said.DemandEdited): Status.CREATED,
        (Status.AGGREGATING, said.NegotiationFailed): Status.FAILED,
        (Status.AGGREGATING, said.RoundStarted): Status.PROPOSAL_SENT,
        (Status.PROPOSAL_SENT, said.ProposalDistributed): Status.NEGOTIATING,
        (Status.PROPOSAL_SENT, said.ForceFinalized): Status.FORCE_FINALIZED,
        (Status.PROPOSAL_SENT, said.NegotiationFailed): Status.FAILED,
        (Status.NEGOTIATING, said.RoundStarted): Status.PROPOSAL_SENT,
        (Status.NEGOTIATING, said.ProposalFinalized): Status.FINALIZED,
        (Status.NEGOTIATING, said.ForceFinalized): Status.FORCE_FINALIZED,
        (Status.NEGOTIATING, said.NegotiationFailed): Status.FAILED,
        **{(each, said.NegotiationCancelled): Status.CANCELLED for each in Status if each in STOPPABLE},
        (Status.CANCELLED, said.StopTakenBack): tuple(each for each in Status if each in STOPPABLE),
    },
    ends=[Status.CANCELLED],
)
