"""Deliveries over HTTP: how one stands, what was made in it, and its events."""

from collections.abc import Iterable
from typing import Final

from aiohttp import web

from bot.api.context import Call
from bot.api.delivery.schemas import (
    ArtifactTold,
    DeliveriesAsked,
    DeliveriesTold,
    DeliveryListed,
    DeliveryTold,
    FinalTold,
    OwnerTold,
    PermissionTold,
    QuestionsAsked,
    ReviewTold,
    TicketTold,
)
from bot.api.events import follow
from bot.api.part import NOBODY, Reader
from bot.api.streams import TELL_ALL, NamedStream, key_of
from bot.api.tokens import Scope
from bot.listeners.colleagues import actor_of
from engine.delivery.errors import UnknownTicket
from engine.delivery.inbox import DELIVERY, ENDED_DELIVERY, TICKET, OwnDelivery, OwnTicket
from engine.delivery.outstanding import is_high_risk
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.tickets.owners import checker_of
from engine.delivery.work.working import approved_unread
from engine.errors import IllegalStep, NotAllowed, UnknownStream
from engine.kernel import decode, iso
from engine.workers.outputs import OutputRefused

# ── one of them ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Finds the delivery that a caller names, and who takes part in it.


def unknown() -> UnknownStream:
    return UnknownStream("There is no such delivery here; its id looks like deliver-abcd2345.")


NAMED = NamedStream(RULEBOOK, unknown)
"""The delivery of the path."""


async def as_told(call: Call, state: Delivery, reader: Reader | None = None) -> Delivery:
    """Return it without anybody's words where they may not know them (`NamedStream.as_told`)."""
    return await NAMED.as_told(call, state, state.session_id, reader)


def takes_part(state: Delivery, user: str) -> bool:
    """Whether a user asked for it, is one of its people, or has or had one of its tickets."""
    if not user:
        return False
    known = {each.user_id for each in state.brief.people}
    known |= {
        who
        for each in state.tickets.values()
        for who in (each.owner.user_id, each.hand_over_to, each.task.checked_by, *each.holders)
    }
    return user == state.requester_id or user in known


def reader(state: Delivery, user: str) -> Reader:
    """Who takes part knows all that is said in it."""
    return TELL_ALL if takes_part(state, user) else NOBODY


# ── the routes ────────────────────────────────────────────────────────────────────────────────────────────────────────


SAFE_TYPES: Final = frozenset({"text/plain", "text/markdown", "text/csv", "application/json", "application/pdf"})
"""Sent as what they are; anything else is only bytes, so that no browser runs it."""
BYTES: Final = "application/octet-stream"


async def delivery(call: Call) -> DeliveryTold:
    return told(await as_told(call, await NAMED.readable(call)))


async def delivery_events(call: Call) -> web.StreamResponse:
    state = await NAMED.readable(call)
    return await follow(call, state.session_id, call.reader(RULEBOOK.protocol, state))


async def artifact(call: Call) -> web.Response:
    """Send what was made, as it was registered."""
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
        checker=checker_of(state, ticket),
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


# ── all of them ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Which deliveries there are, for whoever asks over HTTP.


async def deliveries(call: Call) -> DeliveriesTold:
    """With somebody's token, those that they asked for, and those of which a ticket waits for them; else all."""
    asked: DeliveriesAsked = call.query
    is_anybodys = not call.token.user or Scope.ADMIN in call.token.scopes
    whose = "" if is_anybodys else f"{call.token.user}/"
    going_on = {each.session_id: each for each in await _listed(call, DELIVERY, whose)}
    for row in (await call.context.store.records(call.workspace.tenant, TICKET, whose)).values() if whose else ():
        stream = decode(row, OwnTicket).stream
        if stream not in going_on:
            going_on[stream] = _of_another(await call.context.gateway.read(key_of(call, stream), RULEBOOK))
    ended = await _listed(call, ENDED_DELIVERY, whose)
    return DeliveriesTold(deliveries=(*_latest(going_on.values(), asked.count), *_latest(ended, asked.count)))


async def _listed(call: Call, kind: str, whose: str) -> list[DeliveryListed]:
    rows = await call.context.store.records(call.workspace.tenant, kind, whose)
    return [_delivery_listed(decode(row, OwnDelivery), key.partition("/")[0]) for key, row in rows.items()]


def _delivery_listed(own: OwnDelivery, requester: str) -> DeliveryListed:
    return DeliveryListed(session_id=own.stream, status=own.status, since=iso(own.since), requester_id=requester)


def _of_another(state: Delivery) -> DeliveryListed:
    return DeliveryListed(
        session_id=state.session_id,
        status=state.status,
        since=iso(state.opened_at),
        requester_id=state.requester_id,
    )


def _latest(found: Iterable[DeliveryListed], count: int) -> list[DeliveryListed]:
    return sorted(found, key=lambda each: each.since, reverse=True)[:count]


# ── colleagues ────────────────────────────────────────────────────────────────────────────────────────────────────────
# Who may be given a ticket over HTTP: whoever may be given one in Slack.


async def check_colleague(call: Call, state: Delivery, user: str) -> None:
    """Ask Slack about whoever is neither known in the delivery nor has a profile. The rules say who may ask at all."""
    if not call.may_read(RULEBOOK.protocol, state) or user in _known(state):
        return
    await check_account(call, user)


async def check_account(call: Call, user: str) -> None:
    """Ask Slack about whoever has no profile."""
    tenant = call.workspace.tenant
    people = (await call.context.services.settings.directory(tenant)).people.values()
    if any(each.profile is not None and each.profile.slack_user == user for each in people):
        return
    if await actor_of(await call.slack(), tenant, user) != user:
        raise NotAllowed("Tickets are for people of this workspace.")


def _known(state: Delivery) -> set[str]:
    held = {user for each in state.tickets.values() for user in each.holders}
    return held | {each.user_id for each in state.brief.people} | {state.requester_id}
