"""Envelopes that are none: written down, and nothing moves."""

from engine.delivery.commands import RejectEnvelope
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import EnvelopeRejected


def rejected(draft: DeliveryDraft, command: RejectEnvelope) -> None:
    draft.happens(
        EnvelopeRejected(
            **draft.ids,
            source=command.source,
            payload_type=command.payload_type,
            code=command.code,
            message=command.message,
            ticket_id=command.ticket_id if command.ticket_id in draft.state.tickets else "",
            at=command.at,
        )
    )
