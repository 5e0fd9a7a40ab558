"""People start their tickets, say what they lack, and show what is done."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery.owning_tickets import read_own_ticket, read_ticket
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.delivery import owners_buttons as buttons
from bot.views.delivery.forms_owning import (
    TEXT,
    block_form,
    finish_form,
    read_button,
    read_evidence,
    read_summary,
    read_text,
)
from bot.views.delivery.owners_refusals import refused
from engine.delivery.commands import BlockTicket, FinishTicket, StartTicket
from engine.delivery.rules import RULEBOOK
from engine.delivery.tickets.owners import check_workable


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, buttons.START, _start, refused)
    on_click(app, services, buttons.BLOCK, _open_block, refused)
    on_form(app, services, buttons.BLOCK, _block, refused, beside(TEXT))
    on_click(app, services, buttons.FINISH, _open_finish, refused)
    on_form(app, services, buttons.FINISH, _finish, refused)


async def _start(click: Click) -> None:
    button = buttons.OwnTicketButton.read(click.value)
    await read_ticket(click, button)
    command = StartTicket(
        command_id=click.cause,
        at=click.now(),
        by=click.actor,
        ticket_id=button.ticket,
        as_admin=await click.is_admin(),
    )
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)


async def _open_block(click: Click) -> None:
    state, ticket = await read_own_ticket(click, buttons.OwnTicketButton.read(click.value))
    check_workable(ticket)
    await click.open(block_form(state, ticket, await click.texts()))


async def _block(form: Form) -> None:
    button = read_button(form.view)
    await read_ticket(form, button)
    command = BlockTicket(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        ticket_id=button.ticket,
        why=read_text(form.view),
        as_admin=await form.is_admin(),
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)


async def _open_finish(click: Click) -> None:
    state, ticket = await read_own_ticket(click, buttons.OwnTicketButton.read(click.value))
    check_workable(ticket)
    await click.open(finish_form(state, ticket, await click.texts()))


async def _finish(form: Form) -> None:
    button = read_button(form.view)
    _, ticket = await read_ticket(form, button)
    command = FinishTicket(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        ticket_id=button.ticket,
        evidence=read_evidence(form.view, ticket, await form.texts()),
        summary=read_summary(form.view),
        as_admin=await form.is_admin(),
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)
