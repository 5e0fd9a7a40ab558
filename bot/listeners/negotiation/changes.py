"""Whoever asked asks for a change of the open proposal."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import CHANGE, read_vote_button
from bot.views.negotiation.voting.change_form import WHAT, change_form, read_change
from engine.errors import NotAllowed, Refusal
from engine.negotiation.commands import RequestChange
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.voting.requests import check_request


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, CHANGE, _clicked, _refused)
    on_form(app, services, CHANGE, _sent, _refused, beside(WHAT))


async def _clicked(click: Click) -> None:
    button = read_vote_button(click.value)
    state = await read_negotiation(click, button.stream)
    check_request(state, click.actor, button.round, button.digest, click.now())
    await click.open(change_form(state, button, await click.texts()))


async def _sent(form: Form) -> None:
    button, text = read_change(form.view)
    await read_negotiation(form, button.stream)
    command = RequestChange(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        text=text,
        round=button.round,
        digest=button.digest,
    )
    await form.services.gateway.send(form.key(button.stream), RULEBOOK, command)


def _refused(refusal: Refusal, texts: Texts) -> str:
    return notices.only_the_requester(texts) if isinstance(refusal, NotAllowed) else notices.refused(refusal, texts)
