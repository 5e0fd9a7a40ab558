"""Somebody who was not asked says in the thread that they can help; whoever asked, or an admin, decides."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.colleagues import LONGEST_CALL
from bot.listeners.conversation import Utterance
from bot.listeners.names import name_of
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.listeners.threads import ThreadStream
from bot.texts import Texts
from bot.views.kit import notices as general
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import ASK_HELPER, DECLINE_HELPER, read_seat_button
from engine.errors import Duplicate, IllegalStep, NotAllowed, Refusal
from engine.lexicon.carrying import names_ability
from engine.lexicon.helping import is_offer_of_help
from engine.negotiation.commands import AnswerHelp, OfferHelp
from engine.negotiation.coverage import needs_of
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.volunteers import check_help

WITHOUT_A_TWIN: Final = "person_"
"""What the agent ids of people without a profile begin with; their user ids follow."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, ASK_HELPER, partial(_decide, ask=True), _refused)
    on_click(app, services, DECLINE_HELPER, partial(_decide, ask=False), _refused)


async def heard_in_thread(utterance: Utterance, streams: Sequence[ThreadStream]) -> str | None:
    """Take note of somebody's help for the demand that began the thread, and return what they are told.

    Returns:
        None where they offer none, or take part anyway: then it is a question about it.

    Raises:
        Refusal, StoreError, TimeoutError
    """
    found = [each for each in streams if each.protocol == RULEBOOK.protocol and each.state.parent is None]
    if not found or not is_offer_of_help(utterance.text):
        return None
    stream, by, services = found[0], utterance.actor, utterance.services
    if _takes_part(stream.state, by):
        return None
    utterance.check_colleague()
    linked = (await services.settings.directory(utterance.tenant)).of_user(by)
    agent_id = linked[0] if linked else f"{WITHOUT_A_TWIN}{by}"
    check_help(stream.state, by, agent_id)
    profile = linked[1].profile if linked else None
    command = OfferHelp(
        command_id=utterance.cause,
        at=services.now(),
        by=by,
        agent_id=agent_id,
        display_name=profile.user_name if profile else await _name(utterance, by),
        text=utterance.text,
        has_twin=bool(linked and linked[1].is_asked),
        covers=_named(stream.state, utterance.text),
    )
    await services.gateway.send(stream.key, RULEBOOK, command)
    return notices.help_offered(stream.state, utterance.texts)


def why_not_taken(refusal: Refusal, texts: Texts) -> str:
    """Say to somebody why their help is not wanted."""
    match refusal:
        case NotAllowed():
            return general.outsider(texts)
        case Duplicate():
            return notices.help_offered_already(texts)
        case IllegalStep():
            return notices.no_help_needed(texts)
        case _:
            return notices.refused(refusal, texts)


async def _decide(click: Click, *, ask: bool) -> None:
    button = read_seat_button(click.value)
    await read_negotiation(click, button.stream)
    command = AnswerHelp(
        command_id=click.cause,
        at=click.now(),
        by=click.actor,
        as_admin=await click.is_admin(),
        agent_id=button.agent_id,
        ask=ask,
    )
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)


def _refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed():
            return notices.not_your_helper(texts)
        case Duplicate():
            return notices.help_decided_already(texts)
        case IllegalStep():
            return notices.cannot_be_asked_now(texts)
        case _:
            return notices.refused(refusal, texts)


def _takes_part(state: Negotiation, user: str) -> bool:
    known = (*state.invited.values(), *state.joined.values())
    return user == state.requester_id or any(each.user_id == user for each in known)


def _named(state: Negotiation, text: str) -> tuple[str, ...]:
    """The ids of the needs that somebody's words name."""
    return tuple(each.need_id for each in needs_of(state) if names_ability(text, (each.what, *each.tags)))


async def _name(utterance: Utterance, user: str) -> str:
    client = utterance.context.client
    try:
        async with asyncio.timeout(LONGEST_CALL):
            return await name_of(client, user) if client else ""
    except TimeoutError:
        return ""
