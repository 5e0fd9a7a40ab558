"""Somebody asks a colleague to take a ticket, who takes it or declines."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.actor import is_from_outside
from bot.listeners.colleagues import actor_of
from bot.listeners.delivery.owning_tickets import read_own_ticket, read_ticket
from bot.listeners.interaction import Answer, Click, Form, beside, errors, on_click, on_form
from bot.listeners.services import Services
from bot.views.delivery import owners_buttons as buttons
from bot.views.delivery.forms_owning import TO, hand_over_form, read_button, read_colleague
from bot.views.delivery.owners_refusals import nobody_chosen, refused, same_person
from engine.delivery.commands import DeclineTicket, HandTicketOver, TakeTicket
from engine.delivery.rules import RULEBOOK
from engine.delivery.tickets.rights import may_work_on
from engine.errors import NotAColleague


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, buttons.HAND_OVER, _open, refused)
    on_form(app, services, buttons.HAND_OVER, _ask, refused, beside(TO))
    on_click(app, services, buttons.TAKE, _take, refused)
    on_click(app, services, buttons.DECLINE, _decline, refused)


async def _open(click: Click) -> None:
    state, ticket = await read_own_ticket(click, buttons.OwnTicketButton.read(click.value))
    await click.open(hand_over_form(state, ticket, await click.texts()))


async def _ask(form: Form) -> Answer | None:
    button, to = read_button(form.view), read_colleague(form.view)
    state, ticket = await read_ticket(form, button)
    as_admin = await form.is_admin()
    if not to:
        return errors({TO: nobody_chosen(await form.texts())})
    if to == ticket.owner.user_id:
        return errors({TO: same_person(await form.texts())})
    # Slack is asked about the colleague only for those who may ask; what others try is put on record.
    if may_work_on(state, ticket, form.actor, as_admin=as_admin):
        to = await actor_of(form.client, form.tenant, to)
        if is_from_outside(to):
            raise NotAColleague("Somebody of another company cannot take a ticket.")
    command = HandTicketOver(
        command_id=form.cause, at=form.now(), by=form.actor, ticket_id=button.ticket, to=to, as_admin=as_admin
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)
    return None


async def _take(click: Click) -> None:
    await _answer(click, TakeTicket)


async def _decline(click: Click) -> None:
    await _answer(click, DeclineTicket)


async def _answer(click: Click, answer: type[TakeTicket] | type[DeclineTicket]) -> None:
    button = buttons.OwnTicketButton.read(click.value)
    await read_ticket(click, button)
    command = answer(
        command_id=click.cause, at=click.now(), by=click.actor, ticket_id=button.ticket, number=button.number
    )
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)
