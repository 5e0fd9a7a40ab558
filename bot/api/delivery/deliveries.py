"""Deliveries over HTTP: how one stands, what was made in it, and its events."""

from typing import Final

from aiohttp import web

from bot.api.context import Call
from bot.api.delivery.lookup import NAMED, as_told
from bot.api.delivery.schemas import (
    ArtifactTold,
    DeliveryTold,
    FinalTold,
    OwnerTold,
    PermissionTold,
    QuestionsAsked,
    ReviewTold,
    TicketTold,
)
from bot.api.events import follow
from engine.delivery.errors import UnknownTicket
from engine.delivery.outstanding import is_high_risk
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.work.proof import approved_unread
from engine.errors import IllegalStep, UnknownStream
from engine.workers.outputs import OutputRefused

SAFE_TYPES: Final = frozenset({"text/plain", "text/markdown", "text/csv", "application/json", "application/pdf"})
"""Sent as what they are; anything else is only bytes, so that no browser runs it."""
BYTES: Final = "application/octet-stream"


async def delivery(call: Call) -> DeliveryTold:
    return told(await as_told(call, await NAMED.readable(call)))


async def delivery_events(call: Call) -> web.StreamResponse:
    state = await NAMED.readable(call)
    return await follow(call, state.session_id, call.reader(RULEBOOK.protocol, state))


async def artifact(call: Call) -> web.Response:
    """Send what was made, as it was registered.

    Raises:
        UnknownTicket, UnknownStream: there is no such thing, or it is not theirs to read.
        IllegalStep: it is a link, or is not what was registered any more.
        StoreError, TimeoutError
    """
    state = await NAMED.readable(call)
    if not call.reader(RULEBOOK.protocol, state).is_told_all:
        raise UnknownStream("What was made in this delivery is not yours to read.")
    ticket = state.tickets.get(call.path["ticket_id"])
    if ticket is None:
        raise UnknownTicket(f"This delivery has no ticket {call.path['ticket_id']}.")
    said = call.path["number"]
    place = int(said) if said.isdecimal() and len(said) < 5 else 0
    if not 0 < place <= len(ticket.artifacts):
        raise UnknownTicket(f"{ticket.ticket_id} has {len(ticket.artifacts)} artifacts.")
    found = ticket.artifacts[place - 1]
    if found.is_link:
        raise IllegalStep("Only its address is known; open it yourself.")
    try:
        content = await call.context.services.workers.artifact(state.session_id, found.uri, found.digest)
    except OutputRefused as refused:
        raise IllegalStep(refused.detail) from None
    response = web.Response(
        body=content, content_type=found.content_type if found.content_type in SAFE_TYPES else BYTES
    )
    name = found.uri.rpartition("/")[2]
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"
    return response


# ── as JSON ───────────────────────────────────────────────────────────────────────────────────────────────────────


def told(state: Delivery) -> DeliveryTold:
    asked = state.open_clarification
    return DeliveryTold(
        session_id=state.session_id,
        status=state.status,
        title=state.brief.title,
        goal=state.brief.goal,
        origin=state.brief.origin,
        requester_id=state.requester_id,
        conversation_id=state.conversation_id,
        reason=state.reason,
        clarification=QuestionsAsked(number=asked.number, questions=tuple(each.text for each in asked.questions))
        if asked
        else None,
        tickets=tuple(_ticket(state, each) for each in state.tickets.values()),
        tokens=state.spent.tokens,
        usd=state.spent.usd,
        report=FinalTold(summary=state.report.summary, learned=state.report.learned, next_steps=state.report.next_steps)
        if state.report
        else None,
    )


def _ticket(state: Delivery, ticket: Ticket) -> TicketTold:
    task, report = ticket.task, ticket.report
    before = (state.ticket_of(name) for name in task.depends_on)
    owner = ticket.owner
    return TicketTold(
        ticket_id=ticket.ticket_id,
        task_id=task.task_id,
        title=task.title,
        description=task.description,
        status=ticket.status.value,
        owner=OwnerTold(kind=owner.kind, user_id=owner.user_id, role_id=owner.role_id, name=owner.name),
        depends_on=tuple(each.ticket_id for each in before if each),
        waits_for=tuple(each.ticket_id for each in state.waits_for(ticket)),
        expected_outputs=tuple(each.label for each in task.outputs),
        acceptance_criteria=task.acceptance,
        risk="high" if is_high_risk(state, ticket) else "low",
        risk_reason=task.risk_reason,
        checked_by=task.checked_by,
        deadline=task.deadline,
        is_overdue=ticket.overdue,
        needs=ticket.need,
        decision_number=ticket.open_decision.number if ticket.open_decision else 0,
        hand_over_to=ticket.hand_over_to,
        hand_over_number=len(ticket.hand_overs),
        question=ticket.question,
        issues=ticket.issues,
        attempts=len(ticket.attempts),
        reports=len(ticket.reports),
        artifacts=tuple(
            ArtifactTold(
                number=number,
                label=each.label,
                uri=each.uri,
                digest=each.digest,
                content_type=each.content_type,
                size_bytes=each.size_bytes,
                is_link=each.is_link,
            )
            for number, each in enumerate(ticket.artifacts, 1)
        ),
        review=ReviewTold(
            decision=report.review.decision,
            by=report.review.by,
            notes=report.review.notes,
            requested_changes=report.review.requested_changes,
            unread=tuple(each.label for each in approved_unread(ticket)),
        )
        if report and report.review
        else None,
        permissions=tuple(
            PermissionTold(
                digest=digest,
                kind=each.permission.kind,
                title=each.permission.title,
                detail=each.permission.detail,
                choice=each.choice,
                answered_by=each.answered_by,
            )
            for digest, each in ticket.permissions.items()
        ),
        tokens=ticket.spent.tokens,
        usd=ticket.spent.usd,
    )
