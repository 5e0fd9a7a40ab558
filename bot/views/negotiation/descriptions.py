"""How a negotiation is described in the log, in metrics, on the demo's page, in its story's timeline and in replays.

Nothing here quotes anybody's words.
"""

import logging
from typing import Any, Final

from bot.descriptions import Aside, Descriptions, Ending, Fields, LogLine, Names, Telling
from bot.texts import Texts
from bot.views.kit.mrkdwn import mention
from bot.views.kit.story.model import Narration
from bot.views.negotiation.names import asked_on, bold_name, day_text, join_names, requester
from bot.views.negotiation.search.gap_search import found_text
from bot.views.negotiation.voting.votes import LOOKS, agreed_by_rules, kind_of_vote
from engine.negotiation import events as said
from engine.negotiation.afterwards.check_ins import CHECK_IN
from engine.negotiation.afterwards.rescheduling import RESCHEDULING
from engine.negotiation.afterwards.undoing import UNDO
from engine.negotiation.answers import OfferDecision
from engine.negotiation.drafting import DURATION
from engine.negotiation.events import EVENTS
from engine.negotiation.ids import CHANNEL, DEMAND, channel_id, demand_id
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.secrecy import payload_in_public
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import MissingChoice, NegotiationEvent, Proposal, RecoveryAction, Source
from engine.negotiation.voting.between_rounds import DECIDE

_LACKED: Final = {
    "E004": "a model did not answer in time",
    "E013": "what a model answered cannot be read",
    "E014": "the budget for models is spent",
}
"""By the code of what happened."""

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


def _counted(number: int, what: str) -> str:
    return f"{number} {what if number == 1 else f'{what}s'}"


def _version(proposal: Proposal) -> str:
    return f"version {proposal.version}, {len(proposal.assignments)} seats"


class NegotiationNarration(Narration[Negotiation]):
    def name(self, anybody: str) -> str:
        state, fit = self.state, self.fit
        known = state.known_person(anybody)
        if known is not None:
            return bold_name(known.display_name, anybody, fit)
        asked = next((each for each in (*state.candidates, *state.reserve) if each.agent_id == anybody), None)
        if asked is not None:
            return bold_name(asked.display_name, anybody, fit)
        return mention(anybody) or fit.line(anybody, 48) or "?"

    @property
    def requester(self) -> str:
        return requester(self.state, self.fit)


def _logged(text: str, event: NegotiationEvent, level: int = logging.INFO, **fields: Any) -> LogLine:
    return LogLine(text, {"demand_id": event.demand_id, **fields}, level)


def _degraded(event: said.StepDegraded) -> LogLine:
    text = _LACKED.get(event.why, "a model gave no usable answer")
    fields = {"prompt": event.prompt, "agent_id": event.agent_id, "code": event.why}
    return _logged(f"{text}; what stands in for it is used", event, logging.WARNING, **fields)


def _stands(event: said.Agreed) -> LogLine:
    return _logged("a plan stands", event, rounds=event.rounds_taken, participants=event.participants_count)


def _confirmed(event: said.Agreed, _: Aside) -> str:
    confirmed, rounds = len(event.confirmed_participants), event.rounds_taken
    return f"{confirmed} confirmed after {rounds} {'round' if rounds == 1 else 'rounds'}"


def _vote(event: said.ProposalFeedback, _: Aside) -> str:
    if event.blind:
        return f"has voted ({SOURCES[event.source]})"
    return f"{VOTES[event.feedback_type]} ({'as before' if event.carried else SOURCES[event.source]})"


def _vote_line(event: said.ProposalFeedback, words: NegotiationNarration) -> str:
    text = words.say("🗳️ has voted") if event.blind else kind_of_vote(event, words.texts)
    told = words.say("{who}: {what}", who=words.name(event.agent_id), what=text)
    return words.say("{what} (twin)", what=told) if event.source is Source.AGENT else told


def _offer_line(event: said.OfferSubmitted | said.OfferOverridden, words: NegotiationNarration) -> str:
    who = words.name(event.agent_id)
    match event.decision:
        case OfferDecision.PARTICIPATE:
            text = words.say("✅ {who} takes part", who=who)
        case OfferDecision.CONDITIONAL:
            text = words.say("🤝 {who} takes part on conditions", who=who)
        case OfferDecision.DECLINE:
            text = words.say("🙏 {who} cannot this time", who=who)
    is_human = isinstance(event, said.OfferOverridden) or event.source is Source.HUMAN
    return words.say("{what} (in person)", what=text) if is_human else text


def _asked_line(event: said.RequesterAsked, words: NegotiationNarration) -> str:
    if event.about == "repeated":
        return words.say("{who} is asked what becomes of a version that was sent twice", who=words.requester)
    return words.say("{who} is asked what becomes of it without what is missing", who=words.requester)


def _decided_line(event: said.RequesterDecided, words: NegotiationNarration) -> str:
    match event.choice:
        case MissingChoice.SEND_AGAIN:
            return words.say("The same version is to be sent again")
        case MissingChoice.LOOK_WIDER:
            return words.say("Others are to be looked for")
        case MissingChoice.GO_ON:
            return words.say("It goes on as it is")


def _found_line(event: said.SubnetCompleted, words: NegotiationNarration) -> str:
    names = join_names([words.name(each.agent_id) for each in event.found.people], words.texts)
    return found_text(words.state, names, words.texts)


def _stopped_line(_: said.NegotiationCancelled, words: NegotiationNarration) -> str:
    stopper = words.name(words.state.cancelled_by) if words.state.cancelled_by else ""
    return words.say("Stopped by {who}", who=stopper) if stopper else words.say("It was stopped")


def _check_in_line(event: said.CheckInAsked, words: NegotiationNarration) -> str:
    who = words.name(event.agent_id) if event.agent_id else words.requester
    due = words.state.check_ins[event.key].asked.day if event.key in words.state.check_ins else ""
    day = day_text(due, words.texts, asked_on(words.state)) or "…"
    return words.say("{who} is asked how something stands that is due on {day}", who=who, day=day)


def _checked_in_line(event: said.CheckInAnswered, words: NegotiationNarration) -> str:
    asked = words.state.check_ins.get(event.key)
    whose = asked.asked.agent_id if asked else ""
    who = words.name(whose) if whose else words.requester
    if event.is_late:
        return words.say("⏰ {who} will be late", who=who)
    return words.say("☑️ {who} has done what was due", who=who)


def _failed(fields: Fields) -> Ending:
    return Ending(str(fields["reason"]), is_success=False)


def _needs_line(event: said.DemandUnderstood, words: NegotiationNarration) -> str:
    needs = len(event.understanding.needs)
    return words.count("It is understood: {n} thing is needed", "It is understood: {n} things are needed", needs)


TELLINGS: Final = (
    # demand
    Telling(
        said.DemandSubmitted,
        lambda it, _: f"asks{' again' if it.reopened_from else ''}, under the policy {it.policy.name}",
        lambda it, words: words.say("{who} asks", who=words.requester),
        lambda it: _logged("a demand is taken up", it, policy=it.policy.name),
    ),
    Telling(
        said.DemandEdited,
        line=lambda it, words: words.say("{who} says it otherwise; everybody is asked anew", who=words.requester),
    ),
    Telling(
        said.DemandUnderstood, lambda it, _: f"takes {_counted(len(it.understanding.needs), 'thing')}", _needs_line,
    ),
    Telling(
        said.DemandUnclear, lambda it, _: "what is needed?" if it.about == "demand" else "who could help?",
        lambda it, words: words.say("{who} is asked a question first", who=words.requester),
    ),
    Telling(said.ShortlistDrafted, lambda it, _: "by the message as it stands"),
    Telling(
        said.FilterCompleted,
        lambda it, _: f"{it.candidates_count} could help, {len(it.possibly_related)} more perhaps",
        lambda it, words: words.count("{n} person could help", "{n} people could help", it.candidates_count),
        lambda it: _logged("candidates are found", it, found=it.candidates_count),
    ),
    Telling(said.ChannelCreated, lambda it, _: f"{it.participants_count} invited"),
    Telling(said.DemandBroadcast, lambda it, _: f"{it.recipients_count} asked"),
    # offers
    Telling(said.OfferSubmitted, lambda it, _: OFFERS[it.decision], _offer_line),
    Telling(said.OfferOverridden, lambda it, _: OFFERS[it.decision], _offer_line),
    Telling(said.PeopleAsked, lambda it, aside: ", ".join(map(aside.name, it.agent_ids))),
    Telling(said.ProposalDrafted, lambda it, _: "while offers may be corrected" if it.draft else "no model made one"),
    Telling(said.OffersHeld, lambda it, aside: f"{round((it.deadline - aside.at) / 1000)} s to correct offers"),
    Telling(
        said.NeedSought, lambda it, aside: f"{len(it.need_ids)} missing: {', '.join(map(aside.name, it.recipients))}",
        lambda it, words: words.say("Others are asked for what is missing"),
    ),
    Telling(
        said.RequesterAsked,
        lambda it, _: "sent twice: keep it, or send it again?" if it.about == "repeated"
        else f"{len(it.need_ids)} {it.about}: look wider, or go on without?",
        _asked_line,
    ),
    Telling(
        said.RequesterDecided, lambda it, _: MISSING[it.choice] + ("" if it.by else " (nobody has decided)"),
        _decided_line,
    ),
    Telling(said.HelpOffered, lambda it, _: "offers to help"),
    Telling(
        said.HelpAnswered, lambda it, _: "is not asked" if it.way == "declined" else "is asked",
        lambda it, words: "" if it.way == "declined"
        else words.say("{who} helps, without having been asked", who=words.name(it.agent_id)),
    ),
    Telling(said.AggregationStarted, lambda it, _: f"{it.offers_count} answered"),
    # voting
    Telling(
        said.RoundStarted, lambda it, _: f"round {it.round} of {it.max_rounds}",
        lambda it, words: words.say("Round {round} of {most} begins", round=it.round, most=it.max_rounds),
        lambda it: _logged("a round begins", it, round=it.round),
    ),
    Telling(
        said.ProposalDistributed, lambda it, _: _version(it.proposal),
        lambda it, words: words.say("Version {version} of the plan goes out", version=it.proposal.version),
    ),
    Telling(
        said.CoreChosen, line=lambda it, words: words.say("{who} chose which parts are core.", who=words.requester),
    ),
    Telling(
        said.FeedbackDue, lambda it, aside: f"{round((it.deadline - aside.at) / 1000)} s to vote in round {it.round}",
    ),
    Telling(said.FeedbackReminded, lambda it, aside: ", ".join(map(aside.name, it.agent_ids))),
    Telling(said.ProposalFeedback, _vote, _vote_line),
    Telling(said.VotePrepared, lambda it, _: "has a vote prepared"),
    Telling(
        said.SeatDelegated,
        lambda it, aside: f"lets {aside.name(it.to)} decide as well" if it.to else "decides alone again",
        lambda it, words: "" if not it.to
        else words.say("{who} lets {other} decide as well", who=words.name(it.agent_id), other=words.name(it.to)),
    ),
    Telling(
        said.SeatHandedBack, lambda it, _: "lets their twin vote again",
        lambda it, words: words.say("{who} lets their twin vote again", who=words.name(it.agent_id)),
    ),
    Telling(
        said.ChangeRequested, lambda it, _: f"asks for a change of version {it.version}",
        lambda it, words: words.say("💬 {who} asks for a change", who=words.requester),
    ),
    Telling(
        said.FeedbackEvaluated, lambda it, _: f"{it.accepts} of {it.total} in favour: {it.decision.replace('_', ' ')}",
        lambda it, words: words.say(
            "Round {round} is over: {n} of {total} in favour", round=it.round, n=it.accepts, total=it.total),
    ),
    Telling(
        said.AgentWithdrawn,
        line=lambda it, words: (
            words.say("▫️ {who} has no account here any more", who=words.name(it.agent_id))
            if it.closed
            else words.say("👋 {who} has left", who=words.name(it.agent_id))
        ),
    ),
    # plan
    Telling(
        said.ClashesFound,
        lambda it, _: f"{_counted(len({each.channel_id for each in it.clashes}), 'other plan')} at the same time",
        lambda it, words: "" if not it.clashes
        else words.say("⚠️ Another plan takes the same people or rooms at that time"),
    ),
    # search
    Telling(
        said.SubstituteInvited, lambda it, aside: f"is asked for the part of {aside.name(it.replaces)}",
        lambda it, words: words.say(
            "{who} is asked for the part of {other}", who=words.name(it.agent_id), other=words.name(it.replaces)),
    ),
    Telling(
        said.GapsIdentified, lambda it, _: "nothing is missing" if it.is_complete else "the plan was looked through",
    ),
    Telling(said.RecursionDecided, lambda it, _: "others are asked" if it.should_recurse else "nobody else is asked"),
    Telling(
        said.SubnetTriggered, lambda it, _: f"looks for somebody, priority {it.priority}",
        lambda it, words: words.say("Somebody is looked for, for what the plan lacks"),
    ),
    Telling(
        said.SubnetCompleted,
        lambda it, aside: f"found {', '.join(aside.name(each.agent_id) for each in it.found.people)}", _found_line,
    ),
    Telling(
        said.SubnetFailed, lambda it, _: f"nobody found ({it.reason.replace('_', ' ')})",
        lambda it, words: words.say("Nobody was found for what the plan lacks"),
    ),
    Telling(
        said.ProposalAmended, lambda it, _: _version(it.proposal),
        lambda it, words: words.say(
            "Version {version} of the plan: with those who were found", version=it.proposal.version),
    ),
    # agreement
    Telling(
        said.ProposalFinalized, _confirmed,
        lambda it, words: words.say("📝 A draft by simple rules") if agreed_by_rules(words.state)
        else words.say("✅ Agreed"),
        _stands, lambda _: Ending("consensus", is_success=True),
    ),
    Telling(
        said.ForceFinalized, _confirmed, lambda it, words: words.say("🤝 Settled with partial agreement"), _stands,
        lambda _: Ending("partial_consensus", is_success=True),
    ),
    Telling(
        said.NegotiationFailed, lambda it, _: it.reason.replace("_", " "),
        lambda it, words: words.say("It ended without agreement"),
        lambda it: _logged("a negotiation failed", it, logging.ERROR, reason=str(it.reason)), _failed,
    ),
    Telling(
        said.CompromiseOffered, lambda it, _: "says what would still be possible",
        lambda it, words: words.say("What would still be possible was worked out"),
    ),
    # afterwards
    Telling(
        said.NegotiationCancelled, line=_stopped_line, log=lambda it: _logged("a negotiation is stopped", it),
        ending=lambda _: Ending("cancelled"),
    ),
    Telling(
        said.PlanProceeded, lambda it, _: "the plan is carried out",
        lambda it, words: words.say("{who} decided that it is carried out.", who=words.name(it.by)),
    ),
    Telling(said.PlanTakenUp, lambda it, _: f"{it.stream} goes on from the plan"),
    Telling(
        said.ProceedingTakenBack, lambda it, _: "the plan is not carried out after all",
        lambda it, words: words.say("{who} took that back: it is not carried out for now", who=words.name(it.by)),
    ),
    Telling(
        said.StopTakenBack, lambda it, _: f"goes on where it was stopped: {it.status}",
        lambda it, words: words.say("{who} took the stop back: it goes on", who=words.name(it.by)), resumes=True,
    ),
    Telling(
        said.NegotiationReopened,
        lambda it, _: "takes it up again" + (", by the balanced rules" if it.balanced else ""),
        lambda it, words: words.say("It is taken up again"),
    ),
    Telling(
        said.SeatGivenUp, lambda it, _: "cannot keep their part",
        lambda it, words: words.say("{who} cannot take part any more", who=words.name(it.agent_id)),
    ),
    Telling(said.ConflictFound, lambda it, _: "cannot any more when the plan needs them"),
    Telling(said.ConflictEnded, lambda it, _: "can when the plan needs them"),
    Telling(
        said.ReschedulingBegun, lambda it, _: f"asks for another time: {_counted(len(it.times), 'time')}",
        lambda it, words: words.say("Another time is looked for"),
    ),
    Telling(said.ReschedulingAnswered, lambda it, _: f"can at {_counted(len(it.keys), 'time')}"),
    Telling(
        said.ReschedulingEnded, lambda it, _: "another time is agreed" if it.when else "no other time is agreed",
        lambda it, words: words.say("Another time is agreed") if it.when else words.say("No other time was agreed"),
    ),
    Telling(said.CheckInAsked, lambda it, _: "is asked how something stands that is due", _check_in_line),
    Telling(said.CheckInAnswered, lambda it, _: "will be late" if it.is_late else "is done", _checked_in_line),
    # in every phase
    Telling(
        said.StepDegraded, lambda it, _: f"{it.prompt} did without a model ({it.why})",
        lambda it, words: words.say("⚠️ No model could be reached for one step"), _degraded,
    ),
    Telling(
        said.RecoveryAttempted, lambda it, _: f"was stuck while {it.status}: {RECOVERIES[it.action]}",
        lambda it, words: words.say("⚠️ It was stuck, and is taken up again from there"),
    ),
    Telling(said.WordsErased, line=lambda it, words: words.say("Words were erased")),
)  # fmt: skip
"""Those that seed 000, section 9.3, names have a line of the log, and how it ended."""


def deadline(alarm: str, names: Names, texts: Texts) -> str:
    kind, _, about = alarm.partition("/")
    who = names.get(about, about)
    told = {
        "offers": texts.say("Offers close"),
        "question": texts.say("Whoever asked is not waited for any longer"),
        "twins": texts.say("Round {about}: twins without a vote are given up", about=who),
        "remind": texts.say("Half time in round {about}: who has not decided is reminded", about=who),
        "close": texts.say("Round {about} closes", about=who),
        DECIDE: texts.say("Whoever asked is not waited for any longer"),
        DURATION: texts.say("It has lasted too long, and ends"),
        "substitute": texts.say("{about}, who was asked for a part that nobody has, is given up", about=who),
        CHECK_IN: texts.say("Whoever promised something is asked how it stands"),
        UNDO: texts.say("What was decided can be undone no more"),
        RESCHEDULING: texts.say("Nobody is asked for another time any longer"),
        "subnets": texts.say("What the plan lacks is not looked for any longer"),
    }
    return told.get(kind, alarm)


def status(state: Negotiation) -> str:
    return f"{state.status}, round {state.round}" if state.round else f"{state.status}"


DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol,
    EVENTS,
    plural="negotiations",
    other_ids=other_ids,
    stream_named=stream_named,
    tellings=TELLINGS,
    success="Of the negotiations that ended by themselves, the part that came to a plan",
    public_payload=payload_in_public,
    actors=("agent_id", "by", "requester_id"),
    deadline=deadline,
    unawaited_alarms=frozenset({UNDO}),
    distant_alarms=frozenset({DURATION}),
    status=status,
    leaving={"Cancel": "it is stopped", "CorrectOffer": "their offer is declined"},
    in_every_event=frozenset({"demand_id", "channel_id"}),
)
