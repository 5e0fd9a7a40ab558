"""The forms with which whoever asked, or an admin, steers a negotiation: a button opens one, and what was sent is one
command. Whether they may is decided both times.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.gateway import CommandGateway, cause_of_form, spot_of_click, tenant_of
from bot.texts import Texts
from bot.views.kit.button_values import read_stream_button
from bot.views.kit.notice import notice
from bot.views.negotiation import notices
from bot.views.negotiation.owner_form import stream_of
from engine.directory.messages import Settings
from engine.errors import Refusal, StoreError
from engine.kernel import Command, StreamKey
from engine.negotiation.state import Negotiation

FormView = Mapping[str, Any]


def _wherever(_settings: Settings, _state: Negotiation) -> None:
    return


@dataclass(frozen=True, slots=True)
class Steering:
    """One of the forms."""

    name: str
    """Of the button, and of the form."""
    check: Callable[..., object]
    """Raises a `Refusal` where they may not, of the state, ``by`` whom and whether ``as_admin``."""
    form: Callable[[Negotiation, Texts], dict[str, Any]]
    asks: Callable[[Negotiation, FormView], Callable[..., Command]]
    """What was sent, as a command that lacks its id, its time, and who it is from."""
    refused: Callable[[Refusal, Texts], str] = notices.refused
    """What is said to somebody who may not, or whose answers cannot be used."""
    settles: Callable[[Settings, Negotiation], None] = _wherever
    """Raises a `Refusal` where the workspace's settings are against it."""


def register(app: AsyncApp, gateway: CommandGateway, steering: Steering) -> None:
    @app.action(steering.name)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_stream_button(body["actions"][0]["value"]).stream)
        by = actor_of_click(body, key.tenant)
        state = await gateway.look_up(key)
        texts = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            steering.check(state, by, as_admin=await gateway.is_admin(key.tenant, by))
            steering.settles((await gateway.directory(key.tenant)).settings, state)
        except Refusal as refusal:
            gateway.tell(client, spot_of_click(body), steering.refused(refusal, texts))
        else:
            await client.views_open(trigger_id=body["trigger_id"], view=steering.form(state, texts))
        await ack()

    @app.view(steering.name)
    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        key = StreamKey(tenant_of(context), stream_of(view))
        by = actor_of_click(body, key.tenant)
        user, demand = body["user"]["id"], ""
        try:
            state = await gateway.look_up(key)
            demand = state.raw_input
            as_admin = await gateway.is_admin(key.tenant, by)
            if as_admin or by == state.requester_id:
                # Whoever may not is refused by the rules, which put it on record.
                steering.settles((await gateway.directory(key.tenant)).settings, state)
            command = steering.asks(state, view)
            await gateway.send(key, command(command_id=cause_of_form(view), at=gateway.now(), by=by, as_admin=as_admin))
        except Refusal as refusal:
            texts = await gateway.texts(client, key.tenant, user, demand)
            await ack(**_answer(view, steering.refused(refusal, texts)))
        except (StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with what was filled in.
            texts = gateway.known_texts(key.tenant, user, demand)
            await ack(**_answer(view, notices.went_wrong(texts)))
        else:
            await ack()


def _answer(view: FormView, sentence: str) -> dict[str, Any]:
    """Beside the first field, since what is refused is the whole; where there is none, in place of the form."""
    fields = (str(block["block_id"]) for block in view["blocks"] if block["type"] == "input")
    field = next(fields, None)
    if field is None:
        return {"response_action": "update", "view": notice(sentence)}
    return {"response_action": "errors", "errors": {field: sentence}}
