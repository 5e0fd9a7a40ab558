"""Somebody who was not asked offers their help with a form; whoever asked, or an admin, decides."""

from collections.abc import Sequence
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.conversation import Utterance
from bot.listeners.handing_over import ThreadStream
from bot.listeners.intake import why_not_there
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.negotiation.intake import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.blocks import Block
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import OFFER_HELP, SeatButton
from bot.views.negotiation.offers.help_form import WHAT, help_button, help_form, read_help
from engine.errors import Duplicate, IllegalStep, Refusal
from engine.negotiation.commands import OfferHelp
from engine.negotiation.offers.volunteers import check_help
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation

WITHOUT_A_TWIN: Final = "person_"
"""What the agent ids of people without a profile begin with; their user ids follow."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, OFFER_HELP, _opened, why_not_taken)
    on_form(app, services, OFFER_HELP, _offered, why_not_taken, beside(WHAT))


async def offers_help(utterance: Utterance, streams: Sequence[ThreadStream]) -> Block | None:
    """Return the button by which somebody who was not asked can offer their help for what began the thread.

    Returns:
        None where they take part, have offered it already, or nobody else is needed.
    """
    found = [each for each in streams if each.protocol == RULEBOOK.protocol and each.state.parent is None]
    if not found:
        return None
    state: Negotiation = found[0].state
    try:
        utterance.check_colleague()
        check_help(state, utterance.actor, "")
    except Refusal:
        return None
    return help_button(state, utterance.texts)


async def _opened(click: Click) -> None:
    state = await read_negotiation(click, SeatButton.read(click.value).stream)
    click.check_colleague()
    check_help(state, click.actor, "")
    await click.open(help_form(state, await click.texts()))


async def _offered(form: Form) -> None:
    stream, text, covers = read_help(form.view)
    state = await read_negotiation(form, stream)
    form.check_colleague()
    linked = (await form.directory()).of_user(form.actor)
    agent_id = linked[0] if linked else f"{WITHOUT_A_TWIN}{form.actor}"
    check_help(state, form.actor, agent_id)
    profile = linked[1].profile if linked else None
    texts = form.services.texts
    command = OfferHelp(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        agent_id=agent_id,
        display_name=profile.user_name if profile else await texts.name(form.client, form.tenant, form.actor),
        text=text,
        has_twin=bool(linked and linked[1].is_asked),
        prepares=profile is not None and profile.only_prepares,
        covers=covers,
    )
    await form.services.gateway.send(form.key(stream), RULEBOOK, command)


def why_not_taken(refusal: Refusal, texts: Texts) -> str:
    """Say to somebody why their help is not wanted."""
    match refusal:
        case Duplicate():
            return notices.help_offered_already(texts)
        case IllegalStep():
            return notices.no_help_needed(texts)
        case _:
            return why_not_there(refusal, texts) or notices.refused(refusal, texts)
