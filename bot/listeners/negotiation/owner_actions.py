"""Who asked, or an admin, steers: closes a round early, stops the negotiation."""

from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.gateway import CommandGateway, cause_of_click, spot_of_click, tenant_of
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import CLOSE, STOP, read_vote_button
from engine.errors import Refusal
from engine.kernel import Command, StreamKey
from engine.negotiation.commands import Cancel, CloseRound


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    async def steered(
        body: dict[str, Any], client: AsyncWebClient, key: StreamKey, command: Callable[[str, bool], Command]
    ) -> None:
        """A refusal is told in private, and changes nothing.

        Args:
            command: what it is, once it is known by whom, and whether they are an admin.
        """
        by = actor_of_click(body, key.tenant)
        state = await gateway.look_up(key)
        try:
            await gateway.send(key, command(by, await gateway.is_admin(key.tenant, by)))
        except Refusal as refusal:
            texts = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input)
            gateway.tell(client, spot_of_click(body), notices.refused(refusal, texts))

    @app.action(STOP)
    async def stopped(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_stream_button(body["actions"][0]["value"]).stream)

        def stop(by: str, as_admin: bool) -> Command:
            return Cancel(command_id=cause_of_click(body), at=gateway.now(), by=by, as_admin=as_admin)

        await steered(body, client, key, stop)
        await ack()

    @app.action(CLOSE)
    async def closed(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        ballot = read_vote_button(body["actions"][0]["value"])
        key = StreamKey(tenant_of(context), ballot.stream)

        def close(by: str, as_admin: bool) -> Command:
            cause = cause_of_click(body)
            return CloseRound(command_id=cause, at=gateway.now(), by=by, round=ballot.round, as_admin=as_admin)

        await steered(body, client, key, close)
        await ack()
