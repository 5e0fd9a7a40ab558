"""Somebody answers in place of their twin, as long as no proposal was made of the offers."""

from collections.abc import Sequence
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.telling import check_room, own_twin, tell_own_twin
from bot.listeners.interaction import Answer, Click, Form, Interaction, on_click, on_form, shows
from bot.listeners.negotiation.intake import read_negotiation, speaks_for
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.button_values import StreamButton
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.offers.offer_form import (
    CONDITIONS,
    CONTRIBUTION,
    DECISION,
    WHOM,
    choose_form,
    offer_form,
    read_choice,
    read_offer,
)
from engine.errors import IllegalStep, NotAllowed, Refusal
from engine.negotiation.answers import OfferDecision
from engine.negotiation.commands import CorrectOffer
from engine.negotiation.errors import InvalidOffer
from engine.negotiation.offers.limit_rules import guarded_offers
from engine.negotiation.offers.offers import check_offer
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, CORRECT, _clicked, _refused)
    on_form(app, services, CORRECT, _sent, _refused, _field)


async def _clicked(click: Click) -> None:
    state = await read_negotiation(click, StreamButton.read(click.value).stream)
    may_tell = await own_twin(click) is not None
    spoken_for = await _spoken_for(click, state)
    await click.open(_first_form(state, click.actor, spoken_for, await click.texts(), may_tell=may_tell))


async def _sent(form: Form) -> Answer | None:
    chosen = read_choice(form.view)
    if chosen is None:
        await _correct(form)
        return None
    stream, agent_id = chosen
    state = await read_negotiation(form, stream)
    asked = check_offer(state, form.actor, agent_id, as_admin=await speaks_for(form, agent_id))
    may_tell = asked.user_id == form.actor and await own_twin(form) is not None
    return shows(offer_form(stream, asked, state.offers.get(agent_id), await form.texts(), may_tell=may_tell))


async def _correct(form: Form) -> None:
    sent = read_offer(form.view)
    await read_negotiation(form, sent.stream)
    await check_room(form)
    command = CorrectOffer(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        as_admin=await speaks_for(form, sent.agent_id),
        **sent.model_dump(exclude={"stream"}),
    )
    await form.services.gateway.send(form.key(sent.stream), RULEBOOK, command)
    await tell_own_twin(form)


async def _spoken_for(interaction: Interaction, state: Negotiation) -> list[Asked]:
    """Those linked to nobody, with a limit in doubt, for whom this person speaks."""
    doubted = guarded_offers(state, interaction.actor) if state.takes_offers else ()
    return [state.invited[each] for each in doubted if await speaks_for(interaction, each)]


def _first_form(
    state: Negotiation, actor: str, spoken_for: Sequence[Asked], texts: Texts, *, may_tell: bool
) -> dict[str, Any]:
    """Args: spoken_for: those for whom this person answers besides."""
    people = (*state.answerable_offers(actor), *spoken_for)
    if not people:
        raise NotAllowed("Nobody was asked for whom you answer.")
    asked = check_offer(state, actor, people[0].agent_id, as_admin=people[0] in spoken_for)
    if len(people) > 1:
        return choose_form(state.channel_id, people, texts)
    may_tell = may_tell and asked.user_id == actor
    return offer_form(state.channel_id, asked, state.offers.get(asked.agent_id), texts, may_tell=may_tell)


def _refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case IllegalStep():
            return notices.offers_closed(texts)
        case NotAllowed():
            return notices.no_offer(texts)
        case _:
            return notices.refused(refusal, texts)


def _field(form: Form, error: Exception) -> str:
    if read_choice(form.view) is not None:
        return WHOM
    if not isinstance(error, InvalidOffer):
        return DECISION
    return CONDITIONS if read_offer(form.view).decision is OfferDecision.CONDITIONAL else CONTRIBUTION
