"""What people say to a deliberation: they object, and they ask the Critic.

A button opens the form, and what was sent is one command. Whether they may is decided both times.
"""

from slack_bolt.async_app import AsyncApp

from bot.listeners.deliberation.reading import check_not_carried_out, is_plan_carried_out, read_deliberation
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.deliberation import notices
from bot.views.deliberation.button_values import ASK, POINT
from bot.views.deliberation.forms import TEXT, ask_form, point_form, read_reopens, read_text
from bot.views.kit.button_values import StreamButton
from engine.deliberation.commands import AskCritic, RaisePoint
from engine.deliberation.rounds.people import check_point, check_question
from engine.deliberation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, POINT, _objects, notices.refused)
    on_form(app, services, POINT, _objected, notices.refused, beside(TEXT))
    on_click(app, services, ASK, _asks, notices.refused)
    on_form(app, services, ASK, _asked, notices.refused, beside(TEXT))


async def _objects(click: Click) -> None:
    state = await read_deliberation(click, StreamButton.read(click.value).stream)
    check_point(state, click.actor)
    await check_not_carried_out(click.services.gateway, click.key(state.session_id), state)
    await click.open(point_form(state, await click.texts()))


async def _objected(form: Form) -> None:
    stream, text = read_text(form.view)
    state = await read_deliberation(form, stream)
    await check_not_carried_out(form.services.gateway, form.key(stream), state)
    command = RaisePoint(command_id=form.cause, at=form.now(), by=form.actor, text=text)
    await form.services.gateway.send(form.key(stream), RULEBOOK, command)


async def _asks(click: Click) -> None:
    """A question about a plan that is being carried out is answered, and reopens nothing."""
    state = await read_deliberation(click, StreamButton.read(click.value).stream)
    check_question(state, click.actor)
    is_done = await is_plan_carried_out(click.services.gateway, click.key(state.session_id), state)
    await click.open(ask_form(state, await click.texts(), is_carried_out=is_done))


async def _asked(form: Form) -> None:
    stream, text = read_text(form.view)
    state = await read_deliberation(form, stream)
    reopens = read_reopens(form.view) and not await is_plan_carried_out(form.services.gateway, form.key(stream), state)
    command = AskCritic(command_id=form.cause, at=form.now(), by=form.actor, text=text, reopens=reopens)
    await form.services.gateway.send(form.key(stream), RULEBOOK, command)
