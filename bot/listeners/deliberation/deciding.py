"""Whoever asked, or an admin, chooses between the two positions."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.deliberation.reading import check_not_carried_out, read_deliberation
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.deliberation import notices
from bot.views.deliberation.button_values import DECIDE, DecideButton
from bot.views.deliberation.forms import CHOSEN, decide_form, read_choice
from engine.deliberation.commands import ChoosePosition
from engine.deliberation.rounds.people import check_choice
from engine.deliberation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, DECIDE, _clicked, notices.refused)
    on_form(app, services, DECIDE, _sent, notices.refused, beside(CHOSEN))


async def _clicked(click: Click) -> None:
    button = DecideButton.read(click.value)
    state = await read_deliberation(click, button.stream)
    check_choice(state, click.actor, button.round, as_admin=await click.is_admin())
    await check_not_carried_out(click.services.gateway, click.key(button.stream), state)
    await click.open(decide_form(state, button, await click.texts()))


async def _sent(form: Form) -> None:
    button, chosen, why = read_choice(form.view)
    state = await read_deliberation(form, button.stream)
    await check_not_carried_out(form.services.gateway, form.key(button.stream), state)
    command = ChoosePosition(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        chosen=chosen,
        why=why,
        round=button.round,
        as_admin=await form.is_admin(),
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)
