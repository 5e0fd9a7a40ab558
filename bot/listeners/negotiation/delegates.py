"""Somebody lets a colleague decide for their seat, or decides alone again."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.colleagues import actor_of
from bot.listeners.gateway import CommandGateway, cause_of_form, spot_of_click, tenant_of
from bot.posts.failures import CallFailed
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import DELEGATE, read_seat_button
from bot.views.negotiation.delegate_form import TO, delegate_form, read_delegate
from engine.errors import NotAllowed, Refusal, StoreError, UnknownAgent
from engine.kernel import StreamKey
from engine.negotiation.commands import Delegate
from engine.negotiation.delegation import check_delegation
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.action(DELEGATE)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        seated = read_seat_button(body["actions"][0]["value"])
        key = StreamKey(tenant_of(context), seated.stream)
        by = actor_of_click(body, key.tenant)
        state = await gateway.look_up(key)
        texts = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            asked = check_delegation(state, by, seated.agent_id or _own(state, by))
        except Refusal as refusal:
            gateway.tell(client, spot_of_click(body), _no(refusal, texts))
        else:
            delegate = state.delegates.get(asked.agent_id, "")
            demand = state.understanding.surface_demand if state.understanding else state.raw_input
            view = delegate_form(key.stream, asked.agent_id, demand, delegate, texts)
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.view(DELEGATE)
    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        seated, to = read_delegate(view)
        key = StreamKey(tenant_of(context), seated.stream)
        by = actor_of_click(body, key.tenant)
        user, demand = body["user"]["id"], ""
        try:
            state = await gateway.look_up(key)
            demand = state.raw_input
            if to and _may(state, by, seated.agent_id):
                to = await actor_of(client, key.tenant, to)
            command = Delegate(command_id=cause_of_form(view), at=gateway.now(), by=by, agent_id=seated.agent_id, to=to)
            await gateway.send(key, command)
        except Refusal as refusal:
            texts = await gateway.texts(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={TO: _no(refusal, texts)})
        except (CallFailed, StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with whoever was chosen in it.
            texts = gateway.known_texts(key.tenant, user, demand)
            await ack(response_action="errors", errors={TO: notices.went_wrong(texts)})
        else:
            await ack()


def _own(state: Negotiation, actor: str) -> str:
    """The seat of whoever clicked where everybody reads.

    Raises:
        NotAllowed: they have none.
    """
    for each in state.invited.values():
        if each.user_id == actor:
            return each.agent_id
    raise NotAllowed(f"{actor} was not asked, so there is nothing they could let somebody else decide.")


def _may(state: Negotiation, by: str, agent_id: str) -> bool:
    """Slack is asked after somebody only for those who may name them; everybody else is refused on record."""
    try:
        check_delegation(state, by, agent_id)
    except Refusal:
        return False
    return True


def _no(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed() | UnknownAgent():
            return notices.nothing_to_delegate(texts)
        case _:
            return notices.refused(refusal, texts)
