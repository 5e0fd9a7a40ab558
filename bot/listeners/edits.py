"""Whoever asked, or an admin, says the demand otherwise, or answers what was not clear in it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.desk import Desk, cause_of_form, spot_of_click, tenant_of
from bot.listeners.hand import hand_of_click
from bot.texts import Texts
from bot.views import notices
from bot.views.ballot import CLARIFY, EDIT, read_handle
from bot.views.edit_form import clarified, clarify_form, edit_form, read_answers, read_edit, stream_of
from engine.errors import IllegalStep, Refusal, StoreError
from engine.kernel import StreamKey
from engine.negotiation.commands import EditDemand
from engine.negotiation.gathering import check_edit
from engine.negotiation.state import Negotiation

FORMS: Final[Mapping[str, Callable[[Negotiation, Texts], dict[str, Any]]]] = {EDIT: edit_form, CLARIFY: clarify_form}


def register(app: AsyncApp, desk: Desk) -> None:
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        action = body["actions"][0]
        key = StreamKey(tenant_of(context), read_handle(action["value"]).stream)
        by = hand_of_click(body, key.tenant)
        state = await desk.look_up(key)
        words = await desk.words(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            check_edit(state, by, as_admin=await desk.is_admin(key.tenant, by))
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), _no(refusal, words))
        else:
            await client.views_open(trigger_id=body["trigger_id"], view=FORMS[action["action_id"]](state, words))
        await ack()

    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        key = StreamKey(tenant_of(context), stream_of(view))
        by = hand_of_click(body, key.tenant)
        user, demand = body["user"]["id"], ""
        try:
            state = await desk.look_up(key)
            demand = state.raw_input
            said = read_edit(view) if view["callback_id"] == EDIT else clarified(state.raw_input, read_answers(view))
            as_admin = await desk.is_admin(key.tenant, by)
            command = EditDemand(
                command_id=cause_of_form(view), at=desk.now(), by=by, raw_input=said, as_admin=as_admin
            )
            await desk.hand_in(key, command)
        except Refusal as refusal:
            words = await desk.words(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={_field(view): _no(refusal, words)})
        except (StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with what was written in it.
            words = desk.known_words(key.tenant, user, demand)
            await ack(response_action="errors", errors={_field(view): notices.went_wrong(words)})
        else:
            await ack()

    for name in FORMS:
        app.action(name)(clicked)
        app.view(name)(sent)


def _no(refusal: Refusal, words: Texts) -> str:
    return notices.demand_stands(words) if isinstance(refusal, IllegalStep) else notices.refused(refusal, words)


def _field(view: Mapping[str, Any]) -> str:
    """The first: what is refused is the whole."""
    return next(str(block["block_id"]) for block in view["blocks"] if block["type"] == "input")
