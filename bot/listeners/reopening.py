"""Whoever asked, or an admin, takes up again what has failed."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.desk import Desk, cause_of_form, spot_of_click, tenant_of
from bot.listeners.hand import hand_of_click
from bot.listeners.intake import NotThere, check_place, why_not
from bot.texts import Texts
from bot.views import notices
from bot.views.ballot import REOPEN, read_handle
from bot.views.edit_form import DEMAND
from bot.views.reopen_form import read_reopen, reopen_form
from engine.errors import Duplicate, InvalidDemand, Refusal, StoreError
from engine.kernel import StreamKey
from engine.negotiation.commands import Reopen
from engine.negotiation.reopening import check_reopening


def register(app: AsyncApp, desk: Desk) -> None:
    @app.action(REOPEN)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_handle(body["actions"][0]["value"]).stream)
        by = hand_of_click(body, key.tenant)
        state = await desk.look_up(key)
        words = await desk.words(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            check_reopening(state, by, as_admin=await desk.is_admin(key.tenant, by))
            check_place((await desk.directory(key.tenant)).settings, state.place)
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), _no(refusal, "", words))
        else:
            await client.views_open(trigger_id=body["trigger_id"], view=reopen_form(state, words))
        await ack()

    @app.view(REOPEN)
    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        wish = read_reopen(view)
        key = StreamKey(tenant_of(context), wish.stream)
        by = hand_of_click(body, key.tenant)
        user, demand = body["user"]["id"], ""
        try:
            state = await desk.look_up(key)
            demand = state.raw_input
            as_admin = await desk.is_admin(key.tenant, by)
            if as_admin or by == state.requester_id:
                # Whoever may not is refused by the rules, which put it on record.
                check_place((await desk.directory(key.tenant)).settings, state.place)
            command = Reopen(
                command_id=cause_of_form(view),
                at=desk.now(),
                by=by,
                raw_input=wish.raw_input,
                balanced=wish.balanced,
                asks_possible=wish.asks_possible,
                as_admin=as_admin,
            )
            await desk.hand_in(key, command)
        except Refusal as refusal:
            words = await desk.words(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={DEMAND: _no(refusal, wish.raw_input, words)})
        except (StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with what was written in it.
            words = desk.known_words(key.tenant, user, demand)
            await ack(response_action="errors", errors={DEMAND: notices.went_wrong(words)})
        else:
            await ack()


def _no(refusal: Refusal, text: str, words: Texts) -> str:
    match refusal:
        case Duplicate():
            return notices.reopened_already(words)
        case InvalidDemand() | NotThere():
            return why_not(refusal, text, words)
        case _:
            return notices.refused(refusal, words)
