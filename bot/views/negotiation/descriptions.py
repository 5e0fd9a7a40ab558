"""How a negotiation is described in the log, in metrics, on the demo's page and in replays.

Nothing here quotes anybody's words.
"""

import logging
from typing import Final

from bot.descriptions import Descriptions, Ending, Fields, LogLine, Names, plain_line
from bot.views.negotiation.voting.votes import LOOKS
from engine.kernel import Event, Millis
from engine.negotiation import events as said
from engine.negotiation.afterwards.check_ins import CHECK_IN
from engine.negotiation.afterwards.undoing import UNDO
from engine.negotiation.answers import OfferDecision
from engine.negotiation.drafting import DURATION
from engine.negotiation.events import EVENTS
from engine.negotiation.ids import CHANNEL, DEMAND, channel_id, demand_id
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.secrecy import payload_in_public
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import MissingChoice, RecoveryAction, Source
from engine.negotiation.voting.between_rounds import DECIDE

_LACKED: Final = {
    "E004": "a model did not answer in time",
    "E013": "what a model answered cannot be read",
    "E014": "the budget for models is spent",
}
"""By the code of what happened."""

UNLOGGED: Final = frozenset(
    each.event_type
    for each in (
        said.DemandEdited, said.DemandUnderstood, said.ChannelCreated, said.DemandBroadcast, said.OfferSubmitted,
        said.OfferOverridden, said.DemandUnclear, said.PeopleAsked, said.OffersHeld, said.NeedSought,
        said.RequesterAsked, said.RequesterDecided, said.AggregationStarted,
        said.ProposalDistributed, said.CoreChosen, said.FeedbackDue,
        said.FeedbackReminded, said.PersonReached, said.PersonUnreachable, said.ProposalFeedback, said.SeatDelegated,
        said.VotePrepared,
        said.SeatHandedBack, said.ChangeRequested, said.FeedbackEvaluated, said.AgentWithdrawn, said.SubstituteInvited,
        said.PlanProceeded, said.PlanTakenUp, said.ClashesFound, said.CompromiseOffered, said.NegotiationReopened,
        said.ReopeningFailed, said.RecoveryAttempted,
        said.GapsIdentified, said.RecursionDecided, said.SubnetTriggered, said.SubnetCompleted, said.SubnetFailed,
        said.SeatGivenUp, said.ProceedingTakenBack, said.UndoEnded, said.StopTakenBack,
        said.CheckInAsked, said.CheckInAnswered, said.HelpOffered, said.HelpAnswered,
        said.SubnetReleased, said.ProposalAmended, said.WordsErased, said.RequestUnderstood,
        said.RequestCorrected, said.LimitsWeighed, said.SecondOpinionAsked, said.SecondOpinionGiven, said.PlaceChanged,
    )
)  # fmt: skip
"""The log has the lines that seed 000, section 9.3, names, and how it ended."""

DEADLINES: Final = {
    "offers": "Offers close",
    "question": "Whoever asked is not waited for any longer",
    "twins": "Round {0}: twins without a vote are given up",
    "remind": "Half time in round {0}: who has not decided is reminded",
    "close": "Round {0} closes",
    DECIDE: "Whoever asked is not waited for any longer",
    DURATION: "It has lasted too long, and ends",
    "substitute": "{0}, who was asked for a part that nobody has, is given up",
    CHECK_IN: "Whoever promised something is asked how it stands",
    UNDO: "What was decided can be undone no more",
    "subnets": "What the plan lacks is not looked for any longer",
}
"""What happens then, by the alarm's name up to its slash; after it comes a round's number or an agent's id."""

OFFERS: Final = {
    OfferDecision.PARTICIPATE: "takes part",
    OfferDecision.CONDITIONAL: "takes part on conditions",
    OfferDecision.DECLINE: "declines",
}
VOTES: Final = {kind: look.plainly for kind, look in LOOKS.items()}
RECOVERIES: Final = {
    RecoveryAction.ASK_AGAIN: "asks again",
    RecoveryAction.AGGREGATE: "goes on with what came",
    RecoveryAction.EVALUATE: "evaluates what there is",
    RecoveryAction.SUBSTITUTE: "asks somebody else",
    RecoveryAction.GIVE_TIME: "has its time anew",
}
MISSING: Final = {
    MissingChoice.LOOK_WIDER: "others are looked for",
    MissingChoice.GO_ON: "goes on without it",
    MissingChoice.SEND_AGAIN: "is sent again",
}
SOURCES: Final = {Source.AGENT: "twin", Source.HUMAN: "in person", Source.ASSUMED: "assumed"}


def other_ids(stream: str) -> dict[str, str]:
    """Return the demand's id: it and its channel share a name."""
    return {"demand_id": demand_id(stream)} if stream.startswith(CHANNEL) else {}


def stream_named(name: str) -> str:
    """Return the channel of a demand's id."""
    return channel_id(name) if name.startswith(DEMAND) else name


def log_line(event: Event) -> LogLine:
    match event:
        case said.DemandSubmitted():
            return LogLine("a demand is taken up", {"demand_id": event.demand_id, "policy": event.policy.name})
        case said.FilterCompleted():
            return LogLine("candidates are found", {"demand_id": event.demand_id, "found": event.candidates_count})
        case said.RoundStarted():
            return LogLine("a round begins", {"demand_id": event.demand_id, "round": event.round})
        case said.ProposalFinalized() | said.ForceFinalized():
            counted = {"rounds": event.rounds_taken, "participants": event.participants_count}
            return LogLine("a plan stands", {"demand_id": event.demand_id, **counted})
        case said.NegotiationCancelled():
            return LogLine("a negotiation is stopped", {"demand_id": event.demand_id})
        case said.NegotiationFailed():
            fields = {"demand_id": event.demand_id, "reason": str(event.reason)}
            return LogLine("a negotiation failed", fields, logging.ERROR)
        case said.StepDegraded():
            text = _LACKED.get(event.why, "a model gave no usable answer")
            fields = {"prompt": event.prompt, "agent_id": event.agent_id, "code": event.why}
            said_of = {"demand_id": event.demand_id, **fields}
            return LogLine(f"{text}; what stands in for it is used", said_of, logging.WARNING)
        case _:
            return plain_line(event)


def summary(event: Event, at: Millis, names: Names) -> str:
    match event:
        case said.DemandSubmitted():
            again = " again" if event.reopened_from else ""
            return f"asks{again}, under the policy {event.policy.name}"
        case said.DemandUnderstood():
            needs = len(event.understanding.needs)
            return f"takes {needs} {'thing' if needs == 1 else 'things'}"
        case said.FilterCompleted():
            return f"{event.candidates_count} could help, {len(event.possibly_related)} more perhaps"
        case said.DemandUnclear():
            return "what is needed?" if event.about == "demand" else "who could help?"
        case said.PeopleAsked():
            return ", ".join(names.get(each, each) for each in event.agent_ids)
        case said.NeedSought():
            return f"{len(event.need_ids)} missing: {', '.join(names.get(each, each) for each in event.recipients)}"
        case said.RequesterAsked():
            if event.about == "repeated":
                return "sent twice: keep it, or send it again?"
            return f"{len(event.need_ids)} {event.about}: look wider, or go on without?"
        case said.RequesterDecided():
            return MISSING[event.choice] + ("" if event.by else " (nobody has decided)")
        case said.OffersHeld():
            return f"{round((event.deadline - at) / 1000)} s to correct offers"
        case said.ChannelCreated():
            return f"{event.participants_count} invited"
        case said.DemandBroadcast():
            return f"{event.recipients_count} asked"
        case said.OfferSubmitted() | said.OfferOverridden():
            return OFFERS[event.decision]
        case said.AggregationStarted():
            return f"{event.offers_count} answered"
        case said.RoundStarted():
            return f"round {event.round} of {event.max_rounds}"
        case said.FeedbackDue():
            return f"{round((event.deadline - at) / 1000)} s to vote in round {event.round}"
        case said.FeedbackReminded():
            return ", ".join(names.get(each, each) for each in event.agent_ids)
        case said.ProposalFeedback(blind=True):
            return f"has voted ({SOURCES[event.source]})"
        case said.ProposalFeedback(carried=True):
            return f"{VOTES[event.feedback_type]} (as before)"
        case said.ProposalFeedback():
            return f"{VOTES[event.feedback_type]} ({SOURCES[event.source]})"
        case said.FeedbackEvaluated():
            return f"{event.accepts} of {event.total} in favour: {event.decision.replace('_', ' ')}"
        case said.SubstituteInvited():
            return f"is asked for the part of {names.get(event.replaces, event.replaces)}"
        case said.SeatDelegated():
            return f"lets {names.get(event.to, event.to)} decide as well" if event.to else "decides alone again"
        case said.VotePrepared():
            return "has a vote prepared"
        case said.SeatHandedBack():
            return "lets their twin vote again"
        case said.ChangeRequested():
            return f"asks for a change of version {event.version}"
        case said.RecoveryAttempted():
            return f"was stuck while {event.status}: {RECOVERIES[event.action]}"
        case said.ClashesFound():
            others = len({each.channel_id for each in event.clashes})
            return f"{others} other {'plan' if others == 1 else 'plans'} at the same time"
        case said.StepDegraded():
            return f"{event.prompt} did without a model ({event.why})"
        case _:
            return _summary_of_a_plan(event, names) or _summary_of_an_end(event)


def _summary_of_a_plan(event: Event, names: Names) -> str:
    match event:
        case said.ProposalDistributed() | said.ProposalAmended():
            return f"version {event.proposal.version}, {len(event.proposal.assignments)} seats"
        case said.ProposalFinalized() | said.ForceFinalized():
            confirmed, rounds = len(event.confirmed_participants), event.rounds_taken
            return f"{confirmed} confirmed after {rounds} {'round' if rounds == 1 else 'rounds'}"
        case said.PlanProceeded():
            return "the plan is carried out"
        case said.PlanTakenUp():
            return f"{event.stream} goes on from the plan"
        case said.CheckInAsked():
            return "is asked how something stands that is due"
        case said.CheckInAnswered():
            return "will be late" if event.is_late else "is done"
        case said.ProceedingTakenBack():
            return "the plan is not carried out after all"
        case said.StopTakenBack():
            return f"goes on where it was stopped: {event.status}"
        case said.SeatGivenUp():
            return "cannot keep their part"
        case said.HelpOffered():
            return "offers to help"
        case said.HelpAnswered(way="declined"):
            return "is not asked"
        case said.HelpAnswered():
            return "is asked"
        case said.GapsIdentified():
            return "nothing is missing" if event.is_complete else "the plan was looked through"
        case said.RecursionDecided():
            return "others are asked" if event.should_recurse else "nobody else is asked"
        case said.SubnetTriggered():
            return f"looks for somebody, priority {event.priority}"
        case said.SubnetCompleted():
            return f"found {', '.join(names.get(each.agent_id, each.agent_id) for each in event.found.people)}"
        case said.SubnetFailed():
            return f"nobody found ({event.reason.replace('_', ' ')})"
        case _:
            return ""


def _summary_of_an_end(event: Event) -> str:
    match event:
        case said.CompromiseOffered():
            return "says what would still be possible"
        case said.NegotiationReopened():
            return "takes it up again" + (", by the balanced rules" if event.balanced else "")
        case said.NegotiationFailed():
            return event.reason.replace("_", " ")
        case _:
            return ""


def deadline(alarm: str, names: Names) -> str:
    kind, _, about = alarm.partition("/")
    return DEADLINES[kind].format(names.get(about, about)) if kind in DEADLINES else alarm


def _failed(fields: Fields) -> Ending:
    return Ending(str(fields["reason"]), is_success=False)


def status(state: Negotiation) -> str:
    return f"{state.status}, round {state.round}" if state.round else f"{state.status}"


DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol,
    EVENTS,
    plural="negotiations",
    other_ids=other_ids,
    stream_named=stream_named,
    log_line=log_line,
    unlogged=UNLOGGED,
    endings={
        said.ProposalFinalized.event_type: lambda _: Ending("consensus", is_success=True),
        said.ForceFinalized.event_type: lambda _: Ending("partial_consensus", is_success=True),
        said.NegotiationFailed.event_type: _failed,
        said.NegotiationCancelled.event_type: lambda _: Ending("cancelled"),
    },
    resumptions=frozenset({said.StopTakenBack.event_type}),
    success="Of the negotiations that ended by themselves, the part that came to a plan",
    public_payload=payload_in_public,
    summary=summary,
    actors=("agent_id", "by", "requester_id"),
    deadline=deadline,
    unawaited_alarms=frozenset({UNDO}),
    distant_alarms=frozenset({DURATION}),
    status=status,
    leaving={"Cancel": "it is stopped", "CorrectOffer": "their offer is declined"},
    in_every_event=frozenset({"demand_id", "channel_id"}),
)
