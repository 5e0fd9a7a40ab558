"""Whoever asked, or an admin, decides that the plan is carried out."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.desk import Desk, cause_of_form, spot_of_click, tenant_of
from bot.listeners.hand import hand_of_click
from bot.texts import Texts
from bot.views import notices
from bot.views.ballot import PROCEED, read_handle
from bot.views.proceed_form import ANNOUNCE, proceed_form, read_proceed, told
from engine.errors import Duplicate, Refusal, StoreError
from engine.kernel import StreamKey
from engine.negotiation.commands import Proceed
from engine.negotiation.proceeding import check_proceeding


def register(app: AsyncApp, desk: Desk) -> None:
    @app.action(PROCEED)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_handle(body["actions"][0]["value"]).stream)
        by = hand_of_click(body, key.tenant)
        state = await desk.look_up(key)
        words = await desk.words(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            final = check_proceeding(state, by, as_admin=await desk.is_admin(key.tenant, by))
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), _no(refusal, words))
        else:
            await client.views_open(trigger_id=body["trigger_id"], view=proceed_form(state, final, words))
        await ack()

    @app.view(PROCEED)
    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        stream, announce = read_proceed(view)
        key = StreamKey(tenant_of(context), stream)
        by = hand_of_click(body, key.tenant)
        user, demand = body["user"]["id"], ""
        try:
            demand = (await desk.look_up(key)).raw_input
            command = Proceed(
                command_id=cause_of_form(view),
                at=desk.now(),
                by=by,
                as_admin=await desk.is_admin(key.tenant, by),
                announce=announce,
            )
            await desk.hand_in(key, command)
        except Refusal as refusal:
            words = await desk.words(client, key.tenant, user, demand)
            await ack(**_answer(view, _no(refusal, words), words))
        except (StoreError, TimeoutError):
            # Not recorded, as far as we know.
            words = desk.known_words(key.tenant, user, demand)
            await ack(**_answer(view, notices.went_wrong(words), words))
        else:
            await ack()


def _no(refusal: Refusal, words: Texts) -> str:
    return notices.goes_ahead_already(words) if isinstance(refusal, Duplicate) else notices.refused(refusal, words)


def _answer(view: Mapping[str, Any], sentence: str, words: Texts) -> dict[str, Any]:
    """Beside the field, where there is one; else in place of the form."""
    if any(block["block_id"] == ANNOUNCE for block in view["blocks"]):
        return {"response_action": "errors", "errors": {ANNOUNCE: sentence}}
    return {"response_action": "update", "view": told(sentence, words)}
