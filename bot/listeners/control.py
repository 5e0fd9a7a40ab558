"""The requester steers: stops the negotiation."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.desk import Desk, cause_of_click, spot_of_click, tenant_of, words_for
from bot.views import notices
from bot.views.ballot import STOP, read_handle
from engine.errors import Refusal
from engine.kernel import StreamKey
from engine.negotiation.messages import Cancel


def register(app: AsyncApp, desk: Desk) -> None:
    @app.action(STOP)
    async def stopped(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_handle(body["actions"][0]["value"]).stream)
        state = await desk.look_up(key)
        try:
            await desk.hand_in(key, Cancel(command_id=cause_of_click(body), at=desk.now(), by=body["user"]["id"]))
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), notices.refused(refusal, words_for(state.raw_input)))
        await ack()
