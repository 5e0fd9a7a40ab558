"""What waits for whom, and everybody's deliveries. Written in the commit that changes it.

| question | kind | key | while |
| --- | --- | --- | --- |
| what can they do? | ``ticket`` | owner's user / stream / ticket | it is theirs and can be worked on, or taken |
| what waits for their decision? | ``decision`` | who is asked / stream / what | it waits |
| what did they ask to have carried out? | ``delivery`` | requester / stream | it goes on |
| what did they ask for before? | ``ended_delivery`` | requester / when it ended / stream | it has ended |
| which deliveries go on? | ``open_delivery`` | stream | it goes on |
| whose files are to be put into the thread? | ``results`` | stream | it has ended, until whoever does that begins |

It holds nobody's words: those can be erased, and this stays.
"""

from typing import Final

from engine.delivery.outstanding import is_persons_to_discuss
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import Artifact
from engine.delivery.tickets.owners import decider_of
from engine.kernel import Handled, Message, Millis, Place, Record, encode

TICKET: Final = "ticket"
DECISION: Final = "decision"
DELIVERY: Final = "delivery"
ENDED_DELIVERY: Final = "ended_delivery"
OPEN_DELIVERY: Final = "open_delivery"
RESULTS: Final = "results"
CLARIFICATION: Final = "clarification"
"""In the place of a ticket: what the Manager asks before there are any."""


class OwnDelivery(Message):
    """A delivery that this person asked for."""

    stream: str
    status: Status
    since: Millis
    place: Place


class OwnTicket(Message):
    """A ticket that waits for this person."""

    stream: str
    ticket_id: str
    status: TicketStatus
    since: Millis
    place: Place
    is_hand_over: bool = False
    """Whether they are asked to take it."""


class OwnDecision(Message):
    """What waits for whoever asked, or an admin."""

    stream: str
    about: str
    """A ticket's id, or ``clarification``."""
    need: str
    """A `PersonNeed`, or ``clarification``."""
    since: Millis
    place: Place


def tickets(handled: Handled[Delivery]) -> tuple[Record, ...]:
    """Return the records that have changed; most commands change few."""
    if not handled.events:
        return ()
    before, after = _records(handled.stream, handled.before), _records(handled.stream, handled.after)
    changed = [Record(kind, key, value) for (kind, key), value in after.items() if before.get((kind, key)) != value]
    gone = [Record(kind, key, None) for kind, key in before.keys() - after.keys()]
    return (*sorted(gone, key=lambda record: (record.kind, record.key)), *changed)


def _records(stream: str, state: Delivery) -> dict[tuple[str, str], str]:
    if not state.exists:
        return {}
    own = OwnDelivery(stream=stream, status=state.status, since=state.ended_at or state.opened_at, place=state.place)
    if not state.is_open:
        ended = {(ENDED_DELIVERY, f"{state.requester_id}/{state.ended_at:015}/{stream}"): encode(own)}
        return ended | ({(RESULTS, stream): encode(own)} if files_of(state) and state.place.channel else {})
    found = {
        (DELIVERY, f"{state.requester_id}/{stream}"): encode(own),
        (OPEN_DELIVERY, stream): encode(own),
    }
    if (asked := state.open_clarification) is not None:
        since = asked.until
        decision = OwnDecision(stream=stream, about=CLARIFICATION, need=CLARIFICATION, since=since, place=state.place)
        found[DECISION, f"{state.requester_id}/{stream}/{CLARIFICATION}"] = encode(decision)
    if state.status is Status.WORKING:
        for ticket in state.tickets.values():
            found.update(_of_ticket(stream, state, ticket))
    return found


def files_of(state: Delivery) -> tuple[Artifact, ...]:
    """Return the files that were made and approved; nothing where words are erased."""
    if state.erased:
        return ()
    done = (each for each in state.tickets.values() if each.status is TicketStatus.DONE)
    return tuple(made for each in done for made in each.artifacts if not made.is_link)


def _of_ticket(stream: str, state: Delivery, ticket: Ticket) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    own = OwnTicket(
        stream=stream, ticket_id=ticket.ticket_id, status=ticket.status, since=ticket.since, place=state.place
    )
    if waits_for_owner(ticket):
        found[TICKET, f"{ticket.owner.user_id}/{stream}/{ticket.ticket_id}"] = encode(own)
    if ticket.hand_over_to and ticket.is_open:
        asked = OwnTicket(
            stream=stream,
            ticket_id=ticket.ticket_id,
            status=ticket.status,
            since=ticket.since,
            place=state.place,
            is_hand_over=True,
        )
        found[TICKET, f"{ticket.hand_over_to}/{stream}/{ticket.ticket_id}"] = encode(asked)
    if ticket.need is not None:
        decision = OwnDecision(
            stream=stream, about=ticket.ticket_id, need=ticket.need, since=ticket.since, place=state.place
        )
        decider = decider_of(state, ticket, ticket.need)
        found[DECISION, f"{decider}/{stream}/{ticket.ticket_id}"] = encode(decision)
    return found


def waits_for_owner(ticket: Ticket) -> bool:
    """Whether a person has something to do on it."""
    if not ticket.is_a_persons or not ticket.owner.user_id:
        return False
    is_workable = ticket.status is TicketStatus.IN_PROGRESS and ticket.claim is None
    return is_workable or is_persons_to_discuss(ticket)
