"""Which audit records the commands of people in a delivery leave."""

from typing import Final

from engine.delivery import commands as asked
from engine.delivery.state import Delivery
from engine.kernel import Command, Handled, Record
from engine.projections.audit_records import did

ACTS: Final[dict[type[Command], str]] = {
    asked.OpenDelivery: "carry_out",
    asked.AnswerClarification: "answer_questions",
    asked.StartTicket: "start_ticket",
    asked.BlockTicket: "block_ticket",
    asked.FinishTicket: "finish_ticket",
    asked.AnswerProposal: "answer_proposal",
    asked.HandTicketOver: "hand_ticket_over",
    asked.TakeTicket: "take_ticket",
    asked.DeclineTicket: "decline_ticket",
    asked.ReviewTicket: "review_ticket",
    asked.OpenEvidence: "open_evidence",
    asked.AnswerBlock: "answer_block",
    asked.AnswerPermission: "answer_permission",
    asked.AddTicket: "add_ticket",
    asked.DropTicket: "drop_ticket",
    asked.ChangeOwner: "change_owner",
    asked.ChangeChecking: "change_checking",
    asked.ResetTicket: "reset_ticket",
    asked.RaiseBudget: "raise_budget",
    asked.StopDelivery: "stop",
}
"""What a person does, in contrast to a model's answer, a worker's outcome or an alarm."""


def trail(handled: Handled[Delivery]) -> tuple[Record, ...]:
    """Return the record of what a person did; any other command leaves none."""
    act = ACTS.get(type(handled.command))
    return () if act is None else did(handled, act, _choice(handled.command))


def _choice(command: Command) -> str:
    match command:
        case asked.AnswerPermission():
            return f"{command.ticket_id} {command.choice}"
        case asked.ReviewTicket():
            return f"{command.ticket_id} {'approve' if command.approves else 'request_changes'}"
        case asked.OwnersCommand() | asked.TakeTicket() | asked.DeclineTicket():
            return command.ticket_id
        case asked.OpenEvidence():
            return f"{command.ticket_id} {command.report}.{command.output}"
        case asked.DecidersCommand():
            return command.ticket_id
        case _:
            return ""
