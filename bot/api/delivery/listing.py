"""Which deliveries there are, for whoever asks over HTTP."""

from collections.abc import Iterable

from bot.api.context import Call
from bot.api.delivery.schemas import DeliveriesAsked, DeliveriesTold, DeliveryListed
from bot.api.streams import key_of
from bot.api.tokens import Scope
from engine.delivery.inbox import DELIVERY, ENDED_DELIVERY, TICKET, OwnDelivery, OwnTicket
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.kernel import decode, iso


async def deliveries(call: Call) -> DeliveriesTold:
    """With somebody's token, those that they asked for, and those of which a ticket waits for them; else all.

    Raises:
        StoreError, TimeoutError
    """
    asked: DeliveriesAsked = call.query
    is_anybodys = not call.token.user or Scope.ADMIN in call.token.scopes
    whose = "" if is_anybodys else f"{call.token.user}/"
    going_on = {each.session_id: each for each in await _listed(call, DELIVERY, whose)}
    for row in (await call.context.store.records(call.workspace.tenant, TICKET, whose)).values() if whose else ():
        stream = decode(row, OwnTicket).stream
        if stream not in going_on:
            going_on[stream] = _of_another(await call.context.gateway.read(key_of(call, stream), RULEBOOK))
    ended = await _listed(call, ENDED_DELIVERY, whose)
    return DeliveriesTold(deliveries=(*_latest(going_on.values(), asked.count), *_latest(ended, asked.count)))


async def _listed(call: Call, kind: str, whose: str) -> list[DeliveryListed]:
    rows = await call.context.store.records(call.workspace.tenant, kind, whose)
    return [_told(decode(row, OwnDelivery), key.partition("/")[0]) for key, row in rows.items()]


def _told(own: OwnDelivery, requester: str) -> DeliveryListed:
    return DeliveryListed(session_id=own.stream, status=own.status, since=iso(own.since), requester_id=requester)


def _of_another(state: Delivery) -> DeliveryListed:
    return DeliveryListed(
        session_id=state.session_id,
        status=state.status,
        since=iso(state.opened_at),
        requester_id=state.requester_id,
    )


def _latest(found: Iterable[DeliveryListed], count: int) -> list[DeliveryListed]:
    return sorted(found, key=lambda each: each.since, reverse=True)[:count]
