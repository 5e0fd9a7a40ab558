"""Goes on where something does not come: effects that failed or were lost, alarms, and time that is over."""

from typing import Any, Final

from engine.delivery import commands as asked
from engine.delivery.drafting import DeliveryDraft, later
from engine.delivery.events import DependencyLate, OwnerReminded, TicketOverdue
from engine.delivery.outstanding import CLARIFY, DISCUSS, DUE, END, LATE, REMIND, due_at, effects, is_to_remind
from engine.delivery.planning import opening, planning
from engine.delivery.review import ending, reviewing
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import EndReason
from engine.delivery.work import advising, discussing, working
from engine.kernel import AlarmRang, Ask, EffectFailed, Millis, Recover, RegisterOutputs, RunWorker

GRACE: Final = 600.0
"""Seconds beyond what an attempt may take, after which an outcome that has not come is lost."""


def stalled_at(state: Delivery, since: Millis) -> Millis | None:
    """Return when it counts as stalled, if nothing has happened since then: while a machine is waited for."""
    if not state.is_open or not effects(state):
        return None
    return later(since, state.policy.attempt_timeout + state.policy.permission_wait + GRACE)


def recover(draft: DeliveryDraft, command: Recover) -> None:
    """Owe again what was lost."""
    for name, effect in effects(draft.state).items():
        if name not in command.running:
            draft.owes(effect)


def effect_failed(draft: DeliveryDraft, command: EffectFailed) -> None:
    """Take what was tried as often as it may be for what did not come."""
    effect = effects(draft.state).get(command.name)
    told: dict[str, Any] = {"command_id": command.command_id, "at": command.at}
    number = int(command.name.rpartition("-")[2]) if effect is not None else 0
    match effect:
        case RunWorker(purpose="discuss"):
            about = effect.about
            discussing.discussed(draft, asked.RecordDiscussion(ticket_id=about, number=number, answer=None, **told))
        case RunWorker():
            working.recorded(
                draft,
                asked.RecordWork(ticket_id=effect.about, attempt=number, failure="interrupted", **told),
            )
        case RegisterOutputs():
            working.recorded(
                draft,
                asked.RecordWork(ticket_id=effect.about, attempt=number, failure="artifact_refused", **told),
            )
        case Ask():
            _not_answered(draft, effect, number, {**told, "error": command.why})
        case _:
            pass


def _not_answered(draft: DeliveryDraft, ask: Ask, number: int, told: dict[str, Any]) -> None:
    about: dict[str, Any] = {"ticket_id": ask.about, "number": number, "answer": None, **told}
    match ask.prompt:
        case "clarify":
            opening.recorded(draft, asked.RecordClarification(number=number, answer=None, **told))
        case "plan":
            planning.recorded(draft, asked.RecordPlan(number=number, answer=None, **told))
        case "report":
            ending.reported(draft, asked.RecordFinalReport(answer=None, **told))
        case "propose":
            discussing.proposed(draft, asked.RecordProposal(**about))
        case "discuss":
            discussing.discussed(draft, asked.RecordDiscussion(**about))
        case "instruct":
            discussing.recorded(draft, asked.RecordInstruction(**about))
        case "work":
            working.words_recorded(draft, asked.RecordWords(**about))
        case "review":
            reviewing.recorded(draft, asked.RecordReview(**about))
        case "advise":
            advising.recorded(draft, asked.RecordAdvice(**about))
        case _:
            pass


def alarm_rang(draft: DeliveryDraft, alarm: AlarmRang) -> None:
    """Do what an alarm is for. A retry needs no more than that somebody looks, which follows every command."""
    if alarm.name == CLARIFY:
        opening.time_is_up(draft, alarm.at)
        return
    if alarm.name == END:
        _time_is_up(draft, alarm.at)
        return
    word, _, ticket_id = alarm.name.partition("-")
    ticket = draft.state.tickets.get(ticket_id)
    if draft.state.status is not Status.WORKING or ticket is None or not ticket.is_open:
        return
    match word:
        case _ if word == DISCUSS:
            discussing.time_is_up(draft, ticket_id, alarm.at)
        case _ if word == LATE:
            _dependency_late(draft, ticket, alarm.at)
        case _ if word == REMIND and is_to_remind(ticket):
            draft.happens(OwnerReminded(**draft.of(ticket, alarm.at)))
        case _ if word == DUE and not ticket.overdue and is_over(draft.state, ticket, alarm.at):
            draft.happens(TicketOverdue(**draft.of(ticket, alarm.at)))
        case _:
            pass


def is_over(state: Delivery, ticket: Ticket, at: Millis) -> bool:
    due = due_at(state, ticket)
    return due is not None and at >= due


def _dependency_late(draft: DeliveryDraft, ticket: Ticket, at: Millis) -> None:
    waits = draft.state.waits_for(ticket)
    if ticket.status is TicketStatus.PENDING and waits and not ticket.late_told:
        draft.happens(DependencyLate(**draft.of(ticket, at), waits_for=tuple(each.ticket_id for each in waits)))


def _time_is_up(draft: DeliveryDraft, at: Millis) -> None:
    state = draft.state
    if state.status is Status.WORKING and at >= state.until:
        ending.stop(draft, EndReason.TIME_IS_UP, at)
