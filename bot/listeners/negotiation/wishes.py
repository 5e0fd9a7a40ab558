"""Whoever has asked for something says that it was meant otherwise than it was understood."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import NOT_MEANT, read_seat_button
from bot.views.negotiation.voting.understood_as import WHAT, not_meant_form, read_not_meant
from engine.errors import IllegalStep, NotAllowed, Refusal
from engine.negotiation.commands import CorrectRequest
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.voting.wishes_read import check_correction


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, NOT_MEANT, _clicked, _refused)
    on_form(app, services, NOT_MEANT, _sent, _refused, beside(WHAT))


async def _clicked(click: Click) -> None:
    button = read_seat_button(click.value)
    state = await read_negotiation(click, button.stream)
    check_correction(state, click.actor, button.agent_id)
    understood = state.understood.get(button.agent_id or click.actor)
    if understood is None:
        raise IllegalStep("They have said already that it was meant otherwise.")
    await click.open(not_meant_form(understood, button, await click.texts()))


async def _sent(form: Form) -> None:
    button, text = read_not_meant(form.view)
    state = await read_negotiation(form, button.stream)
    understood = state.understood.get(button.agent_id or form.actor)
    command = CorrectRequest(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        agent_id=button.agent_id,
        round=understood.round if understood else state.round,
        text="" if understood and text == understood.text else text,
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)


def _refused(refusal: Refusal, texts: Texts) -> str:
    if isinstance(refusal, NotAllowed):
        return notices.not_your_wish(texts)
    if isinstance(refusal, IllegalStep):
        return notices.wish_is_over(texts)
    return notices.refused(refusal, texts)
