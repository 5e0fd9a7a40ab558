"""Reports whom a round has reached: the silence of people who were never reached is no consent."""

from collections.abc import Mapping

from bot.views.kit.presenter import Delivery
from bot.views.negotiation.participant_card import participant_card_key
from engine.kernel import Millis
from engine.negotiation.commands import RecordDelivery
from engine.negotiation.state import Negotiation, Seat


def reports(state: Negotiation, deliveries: Mapping[str, Delivery], at: Millis) -> list[RecordDelivery]:
    """Commands about the open round; the same facts make the same commands."""
    opened = state.current
    if opened is None:
        return []
    found = []
    for seat in opened.seats.values():
        delivery = deliveries.get(participant_card_key(opened.number, seat.agent_id))
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


def _has_reached(seat: Seat, delivery: Delivery) -> bool:
    return bool(delivery.ts) and seat.twin_degraded and seat.human is None and not seat.reached


def _has_failed(seat: Seat, delivery: Delivery) -> bool:
    is_known = seat.gone or (seat.unreachable and not delivery.is_gone)
    return bool(delivery.refusal) and not delivery.ts and not is_known
