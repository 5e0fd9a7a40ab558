"""People work on their tickets: start them, say what they lack, show what is done, answer proposals, hand them over."""

from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.actor import is_from_outside
from bot.listeners.colleagues import actor_of
from bot.listeners.interaction import Answer, Click, Form, Interaction, beside, command_of, errors, on_click, on_form
from bot.listeners.services import Services
from bot.views.delivery import button_values as buttons
from bot.views.delivery import forms_owning as forms
from bot.views.delivery.button_values import OwnTicketButton
from bot.views.delivery.owners_refusals import nobody_chosen, refused, same_person
from engine.delivery import commands
from engine.delivery.errors import UnknownTicket
from engine.delivery.outstanding import is_open_to_people
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.tickets.owners import check_workable, may_answer_proposal, may_work_on
from engine.errors import IllegalStep, NotAColleague, NotAllowed
from engine.kernel import Command


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, buttons.START, _start, refused)
    on_click(app, services, buttons.BLOCK, _open_block, refused)
    on_form(app, services, buttons.BLOCK, _block, refused, beside(forms.TEXT))
    on_click(app, services, buttons.FINISH, _open_finish, refused)
    on_form(app, services, buttons.FINISH, _finish, refused)
    on_click(app, services, buttons.AGREE, _agree, refused)
    on_click(app, services, buttons.SUGGEST, _open_suggestion, refused)
    on_form(app, services, buttons.SUGGEST, _suggest, refused, beside(forms.TEXT))
    on_click(app, services, buttons.HAND_OVER, _open_hand_over, refused)
    on_form(app, services, buttons.HAND_OVER, _hand_over, refused, beside(forms.TO))
    on_click(app, services, buttons.TAKE, _take, refused)
    on_click(app, services, buttons.DECLINE, _decline, refused)


async def read_ticket(interaction: Interaction, button: OwnTicketButton) -> tuple[Delivery, Ticket]:
    """Read both. From now on, somebody whose language nobody knows is answered in the goal's."""
    state = await interaction.services.gateway.read(interaction.key(button.stream), RULEBOOK)
    interaction.language = state.brief.spoken
    ticket = state.tickets.get(button.ticket)
    if ticket is None:
        raise UnknownTicket(f"There is no ticket {button.ticket!r} here.")
    return state, ticket


async def read_own_ticket(click: Click) -> tuple[Delivery, Ticket]:
    """Read both, for somebody who may work on the ticket while there is work."""
    state, ticket = await read_ticket(click, OwnTicketButton.read(click.value))
    if not may_work_on(state, ticket, click.actor, as_admin=await click.is_admin()):
        raise NotAllowed("Only whoever has this ticket, or leads the delivery, can do that.")
    if not ticket.is_open or state.reason is not None:
        raise IllegalStep("This ticket is settled.")
    return state, ticket


async def _send(act: Click | Form, button: OwnTicketButton, kind: type[Command], **fields: Any) -> None:
    command = await command_of(act, kind, ticket_id=button.ticket, **fields)
    await act.services.gateway.send(act.key(button.stream), RULEBOOK, command)


async def _start(click: Click) -> None:
    button = OwnTicketButton.read(click.value)
    await read_ticket(click, button)
    await _send(click, button, commands.StartTicket)


async def _open_block(click: Click) -> None:
    state, ticket = await read_own_ticket(click)
    check_workable(ticket)
    await click.open(forms.block_form(state, ticket, await click.texts()))


async def _block(form: Form) -> None:
    button = forms.read_button(form.view)
    await read_ticket(form, button)
    await _send(form, button, commands.BlockTicket, why=forms.read_text(form.view))


async def _open_finish(click: Click) -> None:
    state, ticket = await read_own_ticket(click)
    check_workable(ticket)
    if shown := forms.read_result(click.values, ticket):
        await _send(click, OwnTicketButton.read(click.value), commands.FinishTicket, evidence=shown, summary="")
        return
    await click.open(forms.finish_form(state, ticket, await click.texts()))


async def _finish(form: Form) -> None:
    button = forms.read_button(form.view)
    _, ticket = await read_ticket(form, button)
    evidence = forms.read_evidence(form.view, ticket, await form.texts())
    await _send(form, button, commands.FinishTicket, evidence=evidence, summary=forms.read_summary(form.view))


# ── how a ticket with risks is to be done ─────────────────────────────────────────────────────────────────────────


async def _agree(click: Click) -> None:
    button = OwnTicketButton.read(click.value)
    await read_ticket(click, button)
    await _send(click, button, commands.AnswerProposal, agrees=True, number=button.number)


async def _open_suggestion(click: Click) -> None:
    button = OwnTicketButton.read(click.value)
    state, ticket = await read_ticket(click, button)
    if not may_answer_proposal(state, ticket, click.actor, as_admin=await click.is_admin()):
        raise NotAllowed("Only whoever has this ticket, or leads the delivery, answers its proposal.")
    if not is_open_to_people(ticket) or button.number != len(ticket.proposals) or state.reason is not None:
        raise IllegalStep("This proposal is not open any more.")
    await click.open(forms.suggest_form(state, ticket, button.number, await click.texts()))


async def _suggest(form: Form) -> None:
    button = forms.read_button(form.view)
    await read_ticket(form, button)
    text = forms.read_text(form.view)
    await _send(form, button, commands.AnswerProposal, agrees=False, text=text, number=button.number)


# ── somebody asks a colleague to take a ticket ────────────────────────────────────────────────────────────────────


async def _open_hand_over(click: Click) -> None:
    state, ticket = await read_own_ticket(click)
    await click.open(forms.hand_over_form(state, ticket, await click.texts()))


async def _hand_over(form: Form) -> Answer | None:
    button, to = forms.read_button(form.view), forms.read_colleague(form.view)
    state, ticket = await read_ticket(form, button)
    if not to:
        return errors({forms.TO: nobody_chosen(await form.texts())})
    if to == ticket.owner.user_id:
        return errors({forms.TO: same_person(await form.texts())})
    # Slack is asked about the colleague only for those who may ask; what others try is put on record.
    if may_work_on(state, ticket, form.actor, as_admin=await form.is_admin()):
        to = await actor_of(form.client, form.tenant, to)
        if is_from_outside(to):
            raise NotAColleague("Somebody of another company cannot take a ticket.")
    await _send(form, button, commands.HandTicketOver, to=to)
    return None


async def _take(click: Click) -> None:
    await _answer(click, commands.TakeTicket)


async def _decline(click: Click) -> None:
    await _answer(click, commands.DeclineTicket)


async def _answer(click: Click, answer: type[commands.TakeTicket] | type[commands.DeclineTicket]) -> None:
    button = OwnTicketButton.read(click.value)
    await read_ticket(click, button)
    command = answer(
        command_id=click.cause, at=click.now(), by=click.actor, ticket_id=button.ticket, number=button.number
    )
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)
