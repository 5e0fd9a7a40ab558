"""Whoever promised something says, when asked, that it is done or will be late."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.afterwards.check_ins import WHAT, late_form, read_late
from bot.views.negotiation.button_values import DONE, LATE, read_check_in_button
from engine.errors import Duplicate, NotAllowed, Refusal
from engine.negotiation.afterwards.check_ins import check_answering
from engine.negotiation.commands import AnswerCheckIn
from engine.negotiation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, DONE, _done, _refused)
    on_click(app, services, LATE, _late, _refused)
    on_form(app, services, LATE, _sent, _refused, beside(WHAT))


async def _done(click: Click) -> None:
    button = read_check_in_button(click.value)
    await read_negotiation(click, button.stream)
    command = AnswerCheckIn(command_id=click.cause, at=click.now(), by=click.actor, key=button.key)
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)


async def _late(click: Click) -> None:
    button = read_check_in_button(click.value)
    state = await read_negotiation(click, button.stream)
    check_answering(state, click.actor, button.key)
    await click.open(late_form(button.stream, button.key, await click.texts()))


async def _sent(form: Form) -> None:
    button, text = read_late(form.view)
    await read_negotiation(form, button.stream)
    command = AnswerCheckIn(
        command_id=form.cause, at=form.now(), by=form.actor, key=button.key, is_late=True, text=text
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)


def _refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed():
            return notices.not_your_promise(texts)
        case Duplicate():
            return notices.given_up_already(texts)
        case _:
            return notices.refused(refusal, texts)
