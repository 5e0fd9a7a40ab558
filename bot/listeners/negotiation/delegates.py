"""Somebody lets a colleague decide for their seat, or decides alone again."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.colleagues import actor_of
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import DELEGATE, read_seat_button
from bot.views.negotiation.voting.delegate_form import TO, delegate_form, read_delegate
from engine.errors import NotAllowed, Refusal, UnknownAgent
from engine.negotiation.commands import Delegate
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.delegation import check_delegation


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, DELEGATE, _clicked, _refused)
    on_form(app, services, DELEGATE, _sent, _refused, beside(TO))


async def _clicked(click: Click) -> None:
    button = read_seat_button(click.value)
    state = await read_negotiation(click, button.stream)
    asked = check_delegation(state, click.actor, button.agent_id or _own_seat(state, click.actor))
    delegate = state.delegates.get(asked.agent_id, "")
    demand = state.demand_text
    await click.open(delegate_form(button.stream, asked.agent_id, demand, delegate, await click.texts()))


async def _sent(form: Form) -> None:
    seat, to = read_delegate(form.view)
    state = await read_negotiation(form, seat.stream)
    if to and _may_delegate(state, form.actor, seat.agent_id):
        to = await actor_of(form.client, form.tenant, to)
    command = Delegate(command_id=form.cause, at=form.now(), by=form.actor, agent_id=seat.agent_id, to=to)
    await form.services.gateway.send(form.key(seat.stream), RULEBOOK, command)


def _own_seat(state: Negotiation, actor: str) -> str:
    """Return the seat of whoever clicked a button that everybody sees.

    Raises:
        NotAllowed: they have none.
    """
    for each in state.invited.values():
        if each.user_id == actor:
            return each.agent_id
    raise NotAllowed(f"{actor} was not asked, so there is nothing they could let somebody else decide.")


def _may_delegate(state: Negotiation, by: str, agent_id: str) -> bool:
    """Whether somebody may name a delegate. Only then is Slack asked about the delegate; others are put on record."""
    try:
        check_delegation(state, by, agent_id)
    except Refusal:
        return False
    return True


def _refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed() | UnknownAgent():
            return notices.nothing_to_delegate(texts)
        case _:
            return notices.refused(refusal, texts)
