"""Whoever has a ticket with risks says what they think of how it is to be done."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery.owning_tickets import read_ticket
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.delivery import owners_buttons as buttons
from bot.views.delivery.forms_owning import TEXT, read_button, read_text, suggest_form
from bot.views.delivery.owners_refusals import refused
from engine.delivery.commands import AnswerProposal
from engine.delivery.outstanding import is_open_to_people
from engine.delivery.rules import RULEBOOK
from engine.delivery.tickets.rights import may_answer_proposal
from engine.errors import IllegalStep, NotAllowed


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, buttons.AGREE, _agree, refused)
    on_click(app, services, buttons.SUGGEST, _open, refused)
    on_form(app, services, buttons.SUGGEST, _suggest, refused, beside(TEXT))


async def _agree(click: Click) -> None:
    button = buttons.OwnTicketButton.read(click.value)
    await read_ticket(click, button)
    command = AnswerProposal(
        command_id=click.cause,
        at=click.now(),
        by=click.actor,
        ticket_id=button.ticket,
        agrees=True,
        number=button.number,
        as_admin=await click.is_admin(),
    )
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)


async def _open(click: Click) -> None:
    button = buttons.OwnTicketButton.read(click.value)
    state, ticket = await read_ticket(click, button)
    if not may_answer_proposal(state, ticket, click.actor, as_admin=await click.is_admin()):
        raise NotAllowed("Only whoever has this ticket, or leads the delivery, answers its proposal.")
    if not is_open_to_people(ticket) or button.number != len(ticket.proposals) or state.reason is not None:
        raise IllegalStep("This proposal is not open any more.")
    await click.open(suggest_form(state, ticket, button.number, await click.texts()))


async def _suggest(form: Form) -> None:
    button = read_button(form.view)
    await read_ticket(form, button)
    command = AnswerProposal(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        ticket_id=button.ticket,
        agrees=False,
        text=read_text(form.view),
        number=button.number,
        as_admin=await form.is_admin(),
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)
