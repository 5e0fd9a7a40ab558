"""Whoever asked, or an admin, says which seats the plan falls with."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.desk import Desk, cause_of_form, spot_of_click, tenant_of
from bot.listeners.hand import hand_of_click
from bot.views import notices
from bot.views.ballot import CORE, read_handle
from bot.views.core_form import SEATS, core_form, read_core
from engine.errors import Refusal, StoreError
from engine.kernel import StreamKey
from engine.negotiation.commands import ChooseCore
from engine.negotiation.core import check_core


def register(app: AsyncApp, desk: Desk) -> None:
    @app.action(CORE)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_handle(body["actions"][0]["value"]).stream)
        by = hand_of_click(body, key.tenant)
        state = await desk.look_up(key)
        words = await desk.words(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            check_core(state, by, as_admin=await desk.is_admin(key.tenant, by))
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), notices.refused(refusal, words))
        else:
            view = core_form(key.stream, state.proposals[-1], words)
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.view(CORE)
    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        stream, chosen = read_core(view)
        key = StreamKey(tenant_of(context), stream)
        by = hand_of_click(body, key.tenant)
        user, demand = body["user"]["id"], ""
        try:
            demand = (await desk.look_up(key)).raw_input
            as_admin = await desk.is_admin(key.tenant, by)
            command = ChooseCore(
                command_id=cause_of_form(view), at=desk.now(), by=by, agent_ids=chosen, as_admin=as_admin
            )
            await desk.hand_in(key, command)
        except Refusal as refusal:
            words = await desk.words(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={SEATS: notices.refused(refusal, words)})
        except (StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with what was chosen in it.
            words = desk.known_words(key.tenant, user, demand)
            await ack(response_action="errors", errors={SEATS: notices.went_wrong(words)})
        else:
            await ack()
