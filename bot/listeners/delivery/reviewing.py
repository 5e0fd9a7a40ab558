"""Whoever asked for a delivery, or an admin, approves what was reported or requests changes, also over the Manager."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.delivery.deciding import read_delivery, read_reviewed, send
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.services import Services
from bot.views.delivery import notices
from bot.views.delivery.button_values import APPROVE, CHANGES, TicketButton, read_ticket_button
from bot.views.delivery.forms_leading import TEXT, changes_form
from bot.views.kit.fields import entered_text
from bot.views.kit.modals import read_metadata
from engine.delivery.commands import ReviewTicket


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, APPROVE, _approves, notices.refused)
    on_click(app, services, CHANGES, _clicked, notices.refused)
    on_form(app, services, CHANGES, _requested, notices.refused, beside(TEXT))


async def _approves(click: Click) -> None:
    button = read_ticket_button(click.value)
    await read_delivery(click, button.stream)
    await send(
        click,
        button.stream,
        ReviewTicket(
            command_id=click.cause,
            at=click.now(),
            by=click.actor,
            as_admin=await click.is_admin(),
            ticket_id=button.ticket,
            decision=button.decision,
            approves=True,
            report=button.report,
        ),
    )


async def _clicked(click: Click) -> None:
    button = read_ticket_button(click.value)
    _, ticket = await read_reviewed(click, button)
    await click.open(changes_form(ticket, button, await click.texts()))


async def _requested(form: Form) -> None:
    button = read_metadata(form.view, TicketButton)
    await read_delivery(form, button.stream)
    await send(
        form,
        button.stream,
        ReviewTicket(
            command_id=form.cause,
            at=form.now(),
            by=form.actor,
            as_admin=await form.is_admin(),
            ticket_id=button.ticket,
            decision=button.decision,
            approves=False,
            changes=entered_text(form.values, TEXT),
            report=button.report,
        ),
    )
