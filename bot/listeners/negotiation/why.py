"""Somebody wants to know why they were asked. Nothing is decided here, and nothing changes."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.gateway import CommandGateway, spot_of_click, tenant_of
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import WHY, read_seat_button
from bot.views.negotiation.why import why
from engine.errors import NotAllowed
from engine.kernel import StreamKey
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.action(WHY)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        seated = read_seat_button(body["actions"][0]["value"])
        key = StreamKey(tenant_of(context), seated.stream)
        state = await gateway.look_up(key)
        texts = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            asked = _asked(state, actor_of_click(body, key.tenant), seated.agent_id)
        except NotAllowed:
            gateway.tell(client, spot_of_click(body), notices.not_for_you(texts))
        else:
            own = (await gateway.directory(key.tenant)).of_user(body["user"]["id"])
            may_pause = own is not None and own[0] == asked.agent_id and not own[1].is_paused
            await client.views_open(trigger_id=body["trigger_id"], view=why(state, asked, texts, may_pause=may_pause))
        await ack()


def _asked(state: Negotiation, actor: str, agent_id: str) -> Asked:
    """
    Raises:
        NotAllowed: it is neither their seat nor one they may decide for.
    """
    asked = state.invited.get(agent_id)
    if asked is None or not asked.user_id or actor not in state.hands(agent_id):
        raise NotAllowed("Why somebody was asked is for them alone, and for whom they let decide for them.")
    return asked
