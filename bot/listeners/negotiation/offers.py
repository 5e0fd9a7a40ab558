"""Somebody answers in place of their twin, as long as no proposal was made of the offers."""

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.gateway import CommandGateway, cause_of_form, spot_of_click, tenant_of
from bot.texts import Texts
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.offer_form import (
    CONDITIONS,
    CONTRIBUTION,
    DECISION,
    WHOM,
    choose_form,
    offer_form,
    read_choice,
)
from bot.views.negotiation.offer_form import read_offer as read_form
from engine.errors import IllegalStep, InvalidOffer, NotAllowed, Refusal, StoreError
from engine.kernel import StreamKey
from engine.negotiation.answers import OfferDecision
from engine.negotiation.commands import CorrectOffer
from engine.negotiation.offers import check_offer
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.action(CORRECT)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_stream_button(body["actions"][0]["value"]).stream)
        actor = actor_of_click(body, key.tenant)
        state = await gateway.look_up(key)
        texts = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input)
        try:
            view = _first_form(state, actor, texts)
        except Refusal as refusal:
            gateway.tell(client, spot_of_click(body), _no(refusal, texts))
        else:
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.view(CORRECT)
    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        chosen = read_choice(view)
        if chosen is None:
            await _correct(ack, body, view, context, client)
            return
        stream, agent_id = chosen
        tenant, user, demand = tenant_of(context), body["user"]["id"], ""
        try:
            state = await gateway.look_up(StreamKey(tenant, stream))
            demand = state.raw_input
            asked = check_offer(state, actor_of_click(body, tenant), agent_id)
        except Refusal as refusal:
            texts = await gateway.texts(client, tenant, user, demand)
            await ack(response_action="errors", errors={WHOM: _no(refusal, texts)})
        except (StoreError, TimeoutError):
            texts = gateway.known_texts(tenant, user, demand)
            await ack(response_action="errors", errors={WHOM: notices.went_wrong(texts)})
        else:
            texts = await gateway.texts(client, tenant, user, demand)
            form = offer_form(stream, asked, state.offers.get(agent_id), texts)
            await ack(response_action="update", view=form)

    async def _correct(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        form = read_form(view)
        key = StreamKey(tenant_of(context), form.stream)
        user, demand = body["user"]["id"], ""
        try:
            demand = (await gateway.look_up(key)).raw_input
            command = CorrectOffer(
                command_id=cause_of_form(view),
                at=gateway.now(),
                by=actor_of_click(body, key.tenant),
                **form.model_dump(exclude={"stream"}),
            )
            await gateway.send(key, command)
        except Refusal as refusal:
            texts = await gateway.texts(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={_field(refusal, form.decision): _no(refusal, texts)})
        except (StoreError, TimeoutError):
            # Not recorded, as far as we know: the form stays open, with what was written in it.
            texts = gateway.known_texts(key.tenant, user, demand)
            await ack(response_action="errors", errors={DECISION: notices.went_wrong(texts)})
        else:
            await ack()


def _first_form(state: Negotiation, actor: str, texts: Texts) -> dict[str, Any]:
    """
    Raises:
        Refusal: there is no offer that this person could correct now.
    """
    people = state.answerable_offers(actor)
    if not people:
        raise NotAllowed("Nobody was asked for whom you answer.")
    asked = check_offer(state, actor, people[0].agent_id)
    if len(people) > 1:
        return choose_form(state.channel_id, people, texts)
    return offer_form(state.channel_id, asked, state.offers.get(asked.agent_id), texts)


def _no(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case IllegalStep():
            return notices.offers_closed(texts)
        case NotAllowed():
            return notices.no_offer(texts)
        case _:
            return notices.refused(refusal, texts)


def _field(refusal: Refusal, decision: OfferDecision) -> str:
    """The field beside which an error is shown."""
    if not isinstance(refusal, InvalidOffer):
        return DECISION
    return CONDITIONS if decision is OfferDecision.CONDITIONAL else CONTRIBUTION
