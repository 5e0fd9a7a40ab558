"""Somebody wants to know why they were asked. Nothing is decided here, and nothing changes."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import WHY, read_seat_button
from bot.views.negotiation.demand.why_asked import why_asked
from engine.errors import NotAllowed, Refusal
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, WHY, _clicked, _refused)


async def _clicked(click: Click) -> None:
    button = read_seat_button(click.value)
    state = await read_negotiation(click, button.stream)
    asked = _asked(state, click.actor, button.agent_id)
    own = (await click.directory()).of_user(click.user)
    may_pause = own is not None and own[0] == asked.agent_id and not own[1].is_paused
    await click.open(why_asked(state, asked, await click.texts(), may_pause=may_pause))


def _refused(refusal: Refusal, texts: Texts) -> str:
    return notices.not_for_you(texts) if isinstance(refusal, NotAllowed) else notices.refused(refusal, texts)


def _asked(state: Negotiation, actor: str, agent_id: str) -> Asked:
    """
    Raises:
        NotAllowed: it is neither their seat nor one they may decide for.
    """
    asked = state.invited.get(agent_id)
    if asked is None or not asked.user_id or actor not in state.actors_for(agent_id):
        raise NotAllowed("Why somebody was asked is for them alone, and for whom they let decide for them.")
    return asked
