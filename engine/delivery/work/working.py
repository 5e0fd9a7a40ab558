"""What became of an attempt: proof, a failure, something that is missing, or a question for leave."""

import re
from collections.abc import Sequence
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
from engine.delivery.terms import MANAGER, Artifact, CheckRun, Evidence, FailureCode, ReviewDecision
from engine.kernel import Millis

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")


def lacking(ticket: Ticket, artifacts: Sequence[Artifact], checks: Sequence[CheckRun]) -> FailureCode | None:
    """Return what a claim lacks; None where it is proven."""
    there = {each.label for each in artifacts if _is_registered(each)}
    if any(each.label not in there for each in ticket.task.outputs):
        return "evidence_missing"
    if any(not each.has_passed for each in checks):
        return "check_failed"
    if ticket.task.check and all(each.name != ticket.task.check for each in checks):
        return "check_failed"
    return None


def can_be_read(ticket: Ticket) -> bool:
    """Whether all that was reported can be looked at without opening anything: its text is known to the end, or code
    has checked it. A link never can.
    """
    report = ticket.report
    if report is None:
        return False
    said = {each.label for each in ticket.shown if each.text}
    is_checked = bool(report.checks) and all(each.has_passed for each in report.checks)
    return all(
        not each.is_link and (is_checked or each.label in said or _is_known_whole(each)) for each in report.artifacts
    )


def _is_known_whole(artifact: Artifact) -> bool:
    """Whether what is kept of a text is all of it: nobody approves what they have read a part of."""
    return bool(artifact.beginning.strip()) and len(artifact.beginning.encode()) >= artifact.size_bytes


LONGEST_ON_CARD: Final = 300
"""Characters of a text that a card shows whole."""


def on_card(ticket: Ticket, artifact: Artifact) -> str:
    """Return the text that was shown for an output, as far as a card shows it whole; else it is to be opened."""
    text = next((each.text for each in ticket.shown if each.label == artifact.label), "").strip()
    return text if not artifact.is_link and len(text) <= LONGEST_ON_CARD else ""


def unread(ticket: Ticket, user: str) -> tuple[Artifact, ...]:
    """Return what was shown in the latest report and somebody has not opened."""
    return tuple(ticket.artifacts[number - 1] for number in unread_numbers(ticket, user))


def unread_numbers(ticket: Ticket, user: str) -> tuple[int, ...]:
    """Return the same by its numbers, from 1."""
    report = ticket.report
    if report is None:
        return ()
    return tuple(
        number
        for number, each in enumerate(report.artifacts, 1)
        if not on_card(ticket, each) and (user, number) not in report.opened
    )


def approved_unread(ticket: Ticket) -> tuple[Artifact, ...]:
    """Return what a person who has approved the latest report had not opened."""
    review = ticket.report.review if ticket.report else None
    if review is None or review.decision is not ReviewDecision.APPROVED or review.by == MANAGER:
        return ()
    return unread(ticket, review.by)


def _is_registered(artifact: Artifact) -> bool:
    return bool(artifact.uri and _DIGEST.fullmatch(artifact.digest)) and artifact.size_bytes > 0


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
