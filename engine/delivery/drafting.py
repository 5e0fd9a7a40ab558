"""The draft of a decision of a delivery.

What a delivery owes follows from its state alone (`engine.delivery.owed`), so no rule names an effect or an alarm: the
draft compares what was owed before with what is owed now.
"""

from typing import Final, TypedDict

from engine.delivery.errors import UnknownTicket
from engine.delivery.owed import alarms, effects
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
        """
        Raises:
            UnknownTicket
        """
        found = self.state.tickets.get(ticket_id)
        if found is None:
            raise UnknownTicket(f"This delivery has no ticket {ticket_id}.")
        return found

    def settle(self, before: Delivery) -> None:
        """Owe what the state owes now and did not before, and void what it no longer owes.

        What has its name and is another one counts as both: somebody else is asked the same.
        """
        owed, now = effects(before), effects(self.state)
        for name, effect in owed.items():
            if now.get(name) != effect:
                self.voids(effect.scope)
        for name, effect in now.items():
            if owed.get(name) != effect:
                self.owes(effect)
        rung, due = alarms(before), alarms(self.state)
        for name in rung.keys() - due.keys():
            self.clears(name)
        for name, at in due.items():
            if rung.get(name) != at:
                self.sets(name, at)


def later(at: Millis, seconds: float) -> Millis:
    return at + round(seconds * 1000)
