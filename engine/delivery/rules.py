"""What may happen when: the legal steps of a delivery and of each ticket, and which function handles which command.

A handler says what happens; what follows by itself is `advancing`'s, and what is wanted of the world `outstanding`'s.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.delivery import audit, errors, forgetting, inbox, recovery
from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import EVENTS
from engine.delivery.fold import apply
from engine.delivery.outstanding import outstanding
from engine.delivery.planning import leading, opening, planning
from engine.delivery.policy import PROTOCOL
from engine.delivery.review import ending, reviewing
from engine.delivery.state import ENDED, Delivery, Status, TicketStatus
from engine.delivery.terms import TicketEvent
from engine.delivery.tickets import advancing, owners
from engine.delivery.work import advising, discussing, working
from engine.errors import IllegalStep
from engine.kernel import (
    OPERATOR,
    AlarmRang,
    ChangePlace,
    Command,
    CommandDelivered,
    Decision,
    EffectFailed,
    Event,
    Recover,
    Rulebook,
    Transitions,
)

OPEN: Final = (Status.CLARIFYING, Status.PLANNING, Status.WORKING, Status.REPORTING)

STEPS: Final = Transitions(
    Status.NEW,
    {
        (Status.NEW, happened.DeliveryOpened): (Status.CLARIFYING, Status.PLANNING),
        (Status.CLARIFYING, happened.ClarificationAsked): Status.CLARIFYING,
        (Status.CLARIFYING, happened.ClarificationAnswered): Status.CLARIFYING,
        (Status.CLARIFYING, happened.ClarificationClosed): Status.PLANNING,
        (Status.PLANNING, happened.PlanRefused): Status.PLANNING,
        (Status.PLANNING, happened.PlanReceived): Status.WORKING,
        (Status.WORKING, happened.BudgetSpent): Status.WORKING,
        **{(each, happened.ReportBegun): Status.REPORTING for each in OPEN if each is not Status.REPORTING},
        (Status.REPORTING, happened.FinalReportWritten): Status.REPORTING,
        (Status.REPORTING, happened.DeliveryEnded): (Status.COMPLETED, Status.INCOMPLETE),
        **{(each, happened.RolesChanged): each for each in OPEN},
        **{(each, happened.BudgetRaised): each for each in OPEN},
        **{(each, happened.EnvelopeRejected): each for each in Status if each is not Status.NEW},
        **{(each, event): each for each in Status for event in (happened.WordsErased, happened.PlaceChanged)},
        **{(Status.WORKING, each): Status.WORKING for each in EVENTS.values() if issubclass(each, TicketEvent)},
    },
    ends=ENDED,
)
"""Of the whole."""

PENDING, DISCUSSING, IN_PROGRESS = TicketStatus.PENDING, TicketStatus.DISCUSSING, TicketStatus.IN_PROGRESS
BLOCKED, AWAITING_REVIEW, ERROR = TicketStatus.BLOCKED, TicketStatus.AWAITING_REVIEW, TicketStatus.ERROR
DONE, DROPPED = TicketStatus.DONE, TicketStatus.DROPPED
UNSETTLED: Final = (PENDING, DISCUSSING, IN_PROGRESS, BLOCKED, AWAITING_REVIEW, ERROR)

TICKET_STEPS: Final = Transitions(
    PENDING,
    {
        (PENDING, happened.ProposalNeeded): DISCUSSING,
        (DISCUSSING, happened.ProposalMade): DISCUSSING,
        (DISCUSSING, happened.ProposalAnswered): DISCUSSING,
        (DISCUSSING, happened.ProposalUnanswered): DISCUSSING,
        (PENDING, happened.InstructionGiven): IN_PROGRESS,
        (DISCUSSING, happened.InstructionGiven): IN_PROGRESS,
        (IN_PROGRESS, happened.InstructionGiven): IN_PROGRESS,
        (BLOCKED, happened.InstructionGiven): IN_PROGRESS,
        (IN_PROGRESS, happened.WorkStarted): IN_PROGRESS,
        (IN_PROGRESS, happened.WorkClaimed): IN_PROGRESS,
        (IN_PROGRESS, happened.AttemptFailed): IN_PROGRESS,
        (IN_PROGRESS, happened.PermissionAsked): IN_PROGRESS,
        (IN_PROGRESS, happened.PermissionAnswered): IN_PROGRESS,
        (IN_PROGRESS, happened.WorkBlocked): BLOCKED,
        (IN_PROGRESS, happened.WorkReported): AWAITING_REVIEW,
        (IN_PROGRESS, happened.TicketFailed): ERROR,
        (IN_PROGRESS, happened.ReviewGiven): DONE,
        (BLOCKED, happened.Unblocked): IN_PROGRESS,
        (BLOCKED, happened.TicketFailed): ERROR,
        **{(each, happened.AdviceGiven): each for each in (IN_PROGRESS, BLOCKED)},
        (AWAITING_REVIEW, happened.ReviewGiven): (DONE, IN_PROGRESS),
        (DONE, happened.ReviewGiven): IN_PROGRESS,
        **{(each, happened.EvidenceOpened): each for each in (AWAITING_REVIEW, IN_PROGRESS)},
        **{(each, happened.TicketReset): PENDING for each in (ERROR, IN_PROGRESS)},
        **{(each, happened.TicketDropped): DROPPED for each in UNSETTLED},
        **{(each, happened.CheckingChanged): each for each in UNSETTLED},
        **{(each, happened.PersonNeeded): each for each in UNSETTLED},
        **{(each, happened.OwnerChanged): each for each in UNSETTLED if each is not BLOCKED},
        (BLOCKED, happened.OwnerChanged): (BLOCKED, IN_PROGRESS),
        **{(each, happened.HandOverAsked): each for each in UNSETTLED},
        **{(each, happened.HandOverDeclined): each for each in UNSETTLED},
        (PENDING, happened.DependencyLate): PENDING,
        **{(each, happened.OwnerReminded): each for each in UNSETTLED},
        **{(each, happened.TicketOverdue): each for each in UNSETTLED},
    },
    ends=(DONE, DROPPED),
)
"""Of one ticket (seed 002, section 7.3)."""


def evolve(state: Delivery, event: Event) -> Delivery:
    """Return the state after an event."""
    after = apply(state, event)
    STEPS.after(state.status, type(event), after.status)
    if isinstance(event, TicketEvent) and not isinstance(event, happened.TicketAdded):
        before, then = state.tickets[event.ticket_id], after.tickets[event.ticket_id]
        TICKET_STEPS.after(before.status, type(event), then.status)
    return after


def decide(state: Delivery, command: Command) -> Decision:
    """Decide what follows from a command."""
    handle = _HANDLERS.get(type(command))
    if handle is None:
        raise IllegalStep(f"A delivery knows no {type(command).__name__}.")
    if not state.exists and handle is not opening.opened:
        raise IllegalStep("There is no such delivery; it begins with what is to be carried out.")
    draft = DeliveryDraft(state, evolve)
    handle(draft, command)
    advancing.advance(draft, command.at)
    if draft.state is not state:
        draft.settle(outstanding(state), outstanding(draft.state))
    return draft.decision()


def _erase_words(draft: DeliveryDraft, command: asked.EraseWords) -> None:
    draft.happens(
        happened.WordsErased(**draft.ids, by=OPERATOR, whose=command.whose, former_chain=command.former_chain)
    )


def _change_place(draft: DeliveryDraft, command: ChangePlace) -> None:
    if command.changes(draft.state.place):
        draft.happens(happened.PlaceChanged(**draft.ids, channel=command.channel, shared=command.shared))


_HANDLERS: Final[Mapping[type[Command], Callable[[DeliveryDraft, Any], None]]] = {
    asked.OpenDelivery: opening.opened,
    asked.AnswerClarification: opening.answered,
    asked.RecordClarification: opening.recorded,
    asked.RecordPlan: planning.recorded,
    asked.RecordProposal: discussing.proposed,
    asked.RecordDiscussion: discussing.discussed,
    asked.AnswerProposal: discussing.answered,
    asked.RecordInstruction: discussing.recorded,
    asked.RecordWords: working.words_recorded,
    asked.RecordWork: working.recorded,
    asked.RecordReview: reviewing.recorded,
    asked.RecordAdvice: advising.recorded,
    asked.RecordFinalReport: ending.reported,
    asked.StartTicket: owners.start,
    asked.BlockTicket: owners.block,
    asked.FinishTicket: owners.finish,
    asked.HandTicketOver: owners.hand_over,
    asked.TakeTicket: owners.take,
    asked.DeclineTicket: owners.decline,
    asked.OwnerUnreachable: owners.unreachable,
    asked.CheckerUnreachable: reviewing.unreachable,
    asked.ReviewTicket: reviewing.decided,
    asked.OpenEvidence: reviewing.opened,
    asked.AnswerBlock: leading.answer_block,
    asked.AnswerPermission: owners.answer,
    asked.AddTicket: leading.add,
    asked.DropTicket: leading.drop,
    asked.ChangeChecking: leading.change_checking,
    asked.ChangeOwner: leading.change_owner,
    asked.ResetTicket: leading.reset,
    asked.RaiseBudget: leading.raise_budget,
    asked.StopDelivery: leading.stop,
    asked.ChangeRoles: opening.roles_changed,
    asked.RejectEnvelope: working.rejected,
    asked.EraseWords: _erase_words,
    ChangePlace: _change_place,
    CommandDelivered: opening.origin_told,
    EffectFailed: recovery.effect_failed,
    AlarmRang: recovery.alarm_rang,
    Recover: recovery.recover,
}


RULEBOOK: Final = Rulebook(
    protocol=PROTOCOL,
    initial=Delivery(),
    decide=decide,
    evolve=evolve,
    events=EVENTS,
    is_open=lambda state: state.is_open,
    stalled_at=recovery.stalled_at,
    projections=(audit.trail, inbox.tickets),
    compose_command=opening.compose_command,
    forgetter=forgetting.FORGETTER,
    refusals=errors.REFUSALS,
)
