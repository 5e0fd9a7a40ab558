"""A delivery for programs: JSON of a shape that stays."""

from bot.views.delivery.export.shape import (
    Attempt,
    Brief,
    Check,
    DecisionMade,
    Export,
    Output,
    Report,
    Ticket,
    Worker,
)
from engine.delivery import state as states
from engine.delivery import terms
from engine.delivery.outstanding import is_high_risk
from engine.delivery.state import Delivery
from engine.delivery.work.working import approved_unread
from engine.kernel import Millis, iso


def as_json(state: Delivery) -> str:
    return exported(state).model_dump_json(indent=2) + "\n"


def exported(state: Delivery) -> Export:
    brief, report = state.brief, state.report
    return Export(
        session_id=state.session_id,
        asked_by=state.requester_id,
        status=state.status,
        reason=state.reason,
        planned_by=state.planned_by,
        brief=Brief(
            title=brief.title,
            goal=brief.goal,
            origin=brief.origin or None,
            time_zone=brief.time_zone,
            ends=brief.ends or None,
        ),
        opened_at=iso(state.opened_at),
        ended_at=_time(state.ended_at),
        tickets=tuple(_ticket(state, each) for each in state.tickets.values()),
        report=Report(summary=report.summary, learned=report.learned, next_steps=report.next_steps) if report else None,
    )


def _time(at: Millis) -> str | None:
    return iso(at) if at else None


def _ticket(state: Delivery, ticket: states.Ticket) -> Ticket:
    task, report = ticket.task, ticket.report
    needed = (state.ticket_of(each) for each in task.depends_on)
    review = report.review if report else None
    is_approved = review is not None and review.decision is terms.ReviewDecision.APPROVED
    return Ticket(
        ticket_id=ticket.ticket_id,
        task_id=task.task_id,
        title=task.title,
        description=task.description,
        status=ticket.status,
        owner=_worker(ticket.owner),
        depends_on=tuple(each.ticket_id for each in needed if each is not None),
        deadline=task.deadline or None,
        expected_outputs=tuple(each.label for each in task.outputs),
        acceptance=task.acceptance,
        risk="high" if is_high_risk(state, ticket) else "low",
        risk_reason=task.risk_reason,
        checked_by=task.checked_by or None,
        summary=report.summary if report else "",
        outputs=tuple(_output(each) for each in ticket.artifacts),
        checks=tuple(Check(name=each.name, has_passed=each.has_passed) for each in (report.checks if report else ())),
        approved_by=review.by if review and is_approved else None,
        unread=tuple(each.label for each in approved_unread(ticket)),
        attempts=tuple(_attempt(each) for each in ticket.attempts),
        decisions=tuple(_decision(each) for each in ticket.decisions),
        input_tokens=ticket.spent.input_tokens,
        output_tokens=ticket.spent.output_tokens,
        usd=ticket.spent.usd,
    )


def _worker(owner: terms.Owner) -> Worker:
    return Worker(kind=owner.kind, user_id=owner.user_id or None, role_id=owner.role_id or None, name=owner.name)


def _output(artifact: terms.Artifact) -> Output:
    return Output(
        label=artifact.label,
        uri=artifact.uri,
        digest=artifact.digest,
        content_type=artifact.content_type,
        size_bytes=artifact.size_bytes,
        is_link=artifact.is_link,
    )


def _attempt(attempt: states.Attempt) -> Attempt:
    return Attempt(
        number=attempt.number,
        by=attempt.by,
        started_at=iso(attempt.started_at),
        ended_at=_time(attempt.ended_at),
        outcome=attempt.outcome,
    )


def _decision(asked: states.AskedDecision) -> DecisionMade:
    return DecisionMade(
        need=asked.need,
        text=asked.text,
        outcome=asked.outcome,
        by=asked.by or None,
        at=_time(asked.settled_at),
    )
