"""What may happen when: the legal steps, and which function handles which command.

From there on, `rounds` and `votes` decide.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.errors import IllegalStep, NotAllowed, Unanswered
from engine.kernel import (
    OPERATOR,
    AlarmRang,
    Command,
    CommandDelivered,
    Decision,
    EffectFailed,
    Event,
    Millis,
    Recover,
    Rulebook,
    SendCommand,
    iso,
)
from engine.negotiation import audit, drafting, errors, forgetting, inbox, recovery
from engine.negotiation.afterwards import check_ins, commitments, proceeding, reopening, undoing
from engine.negotiation.agreement import compromise, handover
from engine.negotiation.commands import (
    AnswerCheckIn,
    Cancel,
    CastVote,
    ChooseCore,
    CloseRound,
    CorrectOffer,
    CorrectRequest,
    DecideMissing,
    Delegate,
    EditDemand,
    EraseWords,
    GiveUpSeat,
    HandBack,
    Proceed,
    Recall,
    RecordBookings,
    RecordCompromise,
    RecordDelivery,
    RecordFeedback,
    RecordGaps,
    RecordOffer,
    RecordOpinion,
    RecordProposal,
    RecordReading,
    RecordRecursion,
    RecordShortlist,
    RecordSubnet,
    RecordUnderstanding,
    Reopen,
    RequestChange,
    SubmitDemand,
    TakeBack,
    TellClash,
)
from engine.negotiation.demand import clarification, gathering
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    EVENTS,
    NegotiationCancelled,
    StopTakenBack,
    WordsErased,
)
from engine.negotiation.fold import apply
from engine.negotiation.offers import collecting, offers, volunteers
from engine.negotiation.plan import bookings, clashes, core
from engine.negotiation.plan.proposals import Stamp, first_proposal
from engine.negotiation.search import gaps, subnets, substitutes
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.steps import STEPS as STEPS
from engine.negotiation.voting import (
    delegation,
    delivery_receipts,
    reminders,
    requests,
    rounds,
    second_opinion,
    votes,
    wishes_read,
)


def evolve(state: Negotiation, event: Event) -> Negotiation:
    """
    Raises:
        IllegalStep: the event cannot happen in this status.
    """
    then = Status(event.status) if isinstance(event, StopTakenBack) else None
    status = STEPS.after(state.status, type(event), then)
    after = apply(state, event)
    return after if status is state.status else replace(after, status=status)


def decide(state: Negotiation, command: Command) -> Decision:
    """
    Raises:
        Refusal: the command may not be. A model's answer or an alarm that comes too late is no refusal: it changes
            nothing.
    """
    handle = _HANDLERS.get(type(command))
    if handle is None:
        raise IllegalStep(f"A negotiation knows no {type(command).__name__}.")
    if not state.exists and handle is not gathering.submit:
        raise IllegalStep("There is no such negotiation; it begins with a demand.")
    recovery.make_up_for_absence(draft := NegotiationDraft(state, evolve), command.at)
    handle(draft, command)
    collecting.after_search(draft, command.at)
    if state.is_open and not draft.state.is_open:
        draft.clears(drafting.DURATION)
        wishes_read.abandon(draft)
        compromise.ask(draft)
        if not isinstance(command, Recall):
            subnets.report(draft)
    clashes.follow(draft, state)
    check_ins.follow(draft, state, command.at)
    return draft.decision()


def _offer(draft: NegotiationDraft, command: RecordOffer) -> None:
    state = draft.state
    if command.agent_id in state.offers:
        return
    if state.status is Status.COLLECTING:
        collecting.twin_offer(draft, command)
    elif state.status is Status.NEGOTIATING:
        rounds.substitute_answered(draft, command)


def _proposal(draft: NegotiationDraft, command: RecordProposal) -> None:
    state = draft.state
    if command.version != len(state.proposals) + 1 or command.corrections != state.corrections:
        return  # too late, or made of offers that people have corrected since
    stamp = Stamp(command.version, iso(command.at))
    if state.status is Status.AGGREGATING:
        if draft.lacks_a_model("aggregate", command):
            return
        proposal = first_proposal(state, command.draft, stamp)
        rounds.start(draft, 1)
        rounds.distribute(draft, proposal, command.at, model=command.model, prompt_hash=command.prompt_hash)
    elif state.status is Status.PROPOSAL_SENT:
        draft.voids(rounds.ADJUST)
        draft.degrade("adjust", command)
        rounds.adjusted(draft, command, stamp)


def _opinion(draft: NegotiationDraft, command: RecordOpinion) -> None:
    if second_opinion.given(draft, command):
        rounds.settle(draft, command.at)


def _corrected_request(draft: NegotiationDraft, command: CorrectRequest) -> None:
    wishes_read.correct(draft, command)
    if draft.state.current is not None:
        rounds.settle(draft, command.at)


def _cancel(draft: NegotiationDraft, command: Cancel) -> None:
    state = draft.state
    if not state.is_owned_by(command.by, as_admin=command.as_admin):
        raise NotAllowed("Only the person who asked, or an admin, can stop this negotiation.")
    if state.is_searching and not state.is_open:
        subnets.stop(draft, command)
        return
    if not state.is_open:
        raise IllegalStep(f"This negotiation is {state.status} already; there is nothing left to stop.")
    is_kept = state.parent is not None or command.by == OPERATOR
    _end(draft, command.at, by=command.by, reason=command.reason, until=0 if is_kept else command.at + undoing.WINDOW)


def _erase_words(draft: NegotiationDraft, command: EraseWords) -> None:
    draft.happens(
        WordsErased(
            **draft.ids,
            by=OPERATOR,
            whose=command.whose,
            people=command.people,
            former_chain=command.former_chain,
        )
    )


def _recall(draft: NegotiationDraft, command: Recall) -> None:
    subnets.check_recall(draft.state)
    if draft.state.is_open:
        _end(draft, command.at, by=command.stopped_by)
    else:
        subnets.release(draft)


def _end(draft: NegotiationDraft, at: Millis, *, by: str, reason: str = "", until: Millis = 0) -> None:
    recovery.abandon(draft)
    draft.happens(NegotiationCancelled(**draft.ids, by=by, reason=reason, at=at, until=until))
    if until:
        undoing.offer(draft, until)


def _delivered(draft: NegotiationDraft, command: CommandDelivered) -> None:
    handlers = (subnets.delivered, reopening.delivered, clashes.delivered)
    if not any(handle(draft, command) for handle in handlers):
        raise IllegalStep(f"A negotiation has sent no {command.name}.")


def _effect_failed(draft: NegotiationDraft, command: EffectFailed) -> None:
    handlers = (subnets.delivered, reopening.delivered, clashes.delivered, compromise.effect_failed)
    if not any(handle(draft, command) for handle in handlers):
        raise Unanswered(f"{command.name} failed for good ({command.why}); stop this negotiation and ask again.")


_ALARMS: Final[Mapping[str, Callable[[NegotiationDraft, AlarmRang], None]]] = {
    drafting.DURATION: recovery.over,
    clarification.QUESTION: clarification.alarm_rang,
    offers.OFFERS: recovery.offers_due,
    rounds.PATIENCE: votes.twins_are_late,
    rounds.CLOSING: votes.time_is_up,
    reminders.HALF_TIME: reminders.alarm_rang,
    substitutes.SUBSTITUTE: substitutes.alarm_rang,
    subnets.SUBNETS: subnets.alarm_rang,
    undoing.UNDO: undoing.alarm_rang,
    check_ins.CHECK_IN: check_ins.alarm_rang,
}
"""By the first part of the alarm's name."""


def _alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    handle = _ALARMS.get(alarm.name.partition("/")[0])
    if handle is None:
        raise IllegalStep(f"A negotiation has set no alarm {alarm.name}.")
    handle(draft, alarm)


_HANDLERS: Final[Mapping[type[Command], Callable[[NegotiationDraft, Any], None]]] = {
    SubmitDemand: gathering.submit,
    EditDemand: gathering.edit,
    DecideMissing: collecting.decide_missing,
    RecordUnderstanding: gathering.understand,
    RecordShortlist: gathering.shortlist,
    RecordOffer: _offer,
    CorrectOffer: collecting.correct_offer,
    RecordProposal: _proposal,
    RecordFeedback: votes.twin_feedback,
    RecordOpinion: _opinion,
    RecordReading: wishes_read.understood,
    CorrectRequest: _corrected_request,
    CastVote: votes.cast_vote,
    HandBack: votes.hand_back,
    RequestChange: requests.request_change,
    Delegate: delegation.delegate,
    RecordDelivery: delivery_receipts.record,
    RecordBookings: clashes.record,
    TellClash: clashes.heed,
    ChooseCore: core.choose,
    CloseRound: votes.close_round,
    Cancel: _cancel,
    EraseWords: _erase_words,
    Proceed: proceeding.proceed,
    TakeBack: undoing.take_back,
    GiveUpSeat: commitments.give_up,
    AnswerCheckIn: check_ins.answer,
    **volunteers.HANDLERS,
    Reopen: reopening.reopen,
    RecordGaps: gaps.identify,
    RecordRecursion: gaps.decide_recursion,
    RecordSubnet: collecting.subnet_ended,
    Recall: _recall,
    RecordCompromise: compromise.offered,
    CommandDelivered: _delivered,
    EffectFailed: _effect_failed,
    AlarmRang: _alarm_rang,
    Recover: recovery.recover,
}


def compose_command(state: Negotiation, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    """Compose the command that another negotiation is sent."""
    match effect.name.partition("/")[0]:
        case reopening.REOPEN:
            compose = reopening.compose_command
        case clashes.TELL | clashes.ANSWER:
            compose = clashes.compose_command
        case _:
            compose = subnets.compose_command
    return compose(state, effect, command_id=command_id, at=at)


RULEBOOK: Final = Rulebook(
    protocol="negotiation",
    initial=Negotiation(),
    decide=decide,
    evolve=evolve,
    events=EVENTS,
    is_open=lambda state: state.is_open,
    stalled_at=recovery.stalled_at,
    ends_machines_time=recovery.ends_machines_time,
    projections=(audit.trail, inbox.agenda, bookings.booked, commitments.promised),
    search=clashes.ClashSearch(),
    hand_over=handover.hand_over,
    forgetter=forgetting.FORGETTER,
    refusals=errors.REFUSALS,
    compose_command=compose_command,
)
