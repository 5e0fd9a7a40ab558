"""A linked person lets a colleague decide for their seat as well, as long as this negotiation goes on."""

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.negotiation.commands import Delegate
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.errors import InvalidDelegate
from engine.negotiation.events import SeatDelegated
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked
from engine.negotiation.voting import rounds


def delegate(draft: NegotiationDraft, command: Delegate) -> None:
    """Name a delegate, who may vote and correct the offer from now on besides the person. Earlier decisions stay.

    Raises:
        UnknownAgent, NotAllowed, IllegalStep, InvalidDelegate
    """
    state = draft.state
    asked = check_delegation(state, command.by, command.agent_id)
    if command.to == asked.user_id:
        raise InvalidDelegate("You decide for yourself already; name somebody else, or nobody.")
    if "@" in command.to:
        raise InvalidDelegate(f"{command.to} is from outside; name a colleague of this workspace.")
    if command.to == state.delegates.get(asked.agent_id, ""):
        return  # it is so already
    seat = state.current.seats.get(asked.agent_id) if state.current else None
    draft.happens(SeatDelegated(**draft.ids, agent_id=asked.agent_id, by=command.by, to=command.to))
    if seat is not None and seat.gone:
        rounds.settle(draft, command.at)  # they are there after all, so the round waits for them again


def check_delegation(state: Negotiation, by: str, agent_id: str) -> Asked:
    """Return who was asked, if ``by`` may name a delegate for them.

    Raises:
        UnknownAgent, NotAllowed, IllegalStep
    """
    if not state.invited:
        raise IllegalStep("Nobody was asked yet, so there is nothing to decide for anybody.")
    asked = state.invited.get(agent_id)
    if asked is None:
        raise UnknownAgent(f"{agent_id} was not asked, so there is nothing to decide for them.")
    if by != asked.user_id:
        raise NotAllowed(f"Only the person whom {asked.display_name} is linked to can name who else decides for them.")
    if not state.is_open:
        raise IllegalStep("This negotiation is over; there is nothing left to decide.")
    if agent_id in state.withdrawn:
        raise IllegalStep(f"{asked.display_name} has left this negotiation; there is nothing left to decide for them.")
    return asked
