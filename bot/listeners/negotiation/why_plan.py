"""Somebody wants to know why a plan is as it is. Nothing is decided here, and nothing changes."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.agreement.decision_record import why_this_plan
from bot.views.negotiation.button_values import WHY_PLAN
from engine.kernel import StreamKey
from engine.llm.ledger_days import spent_on
from engine.llm.spending import Spending
from engine.store.port import Store


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, WHY_PLAN, _clicked, notices.refused)


async def _clicked(click: Click) -> None:
    state = await read_negotiation(click, read_stream_button(click.value).stream)
    spent = None
    if state.is_owned_by(click.actor, as_admin=await click.is_admin()):
        spent = await _spent(click.services.store, click.key(state.channel_id))
    await click.open(why_this_plan(state, await click.texts(), spent))


async def _spent(store: Store, key: StreamKey) -> Spending:
    """Return what the models have cost since its first event.

    Raises:
        StoreError
    """
    stored = await store.load(key)
    began = stored.events[0].at if stored else 0
    return await spent_on(store, key.tenant, key.stream, began)
