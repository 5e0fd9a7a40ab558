"""Whoever asked for a delivery, or an admin, changes it: adds tickets, gives them away, drops them, stops it all."""

from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.colleagues import actor_of
from bot.listeners.delivery.deciding import read_as_leader, read_decided, read_delivery, send, ticket_of
from bot.listeners.interaction import Answer, Click, Form, beside, on_click, on_form, shows
from bot.listeners.services import Services
from bot.views.delivery import notices
from bot.views.delivery.button_values import (
    ADD,
    APPROVE,
    BUDGET,
    CHANGES,
    CHECKING,
    DROP,
    OWNER,
    OWNERS,
    RESET,
    STOP,
    TICKET,
    TICKETS,
    OwnersButton,
    TicketButton,
)
from bot.views.delivery.checking import CHECKER, RISK, read_risk
from bot.views.delivery.forms_leading import (
    PERSON,
    RESULT,
    TEXT,
    TITLE,
    USD,
    add_form,
    budget_form,
    changes_form,
    checking_form,
    decided_since,
    drop_form,
    owner_form,
    owners_form,
    read_after,
    read_budget,
    read_day,
    read_owner,
    read_owners,
    without_owner,
)
from bot.views.delivery.ticket_form import ACTION, WHICH, read_action, read_which, ticket_form, tickets_form
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import InvalidForm, entered_text, picked_person
from bot.views.kit.modals import read_metadata
from engine.delivery.commands import (
    AddTicket,
    ChangeChecking,
    ChangeOwner,
    DropTicket,
    RaiseBudget,
    ResetTicket,
    ReviewTicket,
    StopDelivery,
)
from engine.delivery.state import Delivery, Status
from engine.delivery.terms import Owner, WorkerKind
from engine.delivery.tickets.rights import may_approve, may_lead
from engine.errors import IllegalStep, NotAllowed, Outdated


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, STOP, _stop, notices.refused)
    on_click(app, services, ADD, _adds, notices.refused)
    on_form(app, services, ADD, _added, notices.refused, beside(TITLE))
    on_click(app, services, BUDGET, _raises, notices.refused)
    on_form(app, services, BUDGET, _raised, notices.refused, beside(USD))
    on_click(app, services, TICKETS, _looks, notices.refused)
    on_form(app, services, TICKETS, _looked, notices.refused, beside(WHICH))
    on_form(app, services, TICKET, _acts, notices.refused, beside(ACTION))
    on_click(app, services, OWNER, _gives, notices.refused)
    on_click(app, services, CHECKING, _checks, notices.refused)
    on_form(app, services, CHECKING, _checked, notices.refused, beside(RISK))
    on_form(app, services, OWNER, _given, notices.refused, beside(PERSON))
    on_click(app, services, OWNERS, _gives_all, notices.refused)
    on_form(app, services, OWNERS, _given_all, notices.refused)
    on_click(app, services, DROP, _drops, notices.refused)
    on_form(app, services, DROP, _dropped, notices.refused, beside(TEXT))
    on_click(app, services, RESET, _resets, notices.refused)


# ── the whole ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def _stop(click: Click) -> None:
    stream = StreamButton.read(click.value).stream
    await read_delivery(click, stream)
    await send(
        click,
        stream,
        StopDelivery(command_id=click.cause, at=click.now(), by=click.actor, as_admin=await click.is_admin()),
    )


async def _raises(click: Click) -> None:
    state = await read_as_leader(click, StreamButton.read(click.value).stream)
    if not state.is_open:
        raise IllegalStep("This delivery has ended.")
    await click.open(budget_form(state, await click.texts()))


async def _raised(form: Form) -> None:
    stream, usd, tokens = read_budget(form.view, form.known_texts())
    await read_delivery(form, stream)
    await send(
        form,
        stream,
        RaiseBudget(
            command_id=form.cause,
            at=form.now(),
            by=form.actor,
            as_admin=await form.is_admin(),
            usd=usd,
            tokens=tokens,
        ),
    )


async def _adds(click: Click) -> None:
    state = await read_as_leader(click, StreamButton.read(click.value).stream)
    _check_working(state)
    await click.open(add_form(state, await click.texts()))


async def _added(form: Form) -> None:
    stream = read_metadata(form.view, StreamButton).stream
    state = await read_delivery(form, stream)
    is_high_risk, reason = read_risk(form.values)
    command = AddTicket(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        as_admin=await form.is_admin(),
        title=entered_text(form.values, TITLE),
        description=entered_text(form.values, TEXT),
        owner=await _owner(form, state),
        depends_on=tuple(read_after(form.values)),
        deadline=read_day(form.values),
        expected_output=entered_text(form.values, RESULT),
        is_high_risk=is_high_risk,
        risk_reason=reason,
        checked_by=await _checker(form, state),
    )
    await send(form, stream, command)


def _check_working(state: Delivery) -> None:
    if state.status is not Status.WORKING:
        raise IllegalStep("Tickets can be changed while the delivery goes on.")


# ── one ticket ────────────────────────────────────────────────────────────────────────────────────────────────────


async def _looks(click: Click) -> None:
    state = await read_as_leader(click, StreamButton.read(click.value).stream)
    _check_working(state)
    await click.open(tickets_form(state, await click.texts()))


async def _looked(form: Form) -> Answer:
    stream, ticket_id = read_which(form.view)
    state = await read_as_leader(form, stream)
    ticket = ticket_of(state, ticket_id)
    may = may_approve(state, ticket, form.actor, as_admin=await form.is_admin())
    return shows(ticket_form(state, ticket, await form.texts(), may_approve=may))


async def _acts(form: Form) -> Answer | None:
    button, action = read_action(form.view)
    state, ticket = await read_decided(form, button)
    told: dict[str, Any] = {
        "command_id": form.cause,
        "at": form.now(),
        "by": form.actor,
        "as_admin": await form.is_admin(),
        "ticket_id": button.ticket,
        "decision": button.decision,
    }
    match action:
        case str() if action == APPROVE:
            await send(form, button.stream, ReviewTicket(approves=True, report=button.report, **told))
        case str() if action == RESET:
            await send(form, button.stream, ResetTicket(**told))
        case str() if action == CHANGES:
            return shows(changes_form(ticket, button, await form.texts()))
        case str() if action == OWNER:
            return shows(owner_form(state, ticket, button, await form.texts()))
        case str() if action == CHECKING:
            return shows(checking_form(ticket, button, await form.texts()))
        case str() if action == DROP:
            return shows(drop_form(ticket, button, await form.texts()))
        case _:
            raise IllegalStep("Nothing of that name can be done about a ticket.")
    return None


async def _gives(click: Click) -> None:
    button = TicketButton.read(click.value)
    state, ticket = await read_decided(click, button)
    await click.open(owner_form(state, ticket, button, await click.texts()))


async def _given(form: Form) -> None:
    button = read_metadata(form.view, TicketButton)
    state = await read_delivery(form, button.stream)
    await send(
        form,
        button.stream,
        ChangeOwner(
            command_id=form.cause,
            at=form.now(),
            by=form.actor,
            as_admin=await form.is_admin(),
            ticket_id=button.ticket,
            decision=button.decision,
            owner=await _owner(form, state),
        ),
    )


async def _gives_all(click: Click) -> None:
    state = await read_as_leader(click, StreamButton.read(click.value).stream)
    if not without_owner(state) or state.reason is not None:
        raise IllegalStep("Every ticket has somebody.")
    await click.open(owners_form(state, await click.texts()))


async def _given_all(form: Form) -> None:
    """Give each ticket to whoever was chosen, but for those of which somebody has decided since the form was opened.

    Raises:
        InvalidForm: some have, which is said beside them; the others were given.
        Outdated: the form is of an earlier ToWow, which did not remember what was asked.
    """
    button = read_metadata(form.view, OwnersButton)
    state = await read_as_leader(form, button.stream)
    if not button.fields:
        raise Outdated("This form is of an earlier version. Open it again.")
    chosen = read_owners(form.values, button, form.known_texts())
    owners = [await _chosen(form, state, each.person, each.role_id) for each in chosen]
    stale: dict[str, str] = {}
    for each, owner in zip(chosen, owners, strict=True):
        command = ChangeOwner(
            command_id=f"{form.cause}:{each.asked.ticket}",
            at=form.now(),
            by=form.actor,
            as_admin=await form.is_admin(),
            ticket_id=each.asked.ticket,
            decision=each.asked.decision,
            owner=owner,
        )
        try:
            await send(form, button.stream, command)
        except IllegalStep:
            now = ticket_of(await read_delivery(form, button.stream), each.asked.ticket)
            if now.owner != owner:  # somebody has given them the same one meanwhile
                stale[each.field] = decided_since(now, form.known_texts())
    if stale:
        raise InvalidForm(stale)


async def _checks(click: Click) -> None:
    button = TicketButton.read(click.value)
    _, ticket = await read_decided(click, button)
    await click.open(checking_form(ticket, button, await click.texts()))


async def _checked(form: Form) -> None:
    button = read_metadata(form.view, TicketButton)
    state = await read_delivery(form, button.stream)
    is_high_risk, reason = read_risk(form.values)
    command = ChangeChecking(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        as_admin=await form.is_admin(),
        ticket_id=button.ticket,
        decision=button.decision,
        is_high_risk=is_high_risk,
        risk_reason=reason,
        checked_by=await _checker(form, state),
    )
    await send(form, button.stream, command)


async def _checker(form: Form, state: Delivery) -> str:
    """Return the user who is to approve it; empty where nobody was chosen, or by somebody who may not choose."""
    person = picked_person(form.values, CHECKER)
    if not person or not may_lead(state, form.actor, as_admin=await form.is_admin()):
        return ""  # the rules refuse whoever may not, so that it is on record
    if await actor_of(form.client, form.tenant, person) != person:
        raise NotAllowed("Tickets are for people of this workspace.")
    return person


async def _owner(form: Form, state: Delivery) -> Owner:
    """Return whoever was chosen: a colleague, a worker of the registry, or nobody."""
    return await _chosen(form, state, *read_owner(form.values, form.known_texts()))


async def _chosen(form: Form, state: Delivery, person: str, role_id: str) -> Owner:
    """Return the owner that the form names."""
    if role_id:
        role = state.roles.get(role_id)
        return Owner(kind=role.kind if role else WorkerKind.NOBODY, role_id=role_id, name=role.name if role else "")
    if not person or not may_lead(state, form.actor, as_admin=await form.is_admin()):
        return Owner()  # the rules refuse whoever may not, so that it is on record
    user = await actor_of(form.client, form.tenant, person)
    if user != person:
        raise NotAllowed("Tickets are for people of this workspace.")
    known = next((each for each in state.brief.people if each.user_id == person), None)
    return Owner(
        kind=WorkerKind.PERSON,
        user_id=person,
        person_id=known.person_id if known else "",
        name=known.name if known else "",
    )


async def _drops(click: Click) -> None:
    button = TicketButton.read(click.value)
    _, ticket = await read_decided(click, button)
    await click.open(drop_form(ticket, button, await click.texts()))


async def _dropped(form: Form) -> None:
    button = read_metadata(form.view, TicketButton)
    await read_delivery(form, button.stream)
    await send(
        form,
        button.stream,
        DropTicket(
            command_id=form.cause,
            at=form.now(),
            by=form.actor,
            as_admin=await form.is_admin(),
            ticket_id=button.ticket,
            decision=button.decision,
            why=entered_text(form.values, TEXT),
        ),
    )


async def _resets(click: Click) -> None:
    button = TicketButton.read(click.value)
    await read_delivery(click, button.stream)
    await send(
        click,
        button.stream,
        ResetTicket(
            command_id=click.cause,
            at=click.now(),
            by=click.actor,
            as_admin=await click.is_admin(),
            ticket_id=button.ticket,
            decision=button.decision,
        ),
    )
