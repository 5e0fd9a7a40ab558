"""Somebody says that they cannot keep what they promised with an agreed plan."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.afterwards.giving_up import REASON, give_up_form, read_giving_up
from bot.views.negotiation.button_values import GIVE_UP, read_seat_button
from engine.errors import Duplicate, NotAllowed, Refusal, UnknownAgent
from engine.negotiation.afterwards.commitments import check_giving_up
from engine.negotiation.commands import GiveUpSeat
from engine.negotiation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, GIVE_UP, _clicked, _refused)
    on_form(app, services, GIVE_UP, _sent, _refused, beside(REASON))


async def _clicked(click: Click) -> None:
    button = read_seat_button(click.value)
    state = await read_negotiation(click, button.stream)
    check_giving_up(state, click.actor, button.agent_id)
    await click.open(give_up_form(state, button.agent_id, await click.texts()))


async def _sent(form: Form) -> None:
    seat, reason = read_giving_up(form.view)
    await read_negotiation(form, seat.stream)
    command = GiveUpSeat(command_id=form.cause, at=form.now(), by=form.actor, agent_id=seat.agent_id, reason=reason)
    await form.services.gateway.send(form.key(seat.stream), RULEBOOK, command)


def _refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed() | UnknownAgent():
            return notices.not_your_promise(texts)
        case Duplicate():
            return notices.given_up_already(texts)
        case _:
            return notices.refused(refusal, texts)
