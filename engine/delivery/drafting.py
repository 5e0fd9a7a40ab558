"""The draft of a decision of a delivery."""

from typing import Final, TypedDict

from engine.delivery.errors import UnknownTicket
from engine.delivery.state import Delivery, Ticket
from engine.kernel import Draft, Millis

HOUR: Final = 3600.0


class Ids(TypedDict):
    """What every event of a delivery carries."""

    session_id: str


class TicketIds(TypedDict):
    """What every event of a ticket carries."""

    session_id: str
    ticket_id: str
    at: Millis


class DeliveryDraft(Draft[Delivery]):
    @property
    def ids(self) -> Ids:
        return {"session_id": self.state.session_id}

    def of(self, ticket: Ticket, at: Millis) -> TicketIds:
        return {"session_id": self.state.session_id, "ticket_id": ticket.ticket_id, "at": at}

    def ticket(self, ticket_id: str) -> Ticket:
        found = self.state.tickets.get(ticket_id)
        if found is None:
            raise UnknownTicket(f"This delivery has no ticket {ticket_id}.")
        return found


def later(at: Millis, seconds: float) -> Millis:
    return at + round(seconds * 1000)
