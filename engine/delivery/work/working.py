"""What became of an attempt: proof, a failure, something that is missing, or a question for leave."""

from typing import Any, Final

from engine.delivery.commands import RecordWords, RecordWork, RejectEnvelope
from engine.delivery.drafting import DeliveryDraft, later
from engine.delivery.events import (
    AttemptFailed,
    EnvelopeRejected,
    PermissionAsked,
    WorkBlocked,
    WorkClaimed,
    WorkReported,
)
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import Evidence, FailureCode
from engine.delivery.work.proof import lacking
from engine.kernel import Millis

# ── envelopes that are none ───────────────────────────────────────────────────────────────────────────────────────────
# Envelopes that are none: written down, and nothing moves.


def rejected(draft: DeliveryDraft, command: RejectEnvelope) -> None:
    draft.happens(
        EnvelopeRejected(
            **draft.ids,
            source=command.source,
            payload_type=command.payload_type,
            code=command.code,
            message=command.message,
            ticket_id=command.ticket_id if command.ticket_id in draft.state.tickets else "",
            at=command.at,
        )
    )


# ── what became of an attempt ─────────────────────────────────────────────────────────────────────────────────────────


INCURABLE: Final = frozenset({"budget", "role_missing", "workers_off", "not_isolated", "misconfigured"})
"""What the same attempt, made again, would fail by again."""


def recorded(draft: DeliveryDraft, command: RecordWork) -> None:
    for fault in command.rejected:
        rejected(draft, fault)
    ticket = draft.state.tickets.get(command.ticket_id)
    if ticket is None or not is_under_way(ticket, command.attempt):
        return
    told: dict[str, Any] = {
        "attempt": command.attempt,
        "by": ticket.attempts[-1].by,
        "cost": command.cost,
        "agent_session": command.agent_session,
        "worker": command.worker,
    }
    if command.failure is not None:
        fail(
            draft,
            ticket,
            command.failure,
            command.at,
            detail=command.detail,
            artifacts=command.artifacts,
            checks=command.checks,
            **told,
        )
    elif command.permission is not None:
        draft.happens(PermissionAsked(**draft.of(ticket, command.at), permission=command.permission, **told))
    elif command.issues and not command.artifacts:
        draft.happens(
            WorkBlocked(**draft.of(ticket, command.at), issues=command.issues, summary=command.summary, **told)
        )
    elif code := lacking(ticket, command.artifacts, command.checks):
        # Whoever ran it has looked already; a claim without proof is none, whoever makes it.
        fail(draft, ticket, code, command.at, artifacts=command.artifacts, checks=command.checks, **told)
    else:
        claim = ticket.claim
        draft.happens(
            WorkReported(
                **draft.of(ticket, command.at),
                summary=command.summary or (claim.summary if claim else ""),
                artifacts=command.artifacts,
                checks=command.checks,
                issues=command.issues,
                next_actions=command.next_actions or (claim.next_actions if claim else ()),
                **told,
            )
        )


def words_recorded(draft: DeliveryDraft, command: RecordWords) -> None:
    """Take what a model has written as its claim, whose outputs are registered like anybody's."""
    ticket = draft.state.tickets.get(command.ticket_id)
    if ticket is None or not is_under_way(ticket, command.number) or ticket.claim is not None:
        return
    answer, by = command.answer, ticket.attempts[-1].by
    told: dict[str, Any] = {"attempt": command.number, "by": by, "cost": command.cost}
    if answer is None:
        fail(draft, ticket, "model_failed", command.at, detail=command.error, **told)
        return
    written = tuple(
        Evidence(label=output.label, text=text)
        for output, text in zip(ticket.task.outputs, answer.outputs, strict=False)
        if text.strip()
    )
    if not written and answer.issues:
        draft.happens(WorkBlocked(**draft.of(ticket, command.at), issues=answer.issues, **told))
    elif len(written) < len(ticket.task.outputs):
        fail(draft, ticket, "evidence_missing", command.at, **told)
    else:
        draft.happens(
            WorkClaimed(
                **draft.of(ticket, command.at),
                evidence=written,
                next_actions=answer.next_actions,
                model=command.model,
                prompt_hash=command.prompt_hash,
                **told,
            )
        )


def is_under_way(ticket: Ticket, attempt: int) -> bool:
    running = ticket.running
    return ticket.status is TicketStatus.IN_PROGRESS and running is not None and running.number == attempt


def fail(draft: DeliveryDraft, ticket: Ticket, code: FailureCode, at: Millis, **told: Any) -> None:
    """End an attempt that came to nothing; the next one begins by itself while there are any left."""
    retry_at = 0 if ticket.is_a_persons else _retry_at(draft.state, ticket, code, at)
    draft.happens(AttemptFailed(**draft.of(ticket, at), code=code, retry_at=retry_at, **told))


def _retry_at(state: Delivery, ticket: Ticket, code: FailureCode, at: Millis) -> Millis:
    policy = state.policy
    if code == "interrupted":
        return at if ticket.interruptions < policy.interruptions else 0
    if code in INCURABLE or ticket.failures >= policy.retries:
        return 0
    return later(at, policy.retry_backoff * 2**ticket.failures)
