"""Whoever asked for a delivery, or an admin, leads it: answers what is asked, adds tickets and drops them, stops it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.colleagues import actor_of
from bot.listeners.delivery.deciding import (
    decide,
    lead,
    opens,
    read_as_leader,
    read_decided,
    read_delivery,
    send,
    ticket_of,
)
from bot.listeners.interaction import Answer, Click, Form, beside, on_click, on_form, shows
from bot.listeners.native_stop import Stop, StopRequest
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.delivery import button_values as buttons
from bot.views.delivery import forms_leading as forms
from bot.views.delivery import notices
from bot.views.delivery.checking import CHECKER, RISK, read_risk
from bot.views.delivery.forms_owning import ACTION, WHICH, read_action, read_which, ticket_form, tickets_form
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import InvalidForm, entered_text, picked_person
from bot.views.kit.modals import read_metadata
from engine.delivery import commands
from engine.delivery.state import Delivery, Status, Ticket
from engine.delivery.terms import Owner, PermissionChoice, WorkerKind
from engine.delivery.tickets.owners import may_approve, may_lead
from engine.errors import IllegalStep, NotAllowed, Outdated

FORMS: Final[Mapping[str, Callable[[Delivery, Ticket, buttons.TicketButton, Texts], dict[str, Any]]]] = {
    buttons.OWNER: forms.owner_form,
    buttons.CHECKING: forms.checking_form,
    buttons.DROP: forms.drop_form,
    buttons.CHANGES: forms.changes_form,
}
CHOICES: Final[Mapping[str, PermissionChoice]] = {
    buttons.ALLOW_ONCE: PermissionChoice.ONCE,
    buttons.ALLOW_TICKET: PermissionChoice.TICKET,
    buttons.REFUSE: PermissionChoice.REFUSE,
}


def register(app: AsyncApp, services: Services) -> None:
    clicks: Mapping[str, Callable[[Click], Awaitable[None]]] = {
        buttons.STOP: _stop,
        buttons.ADD: _adds,
        buttons.BUDGET: _raises,
        buttons.TICKETS: _looks,
        buttons.OWNERS: _gives_all,
        buttons.RESET: _resets,
        buttons.CLARIFY: _asked,
        buttons.ANSWER: opens(forms.block_answer_form),
        **{each: opens(FORMS[each]) for each in (buttons.OWNER, buttons.CHECKING, buttons.DROP)},
        **dict.fromkeys(CHOICES, _permits),
    }
    for name, handle in clicks.items():
        on_click(app, services, name, handle, notices.refused)
    on_form(app, services, buttons.ADD, _added, notices.refused, beside(forms.TITLE))
    on_form(app, services, buttons.BUDGET, _raised, notices.refused, beside(forms.USD))
    on_form(app, services, buttons.TICKETS, _looked, notices.refused, beside(WHICH))
    on_form(app, services, buttons.TICKET, _acts, notices.refused, beside(ACTION))
    on_form(app, services, buttons.CHECKING, _checked, notices.refused, beside(RISK))
    on_form(app, services, buttons.OWNER, _given, notices.refused, beside(forms.PERSON))
    on_form(app, services, buttons.OWNERS, _given_all, notices.refused)
    on_form(app, services, buttons.DROP, _dropped, notices.refused, beside(forms.TEXT))
    on_form(app, services, buttons.CLARIFY, _clarified, notices.refused, beside(forms.answer_field(1)))
    on_form(app, services, buttons.ANSWER, _answered, notices.refused, beside(forms.TEXT))


# ── the whole ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def _stop(click: Click) -> None:
    stream = StreamButton.read(click.value).stream
    await read_delivery(click, stream)
    await lead(click, stream, commands.StopDelivery)


def stop(state: Delivery, request: StopRequest) -> Stop:
    """Do what our own button does where Slack's *Stop* is pressed."""
    command = commands.StopDelivery(
        command_id=request.command_id, at=request.at, by=request.by, as_admin=request.as_admin
    )
    return Stop(command, state.is_open)


async def _raises(click: Click) -> None:
    state = await read_as_leader(click, StreamButton.read(click.value).stream)
    if not state.is_open:
        raise IllegalStep("This delivery has ended.")
    await click.open(forms.budget_form(state, await click.texts()))


async def _raised(form: Form) -> None:
    stream, usd, tokens = forms.read_budget(form.view, form.known_texts())
    await read_delivery(form, stream)
    await lead(form, stream, commands.RaiseBudget, usd=usd, tokens=tokens)


async def _adds(click: Click) -> None:
    state = await read_as_leader(click, StreamButton.read(click.value).stream)
    _check_working(state)
    await click.open(forms.add_form(state, await click.texts()))


async def _added(form: Form) -> None:
    stream = read_metadata(form.view, StreamButton).stream
    state = await read_delivery(form, stream)
    is_high_risk, reason = read_risk(form.values)
    await lead(
        form,
        stream,
        commands.AddTicket,
        title=entered_text(form.values, forms.TITLE),
        description=entered_text(form.values, forms.TEXT),
        owner=await _owner(form, state),
        depends_on=tuple(forms.read_after(form.values)),
        deadline=forms.read_day(form.values),
        expected_output=entered_text(form.values, forms.RESULT),
        is_high_risk=is_high_risk,
        risk_reason=reason,
        checked_by=await _checker(form, state),
    )


def _check_working(state: Delivery) -> None:
    if state.status is not Status.WORKING:
        raise IllegalStep("Tickets can be changed while the delivery goes on.")


# ── what the Manager asks ─────────────────────────────────────────────────────────────────────────────────────────


async def _asked(click: Click) -> None:
    button = buttons.ClarifyButton.read(click.value)
    state = await read_as_leader(click, button.stream)
    asked = state.open_clarification
    if asked is None:
        raise IllegalStep("Nothing is asked at the moment.")
    if asked.number != button.number:
        raise Outdated("Other questions have been asked since.")
    await click.open(forms.clarification_form(state, asked, await click.texts()))


async def _clarified(form: Form) -> None:
    button, answers = forms.read_answers(form.view)
    await read_delivery(form, button.stream)
    await lead(form, button.stream, commands.AnswerClarification, number=button.number, answers=answers)


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
    if action in FORMS:
        return shows(FORMS[action](state, ticket, button, await form.texts()))
    match action:
        case str() if action == buttons.APPROVE:
            await decide(form, button, commands.ReviewTicket, approves=True, report=button.report)
        case str() if action == buttons.RESET:
            await decide(form, button, commands.ResetTicket)
        case _:
            raise IllegalStep("Nothing of that name can be done about a ticket.")
    return None


async def _given(form: Form) -> None:
    button = read_metadata(form.view, buttons.TicketButton)
    state = await read_delivery(form, button.stream)
    await decide(form, button, commands.ChangeOwner, owner=await _owner(form, state))


async def _gives_all(click: Click) -> None:
    state = await read_as_leader(click, StreamButton.read(click.value).stream)
    if not forms.without_owner(state) or state.reason is not None:
        raise IllegalStep("Every ticket has somebody.")
    await click.open(forms.owners_form(state, await click.texts()))


async def _given_all(form: Form) -> None:
    """Give each ticket to whoever was chosen, but for those of which somebody has decided since the form was opened.

    Raises:
        InvalidForm: some have, which is said beside them; the others were given.
        Outdated: the form is of an earlier ToWow, which did not remember what was asked.
    """
    button = read_metadata(form.view, buttons.OwnersButton)
    state = await read_as_leader(form, button.stream)
    if not button.fields:
        raise Outdated("This form is of an earlier version. Open it again.")
    chosen = forms.read_owners(form.values, button, form.known_texts())
    owners = [await _chosen(form, state, each.person, each.role_id) for each in chosen]
    stale: dict[str, str] = {}
    for each, owner in zip(chosen, owners, strict=True):
        command = commands.ChangeOwner(
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
                stale[each.field] = forms.decided_since(now, form.known_texts())
    if stale:
        raise InvalidForm(stale)


async def _checked(form: Form) -> None:
    button = read_metadata(form.view, buttons.TicketButton)
    state = await read_delivery(form, button.stream)
    is_high_risk, reason = read_risk(form.values)
    checker = await _checker(form, state)
    await decide(
        form, button, commands.ChangeChecking, is_high_risk=is_high_risk, risk_reason=reason, checked_by=checker
    )


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
    return await _chosen(form, state, *forms.read_owner(form.values, form.known_texts()))


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


async def _dropped(form: Form) -> None:
    button = read_metadata(form.view, buttons.TicketButton)
    await read_delivery(form, button.stream)
    await decide(form, button, commands.DropTicket, why=entered_text(form.values, forms.TEXT))


async def _resets(click: Click) -> None:
    button = buttons.TicketButton.read(click.value)
    await read_delivery(click, button.stream)
    await decide(click, button, commands.ResetTicket)


async def _answered(form: Form) -> None:
    button = read_metadata(form.view, buttons.TicketButton)
    await read_delivery(form, button.stream)
    await decide(form, button, commands.AnswerBlock, text=entered_text(form.values, forms.TEXT))


async def _permits(click: Click) -> None:
    """Give an agent leave for exactly what it asked, or refuse it."""
    button, choice = buttons.TicketButton.read(click.value), CHOICES[click.name]
    await read_delivery(click, button.stream)
    await lead(
        click, button.stream, commands.AnswerPermission, ticket_id=button.ticket, digest=button.digest, choice=choice
    )
