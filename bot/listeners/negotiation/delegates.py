"""Somebody lets a colleague decide for their seat, or decides alone again."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import hand_of_click
from bot.listeners.colleagues import hand_of
from bot.listeners.gateway import Desk, cause_of_form, spot_of_click, tenant_of
from bot.posts.failures import CallFailed
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import DELEGATE, read_seated
from bot.views.negotiation.delegate_form import TO, delegate_form, read_delegate
from engine.errors import NotAllowed, Refusal, StoreError, UnknownAgent
from engine.kernel import StreamKey
from engine.negotiation.commands import Delegate
from engine.negotiation.delegation import check_delegation
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, desk: Desk) -> None:
    @app.action(DELEGATE)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        seated = read_seated(body["actions"][0]["value"])
        key = StreamKey(tenant_of(context), seated.stream)
        by = hand_of_click(body, key.tenant)
        state = await desk.look_up(key)
        words = await desk.words(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            asked = check_delegation(state, by, seated.agent_id or _own(state, by))
        except Refusal as refusal:
            desk.tell(client, spot_of_click(body), _no(refusal, words))
        else:
            delegate = state.delegates.get(asked.agent_id, "")
            demand = state.understanding.surface_demand if state.understanding else state.raw_input
            view = delegate_form(key.stream, asked.agent_id, demand, delegate, words)
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.view(DELEGATE)
    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        seated, to = read_delegate(view)
        key = StreamKey(tenant_of(context), seated.stream)
        by = hand_of_click(body, key.tenant)
        user, demand = body["user"]["id"], ""
        try:
            state = await desk.look_up(key)
            demand = state.raw_input
            if to and _may(state, by, seated.agent_id):
                to = await hand_of(client, key.tenant, to)
            command = Delegate(command_id=cause_of_form(view), at=desk.now(), by=by, agent_id=seated.agent_id, to=to)
            await desk.hand_in(key, command)
        except Refusal as refusal:
            words = await desk.words(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={TO: _no(refusal, words)})
        except (CallFailed, StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with whoever was chosen in it.
            words = desk.known_words(key.tenant, user, demand)
            await ack(response_action="errors", errors={TO: notices.went_wrong(words)})
        else:
            await ack()


def _own(state: Negotiation, hand: str) -> str:
    """The seat of whoever clicked where everybody reads.

    Raises:
        NotAllowed: they have none.
    """
    for each in state.invited.values():
        if each.user_id == hand:
            return each.agent_id
    raise NotAllowed(f"{hand} was not asked, so there is nothing they could let somebody else decide.")


def _may(state: Negotiation, by: str, agent_id: str) -> bool:
    """Slack is asked after somebody only for those who may name them; everybody else is refused on record."""
    try:
        check_delegation(state, by, agent_id)
    except Refusal:
        return False
    return True


def _no(refusal: Refusal, words: Texts) -> str:
    match refusal:
        case NotAllowed() | UnknownAgent():
            return notices.nothing_to_delegate(words)
        case _:
            return notices.refused(refusal, words)
