"""Reports whom a round has reached: the silence of people who were never reached is no consent."""

from collections.abc import Iterator, Mapping

from bot.views.kit.presenter import Delivery
from bot.views.negotiation.offers.own_offers import own_offer_key
from bot.views.negotiation.voting.participant_card import card_round, participant_card_key
from engine.kernel import Millis
from engine.negotiation.commands import RecordDelivery
from engine.negotiation.offers.collecting import is_awaited
from engine.negotiation.state import Negotiation, Seat


def reports(state: Negotiation, deliveries: Mapping[str, Delivery], at: Millis) -> list[RecordDelivery]:
    """Commands about the open round, or before it about own offers; the same facts make the same commands."""
    opened = state.current
    if opened is None:
        return [*_about_offers(state, deliveries, at)]
    found = []
    for seat in opened.seats.values():
        message = card_round(state, len(state.rounds) - 1, seat.agent_id).number
        delivery = deliveries.get(participant_card_key(message, seat.agent_id))
        if delivery is None or seat.user_id is None:
            continue
        if _has_reached(seat, delivery) or _has_failed(seat, delivery):
            found.append((seat.agent_id, delivery))
    return [
        RecordDelivery(
            command_id=f"reach:{opened.number}:{agent_id}:{delivery.ts or delivery.refusal}",
            at=at,
            agent_id=agent_id,
            round=opened.number,
            reached=bool(delivery.ts),
            gone=delivery.is_gone and not delivery.ts,
        )
        for agent_id, delivery in found
    ]


def _about_offers(state: Negotiation, deliveries: Mapping[str, Delivery], at: Millis) -> Iterator[RecordDelivery]:
    """Report those who cannot be told that their own offer is waited for."""
    for agent_id in state.asked_in_person:
        delivery = deliveries.get(own_offer_key(state, agent_id))
        if delivery and delivery.refusal and not delivery.ts and is_awaited(state, agent_id):
            yield RecordDelivery(
                command_id=f"reach:0:{agent_id}:{state.discarded}:{delivery.refusal}",
                at=at,
                agent_id=agent_id,
                round=0,
                reached=False,
                gone=delivery.is_gone,
            )


def _has_reached(seat: Seat, delivery: Delivery) -> bool:
    return bool(delivery.ts) and seat.decides_alone and seat.human is None and not seat.reached


def _has_failed(seat: Seat, delivery: Delivery) -> bool:
    is_known = seat.gone or (seat.unreachable and not delivery.is_gone)
    return bool(delivery.refusal) and not delivery.ts and not is_known
