"""Whoever asked, or an admin, closes a round early, stops the negotiation, or takes back what was decided."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import CLOSE, STOP, UNDO, read_vote_button
from engine.errors import IllegalStep, Refusal
from engine.negotiation.commands import Cancel, CloseRound, TakeBack
from engine.negotiation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, STOP, _stop, notices.refused)
    on_click(app, services, UNDO, _undo, _not_undone)
    on_click(app, services, CLOSE, _close_round, notices.refused)


async def _stop(click: Click) -> None:
    stream = read_stream_button(click.value).stream
    await read_negotiation(click, stream)
    command = Cancel(command_id=click.cause, at=click.now(), by=click.actor, as_admin=await click.is_admin())
    await click.services.gateway.send(click.key(stream), RULEBOOK, command)


async def _undo(click: Click) -> None:
    stream = read_stream_button(click.value).stream
    await read_negotiation(click, stream)
    command = TakeBack(command_id=click.cause, at=click.now(), by=click.actor, as_admin=await click.is_admin())
    await click.services.gateway.send(click.key(stream), RULEBOOK, command)


def _not_undone(refusal: Refusal, texts: Texts) -> str:
    return notices.too_late_to_undo(texts) if isinstance(refusal, IllegalStep) else notices.refused(refusal, texts)


async def _close_round(click: Click) -> None:
    button = read_vote_button(click.value)
    await read_negotiation(click, button.stream)
    command = CloseRound(
        command_id=click.cause,
        at=click.now(),
        by=click.actor,
        as_admin=await click.is_admin(),
        round=button.round,
    )
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)
