"""How a delivery is described in the log, in metrics, on the demo's page and in replays.

Nothing here quotes anybody's words.
"""

import logging
from typing import Final

from bot.descriptions import Descriptions, Ending, Fields, LogLine, Names, plain_line
from engine.delivery import events as said
from engine.delivery.events import EVENTS
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, TicketStatus
from engine.delivery.terms import TicketEvent
from engine.kernel import Event, Millis

UNLOGGED: Final = frozenset(
    each.event_type
    for each in (
        said.ProposalNeeded, said.ProposalMade, said.ProposalAnswered, said.InstructionGiven, said.WorkClaimed,
        said.AdviceGiven, said.EvidenceOpened, said.OwnerReminded, said.HandOverAsked, said.HandOverDeclined,
        said.ClarificationAnswered, said.ClarificationClosed, said.FinalReportWritten, said.WordsErased,
        said.PlaceChanged,
    )
)  # fmt: skip

DEADLINES: Final = {
    "clarify": "Questions that nobody has answered are not waited for any longer",
    "end": "It has lasted too long: what there is is summed up",
    "retry": "An attempt that failed is begun again",
    "discuss": "Whoever was asked about a proposal is not waited for any longer",
    "late": "It is told that a ticket has waited for long",
    "remind": "A ticket’s owner is reminded",
    "due": "A ticket’s last day is over",
}
"""What happens then, by the alarm's name up to its first dash."""


def log_line(event: Event) -> LogLine:
    match event:
        case said.DeliveryOpened():
            fields = {"origin": event.brief.origin, "is_planned": event.is_planned, "roles": len(event.roles)}
            return LogLine("something is carried out", fields)
        case said.PlanReceived():
            return LogLine("a plan became tickets", {"tickets": len(event.tasks), "by": str(event.by)})
        case said.PlanRefused():
            return LogLine("a plan cannot be carried out", {"faults": len(event.faults)}, logging.WARNING)
        case said.AttemptFailed():
            fields = {"ticket": event.ticket_id, "attempt": event.attempt, "why": event.code}
            return LogLine("an attempt failed", fields, logging.WARNING)
        case said.EnvelopeRejected():
            fields = {"source": event.source, "ticket": event.ticket_id, "code": event.code}
            return LogLine("an envelope was invalid and moved nothing", fields, logging.WARNING)
        case said.BudgetSpent():
            return LogLine("a delivery has cost what it may", {}, logging.WARNING)
        case said.DeliveryEnded():
            return LogLine("a delivery ended", {"complete": event.is_complete, "why": str(event.reason)})
        case TicketEvent():
            return _of_ticket(event)
        case _:
            return plain_line(event)


def _of_ticket(event: TicketEvent) -> LogLine:
    ticket = {"ticket": event.ticket_id}
    match event:
        case said.OwnerChanged():
            return LogLine("a ticket has another owner", ticket | {"why": event.why or "decided"})
        case said.WorkStarted():
            return LogLine("an attempt began", ticket | {"attempt": event.attempt})
        case said.WorkReported():
            return LogLine("a ticket was reported with proof", ticket | {"artifacts": len(event.artifacts)})
        case said.WorkBlocked():
            return LogLine("a ticket is blocked", ticket)
        case said.PermissionAsked():
            fields = ticket | {"kind": event.permission.kind, "digest": event.permission.digest}
            return LogLine("an agent asks for leave", fields)
        case said.PermissionAnswered():
            return LogLine("leave was answered", ticket | {"choice": str(event.choice), "digest": event.digest})
        case said.PersonNeeded():
            return LogLine("a ticket waits for a person", ticket | {"need": str(event.need)})
        case said.ReviewGiven():
            return LogLine("a ticket was reviewed", ticket | {"decision": str(event.decision)})
        case said.TicketFailed():
            return LogLine("a ticket failed", ticket | {"why": event.code or ""}, logging.WARNING)
        case said.TicketAdded():
            return LogLine("a ticket was added", ticket)
        case said.CheckingChanged():
            return LogLine("a ticket’s risk or its approval was settled", ticket)
        case said.TicketDropped():
            return LogLine("a ticket was dropped", ticket)
        case _:
            return plain_line(event)


def summary(event: Event, _at: Millis, _names: Names) -> str:
    match event:
        case said.PlanReceived():
            return f"{len(event.tasks)} tickets, by {event.by}"
        case said.AttemptFailed():
            return f"{event.ticket_id} attempt {event.attempt}: {event.code}".replace("_", " ")
        case said.WorkReported():
            return f"{event.ticket_id} with {len(event.artifacts)} results"
        case said.ReviewGiven():
            return f"{event.ticket_id} {event.decision}".replace("_", " ")
        case said.PersonNeeded():
            return f"{event.ticket_id}: {event.need}"
        case said.PermissionAnswered():
            return f"{event.ticket_id} {event.choice}".replace("_", " ")
        case said.ReportBegun() | said.DeliveryEnded():
            return event.reason.replace("_", " ")
        case TicketEvent():
            return event.ticket_id
        case _:
            return ""


def deadline(alarm: str, _names: Names) -> str:
    return DEADLINES.get(alarm.partition("-")[0], alarm)


def _ending(fields: Fields) -> Ending:
    reason = str(fields["reason"])
    if reason in ("stopped", "forgotten"):
        return Ending(reason)
    return Ending(reason, is_success=bool(fields["is_complete"]))


def public_payload(_event_type: str, fields: Fields) -> dict[str, object]:
    """All that is left without private fields: numbers, ids and codes."""
    return dict(fields)


def status(state: Delivery) -> str:
    if not state.tickets:
        return f"{state.status}"
    done = sum(each.status is TicketStatus.DONE for each in state.tickets.values())
    return f"{state.status}, {done} of {len(state.tickets)} tickets done"


DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol,
    EVENTS,
    plural="deliveries",
    log_line=log_line,
    unlogged=UNLOGGED,
    endings={said.DeliveryEnded.event_type: _ending},
    success="Of the deliveries that ended by themselves, the part in which everything was done",
    public_payload=public_payload,
    summary=summary,
    actors=("by", "requester_id"),
    deadline=deadline,
    distant_alarms=frozenset({"end"}),
    status=status,
    leaving={"StopDelivery": "it is stopped"},
    in_every_event=frozenset({"session_id"}),
)
