"""What people do to a deliberation: they object, ask the Critic, choose a position, stop it, and look at the arguments.

A button opens the form, and what was sent is one command. Whether they may is decided both times.
"""

from slack_bolt.async_app import AsyncApp

from bot.listeners.gateway import CommandGateway
from bot.listeners.handing_over import is_carried_out
from bot.listeners.interaction import Click, Form, Interaction, beside, command_of, on_click, on_form
from bot.listeners.native_stop import Stop, StopRequest
from bot.listeners.services import Services
from bot.views.deliberation import forms, notices
from bot.views.deliberation import values as buttons
from bot.views.deliberation.positions import arguments
from bot.views.kit.button_values import StreamButton
from engine.deliberation import commands
from engine.deliberation.errors import CarriedOut
from engine.deliberation.rounds.people import check_choice, check_point, check_question
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.kernel import Command, StreamKey


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, buttons.STOP, _stop, notices.refused)
    on_click(app, services, buttons.POINT, _objects, notices.refused)
    on_form(app, services, buttons.POINT, _objected, notices.refused, beside(forms.TEXT))
    on_click(app, services, buttons.ASK, _asks, notices.refused)
    on_form(app, services, buttons.ASK, _asked, notices.refused, beside(forms.TEXT))
    on_click(app, services, buttons.DECIDE, _chooses, notices.refused)
    on_form(app, services, buttons.DECIDE, _chosen, notices.refused, beside(forms.CHOSEN))
    on_click(app, services, buttons.ARGUMENTS, _looks, notices.refused)


async def read_deliberation(interaction: Interaction, stream: str) -> Deliberation:
    """Read it. From now on, somebody whose language nobody knows is answered in the goal's."""
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.language
    return state


async def check_not_carried_out(gateway: CommandGateway, key: StreamKey, state: Deliberation) -> None:
    """Check that no delivery carries the plan out."""
    if await is_plan_carried_out(gateway, key, state):
        raise CarriedOut("This plan is being carried out, so it stays as it is. Write to whoever has the task.")


async def is_plan_carried_out(gateway: CommandGateway, key: StreamKey, state: Deliberation) -> bool:
    """Return whether it is being carried out, or was: not while it is argued about."""
    return not state.is_argued and await is_carried_out(gateway, key)


async def _send(act: Click | Form, stream: str, command: Command) -> None:
    await act.services.gateway.send(act.key(stream), RULEBOOK, command)


async def _stop(click: Click) -> None:
    stream = StreamButton.read(click.value).stream
    await read_deliberation(click, stream)
    await _send(click, stream, await command_of(click, commands.StopDeliberation))


def stop(state: Deliberation, request: StopRequest) -> Stop:
    """Do what our own button does where Slack's *Stop* is pressed."""
    command = commands.StopDeliberation(
        command_id=request.command_id, at=request.at, by=request.by, as_admin=request.as_admin
    )
    return Stop(command, state.is_open)


async def _looks(click: Click) -> None:
    """Show the arguments, and not only the verdict."""
    state = await read_deliberation(click, StreamButton.read(click.value).stream)
    click.check_colleague()
    await click.open(arguments(state, await click.texts()))


async def _objects(click: Click) -> None:
    state = await read_deliberation(click, StreamButton.read(click.value).stream)
    check_point(state, click.actor)
    await check_not_carried_out(click.services.gateway, click.key(state.session_id), state)
    await click.open(forms.point_form(state, await click.texts()))


async def _objected(form: Form) -> None:
    stream, text = forms.read_text(form.view)
    state = await read_deliberation(form, stream)
    await check_not_carried_out(form.services.gateway, form.key(stream), state)
    command = commands.RaisePoint(command_id=form.cause, at=form.now(), by=form.actor, text=text)
    await _send(form, stream, command)


async def _asks(click: Click) -> None:
    """A question about a plan that is being carried out is answered, and reopens nothing."""
    state = await read_deliberation(click, StreamButton.read(click.value).stream)
    check_question(state, click.actor)
    is_done = await is_plan_carried_out(click.services.gateway, click.key(state.session_id), state)
    await click.open(forms.ask_form(state, await click.texts(), is_carried_out=is_done))


async def _asked(form: Form) -> None:
    stream, text = forms.read_text(form.view)
    state = await read_deliberation(form, stream)
    is_done = await is_plan_carried_out(form.services.gateway, form.key(stream), state)
    reopens = forms.read_reopens(form.view) and not is_done
    command = commands.AskCritic(command_id=form.cause, at=form.now(), by=form.actor, text=text, reopens=reopens)
    await _send(form, stream, command)


async def _chooses(click: Click) -> None:
    button = buttons.DecideButton.read(click.value)
    state = await read_deliberation(click, button.stream)
    check_choice(state, click.actor, button.round, as_admin=await click.is_admin())
    await check_not_carried_out(click.services.gateway, click.key(button.stream), state)
    await click.open(forms.decide_form(state, button, await click.texts()))


async def _chosen(form: Form) -> None:
    button, chosen, why = forms.read_choice(form.view)
    state = await read_deliberation(form, button.stream)
    await check_not_carried_out(form.services.gateway, form.key(button.stream), state)
    command = await command_of(form, commands.ChoosePosition, chosen=chosen, why=why, round=button.round)
    await _send(form, button.stream, command)
