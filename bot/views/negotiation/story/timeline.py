"""What happened in a negotiation, one line for each step that people would tell of. Nobody's words are in it."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from bot.texts import Texts
from bot.views.kit.mrkdwn import Fit, mention
from bot.views.kit.story.model import Happening, Told
from bot.views.negotiation.names import asked_on, bold_name, day_text, join_names, requester
from bot.views.negotiation.search.gap_search import found_text
from bot.views.negotiation.story.standings import kind_of_vote
from bot.views.negotiation.voting.votes import agreed_by_rules
from engine.kernel import Event
from engine.negotiation import events as said
from engine.negotiation.answers import OfferDecision
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import MissingChoice, Source

Name = Callable[[str], str]


def timeline(state: Negotiation, happened: Sequence[Told], texts: Texts, fit: Fit) -> Sequence[Happening]:
    """The newest first."""
    lines = [
        Happening(each.at, text)
        for each in happened
        if (text := _line(state, each.event, partial(_name, state, fit), texts, fit))
    ]
    return lines[::-1]


def _name(state: Negotiation, fit: Fit, anybody: str) -> str:
    known = state.known_person(anybody)
    if known is not None:
        return bold_name(known.display_name, anybody, fit)
    asked = next((each for each in (*state.candidates, *state.reserve) if each.agent_id == anybody), None)
    return bold_name(asked.display_name, anybody, fit) if asked else mention(anybody) or fit.line(anybody, 48) or "?"


def _line(state: Negotiation, event: Event, name: Name, texts: Texts, fit: Fit) -> str:
    match event:
        case said.DemandSubmitted():
            return texts.say("{who} asks", who=requester(state, fit))
        case said.DemandEdited():
            return texts.say("{who} says it otherwise; everybody is asked anew", who=requester(state, fit))
        case said.DemandUnderstood():
            needs = len(event.understanding.needs)
            return texts.count(
                "It is understood: {n} thing is needed", "It is understood: {n} things are needed", needs
            )
        case said.DemandUnclear():
            return texts.say("{who} is asked a question first", who=requester(state, fit))
        case said.FilterCompleted():
            return texts.count("{n} person could help", "{n} people could help", event.candidates_count)
        case said.OfferSubmitted() | said.OfferOverridden():
            return _offer(event, name, texts)
        case said.NeedSought():
            return texts.say("Others are asked for what is missing")
        case said.RequesterAsked():
            if event.about == "repeated":
                return texts.say(
                    "{who} is asked what becomes of a version that was sent twice", who=requester(state, fit)
                )
            return texts.say("{who} is asked what becomes of it without what is missing", who=requester(state, fit))
        case said.RequesterDecided():
            if event.choice is MissingChoice.SEND_AGAIN:
                return texts.say("The same version is to be sent again")
            if event.choice is MissingChoice.LOOK_WIDER:
                return texts.say("Others are to be looked for")
            return texts.say("It goes on as it is")
        case said.StepDegraded():
            return texts.say("⚠️ No model could be reached for one step")
        case said.RecoveryAttempted():
            return texts.say("⚠️ It was stuck, and is taken up again from there")
        case said.WordsErased():
            return texts.say("Words were erased")
        case _:
            return (
                next(_of_rounds(state, event, name, texts, fit), "")
                or next(_of_gaps(state, event, name, texts), "")
                or next(_of_the_end(state, event, name, texts, fit), "")
            )


def _offer(event: said.OfferSubmitted | said.OfferOverridden, name: Name, texts: Texts) -> str:
    who = name(event.agent_id)
    match event.decision:
        case OfferDecision.PARTICIPATE:
            text = texts.say("✅ {who} takes part", who=who)
        case OfferDecision.CONDITIONAL:
            text = texts.say("🤝 {who} takes part on conditions", who=who)
        case OfferDecision.DECLINE:
            text = texts.say("🙏 {who} cannot this time", who=who)
    is_human = isinstance(event, said.OfferOverridden) or event.source is Source.HUMAN
    return texts.say("{what} (in person)", what=text) if is_human else text


def _of_rounds(state: Negotiation, event: Event, name: Name, texts: Texts, fit: Fit) -> Iterator[str]:
    match event:
        case said.ProposalDistributed():
            yield texts.say("Version {version} of the plan goes out", version=event.proposal.version)
        case said.RoundStarted():
            yield texts.say("Round {round} of {most} begins", round=event.round, most=event.max_rounds)
        case said.ProposalFeedback():
            text = texts.say("🗳️ has voted") if event.blind else kind_of_vote(event, texts)
            told = texts.say("{who}: {what}", who=name(event.agent_id), what=text)
            yield texts.say("{what} (twin)", what=told) if event.source is Source.AGENT else told
        case said.ChangeRequested():
            yield texts.say("💬 {who} asks for a change", who=requester(state, fit))
        case said.FeedbackEvaluated():
            yield texts.say(
                "Round {round} is over: {n} of {total} in favour",
                round=event.round,
                n=event.accepts,
                total=event.total,
            )
        case said.AgentWithdrawn():
            yield texts.say("👋 {who} has left", who=name(event.agent_id))
        case said.SubstituteInvited():
            yield texts.say(
                "{who} is asked for the part of {other}", who=name(event.agent_id), other=name(event.replaces)
            )
        case said.SeatDelegated() if event.to:
            yield texts.say("{who} lets {other} decide as well", who=name(event.agent_id), other=name(event.to))
        case said.SeatHandedBack():
            yield texts.say("{who} lets their twin vote again", who=name(event.agent_id))
        case said.CoreChosen():
            yield texts.say("{who} chose which parts are core.", who=requester(state, fit))
        case said.ClashesFound() if event.clashes:
            yield texts.say("⚠️ Another plan takes the same people or rooms at that time")


def _of_gaps(state: Negotiation, event: Event, name: Name, texts: Texts) -> Iterator[str]:
    match event:
        case said.SubnetTriggered():
            yield texts.say("Somebody is looked for, for what the plan lacks")
        case said.SubnetCompleted():
            names = join_names([name(each.agent_id) for each in event.found.people], texts)
            yield found_text(state, names, texts)
        case said.SubnetFailed():
            yield texts.say("Nobody was found for what the plan lacks")
        case said.ProposalAmended():
            yield texts.say("Version {version} of the plan: with those who were found", version=event.proposal.version)


def _of_the_end(state: Negotiation, event: Event, name: Name, texts: Texts, fit: Fit) -> Iterator[str]:
    match event:
        case said.ProposalFinalized():
            yield texts.say("📝 A draft by simple rules") if agreed_by_rules(state) else texts.say("✅ Agreed")
        case said.ForceFinalized():
            yield texts.say("🤝 Settled with partial agreement")
        case said.NegotiationFailed():
            yield texts.say("It ended without agreement")
        case said.NegotiationCancelled():
            stopper = name(state.cancelled_by) if state.cancelled_by else ""
            yield texts.say("Stopped by {who}", who=stopper) if stopper else texts.say("It was stopped")
        case said.PlanProceeded():
            yield texts.say("{who} decided that it is carried out.", who=name(event.by))
        case said.ProceedingTakenBack():
            yield texts.say("{who} took that back: it is not carried out for now", who=name(event.by))
        case said.StopTakenBack():
            yield texts.say("{who} took the stop back: it goes on", who=name(event.by))
        case said.SeatGivenUp():
            yield texts.say("{who} cannot take part any more", who=name(event.agent_id))
        case said.CheckInAsked():
            who = name(event.agent_id) if event.agent_id else requester(state, fit)
            due = state.check_ins[event.key].asked.day if event.key in state.check_ins else ""
            day = day_text(due, texts, asked_on(state)) or "…"
            yield texts.say("{who} is asked how something stands that is due on {day}", who=who, day=day)
        case said.CheckInAnswered():
            asked = state.check_ins.get(event.key)
            whose = asked.asked.agent_id if asked else ""
            who = name(whose) if whose else requester(state, fit)
            if event.is_late:
                yield texts.say("⏰ {who} will be late", who=who)
            else:
                yield texts.say("☑️ {who} has done what was due", who=who)
        case said.HelpAnswered() if event.way != "declined":
            yield texts.say("{who} helps, without having been asked", who=name(event.agent_id))
        case said.CompromiseOffered():
            yield texts.say("What would still be possible was worked out")
        case said.NegotiationReopened():
            yield texts.say("It is taken up again")
