"""The result of a delivery as one object, for ``towow deliver --json``."""

from typing import Any

from engine.delivery.state import Delivery, Ticket
from engine.kernel import iso, plain


def result(state: Delivery) -> dict[str, Any]:
    """Return JSON values: the status and why it ended, each ticket with what was made, the report, and the cost."""
    report = state.report
    return {
        "session_id": state.session_id,
        "title": state.brief.title,
        "status": plain(state.status),
        "reason": plain(state.reason) if state.reason else "",
        "ended_at": iso(state.ended_at) if state.ended_at else "",
        "tickets": [_ticket(each) for each in state.tickets.values()],
        "report": {
            "summary": report.summary if report else "",
            "learned": [*report.learned] if report else [],
            "next_steps": [*report.next_steps] if report else [],
        },
        "cost": {
            "input_tokens": state.spent.input_tokens,
            "output_tokens": state.spent.output_tokens,
            "usd": state.spent.usd,
        },
    }


def _ticket(ticket: Ticket) -> dict[str, Any]:
    owner = ticket.owner
    return {
        "ticket_id": ticket.ticket_id,
        "task_id": ticket.task.task_id,
        "title": ticket.task.title,
        "owner": owner.user_id or owner.role_id,
        "status": plain(ticket.status),
        "attempts": len(ticket.attempts),
        "dependencies": [*ticket.task.depends_on],
        "artifacts": [
            {
                "label": each.label,
                "uri": each.uri,
                "digest": each.digest,
                "content_type": each.content_type,
                "size_bytes": each.size_bytes,
            }
            for each in ticket.artifacts
        ],
    }
